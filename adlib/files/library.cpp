// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/library.hpp"

#include <dlfcn.h>

#include "files/disk_file.hpp"

namespace hpspmd::detail::files {

Library::Library(const char* file, const char* package)
    : file_(file), handle_(::dlopen(file, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr)
        throw Failure("it needs the library " + file_ + ", which is not there (package " + package +
                      ")");
}

void* Library::symbol(const char* name) const {
    void* const found = ::dlsym(handle_, name);
    if (found == nullptr) throw Failure("the library " + file_ + " has no " + name);
    return found;
}

void raiseBuiltWithout(const char* library, const char* package) {
    throw Failure(std::string("this Adlib was built without ") + library + " (package " + package +
                  ")");
}

}  // namespace hpspmd::detail::files
