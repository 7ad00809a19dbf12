// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What a file holds as bytes, for other processes.

#include "files/container.hpp"

namespace hpspmd::detail::files {

std::string packed(const FileArray& array);
std::string packed(const Adlib::Attributes& attributes);
std::string packed(const Contents& contents);

/// Failure if the bytes are none of these.
FileArray unpackedArray(const std::string& bytes);
Adlib::Attributes unpackedAttributes(const std::string& bytes);
Contents unpackedContents(const std::string& bytes);

}  // namespace hpspmd::detail::files
