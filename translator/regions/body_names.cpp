// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements and names in the body of a loop.
#include "ast/effects.hpp"
#include "regions/body_reader.hpp"
#include "regions/combining.hpp"
#include "regions/members.hpp"

namespace hpcc::regions {

using analysis::bare;
using ast::SymbolKind;

namespace {

bool isKind(const ast::Type* type, ast::TypeKind kind) { return type && type->kind == kind; }

}  // namespace

void BodyReader::access(NodePtr node, bool isWrite) {
    if (!isNumber(node->type) && !isPartOfMember_)
        fail(node,
             "the elements of " + quoted(rootOf(node)->text()) + " are not known to be numbers");
    isPartOfMember_ = false;
    if (const auto found = accessOf(node, arrays_, isWrite)) {
        body_.accesses.push_back(*found);
        for (const NodePtr each : found->subscripts()) read(each);
        return;
    }
    otherElement(node);
    for (const NodePtr each : node->child(ast::Subscript::subscripts)->children()) read(each);
}

void BodyReader::otherElement(NodePtr node) {
    NodePtr base = node;
    while (ast::is<ast::Subscript>(base)) {
        if (base != node)
            for (const NodePtr each : base->child(ast::Subscript::subscripts)->children())
                read(each);
        base = bare(base->child(ast::Subscript::base));
    }
    if (isPartOfObject(base) && hasOwnElements(base->type)) return part(base);
    const bool isName = ast::is<ast::Identifier>(base) && base->symbol;
    if (!isName) return fail(node, nameless(base, isMarked_));
    if (arrays_.contains(base->symbol))
        return fail(node, quoted(node->text()) + " is no element of " + quoted(base->text()));
    const ast::Type* type = base->symbol->type;
    if (isKind(type, ast::TypeKind::Pointer) ||
        (isKind(type, ast::TypeKind::CArray) && !type->isReference &&
         base->symbol->kind == SymbolKind::Parameter))
        return fail(base, quoted(base->text()) + " is a pointer of unknown extent");
    tally_.mention(node, base->symbol);
    elements_[base->symbol].push_back(node);
    part(base);
}

// Of an array that is declared in the loop.
bool BodyReader::isOwnElement(NodePtr element) const {
    if (!ast::is<ast::Subscript>(element)) return false;
    const NodePtr root = rootOf(element);
    return ast::is<ast::Identifier>(root) && declared_.contains(root->symbol) &&
           isOwnArray(root->symbol->type);
}

void BodyReader::part(NodePtr read) {
    const Memory memory = memoryOf(read, function_);
    if (memory == Memory::Handle && !isMarked_)
        fail(read, quoted(read->text()) +
                       " may be another name of an array: write what it stands for, or " +
                       "[[hpspmd::dist]] before its declaration");
    else if (memory != Memory::Own)
        body_.others.emplace(read->text(), read);
}

void BodyReader::member(NodePtr node) {
    if (!isNumber(node->type))
        return fail(node, quoted(node->text()) + " is not known to be a number");
    if (isOwnNumber(node)) return;
    NodePtr base = node;
    while (ast::is<ast::Member>(base)) base = bare(base->child(ast::Member::base));
    if (isPartOfObject(node)) {
        tally_.mention(node, base->symbol);
        return declared_.contains(base->symbol) ? void() : part(node);
    }
    if (!ast::is<ast::Subscript>(base))
        return fail(node, quoted(node->text()) + " is not looked into");
    isPartOfMember_ = true;
    access(base, false);
}

bool BodyReader::isOwnNumber(NodePtr place) const {
    if (!class_) return false;
    if (ast::is<ast::PointerMember>(place))
        return place->child(0)->text() == "this" && isNumberOf(class_, place->child(1)->text());
    return ast::is<ast::Identifier>(place) && place->symbol &&
           place->symbol->kind == SymbolKind::Field && isNumberOf(class_, place->text());
}

void BodyReader::name(NodePtr node) {
    const Symbol* symbol = node->symbol;
    if (symbol && arrays_.contains(symbol))
        return fail(node, quoted(node->text()) + " is used as a whole in it");
    if (!symbol || symbol->kind == SymbolKind::Enumerator) return;  // a constant from elsewhere
    const bool isKnown = declared_.contains(symbol) || tally_.operation(symbol);
    if (isOwnNumber(node)) return;
    if (!isPlain(node->type) && !(isKnown && isRecord(symbol->type)))
        return fail(node, quoted(node->text()) + " is not known to be a number");
    tally_.mention(node, symbol);
    if (ast::is<ast::Identifier>(node) && !declared_.contains(symbol)) part(node);
}

}  // namespace hpcc::regions
