#pragma once

namespace hpspmd::detail {

/// What an inspector leaves behind for its executor, as caches keep it.
class Prepared {
public:
    virtual ~Prepared() = default;
};

}  // namespace hpspmd::detail
