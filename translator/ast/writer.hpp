// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every pass needs that writes code: where nodes live, how they are quoted, which names are
// free.
#pragma once

#include "ast/fresh_names.hpp"
#include "ast/quote.hpp"

namespace hpcc::ast {

struct Writer {
    Arena& arena;
    Quoter& quote;
    FreshNames names;

    NodePtr statement(std::string_view schema, const Bindings& bindings, NodePtr origin) {
        return quote.statement(arena, schema, bindings, origin);
    }
    NodePtr expression(std::string_view schema, const Bindings& bindings, NodePtr origin) {
        return quote.expression(arena, schema, bindings, origin);
    }
};

}  // namespace hpcc::ast
