// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects the diagnostics of one compilation.
//
//     engine.report(Id::UnexpectedToken, span, "'for'").note(other, "opened here").help("write
//     'x[[:]]'");
#pragma once

#include "diagnostics/id.hpp"
#include "diagnostics/levels.hpp"
#include "source/span.hpp"

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hpcc::diagnostics {

// A name or piece of text as messages write it.
inline std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

struct Note {
    source::Span span;  // may stand nowhere
    std::string text;
};

// Replace the bytes of `span` by `replacement`.
struct Fixit {
    source::Span span;
    std::string replacement;
};

struct Diagnostic {
    Id id;
    Severity severity;
    source::Span span;
    std::string text;
    std::vector<Note> notes;
    std::vector<Fixit> fixits;
    std::vector<std::string> helps;
    std::string pass;  // of a remark: the pass that makes it
};

class Engine;

// Handle to a diagnostic just reported; valid as long as its engine.
class Report {
public:
    Report(Engine& engine, std::size_t index) : engine_(&engine), index_(index) {}
    Report& note(source::Span span, std::string text);
    Report& fixit(source::Span span, std::string replacement);
    Report& help(std::string text);
    Report& pass(std::string_view name);

private:
    Diagnostic& diagnostic() const;
    Engine* engine_;
    std::size_t index_;
};

class Engine {
public:
    template <class... Arguments>
    Report report(Id id, source::Span span, const Arguments&... arguments) {
        return add(id, span, {asText(arguments)...});
    }

    // Takes over what another engine has collected.
    void adopt(Diagnostic diagnostic);

    const std::vector<Diagnostic>& all() const { return diagnostics_; }
    int errorCount() const { return errorCount_; }
    bool hasErrors() const { return errorCount_ > 0; }
    // Holds for what is reported from now on.
    void setLevels(Levels levels) { levels_ = std::move(levels); }

    // What stands in texts that hpcc has written is told of the user's (asWritten()).
    void tellOfUsersTexts();

    // Orders by text and position, so that the passes need not care in which order they report,
    // and leaves out what is silenced.
    void sort();

private:
    friend class Report;
    Report add(Id id, source::Span span, std::vector<std::string> arguments);

    template <class T>
    static std::string asText(const T& value) {
        if constexpr (std::integral<T>)
            return std::to_string(value);
        else
            return std::string(std::string_view(value));
    }

    std::vector<Diagnostic> diagnostics_;
    int errorCount_ = 0;
    Levels levels_;
};

}  // namespace hpcc::diagnostics
