// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/record_files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include <fmt/core.h>
#include <unistd.h>

#include "driver/failure.hpp"
#include "driver/process.hpp"
#include "driver/verbs.hpp"

namespace fs = std::filesystem;

namespace hpcc::driver {
namespace {

/// An empty file of a name that nobody has.
std::string temporaryFile() {
    std::string path = (fs::temp_directory_path() / "hpcc-tmp-profile-XXXXXX").string();
    const int descriptor = ::mkstemp(path.data());
    if (descriptor < 0)
        throw Failure(ExitCode::SourceError,
                      fmt::format("cannot make '{}': {}", path, std::strerror(errno)));
    ::close(descriptor);
    return path;
}

void removeOld(const std::string& path) {
    std::error_code error;
    const fs::file_type type = fs::status(path, error).type();
    if (path.empty() || type == fs::file_type::not_found) return;
    if (type != fs::file_type::regular)
        runUsageFailure(fmt::format("'{}' is no regular file", path));
    if (!fs::remove(path, error))
        throw Failure(ExitCode::SourceError,
                      fmt::format("cannot remove '{}': {}", path, error.message()));
}

/// The end of a trace says whether it is whole.
bool isComplete(const std::string& trace) {
    std::ifstream stream(trace, std::ios::binary);
    stream.seekg(0, std::ios::end);
    const std::streamoff size = stream.tellg(), tail = std::min<std::streamoff>(size, 200);
    std::string text(static_cast<size_t>(std::max<std::streamoff>(tail, 0)), '\0');
    stream.seekg(size - tail);
    stream.read(text.data(), tail);
    return text.find("\"complete\": true") != std::string::npos;
}

}  // namespace

RecordFiles::RecordFiles(RunOptions& run)
    : profile_(run.profile), trace_(run.trace), isTemporary_(run.isProfiled && profile_.empty()) {
    if (isTemporary_) profile_ = temporaryFile();
    removeOld(isTemporary_ ? "" : profile_);
    removeOld(trace_);
    if (!profile_.empty()) run.variables.emplace_back("HPSPMD_PROFILE", profile_);
    if (!trace_.empty()) run.variables.emplace_back("HPSPMD_TRACE", trace_);
}

RecordFiles::~RecordFiles() {
    if (isTemporary_) ::unlink(profile_.c_str());
}

void RecordFiles::show() const {
    const auto isThere = [](const char* what, const std::string& path) {
        std::error_code error;
        if (fs::file_size(path, error) > 0 && !error) return true;
        std::cerr << fmt::format(
            "hpcc run: the program has written no {}: is it an HPspmd program?\n", what);
        return false;
    };
    if (!profile_.empty() && isThere("profile", profile_))
        std::cerr << outputOf({toolBeside("hpspmd-profile"), profile_}) << std::flush;
    if (!trace_.empty() && isThere("trace", trace_) && !isComplete(trace_))
        std::cerr << fmt::format("hpcc run: the job died before its end; '{}' is not complete\n",
                                 trace_);
}

}  // namespace hpcc::driver
