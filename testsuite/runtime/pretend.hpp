// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Pretended worlds: grids, ranges and arrays of any process of a job of any size, without MPI.

#include <hpspmd>

#include <gtest/gtest.h>

#include <string>

namespace hpspmd::test {

/// While it lives, this is process `rank` of `size`, and the active group is all of them.
class Pretend {
public:
    Pretend(int size, int rank) : world_(size, rank), activate_(world_.group()) {}
    Group group() const { return world_.group(); }

private:
    detail::World world_;
    detail::Activate activate_;
};

/// The text of the E that call() throws; a failure if it throws none.
template <class E, class Call>
std::string messageOf(const Call& call) {
    try {
        call();
    } catch (const E& error) {
        return error.what();
    } catch (const std::exception& error) {
        ADD_FAILURE() << "another error: " << error.what();
        return "";
    }
    ADD_FAILURE() << "no error";
    return "";
}

inline ::testing::AssertionResult mentions(const std::string& text, const std::string& part) {
    if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure()
           << "\"" << text << "\" does not mention \"" << part << "\"";
}

}  // namespace hpspmd::test
