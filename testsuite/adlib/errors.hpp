// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Expecting an AdlibError by part of its text.

#include <gtest/gtest.h>

#include <hpspmd/error.hpp>
#include <string>

namespace hpspmd::test {

/// The message of the AdlibError that f raises.
template <class F>
std::string messageOf(const F& f) {
    try {
        f();
    } catch (const AdlibError& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace hpspmd::test

#define EXPECT_MESSAGE(call, part)                                                  \
    EXPECT_NE(hpspmd::test::messageOf([&] { call; }).find(part), std::string::npos) \
        << hpspmd::test::messageOf([&] { call; })
