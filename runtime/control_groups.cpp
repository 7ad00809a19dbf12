// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "control_groups.hpp"

#include <cstdlib>
#include <fstream>

namespace hpspmd::detail {
namespace {

bool isAmong(const std::string& wanted, const std::string& list) {
    return ("," + list + ",").find("," + wanted + ",") != std::string::npos;
}

}  // namespace

ControlGroups ControlGroups::actual() {
    const char* const folder = std::getenv("HPSPMD_CGROUPS");
    if (folder == nullptr) return {};
    return {folder, folder + std::string("/self")};
}

// "4:cpu,cpuacct:/a/b" is of version 1, "0::/a/b" of version 2.
void ControlGroups::forEach(const std::string& controller,
                            const std::function<void(const std::string&, int)>& action) const {
    std::string line;
    for (std::ifstream file(own); std::getline(file, line);) {
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const int version = controllers.empty() ? 2 : 1;
        if (version == 1 && !isAmong(controller, controllers)) continue;
        // In a container the path may be that of the host: then only the root is there.
        std::string path = line.substr(second + 1);
        if (path == "/") path.clear();
        for (;; path.erase(path.rfind('/'))) {
            if (version == 2) action(folder + path, version);
            if (version == 1) action(folder + "/" + controllers + path, version);
            if (version == 1 && controllers != controller)  // mounted by one name
                action(folder + "/" + controller + path, version);
            if (path.find('/') == std::string::npos) break;
        }
    }
}

}  // namespace hpspmd::detail
