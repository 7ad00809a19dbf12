// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Folders into which a process may not write.

#include <unistd.h>

#include <iterator>
#include <string>

#include "cases.hpp"
#include "files_folder.hpp"

namespace hpspmd::test {
namespace {

constexpr const char* endings[] = {".npy", ".raw", ".csv", ".vti", ".npz", ".h5"};

/// This process is another user, who may do less.
class AnotherUser {
public:
    AnotherUser() {
        constexpr uid_t nobody = 65534;
        if (before_ == 0) {
            EXPECT_EQ(::seteuid(nobody), 0);
        }
    }
    ~AnotherUser() { EXPECT_EQ(::seteuid(before_), 0); }

private:
    uid_t before_ = ::geteuid();
};

TEST_F(Files, AFolderOfAnotherUserIsNotWritten) {
    using std::filesystem::perms;
    const Procs1 p;
    const detail::On on(p);
    auto a = create<double>(p, BlockRange(1000, p.dim(0)));
    const std::string folder = path("closed");
    if (apg().rank() == 0) std::filesystem::create_directory(folder);
    for (const char* ending : endings) withText(std::string("closed/kept") + ending, "old");
    if (apg().rank() == 0)
        std::filesystem::permissions(folder, perms::owner_read | perms::owner_exec |
                                                 perms::others_read | perms::others_exec);
    Adlib::broadcast(0);
    {
        const AnotherUser user;
        for (const char* ending : endings)
            for (const char* name : {"/kept", "/new"}) {
                const std::string file = folder + name + ending;
                EXPECT_NE(messageOf([&] { Adlib::write(file, a); }).find("Permission denied"),
                          std::string::npos)
                    << file;
            }
        Adlib::Checkpoint state(folder + "/state.h5");
        state("a", a);
        EXPECT_NE(messageOf([&] { state.now(); }).find("Permission denied"), std::string::npos);
        Adlib::sum(0.0);
    }
    if (apg().rank() == 0) {
        std::filesystem::permissions(folder, perms::owner_all);
        Index files = 0;
        for (const auto& each : std::filesystem::directory_iterator(folder)) {
            EXPECT_EQ(contents("closed/" + each.path().filename().string()), "old") << each.path();
            ++files;
        }
        EXPECT_EQ(files, static_cast<Index>(std::size(endings)));
    }
    Adlib::broadcast(0);
}

}  // namespace
}  // namespace hpspmd::test
