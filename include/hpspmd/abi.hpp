// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The version that headers and libraries must have in common.

namespace hpspmd {
namespace detail {

/// The first two numbers of the version. Until 1.0, headers of others do not go with the libraries.
namespace version_0_2 {

/// Only libraries of this version define it: objects made with the headers of another one do not
/// link, and their programs do not start with shared libraries of another one. Linker and loader
/// then name it.
extern const char library;

/// In each object, whatever the program does.
[[gnu::used]] static const char* const neededLibrary = &library;

}  // namespace version_0_2
}  // namespace detail
}  // namespace hpspmd
