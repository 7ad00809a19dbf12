// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/outcome.hpp"

#include <cstring>
#include <hpspmd/active.hpp>

#include "files/disk_file.hpp"
#include "transport/combine.hpp"

namespace hpspmd::detail::files {
namespace {

struct Told {
    char text[500];
    bool failed;
};

void keepFirst(void* left, const void* right, std::size_t bytes, const void*) {
    if (!static_cast<Told*>(left)->failed) std::memcpy(left, right, bytes);
}

}  // namespace

void Outcome::attempt(const std::function<void()>& action) {
    if (failed_) return;
    try {
        action();
    } catch (const Failure& failure) {
        text_ = failure.what();
        if (apg().size() > 1)
            text_ += " (process " + std::to_string(apg().rank()) + " of " +
                     std::to_string(apg().size()) + ")";
        failed_ = true;
    }
}

bool Outcome::hasFailed() {
    Told told{};
    told.failed = failed_;
    text_.copy(told.text, sizeof told.text - 1);
    transport::combine(entered_, apg(), {reinterpret_cast<char*>(&told), sizeof told, 1},
                       {keepFirst});
    failed_ = told.failed;
    text_ = told.text;
    return failed_;
}

void Outcome::require() {
    if (hasFailed()) throw Failure(text_);
}

std::string told(const Entered& entered, std::string text) {
    auto length = static_cast<Index>(text.size());
    transport::broadcast(entered, apg(), 0, &length, sizeof length);
    text.resize(static_cast<std::size_t>(length));
    transport::broadcast(entered, apg(), 0, text.data(), text.size());
    return text;
}

}  // namespace hpspmd::detail::files
