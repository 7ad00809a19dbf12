// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/files.hpp"

#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "driver/failure.hpp"
#include "driver/file_roles.hpp"
#include "source/file.hpp"

namespace hpcc::driver {
namespace {

namespace fs = std::filesystem;

/// Each test has a folder of its own.
class Files : public testing::Test {
protected:
    void SetUp() override {
        fs::remove_all(folder);
        fs::create_directories(folder);
        std::ofstream(folder / "old") << "old";
    }
    void TearDown() override { fs::remove_all(folder); }

    std::string textOf(const char* name) const { return readSource(folder / name); }
    size_t count() const {
        return static_cast<size_t>(std::distance(fs::directory_iterator(folder), {}));
    }

    const fs::path folder = fs::path(testing::TempDir()) / "files_of_hpcc";
};

TEST_F(Files, OutputIsTheOldFileUntilItIsWhole) {
    {
        Output output(folder / "old");
        EXPECT_EQ(output.path().parent_path(), folder);
        struct stat status;
        ASSERT_EQ(::lstat(output.path().c_str(), &status), 0);
        EXPECT_TRUE(S_ISREG(status.st_mode));
        output.write("new");
        EXPECT_EQ(textOf("old"), "old");
    }
    EXPECT_EQ(count(), 1u);
    writeFile(folder / "old", "new");
    EXPECT_EQ(textOf("old"), "new");
    EXPECT_EQ(count(), 1u);
}

TEST_F(Files, NamesOfUnfinishedFilesCannotBeGuessed) {
    const Output one(folder / "old"), two(folder / "old");
    EXPECT_NE(one.path(), two.path());
}

TEST_F(Files, ALinkStaysAndWhatItNamesIsWritten) {
    fs::create_symlink("old", folder / "near");
    fs::create_symlink(folder / "near", folder / "far");
    fs::create_symlink("absent", folder / "dangling");
    writeFile(folder / "far", "new");
    EXPECT_TRUE(fs::is_symlink(folder / "far"));
    EXPECT_EQ(textOf("old"), "new");
    writeFile(folder / "dangling", "also");
    EXPECT_EQ(textOf("absent"), "also");
}

TEST_F(Files, ALongNameLeavesRoomForTheUnfinishedOne) {
    const std::string longest(255, 'x');
    writeFile(folder / longest, "text");
    EXPECT_EQ(textOf(longest.c_str()), "text");
    EXPECT_THROW(writeFile(folder / (longest + "x"), "text"), Failure);
}

TEST_F(Files, ContentIsWithoutTheByteOrderMark) {
    writeFile(folder / "marked", "\xEF\xBB\xBFint x;");
    EXPECT_EQ(source::readContent(folder / "marked").bytes, "int x;");
    writeFile(folder / "part", "\xEF\xBB");
    EXPECT_EQ(source::readContent(folder / "part").bytes, "\xEF\xBB");
    EXPECT_EQ(source::readContent(folder).problem, "it is a directory");
}

TEST_F(Files, RolesAreThoseOfFilesNotOfNames) {
    fs::create_hard_link(folder / "old", folder / "hard");
    fs::create_symlink("old", folder / "soft");
    for (const char* name : {"old", "./old", "hard", "soft"}) {
        FileRoles roles;
        roles.addInput(folder / "old");
        EXPECT_THROW(roles.addOutput(folder / name), Failure) << name;
        EXPECT_THROW(roles.requireFree(folder / name), Failure) << name;
        FileRoles later;
        later.addOutput(folder / name);
        EXPECT_THROW(later.addInput(folder / "old"), Failure) << name;
        FileRoles twice;
        twice.addOutput(folder / "old");
        EXPECT_THROW(twice.addOutput(folder / name), Failure) << name;
    }
}

TEST_F(Files, OtherFilesAndDevicesMayBeWritten) {
    FileRoles roles;
    roles.addInput(folder / "old");
    roles.addInput(folder / "absent");
    roles.addInput("/dev/null");
    roles.addOutput(folder / "new");
    roles.addOutput("/dev/null");
    roles.addOutput("/dev/null");
    EXPECT_FALSE(roles.anyOutputExists());
    EXPECT_THROW(roles.addOutput(folder / "." / "new"), Failure);
    writeFile(folder / "other", "text");
    roles.addOutput(folder / "other");
    EXPECT_TRUE(roles.anyOutputExists());
}

}  // namespace
}  // namespace hpcc::driver
