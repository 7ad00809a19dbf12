#pragma once

#include <unordered_map>

#include "ast/fresh_names.hpp"
#include "ast/quote.hpp"
#include "lower/lower.hpp"

namespace hpcc::lower {

/// What every schema needs: where nodes live, how they are quoted, which names are free.
struct Context {
    ast::Arena& arena;
    ast::Quoter& quote;
    ast::FreshNames names;
    Options options;

    ast::NodePtr statement(std::string_view schema, const ast::Bindings& bindings,
                           ast::NodePtr origin) {
        return quote.statement(arena, schema, bindings, origin);
    }
    ast::NodePtr expression(std::string_view schema, const ast::Bindings& bindings,
                            ast::NodePtr origin) {
        return quote.expression(arena, schema, bindings, origin);
    }
    /// A leaf with the text of `name`. Equal names share their text: there are many of them.
    ast::NodePtr identifier(const std::string& name, ast::NodePtr origin) {
        ast::NodePtr& shape = shapes[name];
        if (!shape) shape = ast::identifier(arena, name, origin);
        return arena.rebuilt(shape, origin, {});
    }

    std::unordered_map<std::string, ast::NodePtr> shapes;
};

}  // namespace hpcc::lower
