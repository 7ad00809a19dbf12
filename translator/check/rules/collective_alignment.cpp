// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rule 8: all processes of the active group reach the same collectives.
#include "ast/declarators.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "check/alignment/summaries.hpp"
#include "check/wording.hpp"

#include <cctype>

namespace hpcc::check {
namespace {

std::string causeText(NodePtr cause, bool isPerhaps) {
    if (ast::isAny<ast::Return, ast::Break, ast::Continue, ast::Goto, ast::Throw>(cause)) {
        std::string word(ast::kindName(cause->kind()));
        word[0] = static_cast<char>(std::tolower(word[0]));
        return "this '" + word + "' is executed by some processes only";
    }
    if (cause->is<ast::Call>()) return "this call ends some processes only";
    if (ast::isAny<ast::On, ast::At>(cause)) return "some processes only run this statement";
    if (ast::isAny<ast::Overall, ast::RangeFor>(cause))
        return "the number of rounds differs between processes";
    return isPerhaps ? "this may differ between processes" : "this differs between processes";
}

void noteSource(Report& report, const alignment::Source& source, NodePtr shown) {
    const bool isShown = shown->span().contains(source.place->span());
    report.note(source.place->span(), isShown ? source.reason : "because " + source.reason);
    if (source.origin) report.note(source.origin->span(), "for there " + source.originReason);
}

bool prints(const std::string& collective) {
    return collective == "Adlib::gprint" || collective == "Adlib::gprintln";
}

void reportReached(const Context& context, const alignment::Finding& finding) {
    Report report = context.report(finding.id, finding.place, finding.name);
    if (finding.inner.place && finding.inner.place->span().text)
        report.note(finding.inner.place->span(), "the call leads to it here");
    const NodePtr cause = finding.cause;
    if (!cause->span().contains(finding.source.place->span()))
        report.note(headOf(cause), causeText(cause, finding.id == Id::PerhapsCollectiveInBranch));
    noteSource(report, finding.source, cause);
    if (prints(finding.name))
        report.help(
            "'gprintln' prints once for all processes: call it without the condition, or use "
            "'std::cout'");
    else if (finding.id == Id::CollectiveAfterJump)
        report.help("let all processes agree before one leaves: 'if (Adlib::any(failed)) return;'");
    else
        report.help(
            "call it where all processes come; 'on (g)' makes g the active group; "
            "'coherent(e)' asserts that e is the same in all processes");
}

void reportArgument(const Context& context, const alignment::Finding& finding) {
    Report report =
        context.report(finding.id, finding.place, finding.argument, finding.function, finding.name);
    noteSource(report, finding.source, finding.place);
    report.note(finding.inner.place->span(), "the collective that it decides about");
    report.help("give a value that is the same in all processes, by a reduction or 'broadcast'");
}

void reportGroup(const Context& context, const alignment::Finding& finding) {
    context.report(finding.id, finding.place, finding.argument, finding.name)
        .note(headOf(finding.cause), "here the processes of one location are active")
        .help(
            "give it the part that they hold: a section 'a[[i, :]]', or 'a / i' of an array "
            "replicated over that dimension; or call it outside");
}

void reportDiffering(const Context& context, const alignment::Finding& finding) {
    Report report = finding.id == Id::DifferingMethodArgument
                        ? context.report(finding.id, finding.place, finding.argument)
                        : context.report(finding.id, finding.place, finding.argument, finding.name);
    noteSource(report, finding.source, finding.place);
    report.help("give a value that is the same in all processes, by a reduction or 'broadcast'");
}

void report(const Context& context, const alignment::Finding& finding) {
    switch (finding.id) {
    case Id::DecisiveArgument:
    case Id::PerhapsDecisiveArgument:
        return reportArgument(context, finding);
    case Id::ArrayOutsideGroup:
    case Id::PerhapsArrayOutsideGroup:
        return reportGroup(context, finding);
    case Id::DifferingArgument:
    case Id::DifferingMethodArgument:
    case Id::PerhapsDifferingArgument:
        return reportDiffering(context, finding);
    default:
        return reportReached(context, finding);
    }
}

}  // namespace

void collectiveAlignment(const Context& context, NodePtr function) {
    const alignment::Summary& summary = context.alignment.ofDefinition(function);
    for (const alignment::Finding& finding : summary.findings) report(context, finding);
    const Symbol* symbol = function->symbol;
    const bool isLocal = symbol && context.alignment.functions().attribute(*symbol, "local");
    if (!isLocal || !summary.collective.place || !summary.collective.isSure) return;
    const NodePtr name = ast::declaredName(function->child(ast::FunctionDefinition::declarator));
    context
        .report(Id::LocalReachesCollective, summary.collective.place, textOf(name),
                summary.collective.name)
        .note(context.alignment.functions().attribute(*symbol, "local")->span(), "declared here")
        .help("declare it [[hpspmd::collective]], or nothing: the translator sees its body");
}

}  // namespace hpcc::check
