// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rule 7: a nest that reads ghost cells finds them fresh. Rule 5: its iterations are independent.
#include "analysis/loop.hpp"
#include "ast/independent.hpp"
#include "ast/search.hpp"
#include "check/halo/results.hpp"
#include "check/wording.hpp"

#include <algorithm>

namespace hpcc::check {
namespace {

bool isNest(NodePtr node) { return node->is<ast::Overall>() || node->is<ast::At>(); }

std::string callText(const Context& context, NodePtr array) {
    const std::string_view content =
        context.parent() && array->span().text ? array->span().text->content() : std::string_view();
    const bool isShort = content.find("using namespace hpspmd;") != content.npos;
    return std::string(isShort ? "" : "hpspmd::") + "Adlib::writeHalo(" +
           std::string(array->text()) + ");";
}

std::string indentation(NodePtr statement) {
    const std::string_view content = statement->span().text->content();
    const std::size_t begin = statement->span().begin;
    const std::size_t line = begin == 0 ? 0 : content.rfind('\n', begin - 1) + 1;
    const std::string_view before = content.substr(line, begin - line);
    return std::string(before.substr(0, before.find_first_not_of(" \t")));
}

// The list of statements that holds `statement` directly; null if it is the body of a loop or
// branch without braces.
NodePtr listAround(NodePtr node, NodePtr statement) {
    if (!node) return nullptr;
    for (NodePtr child : node->children()) {
        if (!child) continue;
        if (child == statement) return node->is<ast::Compound>() ? node : nullptr;
        if (child->span().contains(statement->span())) return listAround(child, statement);
    }
    return nullptr;
}

// The call stands right before the outermost nest, where all processes of the array are.
void proposeRefresh(const Context& context, const halo::Finding& finding, NodePtr function,
                    Report& report) {
    if (typeOf(finding.array)->elementConst) {
        report.help(
            "its elements are const here: refresh the ghost cells where they can be changed");
        return;
    }
    const std::string call = callText(context, finding.array);
    report.help("refresh them before: " + call);
    const NodePtr statement = finding.statement;
    const bool isPlain = isNest(statement) || statement->is<ast::ExpressionStatement>();
    if (!isPlain) return;
    if (listAround(function, statement)) {
        report.fixit(source::before(statement->span()), call + "\n" + indentation(statement));
    } else {
        report.fixit(source::before(statement->span()), "{ " + call + " ");
        report.fixit(source::behind(statement->span()), " }");
    }
}

// At an element, or a call. The array may have another name there, or be reached by a section.
std::string changeNote(const halo::Finding& finding) {
    const bool isElement = finding.write->is<ast::Subscript>();
    const std::string name =
        isElement ? textOf(finding.write->child(ast::Subscript::base)) : std::string();
    const std::string change = finding.isDoubted ? "its elements are perhaps changed here"
                                                 : "its elements are changed here";
    if (name.empty() || name == textOf(finding.array)) return change;
    return change + ", through '" + name + "'";
}

bool isDependence(Id id) {
    return id == Id::DependentIterations || id == Id::PerhapsDependentIterations;
}

std::string cells(int count) {
    return std::to_string(count) + (count == 1 ? " ghost cell" : " ghost cells");
}

Report reportFinding(const Context& context, const halo::Finding& finding) {
    const std::string array = textOf(finding.array), place = textOf(finding.place);
    switch (finding.id) {
    case Id::NarrowHalo:
        return context.report(finding.id, finding.place, place, cells(finding.wanted), array,
                              finding.given);
    case Id::ShiftedTarget:
        return context.report(finding.id, finding.place, place);
    case Id::NeedlessHalo:
    case Id::StaleArgument:
    case Id::PerhapsStaleArgument:
        return context.report(finding.id, finding.place, array);
    default:
        return context.report(finding.id, finding.place, place, array);
    }
}

// True if an inner `overall` goes over what an outer index decides.
bool isSkewed(NodePtr node) {
    return std::ranges::any_of(ast::allOf<ast::OverallHeader>(node), [](NodePtr header) {
        return ast::anywhere(header->child(ast::OverallHeader::triplet), ast::is<ast::GlobalIndex>);
    });
}

// it % 2 of ``if ((i` + j`) % 2 == it % 2)``: -1 of -1.
NodePtr perhapsNegativeRest(NodePtr nest) {
    for (const NodePtr statement : ast::allOf<ast::If>(nest))
        for (const NodePtr each : ast::allOf<ast::Binary>(statement->child(ast::If::condition)))
            if (each->child(ast::Binary::op)->text() == "%" &&
                constantValue(each->child(ast::Binary::right)) == 2 &&
                !ast::anywhere(each, ast::is<ast::GlobalIndex>) &&
                !analysis::isNeverNegative(each->child(ast::Binary::left)))
                return each;
    return nullptr;
}

void explainDependence(const halo::Finding& finding, Report& report) {
    report.note(finding.write->span(), finding.isDoubted
                                           ? "each iteration perhaps changes its own element here"
                                           : "each iteration changes its own element here");
    if (isSkewed(finding.statement))
        report.help(
            "write to another array; or let the iterations of one nest be places that need none "
            "of one another, as the diagonal of a wavefront, 'overall (j = y for d - i` : d - "
            "i`)', "
            "in a loop over d");
    else
        report.help(
            "write to another array; or run over elements of one colour at a time, by a step: "
            "'for 1 + (i` + k) % 2 : n - 2 : 2'");
    if (finding.id != Id::PerhapsDependentIterations) return;
    if (const NodePtr rest = perhapsNegativeRest(finding.statement))
        report.help("'" + textOf(rest) + "' is -1 of negative odd numbers; '" +
                    textOf(rest->child(ast::Binary::left)) + " & 1' is 0 or 1");
    report.help(
        "if no iteration reads what another one changes, say so: '[[hpspmd::independent]]' "
        "before the outermost 'overall'");
}

}  // namespace

void staleGhosts(const Context& context, NodePtr function) {
    if (function->is<ast::Lambda>() &&
        std::ranges::none_of(context.path, ast::is<ast::FunctionDefinition>))
        return;
    const halo::Result* result = context.halos.of(function);
    if (!result || !result->isKnown) return;
    for (const halo::Finding& finding : result->findings) {
        if (finding.id == Id::PerhapsDependentIterations &&
            ast::isAssertedIndependent(finding.statement))
            continue;
        Report report = reportFinding(context, finding);
        if (finding.id == Id::NeedlessHalo) continue;
        if (finding.id == Id::ShiftedTarget) {
            if (finding.write != finding.array) report.note(finding.write->span(), "changed here");
            continue;
        }
        if (isDependence(finding.id)) {
            explainDependence(finding, report);
            continue;
        }
        if (finding.write) report.note(finding.write->span(), changeNote(finding));
        if (finding.read) report.note(finding.read->span(), "the call reads ghost cells here");
        proposeRefresh(context, finding, function, report);
    }
}

}  // namespace hpcc::check
