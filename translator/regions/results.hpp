// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "regions/method.hpp"

namespace hpcc::regions {

// The texts that make one result of what the processes have found in a divided loop.
class Results {
public:
    Results(const Symbol& variable, const Combined& combined, const Method& method,
            std::string isNew)
        : variable_(variable), combined_(combined), method_(method), isNew_(std::move(isNew)) {}

    std::string start(const std::string& object) const;  // before the loop,
    std::string take() const;                            // in it, up to e of `v = f(v, e)`,
    std::string join(const std::string& object) const;   // and behind it

private:
    std::string function() const;

    const Symbol& variable_;
    const Combined& combined_;
    const Method& method_;
    std::string isNew_;  // a variable: nothing has been found yet
};

}  // namespace hpcc::regions
