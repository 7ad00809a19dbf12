// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <utility>

#include <fmt/core.h>

#include "driver/standard_streams.hpp"
#include "driver/verbs.hpp"

namespace fs = std::filesystem;

namespace hpcc::driver {
namespace {

constexpr const char* programText =
    R"(// Laplace's equation on a square: the edge is kept at 1, the inside follows.
@LIBRARY@
using namespace hpspmd;

int main() {
    const Index n = 64;
    Procs2 p;
    on (p) {
        ExtBlockRange x(n, p.dim(0), 1, 1), y(n, p.dim(1), 1, 1);
        double [[-,-]] a = new double [[x, y]];
        overall (i = x for :, j = y for :)
            a[i, j] = i` == 0 || i` == n - 1 || j` == 0 || j` == n - 1 ? 1.0 : 0.0;
        for (int it = 0; it < 100; ++it) {
            Adlib::writeHalo(a);
            overall (i = x for 1 : n - 2)
                overall (j = y for 1 + (i` + it) % 2 : n - 2 : 2)
                    a[i, j] = 0.25 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1]);
        }
        Adlib::setReproducible(true);  // the same on any number of processes
        Adlib::gprintln("sum = ", Adlib::sum(a));
    }
}
)";

constexpr const char* cmakeLists = R"(cmake_minimum_required(VERSION 3.22)
project(@NAME@ LANGUAGES CXX)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
find_package(hpcpp REQUIRED)  # -DCMAKE_PREFIX_PATH=<folder of the installation>

add_executable(@NAME@)
hpcpp_target_sources(@NAME@ main.hpcpp)

# The answer is the same on 1, 2 and 4 processes.
enable_testing()
foreach(processes 1 2 4)
  add_test(NAME @NAME@_${processes} COMMAND hpcpp::hpcc run --quiet -n ${processes} $<TARGET_FILE:@NAME@>)
  set_tests_properties(@NAME@_${processes} PROPERTIES PASS_REGULAR_EXPRESSION "sum = [0-9]")
endforeach()
)";

constexpr const char* makefile = R"(HPCC ?= hpcc
HPCCFLAGS ?= -O3

@NAME@: main.hpcpp
	$(HPCC) $(HPCCFLAGS) $< -o $@

# The answer is the same on 1, 2 and 4 processes.
check: @NAME@
	for n in 1 2 4; do $(HPCC) run --quiet -n $$n ./@NAME@ >@NAME@.$$n.out || exit 1; cmp @NAME@.1.out @NAME@.$$n.out || exit 1; done

clean:
	rm -f @NAME@ @NAME@.*.out

.PHONY: check clean
)";

constexpr const char* readme = R"(# @NAME@

    @BUILD@
    hpcc run -n 4 @PROGRAM@

`hpcc run -n 4` in this folder does both.

`hpcc doctor` looks at compiler, MPI and libraries.
)";

std::string filled(std::string text,
                   const std::vector<std::pair<std::string, std::string>>& words) {
    for (const auto& [mark, word] : words)
        for (size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += word.size())
            text.replace(at, mark.size(), word);
    return text;
}

void write(const fs::path& path, const std::string& text) {
    std::ofstream file(path);
    if (!(file << text << std::flush))
        throw Failure(ExitCode::SourceError, fmt::format("cannot write '{}'", path.string()));
}

bool isName(const std::string& name) {
    return !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) &&
           std::ranges::all_of(
               name, [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; });
}

}  // namespace

ExitCode newProject(const std::vector<std::string>& words) {
    constexpr const char* usage = "usage: hpcc new NAME [--cmake|--make]";
    std::string name;
    bool usesMake = false;
    for (const std::string& word : words) {
        if (word == "--help") {
            print(std::string(usage) +
                  "\nMakes a folder NAME with a program, a build by CMake (or make), and tests.\n");
            return ExitCode::Ok;
        }
        if (word == "--make" || word == "--cmake")
            usesMake = word == "--make";
        else if (name.empty() && isName(word))
            name = word;
        else
            throw Failure(
                ExitCode::Usage,
                fmt::format("'{}' is no name of a project, or no option; {}", word, usage));
    }
    if (name.empty()) throw Failure(ExitCode::Usage, usage);
    if (fs::exists(name))
        throw Failure(ExitCode::Usage, fmt::format("'{}' is there already", name));
    fs::create_directory(name);
    const std::vector<std::pair<std::string, std::string>> marks = {
        {"@NAME@", name},
        {"@BUILD@", usesMake ? "make" : "cmake -S . -B build && cmake --build build"},
        {"@PROGRAM@", usesMake ? "./" + name : "build/" + name}};
    const fs::path folder = name;
    write(folder / "main.hpcpp", filled(programText, {{"@LIBRARY@", "#include <hpspmd>"}}));
    write(folder / (usesMake ? "Makefile" : "CMakeLists.txt"),
          filled(usesMake ? makefile : cmakeLists, marks));
    write(folder / "README.md", filled(readme, marks));
    write(folder / ".gitignore", filled(usesMake ? "@NAME@\n@NAME@.*.out\n" : "build/\n", marks));
    print(fmt::format("{}/ is made; its README.md says how it is built and run\n", name));
    return ExitCode::Ok;
}

}  // namespace hpcc::driver
