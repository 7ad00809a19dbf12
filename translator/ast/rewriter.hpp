// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a new tree from an old one, bottom-up by default; what no override changes is shared.
//
//     struct Renamer : Rewriter {
//         using Rewriter::Rewriter;
//         NodePtr rewriteIdentifier(NodePtr node) override {
//             return node->text() == "i" ? identifier(arena(), "i_global", node) : node;
//         }
//     };
#pragma once

#include "ast/arena.hpp"

namespace hpcc::ast {

class Rewriter {
public:
    // Rewrites the trees that contain what the pass is about (of Contents; 0: all).
    explicit Rewriter(Arena& arena, uint8_t about = 0) : arena_(&arena), about_(about) {}
    virtual ~Rewriter() = default;

    NodePtr rewrite(NodePtr node);          // null gives null
    NodePtr rewriteChildren(NodePtr node);  // the node itself if no child changed

    // Called for every kind that has no override.
    virtual NodePtr rewriteOther(NodePtr node) { return rewriteChildren(node); }

#define NODE(category, name, ...) \
    virtual NodePtr rewrite##name(NodePtr node) { return rewriteOther(node); }
#define LIST(category, name) NODE(category, name)
#define LEAF(category, name) NODE(category, name)
#include "ast/nodes.def"
#undef NODE
#undef LIST
#undef LEAF

protected:
    Arena& arena() { return *arena_; }

private:
    Arena* arena_;
    uint8_t about_;
};

}  // namespace hpcc::ast
