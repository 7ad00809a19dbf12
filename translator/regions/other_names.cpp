// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/other_names.hpp"

#include "analysis/written_parts.hpp"
#include "ast/declarators.hpp"
#include "ast/search.hpp"
#include "regions/combining.hpp"

namespace hpcc::regions {
namespace {

using analysis::bare;

class OtherNames {
public:
    explicit OtherNames(const Arrays& arrays) : arrays_(arrays) {}

    std::vector<OtherName> found;

    void search(NodePtr node) {
        if (!node) return;
        if (node->is<ast::Lambda>()) take(node, node);
        if (node->is<ast::Unary>() && node->child(ast::Unary::op)->text() == "&") take(node, node);
        if (node->is<ast::InitDeclarator>()) declared(node);
        if (node->is<ast::Assign>()) assigned(node);
        for (const NodePtr child : node->children()) search(child);
    }

private:
    void take(NodePtr node, NodePtr at, const Symbol* symbol = nullptr) {
        const auto symbols = mentionedIn(node, arrays_).all();
        if (!symbols.empty()) found.push_back({at, (*symbols.begin())->name, symbol});
    }

    // Numbers and containers have a memory of their own.
    static bool isCopy(const ast::Type* type) {
        if (!type || type->isReference) return false;
        if (isNumber(type) || isRecord(type)) return true;
        return isContiguous(type) && type->classSymbol->name != "span";
    }

    void declared(NodePtr declarator) {
        const NodePtr name = ast::declaredName(declarator->child(ast::InitDeclarator::declarator));
        const ast::Type* type = name && name->symbol ? name->symbol->type : nullptr;
        const NodePtr initializer = declarator->child(ast::InitDeclarator::initializer);
        if (!isCopy(type)) take(initializer, declarator, name ? name->symbol : nullptr);
    }
    void assigned(NodePtr assign) {
        const ast::Type* type = bare(assign->child(ast::Assign::target))->type;
        ast::Type value = type ? *type : ast::Type();
        value.isReference = false;
        if (!isCopy(&value)) take(assign->child(ast::Assign::value), assign);
    }

    const Arrays& arrays_;
};

}  // namespace

std::vector<OtherName> otherNames(NodePtr body, const Arrays& arrays) {
    OtherNames names(arrays);
    names.search(body);
    return names.found;
}

std::string insteadOf(const OtherName& other) {
    if (!ast::is<ast::InitDeclarator>(other.place)) return {};
    const NodePtr element =
        analysis::singleInitializer(other.place->child(ast::InitDeclarator::initializer));
    if (!ast::is<ast::Subscript>(element)) return {};
    const std::string text(element->text());
    std::string parts;
    for (const Symbol* field : analysis::fieldsOf(element->type))
        parts += (parts.empty() ? "" : ", ") + quoted(text + "." + field->name);
    return "name the element where it is used: " + (parts.empty() ? quoted(text) : parts);
}

}  // namespace hpcc::regions
