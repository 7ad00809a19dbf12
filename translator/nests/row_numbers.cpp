// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/row_numbers.hpp"

#include <algorithm>

#include "analysis/constant.hpp"
#include "ast/copy.hpp"
#include "ast/effects.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "nests/extremes.hpp"

namespace hpcc::nests {
namespace {

using analysis::bare;
using ast::NodePtr;

/// By its type, or where the fast form declares it, by what it writes.
bool isOfType(std::string_view number, NodePtr specifiers, NodePtr name) {
    const ast::Type* type = name->symbol ? name->symbol->type : nullptr;
    std::string_view spelled = type ? type->spelled : specifiers->text();
    if (spelled.starts_with("const ")) spelled.remove_prefix(6);
    return (!type || !type->isReference) && spelled == number;
}

/// The name that an assignment changes, or both branches of an `if`; null if there is not one.
NodePtr changedBy(NodePtr statement) {
    statement = soleStatement(statement);
    if (ast::is<ast::If>(statement)) return changedBy(statement->child(ast::If::then));
    const NodePtr assign = soleAssignment(statement);
    const NodePtr target = assign ? bare(assign->child(ast::Assign::target)) : nullptr;
    return ast::is<ast::Identifier>(target) ? target : nullptr;
}

/// True if it may be computed where the program does not.
bool isHarmless(NodePtr e) {
    return ast::allOf<ast::Subscript>(e).empty() &&
           std::ranges::none_of(ast::allOf<ast::Binary>(e), [](NodePtr each) {
               return each->child(ast::Binary::op)->text() == "/";
           });
}

}  // namespace

bool RowNumbers::take(std::span<const NodePtr> statements) {
    for (const NodePtr each : statements)
        if (const auto loop = nest_.loopOf.find(each); loop != nest_.loopOf.end())
            for (const auto& [name, place] : loop->second->assigned) variables_.insert(name);
    return std::ranges::all_of(statements, [&](NodePtr each) { return take(each); });
}

bool RowNumbers::take(NodePtr statement) {
    if (ast::is<ast::For>(statement)) return loop(statement);
    if (ast::is<ast::Compound>(statement) &&
        std::ranges::none_of(statement->children(),
                             [](NodePtr each) { return ast::is<ast::Declaration>(each); }))
        return take(statement->children());
    if (depth_ > 0 && ast::is<ast::If>(statement) &&
        !values_.isReached(statement->child(ast::If::condition)))
        return branch(statement);
    if (!ast::is<ast::Declaration>(statement)) return change(statement);
    const NodePtr list = statement->child(ast::Declaration::declarators);
    const NodePtr specifiers = statement->child(ast::Declaration::specifiers);
    return list && std::ranges::all_of(list->children(),
                                       [&](NodePtr each) { return declare(specifiers, each); });
}

/// A statement of a loop, with the names that it declares; null if it does something else.
NodePtr RowNumbers::block(NodePtr body) {
    const auto names = names_;
    const WideValues::Declared declared = values_.declared();
    std::vector<NodePtr> inside;
    std::swap(inside, declarations_);
    ++depth_;
    const bool isTaken =
        !body->is<ast::Compound>()
            ? take(body)
            : std::ranges::all_of(body->children(), [&](NodePtr each) { return take(each); });
    --depth_;
    std::swap(inside, declarations_);
    names_ = names;
    values_.forgetAllBut(declared);
    if (!isTaken) return nullptr;
    return inside.size() == 1 ? inside.front()
                              : context_.statement("{\n    $s;\n}", {{"$s", inside}}, body);
}

/// With bounds that are the same in all iterations.
bool RowNumbers::loop(NodePtr statement) {
    const auto known = nest_.loopOf.find(statement);
    if (known == nest_.loopOf.end() || known->second->kind != Loop::Kind::Counting ||
        values_.isReached(known->second->first) || values_.isReached(known->second->end))
        return false;
    std::vector<NodePtr> children;
    for (const NodePtr child : statement->children()) {
        const bool isBody = child == statement->child(ast::For::body);
        children.push_back(isBody ? block(child) : child ? elements_.fast(child) : nullptr);
        if (isBody && !children.back()) return false;
    }
    declarations_.push_back(context_.arena.rebuilt(statement, statement, children));
    return true;
}

bool RowNumbers::branch(NodePtr statement) {
    if (ast::anywhere(statement->child(ast::If::condition), ast::changedOperand)) return false;
    const NodePtr otherwise = statement->child(ast::If::otherwise),
                  then = block(statement->child(ast::If::then)),
                  instead = otherwise && then ? block(otherwise) : nullptr;
    if (!then || (otherwise && !instead)) return false;
    const NodePtr condition = elements_.fast(statement->child(ast::If::condition));
    declarations_.push_back(context_.statement(
        otherwise ? "if ($c) {\n    $then;\n} else\n    $otherwise;" : "if ($c) $then;",
        {{"$c", condition}, {"$then", then}, {"$otherwise", instead}}, statement));
    return true;
}

/// A number that is not the same in all iterations from here on.
NodePtr RowNumbers::forEach(NodePtr value, NodePtr written) {
    if (values_.isReached(value)) return written;
    return context_.expression(
        "$row.of($v)", {{"$row", context_.identifier(operands_, value)}, {"$v", written}}, value);
}

bool RowNumbers::declare(NodePtr specifiers, NodePtr declarator) {
    if (!ast::is<ast::InitDeclarator>(declarator)) return false;
    const NodePtr name = declarator->child(ast::InitDeclarator::declarator);
    const NodePtr initializer = declarator->child(ast::InitDeclarator::initializer);
    if (!ast::is<ast::Identifier>(name) || !initializer || initializer->children().size() != 1 ||
        !isOfType(values_.number(), specifiers, name))
        return false;
    const NodePtr start = initializer->child(0);
    const NodePtr value = values_.of(start);
    if (!value) return false;
    if (variables_.contains(name->text())) {
        values_.declare(name->text(), std::string(name->text()));
        names_[name->text()] = name;
        declarations_.push_back(context_.statement(
            "auto $name = $v;",
            {{"$name", context_.identifier(std::string(name->text()), declarator)},
             {"$v", forEach(start, value)}},
            declarator));
        return true;
    }
    if (values_.isReached(start)) values_.declare(name->text(), std::string(name->text()));
    names_[name->text()] = name;
    add(std::string(name->text()), value, specifiers->text().starts_with("const "), declarator);
    return true;
}

bool RowNumbers::change(NodePtr statement) {
    const NodePtr name = changedBy(statement);
    const auto known = name ? names_.find(name->text()) : names_.end();
    if (known == names_.end()) return false;
    if (variables_.contains(known->first)) {
        NodePtr value = after(statement, name->text(), true);
        if (!value) return false;
        const NodePtr assign = soleAssignment(statement);
        if (assign && assign->child(ast::Assign::op)->text() == "=")
            value = forEach(assign->child(ast::Assign::value), value);
        declarations_.push_back(context_.statement(
            "$name = $v;",
            {{"$name", context_.identifier(std::string(known->first), statement)}, {"$v", value}},
            statement));
        return true;
    }
    if (!isWide(statement)) return false;
    const NodePtr value = after(statement, name->text(), true);
    if (!value) return false;
    const std::string next = context_.fresh(std::string(name->text()));
    values_.declare(known->first, next);
    add(next, value, false, statement);
    return true;
}

/// False for an assignment that gives all iterations the same number.
bool RowNumbers::isWide(NodePtr statement) const {
    const NodePtr assign = soleAssignment(statement);
    if (!assign || values_.isReached(assign->child(ast::Assign::value))) return true;
    return assign->child(ast::Assign::op)->text() != "=" &&
           values_.isReached(assign->child(ast::Assign::target));
}

/// A number so far.
NodePtr RowNumbers::ownOf(NodePtr name) {
    return context_.variable(std::string(name->text()), name->symbol ? name->symbol->type : nullptr,
                             name);
}

/// The value of a number behind the statement; null if it changes something else.
NodePtr RowNumbers::after(NodePtr statement, std::string_view name, bool isSure) {
    statement = statement ? soleStatement(statement) : nullptr;
    const NodePtr own = ownOf(names_.at(name));
    if (!statement) return values_.of(own);
    if (statement->is<ast::If>()) {
        if (const NodePtr extreme = values_.areWhole() ? nullptr : extremeAfter(statement, own))
            return extreme;
        const NodePtr then = after(statement->child(ast::If::then), name, false);
        const NodePtr otherwise =
            then ? after(statement->child(ast::If::otherwise), name, false) : nullptr;
        return otherwise ? values_.chosen(statement->child(ast::If::condition), then, otherwise)
                         : nullptr;
    }
    const NodePtr assign = soleAssignment(statement);
    const NodePtr target = assign ? changedBy(statement) : nullptr;
    if (!target || target->text() != name) return nullptr;
    const std::string op(assign->child(ast::Assign::op)->text());
    const NodePtr given = assign->child(ast::Assign::value);
    if (!isSure && (!isHarmless(given) || op == "/=")) return nullptr;
    const NodePtr value = values_.of(given);
    if (!value || op == "=") return value;
    if (!values_.computes(op.substr(0, 1))) return nullptr;
    const NodePtr before = values_.of(own);
    return before ? context_.expression("$own " + op.substr(0, 1) + " ($e)",
                                        {{"$own", before}, {"$e", value}}, assign)
                  : nullptr;
}

/// `if (e < least) least = e;` as the smaller one of both: e is read in any case.
NodePtr RowNumbers::extremeAfter(NodePtr branch, NodePtr own) {
    const NodePtr assign =
        branch->child(ast::If::otherwise) ? nullptr : soleAssignment(branch->child(ast::If::then));
    if (!assign || assign->child(ast::Assign::op)->text() != "=" ||
        !isNamed(assign->child(ast::Assign::target), own->text()))
        return nullptr;
    const NodePtr given = assign->child(ast::Assign::value);
    const std::string kind = keptBy(branch->child(ast::If::condition), own->text(), given);
    const NodePtr before = kind.empty() ? nullptr : values_.of(own);
    const NodePtr value = before ? values_.of(given) : nullptr;
    return value ? context_.expression(kind == "max" ? "hpspmd::detail::largerOf($a, $b)"
                                                     : "hpspmd::detail::smallerOf($a, $b)",
                                       {{"$a", before}, {"$b", value}}, branch)
                 : nullptr;
}

void RowNumbers::add(const std::string& name, NodePtr value, bool isUsed, NodePtr origin) {
    written_[name] = value;
    declarations_.push_back(context_.statement(
        std::string(isUsed ? "" : "[[maybe_unused]] ") + "const auto $name = $v;",
        {{"$name", context_.identifier(name, origin)}, {"$v", value}}, origin));
}

}  // namespace hpcc::nests
