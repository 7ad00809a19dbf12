// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// MemoryLimit, how much memory the system grants to this process and those beside it in one group
/// (cgroup): of a container, a batch job. Who needs more is killed without a word.

#include <cstddef>
#include <string>

#include "control_groups.hpp"

namespace hpspmd::detail {

/// The narrowest limit of the group of this process and of those around it, in cgroups of version 1
/// or 2.
class MemoryLimit {
public:
    explicit MemoryLimit(const ControlGroups& groups);

    /// That of the machine, which is asked once.
    static const MemoryLimit& actual();

    bool exists() const { return bytes_ < none; }
    std::size_t bytes() const { return bytes_; }
    /// What the processes of the group use at the moment, without what the system holds of files.
    std::size_t used() const;

private:
    static constexpr std::size_t none = std::size_t{1} << 62;

    void narrow(const std::string& folder, const char* file);

    std::size_t bytes_ = none;
    std::string folder_;
    bool isFirstVersion_ = false;
};

}  // namespace hpspmd::detail
