// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/instances.hpp"

#include "ast/search.hpp"
#include "source/line_marks.hpp"

namespace hpcc::regions {
namespace {

void collectDependent(const ast::Type* type, std::set<std::string>& names) {
    if (!type) return;
    if (isNumber(type) && type->isDependent && type->classSymbol)
        names.insert(type->classSymbol->name);
    collectDependent(type->element, names);
    for (const ast::Type* each : type->arguments) collectDependent(each, names);
}

std::string condition(const std::set<std::string>& types) {
    std::string text;
    for (const std::string& type : types)
        text += (text.empty() ? "" : " && ") + ("std::is_arithmetic_v<" + type) +
                "> && !std::is_same_v<" + type + ", bool>";
    return text;
}

std::set<std::string> assumedBy(const Method& method) {
    std::set<std::string> names;
    for (const auto& [loop, division] : method.divisions) names.merge(assumedNumbers(loop));
    for (const auto& [symbol, array] : method.arrays) collectDependent(symbol->type, names);
    return names;
}

// Labels are of a whole function, and only numbers are told with a line.
bool standsOnce(const Method& method) {
    return !method.lines.empty() ||
           ast::anywhere(method.statement, [](NodePtr each) { return each->is<ast::Label>(); });
}

// The body, or the marked loop, without attributes; a single statement is run by one process.
std::string asWritten(const Method& method, const Edits& written, diagnostics::Engine& engine) {
    Edits edits = written;
    for (const NodePtr each : method.singles) {
        const NodePtr statement = attributedNode(each);
        std::string told;
        for (const std::string& name : toldBySingle(statement, nullptr, method.arrays, engine))
            told += "hpspmd::detail::tell(" + name + "); ";
        edits.before(statement->span().begin, "{ if (hpspmd::apg().rank() == 0) ");
        edits.behind(statement->span().end, " " + told + "}");
    }
    return edits.appliedTo(method.statement->span());
}

}  // namespace

Instances instancesOf(const Method& method, const Edits& written, diagnostics::Engine& engine) {
    const std::set<std::string> types = assumedBy(method);
    if (types.empty() || standsOnce(method)) return {};
    const source::Span span = method.statement->span();
    const auto mark = [&](uint32_t place) {
        return '\n' + source::lineMark(source::userLine({span.text, place, place}));
    };
    return {
        "{ if constexpr (" + condition(types) + ") ",
        " else " + mark(span.begin) + asWritten(method, written, engine) + mark(span.end) + "}"};
}

std::string assertedNumbers(const Method& method) {
    const std::set<std::string> types = assumedBy(method);
    if (types.empty() || !standsOnce(method)) return "";
    return "static_assert(" + condition(types) + ", \"loops of " + std::string(method.name) +
           " are divided among processes for numbers " + assumedTypes(method) + " only\"); ";
}

std::string assumedTypes(const Method& method) {
    std::string names;
    for (const std::string& type : assumedBy(method)) names += (names.empty() ? "" : ", ") + type;
    return names;
}

}  // namespace hpcc::regions
