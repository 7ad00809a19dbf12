// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rule 3: arrays, ranges and groups taken for what other languages make of them: something to call,
// to run a range-based for over, or to assign to in parts.
#include "ast/known_calls.hpp"
#include "check/facts.hpp"
#include "check/wording.hpp"

namespace hpcc::check {
namespace {

bool isOurs(const Type* type) {
    return type->kind == TypeKind::Multiarray || type->kind == TypeKind::Group || isRange(type);
}

bool isLocationOfRange(NodePtr node) {
    return node->is<ast::Subscript>() && isRange(typeOf(node->child(ast::Subscript::base)));
}

}  // namespace

// for (auto e : v)
void rangeForOver(const Context& context, NodePtr node) {
    const NodePtr over = bare(node->child(ast::RangeFor::range));
    const Type* type = typeOf(over);
    if (!isOurs(type)) return;
    Report report = context.report(Id::RangeForOver, over, textOf(over), describe(type));
    if (type->kind == TypeKind::Group) return;
    const std::string loop =
        isRange(type) ? "overall (i = " + textOf(over) + " for :)" : loopOver(over);
    if (loop.empty())
        report.help("a loop over subscripts: for (Index k = 0; k < " + textOf(over) +
                    ".size(0); ++k)");
    else
        report.help("what this process holds is visited by " + loop);
}

// a(i, j), x(3)
void calledObject(const Context& context, NodePtr node) {
    const NodePtr callee = bare(node->child(ast::Call::callee));
    const Type* type = typeOf(callee);
    const bool isType = callee->symbol && (callee->symbol->kind == ast::SymbolKind::Class ||
                                           callee->symbol->kind == ast::SymbolKind::Alias);
    if (!isOurs(type) || isType) return;
    Report report = context.report(Id::CalledObject, node, textOf(callee), describe(type));
    if (type->kind == TypeKind::Group) return;
    std::string arguments(node->child(ast::Call::arguments)->text());
    arguments = arguments.substr(1, arguments.size() - 2);
    const std::string written = textOf(callee) + "[" + arguments + "]";
    const std::string what = isRange(type) ? "a location of a range" : "an element of an array";
    report.help(what + " stands in brackets: " + written).fixit(node->span(), written);
}

// v.rng(0) = x, x[3] = 1, i` = 0
void assignedResult(const Context& context, NodePtr node) {
    const NodePtr target = bare(node->child(ast::Assign::target));
    const bool isIndexOf = target->is<ast::GlobalIndex>();
    const ast::RuntimeMember* inquiry = ast::inquiryOf(target);
    const bool isAnswer = inquiry && inquiry->result != ast::RuntimeResult::Unknown;
    if (!isIndexOf && !isAnswer && !isLocationOfRange(target)) return;
    Report report = context.report(Id::AssignedResult, target, textOf(target));
    if (isIndexOf)
        report.help(
            "the header of its 'at' or 'overall' says which locations the index stands for");
    else if (isLocationOfRange(target))
        report.help(
            "a range holds no values; an array over it does: bind an index and assign a[i]");
    else
        report.help(
            "ranges and groups are given to an array when it is made: new double [[x]] on g");
}

}  // namespace hpcc::check
