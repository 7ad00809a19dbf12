// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/core.h>
#include <boost/program_options.hpp>

#include "driver/config.hpp"
#include "driver/help.hpp"
#include "driver/own_name.hpp"
#include "driver/run_options.hpp"
#include "driver/standard_streams.hpp"
#include "driver/verbs.hpp"

namespace hpcc::driver {
namespace {

/// Plain text for the macros of man(7): no character means anything.
std::string roff(const std::string& text) {
    std::string result;
    bool isStart = true;
    for (const char c : text) {
        if (isStart && (c == '.' || c == '\'')) result += "\\&";
        isStart = c == '\n';
        if (c == '\\')
            result += "\\e";
        else if (c == '-')
            result += "\\-";
        else
            result += c;
    }
    return result;
}

std::string item(const std::string& name, const std::string& value, const std::string& text) {
    const std::string head = value.empty() ? "" : fmt::format(" \\fI{}\\fR", roff(value));
    return fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(name), head, roff(text));
}

/// "-o" with Boost's "FILE"; "" for an option without a value.
std::string nameOf(const boost::program_options::option_description& option) {
    const std::string& name = option.long_name();
    return name.empty() || name[0] == '-'
               ? option.canonical_display_name(
                     boost::program_options::command_line_style::allow_dash_for_short)
               : "--" + name;
}

std::string heading(const std::string& page, const std::string& what) {
    return fmt::format(".TH {} 1 \"\" \"hpcc {}\" \"HPspmd C++\"\n.SH NAME\n{} \\- {}\n", page,
                       config::version, page, roff(what));
}

std::string synopsis(const std::string& line) {
    return fmt::format(".SH SYNOPSIS\n\\fB{}\\fR {}\n", ownName(), roff(line));
}

std::string verbatim(const std::string& text) { return ".nf\n" + roff(text) + ".fi\n"; }

std::string seeAlso(const std::string& pages) { return fmt::format(".SH SEE ALSO\n{}\n", pages); }

std::string compilerPage() {
    const std::string name = ownName();
    std::string text = heading(name, "compiler of HPspmd C++, programs over distributed arrays");
    text += synopsis("[options] file... [-o prog]");
    text +=
        ".SH DESCRIPTION\nTranslates .hpcpp sources and .hph headers to C++ and runs the C++ "
        "compiler on them, used like mpicxx. With one of these words first it does something "
        "else; a file of that name is ./word.\n";
    for (const Verb& verb : verbs()) text += item(verb.usage, "", inOwnName(verb.help));
    text += ".SH OPTIONS\n";
    for (const OptionGroup& group : optionGroups()) {
        text += fmt::format(".SS {}\n", group.title);
        for (const auto& option : group.options.options())
            text += item(nameOf(*option), option->format_parameter(), option->description());
    }
    text += ".SH NOTES\n" + verbatim(notesText());
    return text + seeAlso(fmt::format("\\fB{}\\-run\\fR(1), \\fBmpiexec\\fR(1)", name));
}

std::string runPage() {
    const std::string name = ownName();
    std::string text = heading(name + "-run", "runs an HPspmd C++ program on several processes");
    text += synopsis("run [options] prog [arguments]");
    text += ".SH OPTIONS\n";
    for (const RunOptionText& option : runOptionTexts())
        text += item(option.name, option.value, option.text);
    text += ".SH EXIT STATUS\n" + roff(inOwnName(runEndings));
    return text + seeAlso(fmt::format("\\fB{}\\fR(1), \\fBmpiexec\\fR(1)", name));
}

}  // namespace

ExitCode manual(const std::vector<std::string>& words) {
    if (words.empty())
        print(compilerPage());
    else if (words.size() == 1 && words[0] == "run")
        print(runPage());
    else
        throw Failure(ExitCode::Usage, "usage: hpcc manual [run] | man -l -");
    return ExitCode::Ok;
}

}  // namespace hpcc::driver
