// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnostics/engine.hpp"

#include "diagnostics/as_written.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdlib>
#include <functional>
#include <tuple>

namespace hpcc::diagnostics {
namespace {

constexpr std::array definitions = {
#define DIAGNOSTIC(name, code, severity, text) Definition{#name, code, Severity::severity, text},
#include "diagnostics/diagnostics.def"
#undef DIAGNOSTIC
};

// fill("a {} b {}", {"1", "2"}) == "a 1 b 2"
std::string fill(std::string_view text, const std::vector<std::string>& arguments) {
    std::string result;
    std::size_t used = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text.substr(i, 2) != "{}") {
            result += text[i];
            continue;
        }
        assert(used < arguments.size() && "a diagnostic is reported with too few arguments");
        if (used < arguments.size()) result += arguments[used++];
        ++i;
    }
    assert(used == arguments.size() && "a diagnostic is reported with too many arguments");
    return result;
}

}  // namespace

const Definition& definition(Id id) { return definitions[static_cast<std::size_t>(id)]; }

std::string codeName(Id id) { return "HP" + std::to_string(definition(id).code); }

std::string_view severityName(Severity severity) {
    static constexpr std::array<std::string_view, 3> names = {"remark", "warning", "error"};
    return names.at(static_cast<std::size_t>(severity));
}

std::optional<Id> findCode(std::string_view name) {
    for (int k = 0; k < definitionCount(); ++k)
        if (codeName(static_cast<Id>(k)) == name) return static_cast<Id>(k);
    return std::nullopt;
}

std::vector<Id> nearCodes(int code, std::size_t count) {
    std::vector<Id> ids;
    for (int k = 0; k < definitionCount(); ++k) ids.push_back(static_cast<Id>(k));
    std::ranges::stable_sort(ids, {}, [&](Id id) {
        const int other = definition(id).code;
        return std::pair(other / 100 != code / 100, std::abs(other - code));
    });
    ids.resize(std::min(count, ids.size()));
    std::ranges::sort(ids, {}, [](Id id) { return definition(id).code; });
    return ids;
}

int definitionCount() { return static_cast<int>(definitions.size()); }

Diagnostic& Report::diagnostic() const { return engine_->diagnostics_[index_]; }

Report& Report::note(source::Span span, std::string text) {
    diagnostic().notes.push_back({span, std::move(text)});
    return *this;
}

Report& Report::fixit(source::Span span, std::string replacement) {
    diagnostic().fixits.push_back({span, std::move(replacement)});
    return *this;
}

Report& Report::help(std::string text) {
    diagnostic().helps.push_back(std::move(text));
    return *this;
}

Report& Report::pass(std::string_view name) {
    diagnostic().pass = name;
    return *this;
}

Report Engine::add(Id id, source::Span span, std::vector<std::string> arguments) {
    adopt({id, Severity::Error, span, fill(definition(id).text, arguments), {}, {}, {}, {}});
    return Report(*this, diagnostics_.size() - 1);
}

void Engine::adopt(Diagnostic diagnostic) {
    diagnostic.severity = levels_.severityOf(diagnostic.id);
    if (diagnostic.severity == Severity::Error) ++errorCount_;
    diagnostics_.push_back(std::move(diagnostic));
}

void Engine::tellOfUsersTexts() {
    for (Diagnostic& each : diagnostics_) each = asWritten(std::move(each));
}

void Engine::sort() {
    std::erase_if(diagnostics_, [&](const Diagnostic& d) { return levels_.isSilent(d.id); });
    // Texts in order of first mention: imports were parsed, so reported, before their includer.
    std::vector<const source::Text*> texts;
    for (const Diagnostic& d : diagnostics_)
        if (std::find(texts.begin(), texts.end(), d.span.text) == texts.end())
            texts.push_back(d.span.text);
    auto key = [&](const Diagnostic& d) {
        const auto text = std::find(texts.begin(), texts.end(), d.span.text) - texts.begin();
        return std::tuple(text, d.span.begin);
    };
    std::stable_sort(diagnostics_.begin(), diagnostics_.end(),
                     [&](const Diagnostic& a, const Diagnostic& b) { return key(a) < key(b); });
}

}  // namespace hpcc::diagnostics
