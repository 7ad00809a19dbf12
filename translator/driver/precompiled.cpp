// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/precompiled.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <regex>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver/depfile.hpp"
#include "driver/ending.hpp"
#include "driver/files.hpp"

namespace fs = std::filesystem;

namespace hpcc::driver {
namespace {

constexpr const char *headerName = "hpcpp_precompiled.h",
                     *precompiledName = "hpcpp_precompiled.h.gch";
constexpr std::uintmax_t mostBytes = std::uintmax_t(4) << 30;

/// Absolute, because the entries are named in commands. Empty: none is kept.
fs::path folder() {
    const char* const named = std::getenv("HPCC_PRECOMPILED");
    std::error_code error;
    return named && *named ? fs::absolute(named, error) : fs::path();
}

/// Size, time and name of a file: another file under this name has another stamp. `path` is where
/// it lies now.
std::string stampOf(const std::string& path, const std::string& name) {
    struct stat about {};
    if (::stat(path.c_str(), &about) != 0) return "absent";
    return fmt::format("{} {}.{} {}", about.st_size, about.st_mtim.tv_sec, about.st_mtim.tv_nsec,
                       name);
}

/// A precompiled header and what it was made of.
class Entry {
public:
    explicit Entry(std::string command)
        : command_(std::move(command)),
          path_(folder() / fmt::format("{:016x}", std::hash<std::string>()(command_))) {}

    const fs::path& path() const { return path_; }

    /// Beside the entry; it is there as soon as hpcc has met the command, and as old as its last
    /// use.
    fs::path lock() const { return lockOf(path_); }
    static fs::path lockOf(const fs::path& path) { return path.string() + ".lock"; }

    bool isValid() const {
        std::ifstream stream(path_ / "made-of");
        std::string line;
        if (!std::getline(stream, line) || line != command_) return false;
        while (std::getline(stream, line))
            if (line != stampOf(pathIn(line), pathIn(line))) return false;
        return true;
    }

    void make(Command forHeader) const {
        const fs::path made = path_.string() + fmt::format(".{}", ::getpid());
        Unfinished unfinished;
        if (unfinished.make(made, [&] { return ::mkdir(made.c_str(), 0755); }) != 0) return;
        const fs::path header = made / precompiledName, rules = made / "rules";
        forHeader.insert(forHeader.end(), {"-o", header.string(), "-MD", "-MF", rules.string()});
        std::string unheard;
        if (run(forHeader, unheard) != 0) return;
        std::ofstream stream(made / "made-of");
        stream << command_ << '\n' << stampOf(header, path_ / precompiledName) << '\n';
        for (const std::string& file : filesOfRules(readSource(rules)))
            stream << stampOf(file, file) << '\n';
        stream.close();
        std::error_code error;
        fs::remove(rules, error);
        fs::remove_all(path_, error);
        if (stream) unfinished.keep([&] { return ::rename(made.c_str(), path_.c_str()); });
    }

private:
    /// What stands behind size and time.
    static std::string pathIn(const std::string& stamp) {
        const size_t second = stamp.find(' ', stamp.find(' ') + 1);
        return second < stamp.size() ? stamp.substr(second + 1) : "";
    }

    std::string command_;
    fs::path path_;
};

/// Removes what has not been used for the longest time if all take too much room. A command that
/// names one of them reads the header itself then.
void trim() {
    struct Old {
        fs::file_time_type time;
        std::uintmax_t bytes;
        fs::path path;
    };
    std::vector<Old> entries;
    std::uintmax_t bytes = 0;
    std::error_code error;
    std::vector<fs::path> paths;
    for (fs::directory_iterator each(folder(), error), end; !error && each != end;
         each.increment(error))
        paths.push_back(each->path());
    for (const fs::path& path : paths) {
        const std::uintmax_t size = fs::file_size(path / precompiledName, error);
        if (error) continue;  // a lock, or somebody has just removed it
        entries.push_back({fs::last_write_time(Entry::lockOf(path), error), size, path});
        bytes += size;
    }
    std::ranges::sort(entries, {}, &Old::time);
    for (const Old& each : entries) {
        if (bytes <= mostBytes) return;
        fs::remove_all(each.path, error);
        bytes -= each.bytes;
    }
}

/// Makes the entry if the command is not a new one and nobody else makes it at this moment.
void makeOnce(const Entry& entry, const Command& forHeader, const Toolchain& toolchain) {
    const fs::path lock = entry.lock();
    std::error_code error;
    const bool isNew = !fs::exists(lock, error);
    if (isNew) fs::create_directories(folder(), error);
    const int descriptor = ::open(lock.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
    if (descriptor < 0) return;
    if (!isNew && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 && !entry.isValid() &&
        compilerVersion(toolchain).find("clang") == std::string::npos) {
        entry.make(forHeader);
        trim();
    }
    ::close(descriptor);
}

/// Warnings do not matter: <hpspmd> is a header of the system.
Command withoutWarnings(const Command& command) {
    Command words;
    for (const std::string& word : command)
        if (!word.starts_with("-W") || word.starts_with("-Wp,")) words.push_back(word);
    std::ranges::replace(words, std::string("c++"), std::string("c++-header"));
    return words;
}

}  // namespace

bool keepsPrecompiled() { return !folder().empty(); }

bool beginsWithHeaders(const fs::path& source) {
    static const std::regex header("#\\s*include\\s*<(\\w+)>\\s*(//.*)?");
    std::ifstream stream(source);
    for (std::string line; std::getline(stream, line);) {
        std::smatch found;
        if (line.ends_with('\\')) return false;  // the next line may be part of a comment
        const size_t begin = line.find_first_not_of(" \t\r");
        if (begin == std::string::npos || line.compare(begin, 2, "//") == 0) continue;
        const std::string text = line.substr(begin);
        if (text.starts_with("#line ")) continue;
        if (!std::regex_match(text, found, header)) return false;
        if (found[1] == "hpspmd") return true;
    }
    return false;
}

fs::path sourceOfPrecompiled(const Toolchain& toolchain) { return toolchain.startup / headerName; }

Command withPrecompiled(Command command, const Command& forHeader, const Toolchain& toolchain) {
    const Command making = withoutWarnings(forHeader);
    const Entry entry(shellLine(making));
    if (!entry.isValid()) makeOnce(entry, making, toolchain);
    if (!entry.isValid()) return command;
    std::error_code error;
    fs::last_write_time(entry.lock(), fs::file_time_type::clock::now(), error);
    const std::string replaced = (toolchain.startup / "cpu_required.h").string();
    const auto place = std::ranges::find(command, replaced);
    if (place == command.end()) return command;
    *place = headerName;
    Command words{"-iquote", entry.path().string(), "-iquote", toolchain.startup.string()};
    // What it is made of belongs to what is read; g++ fails on this word where nobody asks.
    if (std::ranges::find(command, "-MF") != command.end()) words.push_back("-fpch-deps");
    command.insert(place - 1, words.begin(), words.end());
    return command;
}

}  // namespace hpcc::driver
