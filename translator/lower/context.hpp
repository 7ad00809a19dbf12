// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <unordered_map>

#include "ast/writer.hpp"
#include "lower/lower.hpp"

namespace hpcc::lower {

/// What every schema needs.
struct Context : ast::Writer {
    Options options;

    /// A leaf with the text of `name`. Equal names share their text: there are many of them.
    ast::NodePtr identifier(const std::string& name, ast::NodePtr origin) {
        ast::NodePtr& shape = shapes[name];
        if (!shape) shape = ast::identifier(arena, name, origin);
        return arena.rebuilt(shape, origin, {});
    }

    std::unordered_map<std::string, ast::NodePtr> shapes;
};

}  // namespace hpcc::lower
