// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/body.hpp"

#include <algorithm>

#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "regions/body_reader.hpp"
#include "regions/combining.hpp"
#include "regions/members.hpp"
#include "regions/scattered.hpp"

namespace hpcc::regions {

using analysis::bare;
using ast::Kind;
using ast::SymbolKind;

namespace {

bool isLocalNumber(const Symbol* symbol) {
    return symbol->kind == SymbolKind::Variable && symbol->declaration && isNumber(symbol->type) &&
           !symbol->type->isReference;
}
bool isReference(const ast::Type* type) { return type && type->isReference; }

}  // namespace

void BodyReader::loop(NodePtr loop) {
    const NodePtr variable = loop->child(ast::For::initializer);
    declareIn(variable);
    read(loop->child(ast::For::body));
    tally_.finish(body_);
    for (const auto& [symbol, place] : body_.scattered)
        for (const NodePtr each : elements_[symbol])
            if (each->text() != place->text())
                fail(each, "iterations of other processes may change " + quoted(each->text()));
}

void BodyReader::fail(NodePtr node, std::string reason) {
    if (body_.obstacle) return;
    body_.obstacle = node;
    body_.reason = std::move(reason);
}

void BodyReader::declareIn(NodePtr declaration) {
    if (!ast::is<ast::Declaration>(declaration)) return;
    const NodePtr list = declaration->child(ast::Declaration::declarators);
    for (const NodePtr each : list ? list->children() : std::span<const NodePtr>())
        if (each->symbol)
            declared_.insert(each->symbol);
        else if (const NodePtr name = ast::declaredName(each->child(0)); name && name->symbol)
            declared_.insert(name->symbol);
}

void BodyReader::readChildren(NodePtr node) {
    for (const NodePtr child : node->children()) read(child);
}

void BodyReader::read(NodePtr node) {
    if (!node) return;
    switch (node->kind()) {
    case Kind::Compound:
    case Kind::ExpressionStatement:
    case Kind::EmptyStatement:
    case Kind::Continue:
    case Kind::Case:
    case Kind::Default:
    case Kind::Parenthesized:
    case Kind::Conditional:
    case Kind::Comma:
    case Kind::Operator:
    case Kind::Arguments:
    case Kind::Subscripts:
    case Kind::InitDeclarators:
    case Kind::EqualInitializer:
    case Kind::BracedInitializer:
    case Kind::NumberLiteral:
    case Kind::CharacterLiteral:
    case Kind::KeywordLiteral:
    case Kind::Specifiers:
    case Kind::TypeName:
        return readOperands(node);
    case Kind::Binary:
        operated(node);
        return readOperands(node);
    case Kind::If:
        return branch(node);
    case Kind::For:
        return innerLoop(node);
    case Kind::While:
    case Kind::DoWhile:
    case Kind::Switch:
        ++depth_;
        readChildren(node);
        --depth_;
        return;
    case Kind::Break:
        return depth_ == 0 ? fail(node, "'break' ends it early") : void();
    case Kind::Return:
        if (depth_ >= 0) fail(node, "'return' ends it early");
        return readChildren(node);
    case Kind::Attributed:
        if (attributeOf(node, "single")) return fail(node, "'single' stands in it");
        return read(attributedNode(node));
    case Kind::Declaration:
        return declaration(node);
    case Kind::InitDeclarator:
        return read(node->child(ast::InitDeclarator::initializer));
    case Kind::Assign:
    case Kind::Postfix:
        return change(node);
    case Kind::Unary:
        return unary(node);
    case Kind::Subscript:
        return access(node, false);
    case Kind::Member:
    case Kind::PointerMember:
        return member(node);
    case Kind::Call:
        return call(node);
    case Kind::Identifier:
    case Kind::QualifiedName:
        return name(node);
    case Kind::Cast:
    case Kind::NamedCast:
    case Kind::FunctionalCast:
        if (!isNumber(node->type) && !isRecord(node->type))
            return fail(node, "it makes something else than a number");
        return read(node->children().back());
    default:
        fail(node, "it holds a statement or expression that is not looked into");
        return readChildren(node);
    }
}

// Types and operators are no operands.
void BodyReader::readOperands(NodePtr node) {
    if (node->is<ast::Specifiers>() || node->is<ast::TypeName>()) return;
    readChildren(node);
}

void BodyReader::declaration(NodePtr node) {
    if (std::string reason = whyNotOwn(node); !reason.empty()) return fail(node, std::move(reason));
    for (const NodePtr each : ast::declaratorsOf(node)) {
        const NodePtr name = ast::declaredName(each->child(ast::InitDeclarator::declarator));
        if (!ast::is<ast::Identifier>(name) || !name->symbol || !isOwnValue(name->symbol->type))
            return fail(each, "it declares something else than numbers");
        declared_.insert(name->symbol);
        read(each);
    }
}

// `if (e > most) most = e;` keeps the largest.
void BodyReader::branch(NodePtr node) {
    if (node->child(ast::If::initializer)) fail(node, "an 'if' with a declaration");
    tally_.branch(node);
    readChildren(node);
}

void BodyReader::innerLoop(NodePtr node) {
    const NodePtr initializer = node->child(ast::For::initializer);
    const auto counting = analysis::countingLoop(node);
    ++depth_;
    if (ast::is<ast::Declaration>(initializer)) {
        declaration(initializer);
    } else if (counting && counting->name->symbol && isLocalNumber(counting->name->symbol)) {
        const Symbol* symbol = counting->name->symbol;
        if (!declared_.contains(symbol)) body_.counters.insert(symbol);
        declared_.insert(symbol);
        read(counting->first);
    } else {
        read(initializer);
    }
    read(node->child(ast::For::condition));
    read(node->child(ast::For::step));
    read(node->child(ast::For::body));
    --depth_;
}

void BodyReader::unary(NodePtr node) {
    const std::string_view op = node->child(ast::Unary::op)->text();
    if (op == "++" || op == "--") return change(node);
    if (op == "*" && class_ && node->child(ast::Unary::operand)->text() == "this") return;
    operated(node);
    const bool isPlain = op == "-" || op == "+" || op == "!" || op == "~" || op == "not";
    if (!isPlain) fail(node, "a pointer may reach any element");
    readChildren(node);
}

void BodyReader::change(NodePtr node) {
    const NodePtr target = bare(ast::changedOperand(node));
    NodePtr element = target, root = target;
    while (ast::is<ast::Member>(element)) element = bare(element->child(ast::Member::base));
    while (ast::is<ast::Member>(root) || ast::is<ast::Subscript>(root)) root = bare(root->child(0));
    const Operation* const reduced = tally_.operation(root->symbol);
    if (!reduced) operated(node);
    if (!isPlain(target->type) &&
        !(root == target &&
          (reduced || (declared_.contains(root->symbol) && isRecord(root->type)))))
        fail(target, quoted(target->text()) + " is no number");
    const bool isFree = reduced && (reduced->mayBeFree || reduced->isChosen);
    if (reduced && (root == target || ast::is<ast::Subscript>(target) || isFree)) {
        tally_.change(node, root->symbol);
        if (isReference(root->symbol->type)) body_.others.emplace(root->symbol->name, root);
        if (ast::is<ast::Subscript>(target)) read(target->child(ast::Subscript::subscripts));
    } else if (element == target && mayScatter_ && isScattered(target, arrays_)) {
        body_.scattered.try_emplace(root->symbol, target);
        access(target, false);
    } else if (isOwnElement(element)) {
        access(element, false);
    } else if (ast::is<ast::Subscript>(element)) {
        if (!accessOf(element, arrays_)) fail(target, whyNotDivided(rootOf(element), isMarked_));
        isPartOfMember_ = element != target;
        access(element, true);
    } else if (!declared_.contains(root->symbol) && !(mayChangeObject_ && isOwnNumber(root))) {
        fail(target, whyNotOwn(target, root, reduced));
    }
    if (!node->is<ast::Assign>()) return;
    const NodePtr value = node->child(ast::Assign::value);
    const NodePtr taken =
        reduced && !reduced->isSign() ? takenBy(node, root->symbol, reduced->sign) : nullptr;
    read(taken ? taken : value);
}

Body readBody(NodePtr loop, const Wanted& wanted) {
    Body body;
    BodyReader(body, wanted).loop(loop);
    return body;
}

}  // namespace hpcc::regions
