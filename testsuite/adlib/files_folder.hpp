// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// A folder for the files of a test, which all processes use.

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <hpspmd/active.hpp>
#include <hpspmd>

namespace hpspmd::test {

/// HPSPMD_TIMES: so many times as many cases as usual.
inline int timesWanted() {
    const char* const wanted = std::getenv("HPSPMD_TIMES");
    return wanted ? std::max(1, std::atoi(wanted)) : 1;
}

/// The first process removes the folder.
class Files : public testing::Test {
protected:
    Files() {
        const auto id = Adlib::broadcast(static_cast<Index>(::getpid()));
        folder_ = std::filesystem::temp_directory_path() / ("hpspmd_files_" + std::to_string(id));
        if (apg().rank() == 0) std::filesystem::create_directory(folder_);
        Adlib::broadcast(0);
    }
    ~Files() override {
        Adlib::sum(0.0);
        if (apg().rank() == 0) std::filesystem::remove_all(folder_);
    }
    std::string path(const std::string& name) const { return (folder_ / name).string(); }

    /// Written by the first process; all go on when it is there.
    std::string withText(const std::string& name, const std::string& text) const {
        Adlib::sum(0.0);
        if (apg().rank() == 0) std::ofstream(path(name), std::ios::binary) << text;
        Adlib::broadcast(0);
        return path(name);
    }
    std::string contents(const std::string& name) const {
        std::ifstream in(path(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    Index filesInFolder() const {
        return std::distance(std::filesystem::directory_iterator(folder_), {});
    }

private:
    std::filesystem::path folder_;
};

/// Files of this process cannot grow beyond so many bytes.
class FileLimit {
public:
    explicit FileLimit(rlim_t bytes) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        handler_ = std::signal(SIGXFSZ, SIG_IGN);
    }
    ~FileLimit() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }

private:
    rlimit before_;
    void (*handler_)(int);
};

/// The message of the E that an action throws, without its place; the same on all processes.
template <class E = IoError, class Action>
std::string messageOf(const Action& action) {
    std::string text = "no error";
    try {
        action();
    } catch (const E& error) {
        text = error.what();
    }
    const std::size_t begin = text.find("Error: ");
    return begin == std::string::npos ? text : text.substr(begin + 7);
}

}  // namespace hpspmd::test
