// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/paths.hpp"

#include <algorithm>

#include "analysis/loop.hpp"
#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "regions/body.hpp"
#include "regions/combining.hpp"
#include "regions/members.hpp"

namespace hpcc::regions {
namespace {

using analysis::bare;
using ast::Kind;

// Of C++, or a std::unique_ptr, std::shared_ptr or std::optional.
bool isPointer(const ast::Type* type) {
    if (!type) return false;
    const bool isHandle = type->kind == ast::TypeKind::Class && type->classSymbol &&
                          type->classSymbol->shape == ast::StandardShape::Handle &&
                          type->classSymbol->name != "reference_wrapper";
    return type->kind == ast::TypeKind::Pointer || isHandle;
}

// cells of cells.at(k), p of p.get(); null for other nodes.
NodePtr askedObject(NodePtr call, std::string_view word, std::size_t arguments) {
    if (!ast::is<ast::Call>(call)) return nullptr;
    const NodePtr callee = bare(call->child(ast::Call::callee));
    const bool isAsked = ast::is<ast::Member>(callee) &&
                         callee->child(ast::Member::name)->text() == word &&
                         call->child(ast::Call::arguments)->children().size() == arguments;
    return isAsked ? bare(callee->child(ast::Member::base)) : nullptr;
}
NodePtr checkedArray(NodePtr call) {
    const NodePtr array = askedObject(call, "at", 1);
    return array && isContiguous(array->type) ? array : nullptr;
}
NodePtr askedHandle(NodePtr call) {
    const NodePtr handle = askedObject(call, "get", 0);
    const bool isHandle = handle && isPointer(handle->type) &&
                          handle->type->kind == ast::TypeKind::Class &&
                          handle->type->classSymbol->name != "optional";
    return isHandle ? handle : nullptr;
}

bool isThis(NodePtr node) { return ast::is<ast::KeywordLiteral>(node) && node->text() == "this"; }

bool isDereference(NodePtr node) {
    return ast::is<ast::Unary>(node) && node->child(ast::Unary::op)->text() == "*";
}

// The pointer or element of a path that must lead to an object; empty for its other steps.
std::string followedBy(NodePtr step) {
    if (ast::is<ast::PointerMember>(step)) {
        const NodePtr pointer = bare(step->child(ast::PointerMember::base));
        return isThis(pointer) ? "" : std::string(pointer->text());
    }
    if (isDereference(step)) return std::string(bare(step->child(ast::Unary::operand))->text());
    return ast::is<ast::Subscript>(step) || checkedArray(step) ? std::string(step->text()) : "";
}

NodePtr before(NodePtr step) {
    if (const NodePtr array = checkedArray(step)) return array;
    if (const NodePtr handle = askedHandle(step)) return handle;
    return bare(step->child(isDereference(step) ? uint32_t{ast::Unary::operand} : 0));
}

bool isStep(NodePtr node) {
    return isMember(node) || isDereference(node) || ast::is<ast::Subscript>(node) ||
           checkedArray(node) || askedHandle(node);
}

// ---- what such a loop may do ------------------------------------------------------------------

// A number of its own, or an element of an array: no pointer, no member and no subscript of a path.
bool isOwnNumber(NodePtr target, NodePtr loop) {
    target = bare(target);
    if (!isNumber(target->type)) return false;
    if (ast::is<ast::Subscript>(target)) {
        const NodePtr array = bare(target->child(ast::Subscript::base));
        const bool isParameter = array->symbol && ast::is<ast::Identifier>(array) &&
                                 array->symbol->kind == ast::SymbolKind::Parameter;
        const bool isCArray = array->type && array->type->kind == ast::TypeKind::CArray;
        return hasOwnElements(array->type) &&
               !(isCArray && isParameter && !array->type->isReference);
    }
    while (ast::is<ast::Member>(target)) target = bare(target->child(ast::Member::base));
    const ast::Symbol* const symbol = ast::is<ast::Identifier>(target) ? target->symbol : nullptr;
    if (!symbol || !symbol->declaration || !symbol->type || symbol->type->isReference) return false;
    return isNumber(symbol->type) || loop->span().contains(symbol->declaration->span());
}

bool isSizeOf(NodePtr call) {
    const NodePtr callee = bare(call->child(ast::Call::callee));
    return ast::is<ast::Member>(callee) && callee->child(ast::Member::name)->text() == "size" &&
           isContiguous(bare(callee->child(ast::Member::base))->type);
}

bool isHarmlessCall(NodePtr call) {
    return isSizeOf(call) || checkedArray(call) || askedHandle(call) || isConversion(call) ||
           ast::isMathematicalCall(call) || ast::isPure(call) || computesOnly(call);
}

// It runs no code of classes, which may change anything.
bool isPlain(NodePtr node, NodePtr loop) {
    if (ast::isAny<ast::Lambda, ast::New, ast::Delete, ast::Throw, ast::OpaqueExpression,
                   ast::OpaqueStatement, ast::OpaqueDeclaration>(node))
        return false;
    if (const NodePtr target = ast::changedOperand(node); target && !isOwnNumber(target, loop))
        return false;
    if (node->is<ast::Call>() && !isHarmlessCall(node)) return false;
    if (node->is<ast::Binary>() && !(isNumber(bare(node->child(ast::Binary::left))->type) &&
                                     isNumber(bare(node->child(ast::Binary::right))->type)))
        return false;
    if (node->is<ast::InitDeclarator>()) {
        const NodePtr name = ast::declaredName(node->child(ast::InitDeclarator::declarator));
        const ast::Type* const type = name && name->symbol ? name->symbol->type : nullptr;
        if (!type || !(isNumber(type) || isRecord(type) || type->isReference)) return false;
    }
    return std::ranges::all_of(node->children(),
                               [loop](NodePtr each) { return !each || isPlain(each, loop); });
}

// Until it is evaluated, nothing has changed: all of its operands, if it is the first statement of
// a body and changes something by its outermost operator only.
bool changesAtItsEnd(NodePtr statement) {
    const bool isExpression = ast::is<ast::ExpressionStatement>(statement);
    if (!isExpression && !ast::is<ast::Declaration>(statement)) return false;
    const NodePtr outermost =
        isExpression ? bare(statement->child(ast::ExpressionStatement::expression)) : nullptr;
    return !ast::anywhere(statement, [&](NodePtr each) {
        return each != outermost && ast::changedOperand(each) != nullptr;
    });
}

NodePtr firstOf(NodePtr body) {
    while (ast::is<ast::Compound>(body) && !body->children().empty()) body = body->children()[0];
    return body;
}

}  // namespace

NodePtr beginOf(NodePtr path) {
    while (isStep(path)) path = before(path);
    return path;
}

FixedPaths::FixedPaths(NodePtr loop) : loop_(loop) {
    if (!ast::is<ast::For>(loop) || !analysis::countingAhead(loop)) return;
    isPlain_ = isPlain(loop, loop);
    if (!isPlain_) return;
    const NodePtr body = loop->child(ast::For::body);
    const ast::Effects effects = ast::effectsOf(loop);
    changed_ = effects.assigned;
    changed_.insert(effects.declared.begin(), effects.declared.end());
    follow(loop->child(ast::For::condition), followedAnyway_);
    followChecked(loop->child(ast::For::condition), followedAnyway_);
    followed_ = followedAnyway_;
    if (!ast::effectsOf(body).mayJump) follow(body, followed_);
    if (changesAtItsEnd(firstOf(body))) followChecked(firstOf(body), followed_);
    isPlain_ = !ast::anywhere(loop, [&](NodePtr each) {
        return checkedArray(each) && !followed_.contains(followedBy(each));
    });
    if (analysis::runsAtLeastOnce(loop)) followedAnyway_ = followed_;
}

// Only what is evaluated for sure.
void FixedPaths::follow(NodePtr node, std::set<std::string>& followed) const {
    if (!node || ast::isAny<ast::Sizeof, ast::Switch>(node)) return;
    if (const std::string own = followedBy(node); !own.empty() && !checkedArray(node))
        followed.insert(own);
    switch (node->kind()) {
    case Kind::If:
        return follow(node->child(ast::If::condition), followed);
    case Kind::Conditional:
        return follow(node->child(ast::Conditional::condition), followed);
    case Kind::While:
        return follow(node->child(ast::While::condition), followed);
    case Kind::For:
        if (analysis::runsAtLeastOnce(node)) break;
        follow(node->child(ast::For::initializer), followed);
        return follow(node->child(ast::For::condition), followed);
    case Kind::RangeFor:
        return follow(node->child(ast::RangeFor::range), followed);
    case Kind::Binary:
        if (ast::isShortCircuit(node)) return follow(node->child(ast::Binary::left), followed);
        break;
    default:
        break;
    }
    for (const NodePtr child : node->children()) follow(child, followed);
}

// cells.at(k) throws, which must not happen earlier than it did.
void FixedPaths::followChecked(NodePtr node, std::set<std::string>& followed) const {
    if (!node || node->is<ast::Conditional>()) return;
    if (node->is<ast::Binary>() && ast::isShortCircuit(node)) return;
    if (checkedArray(node)) followed.insert(followedBy(node));
    for (const NodePtr child : node->children()) followChecked(child, followed);
}

bool FixedPaths::contains(NodePtr member) const {
    const bool isField = ast::is<ast::Identifier>(member) && member->symbol &&
                         member->symbol->kind == ast::SymbolKind::Field;
    const bool isOneLine = member->text().find('\n') == std::string_view::npos;
    return isPlain_ && isOneLine && (isMember(member) || isField) && isFixed(member);
}

bool FixedPaths::isFixed(NodePtr path) const {
    if (isThis(path)) return true;
    if (!isStep(path)) return isOutside(path) && !changed_.contains(path->symbol->name);
    if (const std::string own = followedBy(path); !own.empty() && !followed_.contains(own))
        return false;
    const NodePtr base = before(path);
    if (askedHandle(path)) return isFixed(base);
    if (checkedArray(path))
        return isFixedNumber(path->child(ast::Call::arguments)->children()[0]) && isFixed(base);
    const ast::Type* const type = base->type;
    if (ast::is<ast::Subscript>(path)) {
        const auto subscripts = path->child(ast::Subscript::subscripts)->children();
        const bool isArray =
            isContiguous(type) || isPointer(type) || (type && type->kind == ast::TypeKind::CArray);
        return isArray && subscripts.size() == 1 && isFixedNumber(subscripts[0]) && isFixed(base);
    }
    const bool needsPointer = isDereference(path) || (!ast::is<ast::Member>(path) && !isThis(base));
    return (!needsPointer || isPointer(type)) && isFixed(base);
}

bool FixedPaths::isFixedNumber(NodePtr subscript) const {
    if (ast::isAny<ast::NumberLiteral, ast::Operator>(subscript)) return true;
    if (ast::is<ast::Identifier>(subscript))
        return isOutside(subscript) && subscript->symbol->kind != ast::SymbolKind::Field &&
               ast::isInteger(subscript->symbol->type) && !subscript->symbol->type->isReference &&
               !changed_.contains(subscript->symbol->name);
    return ast::isAny<ast::Binary, ast::Parenthesized>(subscript) &&
           std::ranges::all_of(subscript->children(),
                               [this](NodePtr each) { return each && isFixedNumber(each); });
}

bool FixedPaths::isOutside(NodePtr name) const {
    const ast::Symbol* const symbol = ast::is<ast::Identifier>(name) ? name->symbol : nullptr;
    if (!symbol || !symbol->declaration || loop_->span().contains(symbol->declaration->span()))
        return false;
    return symbol->kind == ast::SymbolKind::Variable ||
           symbol->kind == ast::SymbolKind::Parameter || symbol->kind == ast::SymbolKind::Field;
}

bool FixedPaths::isFollowedAnyway(NodePtr member) const {
    for (NodePtr step = member; isStep(step); step = before(step))
        if (const std::string own = followedBy(step);
            !own.empty() && !followedAnyway_.contains(own))
            return false;
    return true;
}

std::string FixedPaths::runsAtAll() const {
    const auto counting = analysis::countingAhead(loop_);
    const NodePtr condition = loop_->child(ast::For::condition);
    const ast::Type* const type = counting->name->symbol ? counting->name->symbol->type : nullptr;
    const bool isOneLine = condition->text().find('\n') == std::string_view::npos &&
                           counting->first->text().find('\n') == std::string_view::npos;
    const auto isChanged = [](NodePtr each) { return ast::changedOperand(each) != nullptr; };
    if (ast::anywhere(condition, isChanged) || ast::anywhere(counting->first, isChanged)) return "";
    if (!counting->isOwn || !ast::isInteger(type) || type->isReference || type->spelled.empty() ||
        !isOneLine)
        return "";
    std::string text(condition->text());
    const std::string first =
        "static_cast<" + type->spelled + ">(" + std::string(counting->first->text()) + ")";
    const auto names = ast::allOf<ast::Identifier>(condition);
    for (auto each = names.rbegin(); each != names.rend(); ++each)
        if ((*each)->symbol == counting->name->symbol)
            text.replace((*each)->span().begin - condition->span().begin, (*each)->text().size(),
                         first);
    return text;
}

}  // namespace hpcc::regions
