// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace hpspmd::detail::files {

/// A library that is loaded when it is used first, so that programs run without it.
class Library {
public:
    /// Failure, which names the package, if it is not there. It stays loaded.
    Library(const char* file, const char* package);

    template <class Function>
    Function* function(const char* name) const {
        return reinterpret_cast<Function*>(symbol(name));
    }
    /// A function or variable; Failure if the library has none of that name.
    void* symbol(const char* name) const;

private:
    std::string file_;
    void* handle_;
};

/// For a format whose library was not there when Adlib was built.
[[noreturn]] void raiseBuiltWithout(const char* library, const char* package);

}  // namespace hpspmd::detail::files
