// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/declarators.hpp"
#include "ast/node.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace hpcc::ast {

// True if `word` is one of the words of `list`, specifiers or qualifiers: "static" of "static
// const". Null is allowed.
inline bool holdsWord(NodePtr list, std::string_view word) {
    return list && std::ranges::any_of(list->children(), [word](NodePtr each) {
               return each && each->text() == word;
           });
}

// `static`, `virtual` .. of a declaration; constructors have a list of words only, or nothing.
inline bool isSpecifiedAs(NodePtr specifiers, std::string_view word) {
    if (!is<Specifiers>(specifiers)) return holdsWord(specifiers, word);
    return holdsWord(specifiers->child(Specifiers::before), word) ||
           holdsWord(specifiers->child(Specifiers::after), word);
}

inline bool isSpecifiedAsOneOf(NodePtr specifiers, std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(
        words, [&](std::string_view word) { return isSpecifiedAs(specifiers, word); });
}

// It outlives the function that declares it.
inline bool isSpecifiedAsStatic(NodePtr specifiers) {
    return isSpecifiedAsOneOf(specifiers, {"static", "thread_local"});
}

// `const`, `override` .. behind the parameters of a function.
inline bool isQualifiedAs(NodePtr declarator, std::string_view word) {
    const NodePtr function = functionDeclarator(declarator);
    return function && holdsWord(function->child(FunctionDeclarator::qualifiers), word);
}

// Another function may run in its place, or it in that of another one, as its words tell.
inline bool isVirtual(NodePtr specifiers, NodePtr declarator) {
    return isSpecifiedAs(specifiers, "virtual") || isQualifiedAs(declarator, "override") ||
           isQualifiedAs(declarator, "final");
}

}  // namespace hpcc::ast
