// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The system's control groups (cgroups), which limit what a container or a batch job may use.

#include <functional>
#include <string>

namespace hpspmd::detail {

/// Where the system shows them.
struct ControlGroups {
    std::string folder = "/sys/fs/cgroup";
    std::string own = "/proc/self/cgroup";  ///< the file that names those of this process

    /// Those of this machine. The environment variable HPSPMD_CGROUPS names a folder that stands in
    /// for them, with a file `self`: for tests.
    static ControlGroups actual();

    /// Calls action(folder, version) for the groups of this process that have the controller, of
    /// version 1 or 2 of the system, and for those around them.
    void forEach(const std::string& controller,
                 const std::function<void(const std::string&, int)>& action) const;
};

}  // namespace hpspmd::detail
