// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From keys back to trees.
#pragma once

#include "optimize/functions.hpp"
#include "optimize/keys.hpp"

namespace hpcc::optimize {

/// Writes expressions of one body. `nameOf(key)` may give a temporary that holds a part.
class Builder {
public:
    Builder(Function& function, const Keys& keys, NodePtr origin,
            std::function<std::string(int)> nameOf, std::function<NodePtr(NodePtr)> edited)
        : function_(function),
          keys_(keys),
          origin_(origin),
          nameOf_(std::move(nameOf)),
          edited_(std::move(edited)) {}

    NodePtr build(int key);

private:
    NodePtr operand(int key, bool isTight);
    NodePtr inquiry(const Key& key);

    Function& function_;
    const Keys& keys_;
    NodePtr origin_;
    std::function<std::string(int)> nameOf_;
    std::function<NodePtr(NodePtr)> edited_;
};

/// What a temporary for the key would be called: `a_data`, `a_stride_0`, `a_shift_0`, `a_at_i`.
std::string nameFor(const Keys& keys, int key);

/// What it holds, in the user's words: "the descriptor of 'a' is read once". isInText tells whether
/// the user has written a name.
std::string remarkFor(const Keys& keys, int key,
                      const std::function<bool(const std::string&)>& isInText);

/// Its type, as written before the name.
std::string_view declarationFor(const Key& key);

}  // namespace hpcc::optimize
