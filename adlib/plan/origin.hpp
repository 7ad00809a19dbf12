// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <hpspmd/block.hpp>
#include <string>
#include <utility>
#include <vector>

namespace hpspmd::detail {
struct Descriptor;
}

namespace hpspmd::detail::plan {

/// What an operation or a plan was made of, as JSON for an observer (observe/communications.hpp);
/// null if there is none. It says nothing that the plan does not, so that all are equal.
struct Origin {
    const std::string* text = nullptr;

    friend bool operator==(const Origin&, const Origin&) { return true; }
};

/// "operation": "shift", "arrays": [to, from], "parameters": [amount, d, cyclic]. One array: the
/// operation works within it.
Origin originOf(const char* operation, const std::vector<Descriptor>& arrays,
                const std::vector<Index>& parameters = {});

/// The same of operations that run as one, on elements of these sizes: "parts": [{.., "size": 8}].
Origin jointOrigin(const std::vector<std::pair<Origin, std::size_t>>& parts);

}  // namespace hpspmd::detail::plan
