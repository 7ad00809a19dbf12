// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnostics/render.hpp"

#include "diagnostics/source_line.hpp"
#include "source/line_marks.hpp"

namespace hpcc::diagnostics {
namespace {

constexpr std::string_view bold = "\033[1m", noteColor = "\033[1;36m", caretColor = "\033[1;32m";

std::string_view colorOf(Severity severity) {
    switch (severity) {
    case Severity::Remark:
        return "\033[1;34m";
    case Severity::Warning:
        return "\033[1;35m";
    case Severity::Error:
        return "\033[1;31m";
    }
    return "";
}

std::string placeText(const source::Span& span) {
    if (!span.text) return "hpcc: ";
    const source::Position position = span.position();
    return span.text->path() + ":" + std::to_string(source::userLine(span)) + ":" +
           std::to_string(position.column) + ": ";
}

std::string painted(std::string text, std::string_view color, const RenderOptions& options) {
    return options.color ? std::string(color) + text + "\033[0m" : text;
}

// The line and, coloured, what stands below it.
std::string quoted(const source::Span& span, const RenderOptions& options) {
    const std::string lines = quoteLine(span);
    if (lines.empty() || !options.color) return lines;
    const std::size_t caret = lines.find('\n') + 1;
    return lines.substr(0, caret) +
           painted(lines.substr(caret, lines.size() - caret - 1), caretColor, options) + "\n";
}

std::string shown(const Note& note, const RenderOptions& options) {
    const std::string place = note.span.text ? painted(placeText(note.span), bold, options) : "";
    return place + painted("note: ", noteColor, options) + note.text + "\n" +
           quoted(note.span, options);
}

std::string countLine(int errors, int warnings) {
    auto count = [](int n, std::string_view word) {
        return std::to_string(n) + " " + std::string(word) + (n == 1 ? "" : "s");
    };
    if (errors && warnings)
        return count(warnings, "warning") + " and " + count(errors, "error") + " generated.\n";
    if (errors) return count(errors, "error") + " generated.\n";
    if (warnings) return count(warnings, "warning") + " generated.\n";
    return "";
}

}  // namespace

std::string render(const Diagnostic& diagnostic, const RenderOptions& options) {
    std::string out = painted(placeText(diagnostic.span), bold, options);
    out += painted(std::string(severityName(diagnostic.severity)) + ": ",
                   colorOf(diagnostic.severity), options);
    out += painted(diagnostic.text, bold, options) + " [" + codeName(diagnostic.id) + "]\n";
    out += quoted(diagnostic.span, options);
    for (const Fixit& fixit : diagnostic.fixits)
        out += painted(quoteReplacement(fixit), caretColor, options);
    for (const Note& note : diagnostic.notes) out += shown(note, options);
    for (const std::string& help : diagnostic.helps)
        out += "    " + painted("help: ", noteColor, options) + help + "\n";
    return out;
}

std::string render(const Engine& engine, const RenderOptions& options) {
    std::string out;
    int errors = 0, warnings = 0;
    for (const Diagnostic& diagnostic : engine.all()) {
        if (options.errorLimit && diagnostic.severity == Severity::Error &&
            errors == options.errorLimit) {
            out += "hpcc: too many errors, stopping after " + std::to_string(errors) + "\n";
            break;
        }
        errors += diagnostic.severity == Severity::Error;
        warnings += diagnostic.severity == Severity::Warning;
        out += render(diagnostic, options);
    }
    return out + countLine(errors, warnings);
}

}  // namespace hpcc::diagnostics
