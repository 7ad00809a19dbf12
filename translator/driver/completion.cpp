// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/program_options.hpp>

#include "driver/help.hpp"
#include "driver/own_name.hpp"
#include "driver/run_options.hpp"
#include "driver/standard_streams.hpp"
#include "driver/verbs.hpp"

namespace hpcc::driver {
namespace {

using Words = std::vector<std::string>;

/// An option as a shell offers it.
struct Offer {
    std::string name, value, text;
    Words choices;  ///< what the value may be; none: a file, or anything
};

Words choicesOf(const std::string& name) {
    if (name == "--emit") return stageNames();
    if (name == "--color") return {"auto", "always", "never"};
    if (name == "--diagnostics-format") return {"text", "json", "sarif"};
    if (name == "--for") return {"valgrind"};
    if (name == "--transport") return {"mpi", "node"};
    if (name == "--target")
        return {"sequential", "threads", "gpu", "cuda", "opencl", "check", "devices", "automatic"};
    return {};
}

std::vector<Offer> compilerOffers() {
    std::vector<Offer> offers;
    for (const auto& option : describedOptions().options()) {
        const std::string& longName = option->long_name();
        const bool isShort = longName.empty() || longName[0] == '-';
        const std::string name =
            isShort ? option->canonical_display_name(
                          boost::program_options::command_line_style::allow_dash_for_short)
                    : "--" + longName;
        offers.push_back(
            {name, option->format_parameter(), option->description(), choicesOf(name)});
    }
    return offers;
}

std::vector<Offer> runOffers() {
    std::vector<Offer> offers;
    for (const RunOptionText& option : runOptionTexts())
        offers.push_back({option.name, option.value, option.text, choicesOf(option.name)});
    return offers;
}

/// The options of a verb; of the compiler without one.
std::vector<Offer> offersOf(const std::string& verb) {
    if (verb.empty()) return compilerOffers();
    if (verb == "run") return runOffers();
    std::vector<Offer> offers;  // what its usage shows in brackets: "new NAME [--cmake|--make]"
    const std::string usage = verbCalled(verb)->usage;
    for (size_t at = verb.size(), end = 0; (at = usage.find_first_not_of(" []|", at)) != usage.npos;
         at = end) {
        end = std::min(usage.find_first_of(" []|", at), usage.size());
        const std::string word = usage.substr(at, end - at);
        if (word[0] == '-' || std::islower(static_cast<unsigned char>(word[0])))
            offers.push_back({word, "", verbCalled(verb)->help, {}});
    }
    return offers;
}

Words namesOf(const std::vector<Offer>& offers) {
    Words names;
    for (const Offer& offer : offers) names.push_back(offer.name);
    return names;
}

Words verbNames() {
    Words names;
    for (const Verb& verb : verbs()) names.emplace_back(verb.name);
    return names;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

std::string functionName() {
    std::string name = "_" + ownName();
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
}

// The value of an option is a word of its own, or stands behind `=`, which bash takes for a word.
constexpr const char* bashScript =
    R"(# Completion of @NAME@ in bash; printed by '@NAME@ completion bash'.
@FUNCTION@() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb= words= values=
    if [ "$word" = = ]; then word=
    elif [ "$before" = = ]; then before=${COMP_WORDS[COMP_CWORD-2]}
    fi
    [ "$COMP_CWORD" -lt 2 ] || verb=${COMP_WORDS[1]}
    case $verb in
@VERBS@        *) words='@WORDS@'; [ "$COMP_CWORD" -ne 1 ] || words="$words @FIRST@" ;;
    esac
    case $before in
@VALUES@    esac
    compopt -o filenames 2>/dev/null
    if [ -n "$values" ]; then COMPREPLY=($(compgen -W "$values" -- "$word"))
    else COMPREPLY=($(compgen -W "$words" -- "$word") $(compgen -f -- "$word"))
    fi
}
complete -F @FUNCTION@ @NAME@
)";

std::string bash() {
    std::string verbCases, valueCases;
    for (const std::string& verb : verbNames())
        verbCases += fmt::format("        {}) words='{}' ;;\n", verb,
                                 fmt::join(namesOf(offersOf(verb)), " "));
    for (const std::vector<Offer>& offers : {compilerOffers(), runOffers()})
        for (const Offer& offer : offers)
            if (!offer.choices.empty())
                valueCases += fmt::format("        {}) values='{}' ;;\n", offer.name,
                                          fmt::join(offer.choices, " "));
    std::string text = replaced(bashScript, "@VERBS@", verbCases);
    text = replaced(text, "@VALUES@", valueCases);
    text = replaced(text, "@WORDS@", fmt::format("{}", fmt::join(namesOf(compilerOffers()), " ")));
    text = replaced(text, "@FIRST@", fmt::format("{}", fmt::join(verbNames(), " ")));
    return replaced(replaced(text, "@FUNCTION@", functionName()), "@NAME@", ownName());
}

constexpr const char* zshScript = R"(#compdef @NAME@
# Completion of @NAME@ in zsh; printed by '@NAME@ completion zsh'.
@FUNCTION@() {
    local -a first=(
@FIRST@    )
    (( CURRENT == 2 )) && _describe -t verbs 'word' first
    case $words[2] in
@VERBS@        *) _arguments \
@OPTIONS@            '*:file:_files' ;;
    esac
}
@FUNCTION@ "$@"
)";

/// Text inside of '..' in a specification of _arguments.
std::string zshText(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
        result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return result;
}

std::string zshOptions(const std::vector<Offer>& offers) {
    std::string text;
    for (const Offer& offer : offers) {
        const bool isLong = offer.name.starts_with("--");
        std::string value;
        if (!offer.value.empty())
            value = fmt::format(":{}:{}", zshText(offer.value),
                                offer.choices.empty()
                                    ? std::string("_files")
                                    : fmt::format("({})", fmt::join(offer.choices, " ")));
        text += fmt::format("            '{}{}[{}]{}' \\\n", offer.name,
                            value.empty() ? ""
                            : isLong      ? "="
                                          : "+",
                            zshText(offer.text), value);
    }
    return text;
}

std::string zsh() {
    std::string first, cases;
    for (const Verb& verb : verbs()) {
        first += fmt::format("        '{}:{}'\n", verb.name, zshText(verb.help));
        std::vector<Offer> options, others;
        for (const Offer& offer : offersOf(verb.name))
            (offer.name[0] == '-' ? options : others).push_back(offer);
        const std::string rest =
            others.empty() ? "_files" : fmt::format("({})", fmt::join(namesOf(others), " "));
        cases += fmt::format("        {}) _arguments \\\n{}            '*:argument:{}' ;;\n",
                             verb.name, zshOptions(options), rest);
    }
    std::string text = replaced(zshScript, "@FIRST@", first);
    text = replaced(replaced(text, "@VERBS@", cases), "@OPTIONS@", zshOptions(compilerOffers()));
    return replaced(replaced(text, "@FUNCTION@", functionName()), "@NAME@", ownName());
}

}  // namespace

ExitCode completion(const std::vector<std::string>& words) {
    if (words == Words{"bash"})
        print(bash());
    else if (words == Words{"zsh"})
        print(zsh());
    else
        throw Failure(ExitCode::Usage, "usage: hpcc completion bash|zsh");
    return ExitCode::Ok;
}

}  // namespace hpcc::driver
