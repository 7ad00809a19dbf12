// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/disk_file.hpp"
#include "pictures/picture.hpp"

namespace hpspmd::detail::files {

std::string contentOf(const std::string& path) {
    DiskFile file = DiskFile::forReading(path);
    std::string bytes(static_cast<std::size_t>(file.size()), '\0');
    file.read(bytes.data(), file.size(), 0);
    return bytes;
}

void replaceFile(const std::string& path, const std::string& bytes) {
    DiskFile file = DiskFile::beside(path);
    file.write(bytes.data(), static_cast<Index>(bytes.size()), 0);
    const std::string name = file.path();
    file.close();
    rename(name, path);
}

}  // namespace hpspmd::detail::files
