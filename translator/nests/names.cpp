// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/names.hpp"

#include "ast/declarators.hpp"
#include "ast/search.hpp"

namespace hpcc::nests {

using ast::NodePtr;

NodePtr rootOf(NodePtr base) {
    while (ast::is<ast::Member>(base)) base = base->child(ast::Member::base);
    return base;
}

/// Arrays, ranges and indices.
static Names fixedNames(const Nest& nest) {
    Names fixed;
    for (const NestArray& array : nest.arrays) fixed.insert(rootOf(array.base)->text());
    for (const Loop& loop : nest.loops) {
        if (loop.range) fixed.insert(rootOf(loop.range)->text());
        if (loop.kind == Loop::Kind::Overall) fixed.insert(loop.variable);
    }
    return fixed;
}

Obstacle ambiguousName(const Nest& nest, const Assignments& outer) {
    const Names fixed = fixedNames(nest);
    for (const std::string_view name : fixed)
        if (nest.declared.contains(name) || nest.assigned.contains(name))
            return {nest.loops.front().statement,
                    "declares or assigns " + quoted(name) + " inside"};
    for (const Loop& loop : nest.loops)
        if (loop.kind == Loop::Kind::Counting && fixed.contains(loop.variable))
            return {loop.statement, "declares " + quoted(loop.variable) + " inside"};
    for (const auto& [name, place] : outer)
        if (nest.declared.contains(name))
            return {place, "assigns one of two variables " + quoted(name)};
    return {};
}

std::set<const ast::Symbol*> variablesDeclaredIn(NodePtr statement) {
    std::set<const ast::Symbol*> variables;
    for (const NodePtr each : ast::allOf<ast::InitDeclarator>(statement))
        if (const NodePtr name = ast::declaredName(each->child(ast::InitDeclarator::declarator)))
            variables.insert(name->symbol);
    return variables;
}

}  // namespace hpcc::nests
