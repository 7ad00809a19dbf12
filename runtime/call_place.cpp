// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "call_place.hpp"

#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <vector>

extern char** environ;

namespace hpspmd::detail {
namespace {

constexpr int mostFrames = 64;

/// The program itself in memory: from where to where, and how far it was moved.
struct Program {
    std::uintptr_t begin = UINTPTR_MAX, end = 0, moved = 0;
};

// The first object that the system names is the program.
int findProgram(dl_phdr_info* object, std::size_t, void* found) {
    auto& program = *static_cast<Program*>(found);
    program.moved = object->dlpi_addr;
    for (int k = 0; k < object->dlpi_phnum; ++k) {
        const auto& part = object->dlpi_phdr[k];
        if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
        program.begin = std::min<std::uintptr_t>(program.begin, program.moved + part.p_vaddr);
        program.end =
            std::max<std::uintptr_t>(program.end, program.moved + part.p_vaddr + part.p_memsz);
    }
    return 1;
}

/// What addr2line prints for addresses of the program: two lines for each call, function and place.
std::string told(const std::vector<std::uintptr_t>& addresses) {
    std::vector<std::string> words = {
        "addr2line", "-f", "-C", "-i", "-e", "/proc/" + std::to_string(::getpid()) + "/exe"};
    for (const std::uintptr_t address : addresses) {
        std::ostringstream text;
        text << "0x" << std::hex << address;
        words.push_back(text.str());
    }
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return "";
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    const int error =
        ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    std::string text;
    char piece[4096];
    for (ssize_t count = 0; error == 0 && (count = ::read(ends[0], piece, sizeof piece)) > 0;)
        text.append(piece, static_cast<std::size_t>(count));
    ::close(ends[0]);
    if (error == 0) ::waitpid(child, nullptr, 0);
    return text;
}

bool isLibrary(const std::string& function, const std::string& file) {
    for (const char* part : {"/include/hpspmd/", "/include/adlib/", "/hpcpp/hpspmd/",
                             "/hpcpp/adlib/", "/include/c++/"})
        if (file.find(part) != std::string::npos) return true;
    for (const char* start : {"hpspmd::", "std::", "__gnu_cxx::", "__cxa", "_start", "??"})
        if (function.rfind(start, 0) == 0) return true;
    return false;
}

/// "heat.hpcpp:14 (discriminator 2)"; the file is named as from the current folder.
void setPlace(CallPlace& place, const std::string& text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string::npos || text[0] == '?') return;
    place.line = static_cast<int>(std::strtol(text.c_str() + colon + 1, nullptr, 10));
    if (place.line <= 0) return;
    place.file = text.substr(0, colon);
    char folder[4096];
    const std::string here = ::getcwd(folder, sizeof folder) ? std::string(folder) + "/" : "";
    if (!here.empty() && place.file.rfind(here, 0) == 0) place.file.erase(0, here.size());
}

}  // namespace

CallPlace callPlace(const void* jumped) {
    void* frames[mostFrames];
    const int count = ::backtrace(frames, mostFrames);
    Program program;
    ::dl_iterate_phdr(findProgram, &program);
    std::vector<std::uintptr_t> addresses;
    for (int k = -1; k < count; ++k) {
        const auto address = reinterpret_cast<std::uintptr_t>(k < 0 ? jumped : frames[k]);
        // A frame is where its call returns to; the call is before that.
        if (address > program.begin && address < program.end)
            addresses.push_back(address - program.moved - 1);
    }
    if (addresses.empty()) return {};
    std::istringstream lines(told(addresses));
    CallPlace place, nameless;
    for (std::string function, file; std::getline(lines, function) && std::getline(lines, file);) {
        if (isLibrary(function, file)) continue;
        const std::string hidden = "(anonymous namespace)::";
        if (function.rfind(hidden, 0) == 0) function.erase(0, hidden.size());
        place.function = function.substr(0, function.find('('));
        setPlace(place, file);
        if (place.line > 0) return place;
        if (nameless.function.empty()) nameless = place;
    }
    return nameless;
}

}  // namespace hpspmd::detail
