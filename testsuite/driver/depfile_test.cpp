// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/depfile.hpp"

#include <gtest/gtest.h>

namespace hpcc::driver {
namespace {

std::string upper(const std::string& name) {
    std::string text = name;
    for (char& c : text) c = static_cast<char>(std::toupper(c));
    return text;
}

TEST(Depfile, RenamesTargetsAndPrerequisites) {
    EXPECT_EQ(renameDependencies("a.o: b.cpp c.hpp\n\nc.hpp:\n", upper),
              "A.O: B.CPP C.HPP\n\nC.HPP:\n");
}

TEST(Depfile, KeepsContinuedLines) {
    EXPECT_EQ(renameDependencies("a: b \\\n c\\\n d\n", upper), "A: B \\\n C\\\n D\n");
}

TEST(Depfile, UnderstandsEscapes) {
    std::vector<std::string> seen;
    const auto note = [&](const std::string& name) { return seen.push_back(name), name; };
    const std::string rules = "my\\ file.o: $$x \\#y\n";
    EXPECT_EQ(renameDependencies(rules, note), rules);
    EXPECT_EQ(seen, (std::vector<std::string>{"my file.o", "$x", "#y"}));
}

TEST(Depfile, FilesOfRulesAreNoTargets) {
    EXPECT_EQ(filesOfRules("a.o b: x.hpp \\\n y\\ z.hpp\n\nx.hpp:\n"),
              (std::vector<std::string>{"x.hpp", "y z.hpp"}));
    EXPECT_EQ(filesOfRules("a.o: x.hpp"), (std::vector<std::string>{"x.hpp"}));
}

TEST(Depfile, RulesOfWhatIsPrinted) {
    DependencyOptions options;
    EXPECT_EQ(dependencyRules(options, "out/a b.cpp", {"a.hpcpp", "x y.hph"}),
              "out/a\\ b.cpp: \\\n a.hpcpp \\\n x\\ y.hph\n");
    options.words = {"-MT", "$(all)", "-MQ", "$x", "-MP"};
    EXPECT_EQ(dependencyRules(options, "a.cpp", {"a.hpcpp", "b.hph", "c.hph"}),
              "$(all) $$x: \\\n a.hpcpp \\\n b.hph \\\n c.hph\n\nb.hph:\n\nc.hph:\n");
}

}  // namespace
}  // namespace hpcc::driver
