// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each program of cases/ is accepted, or rejected for exactly the reasons that it names; and each
// diagnostic of the rules is provoked by one of them.
#include "check_case.hpp"

#include "diagnostics/id.hpp"

#include <gtest/gtest.h>

#include <set>

namespace hpcc::testing {
namespace {

class CaseTest : public ::testing::Test {
public:
    explicit CaseTest(std::string name) : name_(std::move(name)) {}

    void TestBody() override {
        const CheckCase each(name_);
        const bool mustFail = name_.starts_with("fail_");
        EXPECT_EQ(mustFail, !each.expected().empty()) << "name and expectation disagree";
        EXPECT_EQ(each.expected(), each.reported()) << each.rendered();
    }

private:
    std::string name_;
};

// Diagnostics of the rules that no program expects.
std::vector<std::string> neverProvoked() {
    std::set<std::string> expected;
    for (const std::string& name : caseNames())
        for (const std::string& line : CheckCase(name).expected())
            expected.insert(line.substr(0, line.find(' ')));
    std::vector<std::string> missing;
    for (int k = 0; k < diagnostics::definitionCount(); ++k) {
        const auto id = static_cast<diagnostics::Id>(k);
        const int rule = diagnostics::definition(id).code / 100 % 10;
        const bool isRule = diagnostics::definition(id).code / 1000 == 2;
        const bool isOurs = isRule && rule >= 2 && rule <= 8;
        const std::string code = diagnostics::codeName(id);
        if (isOurs && !expected.contains(code)) missing.push_back(code);
    }
    return missing;
}

TEST(Diagnostics, EachIsProvoked) {
    const std::vector<std::string> none;
    EXPECT_EQ(none, neverProvoked());
}

// Behind std::swap(a, b) the array that a names was changed as b[i].
TEST(StaleGhosts, NotesPointAtTheChangedElement) {
    const std::string text = CheckCase("fail_halo_forgotten_after_swap").rendered();
    EXPECT_NE(text.find("11:46: note: its elements are changed here, through 'b'"), text.npos)
        << text;
}

}  // namespace
}  // namespace hpcc::testing

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    for (const std::string& name : hpcc::testing::caseNames())
        ::testing::RegisterTest("Check", name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                                [name] { return new hpcc::testing::CaseTest(name); });
    return RUN_ALL_TESTS();
}
