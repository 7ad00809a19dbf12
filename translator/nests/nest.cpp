// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/nest.hpp"

#include <algorithm>
#include <cstdlib>

#include "analysis/constant.hpp"
#include "analysis/dependence.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/type.hpp"

namespace hpcc::nests {

using ast::NodePtr;

namespace {

Names without(const Assignments& assigned, const Names& declared) {
    Names lasting;
    for (const auto& [name, place] : assigned)
        if (!declared.contains(name)) lasting.insert(name);
    return lasting;
}

}  // namespace

analysis::Dependences& Nest::dependences() const {
    if (!dependences_)
        dependences_ = std::make_shared<analysis::Dependences>(
            std::vector<NodePtr>{loops.front().statement}, changed());
    return *dependences_;
}

Names Nest::changed() const {
    Names names = changeable;
    for (const auto& [name, place] : assigned) names.insert(name);
    return names;
}

std::string listed(const std::vector<std::string>& parts, const char* separator) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : separator) + part;
    return text;
}

uint32_t bodySlot(const Loop& loop) {
    if (loop.kind == Loop::Kind::Overall) return ast::Overall::body;
    return ast::For::body;
}

NodePtr bodyOf(const Loop& loop) { return loop.statement->child(bodySlot(loop)); }

NodePtr headerOf(const Loop& loop) {
    const NodePtr headers =
        loop.kind == Loop::Kind::Overall ? loop.statement->child(ast::Overall::headers) : nullptr;
    return headers ? headers->child(0) : loop.statement;
}

NodePtr tripletOf(const Loop& overall) {
    return headerOf(overall)->child(ast::OverallHeader::triplet);
}

NodePtr counterType(const Loop& counting) {
    return counting.statement->child(ast::For::initializer)->child(ast::Declaration::specifiers);
}

bool isShort(const Loop& loop) {
    if (loop.kind != Loop::Kind::Counting) return false;
    const auto first = analysis::constantValue(loop.first), end = analysis::constantValue(loop.end);
    return first && end &&
           std::abs(*end - *first) + (loop.reachesEnd ? 1 : 0) <= 16 * std::abs(loop.step);
}

bool isInside(const Loop* inner, const Loop& loop) {
    while (inner && inner != &loop) inner = inner->outer;
    return inner;
}

LoopsInside loopsIn(const Nest& nest, const Loop& loop) {
    const auto first = nest.loops.begin() + static_cast<std::ptrdiff_t>(loop.number);
    return {first, std::find_if_not(first, nest.loops.end(),
                                    [&](const Loop& each) { return isInside(&each, loop); })};
}

std::vector<const Access*> accessesIn(const Nest& nest, const Loop& loop) {
    std::vector<const Access*> result;
    if (loop.isInnermost)
        for (const size_t k : loop.accesses) result.push_back(&nest.accesses[k]);
    else
        for (const Access& access : nest.accesses)
            if (isInside(access.loop, loop)) result.push_back(&access);
    return result;
}

NodePtr bodyOf(NodePtr loop) {
    return loop->child(ast::is<ast::Overall>(loop) ? uint32_t{ast::Overall::body}
                       : ast::is<ast::For>(loop)   ? uint32_t{ast::For::body}
                       : ast::is<ast::While>(loop) ? uint32_t{ast::While::body}
                                                   : uint32_t{ast::DoWhile::body});
}

uint32_t conditionSlot(NodePtr loop) {
    return ast::is<ast::For>(loop)     ? uint32_t{ast::For::condition}
           : ast::is<ast::While>(loop) ? uint32_t{ast::While::condition}
                                       : uint32_t{ast::DoWhile::condition};
}

NodePtr conditionOf(NodePtr loop) {
    return ast::is<ast::Overall>(loop) ? nullptr : loop->child(conditionSlot(loop));
}

Names lastingIn(const Loop& loop) { return without(loop.assigned, loop.declared); }
Names lastingIn(const Nest& nest) { return without(nest.assigned, nest.declared); }

bool mayChangeIn(const Loop& loop, NodePtr expression) {
    return std::ranges::any_of(ast::namesIn(expression), [&](std::string_view name) {
        return loop.assigned.contains(name) || loop.declared.contains(name) ||
               loop.variable == name;
    });
}

const Access* accessAt(const Nest& nest, NodePtr node) {
    const auto found = nest.accessOf.find(ast::withoutParentheses(node));
    return found == nest.accessOf.end() ? nullptr : &nest.accesses[found->second];
}

bool areInOneRow(const Access& a, const Access& b) {
    if (a.array != b.array) return false;
    for (size_t r = 0; r + 1 < a.slots.size(); ++r) {
        const Slot &own = a.slots[r], &other = b.slots[r];
        const bool same = own.index
                              ? other.index && own.index->text() == other.index->text() &&
                                    own.shift == other.shift && !own.distance && !other.distance
                              : ast::print(own.subscript) == ast::print(other.subscript);
        if (!same) return false;
    }
    return true;
}

bool isIndex(const Slot& slot, const Loop& loop) {
    return slot.loop == &loop && slot.shift == 0 && !slot.distance;
}

NodePtr soleStatement(NodePtr statement) {
    while (ast::is<ast::Compound>(statement) && statement->children().size() == 1)
        statement = statement->child(0);
    return statement;
}

NodePtr soleAssignment(NodePtr statement) {
    statement = soleStatement(statement);
    if (!ast::is<ast::ExpressionStatement>(statement)) return nullptr;
    const NodePtr e = statement->child(ast::ExpressionStatement::expression);
    return ast::is<ast::Assign>(e) ? e : nullptr;
}

std::vector<NodePtr> statementsIn(NodePtr body) {
    const auto declares = [](NodePtr each) { return ast::is<ast::Declaration>(each); };
    if (!ast::is<ast::Compound>(body)) return {body};
    std::vector<NodePtr> result;
    for (const NodePtr each : body->children()) {
        const bool isOne =
            !ast::is<ast::Compound>(each) || std::ranges::any_of(each->children(), declares);
        const std::vector<NodePtr> parts = isOne ? std::vector{each} : statementsIn(each);
        result.insert(result.end(), parts.begin(), parts.end());
    }
    return result;
}

NodePtr addendOf(NodePtr assign, const std::function<bool(NodePtr)>& isSum) {
    if (!isSum(assign->child(ast::Assign::target))) return nullptr;
    const std::string_view op = assign->child(ast::Assign::op)->text();
    const NodePtr value = assign->child(ast::Assign::value);
    if (op == "+=") return value;
    if (op != "=" || !ast::is<ast::Binary>(value) || value->child(ast::Binary::op)->text() != "+")
        return nullptr;
    const NodePtr left = value->child(ast::Binary::left), right = value->child(ast::Binary::right);
    return isSum(left) ? right : isSum(right) ? left : nullptr;
}

std::optional<DeclaredNumber> numberDeclaredIn(NodePtr statement) {
    if (!ast::is<ast::Declaration>(statement)) return std::nullopt;
    const NodePtr declarators = statement->child(ast::Declaration::declarators);
    if (!declarators || declarators->children().size() != 1) return std::nullopt;
    const NodePtr declared = declarators->child(0);
    const NodePtr initializer = declared->child(ast::InitDeclarator::initializer);
    if (!initializer || initializer->children().size() != 1) return std::nullopt;
    return DeclaredNumber{statement->child(ast::Declaration::specifiers)->text(),
                          declared->child(ast::InitDeclarator::declarator)->text(),
                          initializer->child(0)};
}

NodePtr behindDeclarations(NodePtr statement) {
    while (ast::is<ast::Compound>(statement) && !statement->children().empty()) {
        const auto parts = statement->children();
        if (!std::all_of(parts.begin(), parts.end() - 1, ast::is<ast::Declaration>)) break;
        statement = parts.back();
    }
    return statement;
}

bool isNamed(NodePtr expression, std::string_view name) {
    expression = ast::withoutParentheses(expression);
    return ast::is<ast::Identifier>(expression) && expression->text() == name;
}

bool mentions(NodePtr node, std::string_view name) {
    if (!node) return false;
    if (node->is<ast::Identifier>()) return node->text() == name;
    return std::ranges::any_of(node->children(),
                               [&](NodePtr child) { return mentions(child, name); });
}

bool isInside(NodePtr node, NodePtr part) {
    if (node == part) return true;
    return std::ranges::any_of(node->children(),
                               [&](NodePtr child) { return child && isInside(child, part); });
}

bool holdsJump(NodePtr node) {
    if (ast::is<ast::Continue>(node) || ast::is<ast::Break>(node)) return true;
    return std::ranges::any_of(node->children(),
                               [](NodePtr child) { return child && holdsJump(child); });
}

std::pair<NodePtr, NodePtr> exchangedBy(NodePtr e) {
    const NodePtr callee = ast::is<ast::Call>(e) ? e->child(ast::Call::callee) : nullptr;
    if (!callee) return {};
    const auto arguments = e->child(ast::Call::arguments)->children();
    if (ast::is<ast::Member>(callee)) {
        const NodePtr object = callee->child(ast::Member::base);
        const bool isSwap = callee->child(ast::Member::name)->text() == "swap" &&
                            arguments.size() == 1 && ast::isStandardSequence(object->type);
        return isSwap ? std::pair(object, arguments[0]) : std::pair<NodePtr, NodePtr>();
    }
    const bool isSwap = callee->text() == "std::swap" && arguments.size() == 2 &&
                        ast::isStandardSequence(arguments[0]->type);
    return isSwap ? std::pair(arguments[0], arguments[1]) : std::pair<NodePtr, NodePtr>();
}

}  // namespace hpcc::nests
