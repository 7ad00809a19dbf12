// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/file.hpp>
#include <hpspmd/error.hpp>

#include "checks/checks.hpp"
#include "files/arrays.hpp"
#include "files/request.hpp"

namespace hpspmd::Adlib {

using namespace detail;
using namespace detail::files;

struct File::State {
    std::string name;
    Where where;
    std::optional<NewArrays> arrays;

    template <class Action>
    void perform(const char* what, Where where, const Action& action) {
        const Call call{what, where};
        onFile(call, name, "write", [&] {
            if (!arrays) throw Failure("it was closed, or could not be written");
            const Entered entry = entered(call, name, nullptr);
            try {
                action(entry);
            } catch (...) {
                arrays.reset();
                throw;
            }
        });
    }
};

File::File(std::string file, Where where) : state_(new State{std::move(file), where, {}}) {
    const Call call{"File", where};
    onFile(call, state_->name, "write", [&] {
        const std::optional<Inside> inside = insideOf(state_->name);
        if (!inside || inside->file != state_->name)
            throw Failure("the end of its name tells no format of several arrays: .npz, .h5, .vti");
        state_->arrays.emplace(*inside->container, inside->file);
        state_->perform("File", where, [&](const Entered& entry) { state_->arrays->open(entry); });
    });
}

File::File(File&&) noexcept = default;

File::~File() noexcept(false) {
    if (state_ && state_->arrays && std::uncaught_exceptions() == exceptions_) close(state_->where);
}

void File::writeArray(const std::string& name, const FileOperand& array,
                      const Attributes& attributes, Where where) {
    requireContained({"write", where}, array.array);
    state_->perform("write", where, [&](const Entered& entry) {
        state_->arrays->write(entry, name, array, attributes);
    });
}

void File::writeValue(const std::string& name, const FileValue& value, Where where) {
    state_->perform("write", where,
                    [&](const Entered& entry) { state_->arrays->write(entry, name, value); });
}

void File::attribute(const std::string& name, const Attribute& value, Where where) {
    state_->perform("attribute", where,
                    [&](const Entered& entry) { state_->arrays->attribute(entry, name, value); });
}

void File::close(Where where) {
    state_->perform("close", where, [&](const Entered& entry) { state_->arrays->commit(entry); });
    state_->arrays.reset();
}

}  // namespace hpspmd::Adlib
