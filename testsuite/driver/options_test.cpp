// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/options.hpp"

#include <gtest/gtest.h>

#include "driver/failure.hpp"

namespace hpcc::driver {
namespace {

using Words = std::vector<std::string>;

Words itemTexts(const Options& options) {
    Words texts;
    for (const LinkItem& item : options.items) texts.push_back(item.text);
    return texts;
}

TEST(Options, InputsAndLibrariesKeepTheirOrder) {
    const Options options =
        *parseOptions({"a.o", "-lx", "b.hpcpp", "-Wl,-z,now", "-L", "dir", "c.a", "-ly"});
    EXPECT_EQ(itemTexts(options),
              (Words{"a.o", "-lx", "b.hpcpp", "-Wl,-z,now", "-Ldir", "c.a", "-ly"}));
    EXPECT_EQ(options.inputs(), (Words{"a.o", "b.hpcpp", "c.a"}));
}

TEST(Options, UnknownFlagsGoToTheBackEndInOrder) {
    const Options options = *parseOptions({"-std=c++20", "-Wall", "-g3", "-fopenmp", "-DA=b=c",
                                           "-U", "X", "-isystem", "dir", "a.hpcpp"});
    EXPECT_EQ(options.compileFlags, (Words{"-std=c++20", "-Wall", "-g3", "-fopenmp", "-DA=b=c",
                                           "-U", "X", "-isystem", "dir"}));
}

TEST(Options, ValuesOfBackEndFlagsAreNoInputs) {
    const Options options =
        *parseOptions({"-include", "x.hpp", "-Xlinker", "-z", "a.cpp", "-x", "c++"});
    EXPECT_EQ(options.inputs(), (Words{"a.cpp"}));
}

TEST(Options, Architectures) {
    EXPECT_TRUE(parseOptions({"--device", "a.hpcpp"})->architectures.empty());
    const Options options = *parseOptions(
        {"--device", "--device-arch=sm_80,compute_100", "--device-arch", "sm_80,sm_90", "a.hpcpp"});
    EXPECT_EQ(options.architectures, (Words{"sm_80", "compute_100", "sm_90"}));
    for (const char* const wrong :
         {"sm80", "sm_", "sm_08", "sm_9000", "sm_90a", "SM_90", "sm_90,", ",", "", "90", "sm_90 "})
        EXPECT_THROW(parseOptions({"--device", "--device-arch", wrong, "a.hpcpp"}), Failure);
    EXPECT_THROW(parseOptions({"--device-arch=sm_90", "a.hpcpp"}), Failure);
    EXPECT_THROW(parseOptions({"--device", "-O2", "--device-arch=sm_90", "a.hpcpp"}), Failure);
}

TEST(Options, Levels) {
    EXPECT_EQ(parseOptions({"a.cpp"})->level, 3);
    EXPECT_EQ(parseOptions({"-g", "a.cpp"})->level, 0);
    EXPECT_EQ(parseOptions({"-ggdb3", "a.cpp"})->backEndLevel, "0");
    EXPECT_EQ(parseOptions({"-g", "-O2", "a.cpp"})->level, 2);
    EXPECT_EQ(parseOptions({"-O3", "-g", "a.cpp"})->backEndLevel, "3");
    EXPECT_EQ(parseOptions({"-g1", "a.cpp"})->level, 3);
    EXPECT_EQ(parseOptions({"-g", "--backend-O=1", "a.cpp"})->backEndLevel, "1");
    EXPECT_EQ(parseOptions({"-O0", "a.cpp"})->level, 0);
    EXPECT_EQ(parseOptions({"-O0", "a.cpp"})->backEndLevel, "0");
    EXPECT_EQ(parseOptions({"-O", "a.cpp"})->level, 1);
    EXPECT_EQ(parseOptions({"-O", "a.cpp"})->inputs(), (Words{"a.cpp"}));
    EXPECT_EQ(parseOptions({"-O3", "-O1", "a.cpp"})->level, 1);
    EXPECT_EQ(parseOptions({"--backend-O=2", "-O0", "a.cpp"})->backEndLevel, "2");
    EXPECT_EQ(parseOptions({"-Os", "a.cpp"})->backEndLevel, "s");
    EXPECT_THROW(parseOptions({"-O9", "a.cpp"}), Failure);
}

TEST(Options, Goals) {
    EXPECT_EQ(parseOptions({"a.cpp"})->goal, Goal::Program);
    EXPECT_EQ(parseOptions({"-c", "a.cpp"})->goal, Goal::Object);
    EXPECT_EQ(parseOptions({"-S", "a.cpp"})->goal, Goal::Assembly);
    EXPECT_EQ(parseOptions({"-E", "a.cpp"})->goal, Goal::Preprocessed);
    EXPECT_EQ(parseOptions({"-fsyntax-only", "a.cpp"})->goal, Goal::SyntaxOnly);
    EXPECT_EQ(parseOptions({"--emit=lowered", "a.cpp"})->stage, "lowered");
}

TEST(Options, OneDashAndTwoMeanTheSame) {
    EXPECT_TRUE(parseOptions({"-show", "a.cpp"})->show);
    EXPECT_TRUE(parseOptions({"--show", "a.cpp"})->show);
    EXPECT_TRUE(parseOptions({"--keep", "a.cpp"})->keep);
}

TEST(Options, Dependencies) {
    const Options options =
        *parseOptions({"-MMD", "-MF", "f.d", "-MT", "t1", "-MQ", "t 2", "-MP", "a.cpp"});
    EXPECT_TRUE(options.dependencies.wanted);
    EXPECT_FALSE(options.dependencies.withSystemHeaders);
    EXPECT_EQ(options.dependencies.file, "f.d");
    EXPECT_EQ(options.dependencies.words, (Words{"-MT", "t1", "-MQ", "t 2", "-MP"}));
}

TEST(Options, WordsAboutOurDiagnosticsAreNotForTheCompiler) {
    const Options options = *parseOptions(
        {"-Wno-HP1040", "-Wall", "-Werror=HP2604", "-Werror", "-Wno-error=HP1041", "-Werror=unused",
         "-ferror-limit=7", "-fmax-errors=8", "-fdiagnostics-color=never", "a.hpcpp"});
    EXPECT_EQ(options.compileFlags,
              (Words{"-Wall", "-Werror", "-Werror=unused", "-fmax-errors=8"}));
    EXPECT_EQ(options.diagnostics.errorLimit, 8);
    EXPECT_EQ(options.diagnostics.color, Color::Never);
    using diagnostics::Id;
    using diagnostics::Severity;
    const diagnostics::Levels& levels = options.diagnostics.levels;
    EXPECT_TRUE(levels.isSilent(Id::ExtensionInMacro));
    EXPECT_EQ(levels.severityOf(Id::PerhapsUnassigned), Severity::Error);
    EXPECT_EQ(levels.severityOf(Id::ExtensionInDeadBranch), Severity::Warning);
    EXPECT_EQ(levels.severityOf(Id::UnreachableStatement), Severity::Error);
}

TEST(Options, Usage) {
    EXPECT_THROW(parseOptions({}), Failure);
    EXPECT_THROW(parseOptions({"-o"}), Failure);
    EXPECT_THROW(parseOptions({"--unheard-of", "a.cpp"}), Failure);
    EXPECT_THROW(parseOptions({"-c", "a.cpp", "b.cpp", "-o", "x.o"}), Failure);
}

}  // namespace
}  // namespace hpcc::driver
