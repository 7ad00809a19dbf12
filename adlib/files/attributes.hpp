// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/attributes.hpp>
#include <hpspmd/collective.hpp>
#include <string>

namespace hpspmd::detail::files {

/// Failure unless each has a name, none twice, and no text has a byte 0, which ends it in a file.
void requireGood(const Adlib::Attributes& attributes);
/// What all processes must agree upon: the names.
std::string namesOf(const Adlib::Attributes& attributes);
/// Those that the first process has, in all.
Adlib::Attributes told(const Entered& entered, const Adlib::Attributes& attributes);

}  // namespace hpspmd::detail::files
