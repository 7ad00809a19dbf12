// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Libraries of drivers, opened at run time: no program is linked with them.

#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace hpspmd::devices {

/// Why a driver gives no devices.
class Unusable : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Stays open, since drivers leave threads behind.
class Library {
public:
    explicit Library(const char* file) : file_(file), handle_(::dlopen(file, RTLD_NOW)) {
        if (handle_ != nullptr) return;
        const char* const reason = ::dlerror();
        throw Unusable(reason != nullptr ? reason : file_ + " cannot be opened");
    }

    /// A function of that C name and type. Unusable.
    template <class F>
    F* function(const char* name) const {
        void* const symbol = ::dlsym(handle_, name);
        if (symbol == nullptr) throw Unusable(file_ + " has no " + name);
        return reinterpret_cast<F*>(symbol);
    }

private:
    std::string file_;
    void* handle_;
};

}  // namespace hpspmd::devices
