// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ast/copy.hpp"
#include "ast/print.hpp"
#include "ast/symbol.hpp"
#include "ast/writer.hpp"
#include "nests/nest.hpp"

namespace hpcc::nests {

inline void append(std::vector<ast::NodePtr>& to, const std::vector<ast::NodePtr>& more) {
    to.insert(to.end(), more.begin(), more.end());
}

/// What writes the fast form of one nest.
struct Context : ast::Writer {
    ast::FreshNames::Given taken = {};  // names given out in this nest
    bool usesVectorMath = false;        // --vector-math
    bool keepsOrderOfSums = false;      // --pass=no-reductions

    ast::NodePtr identifier(const std::string& name, ast::NodePtr origin) {
        return ast::identifier(arena, name, origin);
    }
    /// The name of a variable that the fast form declares.
    ast::NodePtr variable(const std::string& name, const ast::Type* type, ast::NodePtr origin) {
        const ast::NodePtr made = identifier(name, origin);
        ast::Symbol symbol;
        symbol.name = name;
        symbol.type = type;
        made->type = type;
        made->symbol = arena.makeSymbol(symbol);
        return made;
    }
    const ast::Type* integerType(std::string spelled, ast::NumberType number) {
        ast::Type type;
        type.kind = ast::TypeKind::Integer;
        type.spelled = std::move(spelled);
        type.number = number;
        return arena.makeType(type);
    }
    const ast::Type* indexType() { return integerType("hpspmd::Index", {64, true}); }
    const ast::Type* boolType() {
        ast::Type type;
        type.kind = ast::TypeKind::Bool;
        type.spelled = "bool";
        return arena.makeType(type);
    }
    /// A simple expression as made text, so that it does not pull the line number to where it
    /// stands.
    ast::NodePtr made(ast::NodePtr expression, ast::NodePtr origin) {
        const std::string text = ast::print(expression);
        const bool isPlain = text.find('`') == text.npos && text.find("[[") == text.npos;
        return isPlain ? identifier(text, origin) : ast::copy(arena, expression);
    }
    ast::NodePtr number(long value, ast::NodePtr origin) {
        return identifier(std::to_string(value), origin);
    }
    /// A statement behind the declarations that it needs.
    ast::NodePtr behind(const std::vector<ast::NodePtr>& before, ast::NodePtr statement,
                        ast::NodePtr origin) {
        if (before.empty()) return statement;
        return Writer::statement(
            "{\n"
            "    $before;\n"
            "    $statement;\n"
            "}",
            {{"$before", before}, {"$statement", statement}}, origin);
    }
    /// In parentheses, unless it may stand beside any operator.
    ast::NodePtr operand(ast::NodePtr e) {
        if (ast::isPrimary(e->kind())) return e;
        const ast::NodePtr result = expression("($e)", {{"$e", e}}, e);
        result->type = e->type;
        return result;
    }
    std::string fresh(const std::string& wanted) { return names.name(wanted, taken); }
};

}  // namespace hpcc::nests
