// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>

namespace hpspmd::detail {

/// What an inspector leaves behind for its executor, as caches keep it, and who uses it longer.
class Prepared : public std::enable_shared_from_this<Prepared> {
public:
    virtual ~Prepared() = default;
};

}  // namespace hpspmd::detail
