// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Libraries of drivers, opened at run time: no program is linked with them.

#include "devices/fault.hpp"

#include <dlfcn.h>

#include <stdexcept>
#include <string>
#include <type_traits>

namespace hpspmd::devices {

/// Why a driver gives no devices.
class Unusable : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class Library;

/// A function of a library. A call that fails on demand (devices/fault.hpp) is not made, and gives
/// an error that no driver knows, or null.
template <class F>
class Function;
template <class R, class... A>
class Function<R(A...)> {
public:
    /// Unusable if the library has none of that C name.
    Function(const Library& library, const char* name);

    R operator()(A... arguments) const {
        if (!isFault(name_)) return function_(arguments...);
        if constexpr (std::is_pointer_v<R>)
            return nullptr;
        else
            return unknownError;
    }

private:
    static constexpr int unknownError = 999;

    const char* name_;
    R (*function_)(A...);
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
    Function<F> function(const char* name) const {
        return {*this, name};
    }
    void* symbol(const char* name) const {
        void* const result = ::dlsym(handle_, name);
        if (result == nullptr) throw Unusable(file_ + " has no " + name);
        return result;
    }

private:
    std::string file_;
    void* handle_;
};

template <class R, class... A>
Function<R(A...)>::Function(const Library& library, const char* name)
    : name_(name), function_(reinterpret_cast<R (*)(A...)>(library.symbol(name))) {}

}  // namespace hpspmd::devices
