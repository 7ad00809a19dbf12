// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnostics/json.hpp"

#include <algorithm>
#include <cctype>

#include "source/line_marks.hpp"

namespace hpcc::diagnostics {
namespace {

using Json = nlohmann::ordered_json;

Json place(const source::Span& span) {
    return {{"line", source::userLine(span)}, {"column", span.position().column}};
}

Json range(const source::Span& span) {
    return {{"begin", place(span)}, {"end", place(source::behind(span))}};
}

void putPlace(Json& object, const source::Span& span) {
    if (!span.text) return;
    object["file"] = span.text->path();
    object["range"] = range(span);
}

// SARIF counts characters.
uint32_t characterColumn(const source::Span& span) {
    const source::Position position = span.position();
    const std::string_view before = span.text->line(position.line).substr(0, position.column - 1);
    return static_cast<uint32_t>(1 + std::ranges::count_if(before, [](char c) {
                                     return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
                                 }));
}

Json region(const source::Span& span) {
    const source::Span end = source::behind(span);
    return {{"startLine", source::userLine(span)},
            {"startColumn", characterColumn(span)},
            {"endLine", source::userLine(end)},
            {"endColumn", characterColumn(end)}};
}

// A path as the reference of a URI.
std::string uri(const std::string& path) {
    static constexpr std::string_view plain = "/-._~!$&'()*+,;=@";
    static constexpr std::string_view digits = "0123456789ABCDEF";
    std::string result;
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) || plain.find(c) != plain.npos)
            result += c;
        else
            result += {'%', digits[byte >> 4], digits[byte & 15]};
    }
    return result;
}

Json artifact(const source::Span& span) { return {{"uri", uri(span.text->path())}}; }

Json location(const source::Span& span) {
    return {{"physicalLocation", {{"artifactLocation", artifact(span)}, {"region", region(span)}}}};
}

Json fix(const Fixit& fixit) {
    const Json replacement = {{"deletedRegion", region(fixit.span)},
                              {"insertedContent", {{"text", fixit.replacement}}}};
    const Json change = {{"artifactLocation", artifact(fixit.span)},
                         {"replacements", Json::array({replacement})}};
    return {{"artifactChanges", Json::array({change})}};
}

std::string_view levelOf(Severity severity) {
    return severity == Severity::Remark ? "note" : severityName(severity);
}

}  // namespace

Json toJson(const Diagnostic& diagnostic) {
    Json object = {{"code", codeName(diagnostic.id)},
                   {"severity", severityName(diagnostic.severity)},
                   {"message", diagnostic.text}};
    putPlace(object, diagnostic.span);
    object["notes"] = Json::array();
    for (const Note& note : diagnostic.notes) {
        Json entry = {{"message", note.text}};
        putPlace(entry, note.span);
        object["notes"].push_back(entry);
    }
    object["fixits"] = Json::array();
    for (const Fixit& fixit : diagnostic.fixits) {
        Json entry = {{"replacement", fixit.replacement}};
        putPlace(entry, fixit.span);
        object["fixits"].push_back(entry);
    }
    object["helps"] = diagnostic.helps;
    if (!diagnostic.pass.empty()) object["pass"] = diagnostic.pass;
    return object;
}

Json toSarif(const Diagnostic& diagnostic) {
    std::string text = diagnostic.text;
    for (const std::string& help : diagnostic.helps) text += "\n" + help;
    Json result = {{"ruleId", codeName(diagnostic.id)},
                   {"level", levelOf(diagnostic.severity)},
                   {"message", {{"text", text}}}};
    if (!diagnostic.pass.empty()) result["properties"] = {{"pass", diagnostic.pass}};
    if (diagnostic.span.text) result["locations"] = Json::array({location(diagnostic.span)});
    for (const Note& note : diagnostic.notes) {
        Json related = note.span.text ? location(note.span) : Json::object();
        related["message"] = {{"text", note.text}};
        result["relatedLocations"].push_back(related);
    }
    for (const Fixit& fixit : diagnostic.fixits)
        if (fixit.span.text) result["fixes"].push_back(fix(fixit));
    return result;
}

Json sarifLog(const std::vector<Json>& results, const std::string& version) {
    const Json driver = {{"name", "hpcc"}, {"version", version}};
    const Json run = {
        {"tool", {{"driver", driver}}}, {"columnKind", "unicodeCodePoints"}, {"results", results}};
    return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
            {"version", "2.1.0"},
            {"runs", Json::array({run})}};
}

}  // namespace hpcc::diagnostics
