// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/declarations.hpp"

#include "ast/declarators.hpp"
#include "ast/print.hpp"

namespace hpcc::lower {
namespace {

using ast::NodePtr;

/// The specifiers of a multiarray type: `const` and `volatile` belong to the elements, the rest
/// (static, typedef, inline, ..) to the declaration.
struct Words {
    std::string ofDeclaration;
    std::string ofElement;
};

void sortWords(NodePtr list, Words& words) {
    if (!list) return;
    for (const NodePtr word : list->children()) {
        const bool ofElement = word->text() == "const" || word->text() == "volatile";
        (ofElement ? words.ofElement : words.ofDeclaration) += std::string(word->text()) + ' ';
    }
}

}  // namespace

NodePtr lowerMultiarrayType(Context& context, NodePtr type, const std::vector<std::string>& slots) {
    const NodePtr specifiers = ast::elementSpecifiers(type);
    Words words;
    sortWords(specifiers->child(ast::Specifiers::before), words);
    sortWords(specifiers->child(ast::Specifiers::after), words);
    const NodePtr element = type->child(ast::MultiarrayType::specifiers);
    std::string schema = words.ofDeclaration + "hpspmd::Array<" + words.ofElement + "$T";
    if (element->is<ast::TypeName>())
        schema += ' ' + ast::print(element->child(ast::TypeName::declarator));
    const auto dimensions = type->child(ast::MultiarrayType::dimensions)->children();
    for (size_t r = 0; r < dimensions.size(); ++r) {
        const bool named = r < slots.size() && !slots[r].empty();
        const char* kind =
            dimensions[r]->is<ast::DistributedSlot>() ? "hpspmd::Dist" : "hpspmd::Seq";
        schema += ", " + (named ? slots[r] : std::string(kind));
    }
    const NodePtr result = context.quote.type(
        context.arena, schema + ">", {{"$T", specifiers->child(ast::Specifiers::core)}}, type);
    return result->is<ast::TypeName>() ? result->child(ast::TypeName::specifiers) : result;
}

}  // namespace hpcc::lower
