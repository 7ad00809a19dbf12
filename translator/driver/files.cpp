#include "driver/files.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include <fmt/core.h>
#include <unistd.h>

#include "driver/failure.hpp"

namespace fs = std::filesystem;

namespace hpcc::driver {
namespace {

[[noreturn]] void fileFailure(const char* what, const fs::path& path, const std::string& reason) {
    throw Failure(ExitCode::SourceError, fmt::format("{} '{}': {}", what, path.string(), reason));
}

bool isSpecial(const fs::path& path) {
    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

}  // namespace

std::string readSource(const fs::path& path) {
    if (fs::is_directory(path)) fileFailure("cannot read", path, "it is a directory");
    std::ifstream stream(path, std::ios::binary);
    if (!stream) fileFailure("cannot read", path, std::strerror(errno));
    std::ostringstream content;
    content << stream.rdbuf();
    if (stream.bad()) fileFailure("cannot read", path, std::strerror(errno));
    return std::move(content).str();
}

Output::Output(fs::path target) : target_(std::move(target)), temporary_(target_) {
    if (fs::is_directory(target_)) fileFailure("cannot write", target_, "it is a directory");
    if (isSpecial(target_)) return;
    temporary_ += fmt::format(".hpcc-tmp{}", ::getpid());
    if (!std::ofstream(temporary_, std::ios::binary)) {
        fileFailure("cannot write", target_, std::strerror(errno));
    }
}

Output::~Output() {
    std::error_code ignored;
    if (temporary_ != target_) fs::remove(temporary_, ignored);
}

void Output::commit() {
    if (temporary_ == target_) return;
    std::error_code error;
    fs::rename(temporary_, target_, error);
    if (error) fileFailure("cannot write", target_, error.message());
}

void writeFile(const fs::path& target, std::string_view text) {
    Output output(target);
    std::ofstream stream(output.path(), std::ios::binary);
    stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    stream.close();
    if (!stream) fileFailure("cannot write", target, std::strerror(errno));
    output.commit();
}

TemporaryFolder::TemporaryFolder() {
    std::error_code error;
    const fs::path parent = fs::temp_directory_path(error);
    if (error) fileFailure("cannot use", "TMPDIR", error.message());
    std::string pattern = (parent / "hpcc-XXXXXX").string();
    if (!::mkdtemp(pattern.data())) {
        fileFailure("cannot make a folder like", pattern, std::strerror(errno));
    }
    path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

}  // namespace hpcc::driver
