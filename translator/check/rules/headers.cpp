// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rule 3 for on, at, overall, restriction and creation: a group, location or range where one is
// needed.
#include "analysis/reader.hpp"
#include "check/facts.hpp"
#include "check/wording.hpp"

namespace hpcc::check {
namespace {

// A foreign class may convert to what is needed.
bool mayBe(const Type* type) { return isUnknown(type) || type->kind == TypeKind::Class; }

void needGroup(const Context& context, NodePtr group) {
    if (ast::is<ast::Comma>(group)) {
        context.report(Id::OnNeedsGroup, group, textOf(group), "a list")
            .help("the first of them would mean nothing: leave it out, or write on (..) on (..)");
        return;
    }
    const Type* type = typeOf(group);
    if (mayBe(type) || type->kind == TypeKind::Group || type->kind == TypeKind::Target) return;
    Report report = context.report(Id::OnNeedsGroup, group, textOf(group), describe(type));
    if (type->kind == TypeKind::Multiarray)
        report.help("the group of an array is " + textOf(group) + ".grp()");
}

}  // namespace

void onGroup(const Context& context, NodePtr node) {
    needGroup(context, node->child(ast::On::group));
}

// The argument of a call (which may be a reduction out of sight), or the body of an outer one.
void overallPlace(const Context& context, NodePtr node) {
    auto around = context.path.rbegin();
    while (around != context.path.rend() && (*around)->is<ast::Parenthesized>()) ++around;
    const bool isNested = around != context.path.rend() && (*around)->is<ast::OverallExpression>();
    const bool isArgument = context.path.rend() - around >= 2 && (*around)->is<ast::Arguments>() &&
                            (*(around + 1))->is<ast::Call>();
    if (isNested || isArgument) return;
    context.report(Id::OverallNoArgument, node)
        .help("say what is made of the values: Adlib::sum(" + textOf(node) + ")");
}

void atLocation(const Context& context, NodePtr node) {
    const NodePtr location = node->child(ast::At::location);
    const Type* type = typeOf(location);
    if (mayBe(type) || type->kind == TypeKind::Location) return;
    const std::string text = textOf(location);
    Report report = context.report(Id::AtNeedsLocation, location, text, describe(type));
    if (isRange(type))
        report.help("name one of its locations: " + text + "[n]");
    else if (isInteger(type))
        report.help("say in which range: x[" + text + "]");
    else if (isIndex(type))
        report.help("a location is x[" + text + "`]");
}

void overallRange(const Context& context, NodePtr node) {
    const NodePtr range = node->child(ast::OverallHeader::range);
    const Type* type = typeOf(range);
    if (mayBe(type) || isRange(type)) return;
    const std::string text = textOf(range);
    Report report = context.report(Id::OverallNeedsRange, range, text, describe(type));
    if (isInteger(type))
        report.help("an ordinary loop counts integers: for (int i = 0; i < " + text + "; ++i)");
    else if (type->kind == TypeKind::Group)
        report.help("a dimension of a grid is " + text + ".dim(0)");
    else if (type->kind == TypeKind::Location)
        report.help("one location is visited by 'at': at (i = " + text + ")");
}

// ``for 0 : x.size()``: one location too many, whatever the extent is.
void overallEnds(const Context& context, NodePtr node) {
    const NodePtr range = node->child(ast::OverallHeader::range),
                  triplet = node->child(ast::OverallHeader::triplet);
    const NodePtr low = triplet->child(ast::Triplet::low),
                  high = triplet->child(ast::Triplet::high);
    const auto step = triplet->child(ast::Triplet::step)
                          ? constantValue(triplet->child(ast::Triplet::step))
                          : std::optional(1LL);
    if (!isRange(typeOf(range)) || (!low && !high) || !step || *step == 0) return;
    const analysis::IterationSpace space({node});
    analysis::Reader reader(space);
    using analysis::Sum;
    const Sum last = reader.sizeOf(range) - Sum(1);
    const auto end = [&](NodePtr written, bool isUpper) {
        return written ? reader.read(written, {}) : isUpper ? last : Sum(0);
    };
    const auto isMore = [](const Sum& difference) {
        return difference.isKnown() && difference.isConstant() && difference.constant() > 0;
    };
    const Sum least = end(*step > 0 ? low : high, false), most = end(*step > 0 ? high : low, true);
    const NodePtr over = *step > 0 ? high : low, under = *step > 0 ? low : high;
    const NodePtr wrong = isMore(most - last) ? over : isMore(Sum(0) - least) ? under : nullptr;
    if (!wrong || isMore(least - most)) return;
    const std::string text = textOf(range), lastText = last.isConstant()
                                                           ? std::to_string(last.constant())
                                                           : text + ".size() - 1";
    context.report(Id::TripletLeavesRange, wrong, textOf(wrong), text, lastText);
}

void restrictionOperand(const Context& context, NodePtr node) {
    if (node->child(ast::Binary::op)->text() != "/") return;
    const Type* left = typeOf(node->child(ast::Binary::left));
    const NodePtr right = node->child(ast::Binary::right);
    const Type* type = typeOf(right);
    const bool isGroup = left->kind == TypeKind::Group;
    const bool restricts = isGroup || left->kind == TypeKind::Multiarray;
    const bool fits = mayBe(type) || isIndex(type) || type->kind == TypeKind::Location;
    if (!restricts || fits) return;
    if (!isGroup && isNumber(type)) return;  // an operator of the program, perhaps
    Report report = context.report(Id::RestrictionOperand, right, isGroup ? "a group" : "an array",
                                   textOf(right), describe(type));
    if (isRange(type)) report.help("name one of its locations: " + textOf(right) + "[n]");
}

// Two ranges of one array over one dimension of a grid.
void checkApart(const Context& context, std::span<const NodePtr> extents) {
    for (std::size_t k = 1; k < extents.size(); ++k) {
        if (!isRange(typeOf(extents[k]))) continue;
        const RangeFacts own = rangeFacts(extents[k]);
        for (NodePtr other : extents.first(k)) {
            if (!own.grid || !isRange(typeOf(other))) continue;
            if (!provablySameDimension(own, rangeFacts(other))) continue;
            context.report(Id::DimensionTwice, extents[k], textOf(extents[k]), textOf(other))
                .help("give each range its own dimension of the grid, or let one be sequential: " +
                      textOf(extents[k]) + ".size()");
            break;
        }
    }
}

void newExtents(const Context& context, NodePtr node) {
    checkApart(context, node->child(ast::NewMultiarray::extents)->children());
    for (NodePtr extent : node->child(ast::NewMultiarray::extents)->children()) {
        const Type* type = typeOf(extent);
        const bool isPart = extent->is<ast::Triplet>() || extent->is<ast::Split>();
        if (isPart || mayBe(type) || isRange(type) || isInteger(type)) continue;
        if (rejectIndex(context, extent, "an extent")) continue;
        Report report = context.report(Id::ExtentKind, extent, textOf(extent), describe(type));
        if (type->kind == TypeKind::Group)
            report.help("a group stands behind 'on': new .. [[..]] on " + textOf(extent));
    }
    if (const NodePtr group = node->child(ast::NewMultiarray::group)) needGroup(context, group);
}

}  // namespace hpcc::check
