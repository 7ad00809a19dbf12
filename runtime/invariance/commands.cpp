// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invariance/commands.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace hpspmd::invariance {

ScratchFolder::ScratchFolder() {
    const char* const folder = std::getenv("TMPDIR");
    path_ = std::string(folder && *folder ? folder : "/tmp") + "/hpcc-XXXXXX";
    if (::mkdtemp(path_.data()) == nullptr)
        throw std::runtime_error("no folder can be made in " +
                                 std::filesystem::path(path_).parent_path().string());
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::string besideThis(const char* name) {
    const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe");
    return (own.parent_path() / name).string();
}

int runCommand(const std::vector<std::string>& words,
               const std::map<std::string, std::string>& variables, const std::string& output) {
    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error("no process can be started");
    if (child == 0) {
        for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
        if (!output.empty()) {
            const int file = ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
            if (file < 0 || ::dup2(file, STDOUT_FILENO) < 0) ::_exit(126);
        }
        std::vector<char*> arguments;
        for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
        arguments.push_back(nullptr);
        ::execv(arguments[0], arguments.data());
        ::_exit(127);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace hpspmd::invariance
