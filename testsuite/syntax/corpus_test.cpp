// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every file of corpus/: pos and adv parse without errors into the golden tree beside them
// (`.tree`); a file that has opaque parts says how many (`// opaque: 2 (why)`). Every file of neg
// gives exactly the diagnostics that it names
// (`// expect: HP1021 at 4:18`).
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <ostream>
#include <set>

#include "ast/print.hpp"
#include "corpus.hpp"

namespace hpcc::testing {
namespace {

bool regenerate = false;

struct CorpusFile {
    std::string folder;
    std::string name;
};

// What ctest shows of a test beside its name.
std::ostream& operator<<(std::ostream& out, const CorpusFile& file) {
    return out << file.folder << '/' << file.name;
}

std::string goldenPath(const CorpusFile& file) {
    const std::string path = corpusPath(file.folder, file.name);
    return path.substr(0, path.size() - 6) + ".tree";
}

std::string label(const ::testing::TestParamInfo<CorpusFile>& info) {
    return info.param.folder + "_" + info.param.name;
}

std::vector<CorpusFile> files(const std::vector<std::string>& folders) {
    std::vector<CorpusFile> found;
    for (const std::string& folder : folders)
        for (const std::string& name : corpusNames(folder)) found.push_back({folder, name});
    return found;
}

class Accepted : public ::testing::TestWithParam<CorpusFile> {};

TEST_P(Accepted, HasItsGoldenTree) {
    const std::string content = contentOf(corpusPath(GetParam().folder, GetParam().name));
    const Parsed parsed(GetParam().name + ".hpcpp", content);
    EXPECT_FALSE(parsed.engine.hasErrors()) << parsed.errors();
    EXPECT_TRUE(parsed.isIdentical());
    const std::vector<std::string> opaque = marked(content, "// opaque");
    EXPECT_EQ(parsed.opaqueCount(), opaque.empty() ? 0 : std::stoi(opaque.front()));
    const std::string tree = ast::printTree(parsed.unit);
    if (regenerate) std::ofstream(goldenPath(GetParam())) << tree;
    EXPECT_EQ(tree, contentOf(goldenPath(GetParam())));
}

INSTANTIATE_TEST_SUITE_P(Corpus, Accepted, ::testing::ValuesIn(files({"pos", "adv"})), label);

class Rejected : public ::testing::TestWithParam<CorpusFile> {};

TEST_P(Rejected, GivesExactlyTheExpectedDiagnostics) {
    const std::string content = contentOf(corpusPath(GetParam().folder, GetParam().name));
    const Parsed parsed(GetParam().name + ".hpcpp", content);
    EXPECT_EQ(parsed.places(), marked(content, "expect")) << parsed.errors();
    EXPECT_TRUE(parsed.isIdentical());
}

INSTANTIATE_TEST_SUITE_P(Corpus, Rejected, ::testing::ValuesIn(files({"neg"})), label);

TEST(Codes, EachIsProvokedByTheCorpus) {
    std::set<std::string> provoked = {"HP1014", "HP1043",  // by robustness_test
                                      "HP1049"};           // by testsuite/driver/messages.sh
    for (const std::string& name : corpusNames("neg"))
        for (const std::string& place : marked(contentOf(corpusPath("neg", name)), "expect"))
            provoked.insert(place.substr(0, place.find(' ')));
    for (int i = 0; i < diagnostics::definitionCount(); ++i) {
        const auto id = static_cast<diagnostics::Id>(i);
        if (diagnostics::definition(id).code >= 2000) continue;
        EXPECT_TRUE(provoked.contains(diagnostics::codeName(id))) << diagnostics::codeName(id);
    }
}

}  // namespace
}  // namespace hpcc::testing

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    hpcc::testing::regenerate = argc > 1 && std::strcmp(argv[1], "--regenerate") == 0;
    return RUN_ALL_TESTS();
}
