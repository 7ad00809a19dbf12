// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/file_roles.hpp"

#include <optional>

#include <fmt/core.h>
#include <sys/stat.h>

#include "driver/failure.hpp"
#include "driver/files.hpp"

namespace fs = std::filesystem;

namespace hpcc::driver {
namespace {

std::optional<struct stat> statusOf(const fs::path& path) {
    struct stat status;
    if (::stat(path.c_str(), &status) != 0 || S_ISCHR(status.st_mode)) return std::nullopt;
    return status;
}

std::optional<std::pair<dev_t, ino_t>> identityOf(const fs::path& path) {
    const auto status = statusOf(path);
    if (!status) return std::nullopt;
    return std::pair(status->st_dev, status->st_ino);
}

bool isDevice(const fs::path& path) {
    struct stat status;
    return ::stat(path.c_str(), &status) == 0 && S_ISCHR(status.st_mode);
}

std::string quoted(const fs::path& path) { return fmt::format("'{}'", path.string()); }

[[noreturn]] void conflict(const std::string& output, const std::string& other, const char* role) {
    const std::string also = output == other ? "" : " as " + other;
    throw Failure(ExitCode::Usage, fmt::format("{} would be overwritten, but this command {}{}; "
                                               "give the output another name",
                                               output, role, also));
}

}  // namespace

void FileRoles::addInput(const fs::path& path) {
    const auto identity = identityOf(path);
    if (!identity) return;
    inputs_.emplace(*identity, quoted(path));
    if (const auto output = existingOutputs_.find(*identity); output != existingOutputs_.end())
        conflict(output->second, quoted(path), "reads it");
}

void FileRoles::addOutput(const fs::path& path) { add(path, quoted(path)); }
void FileRoles::addStandardOutput() { add("/proc/self/fd/1", "the standard output"); }
void FileRoles::requireFree(const fs::path& path) const { requireFree(path, quoted(path)); }

void FileRoles::requireFree(const fs::path& path, const std::string& name) const {
    const auto identity = identityOf(path);
    if (!identity) return;
    if (const auto input = inputs_.find(*identity); input != inputs_.end())
        conflict(name, input->second, "reads it");
    if (const auto output = existingOutputs_.find(*identity); output != existingOutputs_.end())
        conflict(name, output->second, "also writes it");
}

void FileRoles::add(const fs::path& path, const std::string& name) {
    if (isDevice(path)) return;
    requireFree(path, name);
    const fs::path target = destinationOf(path);
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    if (const auto identity = identityOf(folder)) {
        const auto [other, isNew] =
            outputs_.try_emplace({*identity, target.filename().string()}, name);
        if (!isNew) conflict(name, other->second, "also writes it");
    }
    if (const auto identity = identityOf(path)) existingOutputs_.emplace(*identity, name);
}

}  // namespace hpcc::driver
