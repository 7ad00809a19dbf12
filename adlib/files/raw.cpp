// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/format.hpp"

namespace hpspmd::detail::files {
namespace {

/// The elements alone.
class Raw final : public FileFormat {
public:
    FileArray look(DiskFile& file, const FileArray* wanted) const override {
        if (wanted == nullptr) throw Failure("a .raw file does not tell its shape");
        const Index bytes = wanted->count() * wanted->number->bytes;
        if (file.size() != bytes)
            throw Failure("it has " + std::to_string(file.size()) + " bytes, the array (" +
                          describe(*wanted) + ") " + std::to_string(bytes));
        return *wanted;
    }
};

}  // namespace

const FileFormat& rawFormat() {
    static const Raw format;
    return format;
}

}  // namespace hpspmd::detail::files
