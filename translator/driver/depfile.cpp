// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/depfile.hpp"

#include <algorithm>

namespace hpcc::driver {
namespace {

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

/// Length of the word at the start of `text`, in which a blank, '#' or newline may be escaped.
size_t wordLength(std::string_view text) {
    size_t at = 0;
    while (at < text.size() && !isBlank(text[at])) {
        if (text[at] == '\\' && at + 1 < text.size() && text[at + 1] == '\n') break;
        at += text[at] == '\\' && at + 1 < text.size() ? 2 : 1;
    }
    return at;
}

std::string unescaped(std::string_view word) {
    std::string name;
    for (size_t at = 0; at < word.size(); ++at) {
        const char next = at + 1 < word.size() ? word[at + 1] : '\0';
        const bool escape =
            (word[at] == '\\' && (next == ' ' || next == '#')) || (word[at] == '$' && next == '$');
        if (escape) ++at;
        name += word[at];
    }
    return name;
}

std::string escaped(const std::string& name) {
    std::string word;
    for (const char c : name) {
        if (c == ' ' || c == '#') word += '\\';
        if (c == '$') word += '$';
        word += c;
    }
    return word;
}

}  // namespace

std::string renameDependencies(std::string_view depfile,
                               const std::function<std::string(const std::string&)>& rename) {
    std::string result;
    while (!depfile.empty()) {
        const size_t length = wordLength(depfile);
        if (length == 0) {  // a blank, or the backslash of a continued line
            result += depfile[0];
            depfile.remove_prefix(1);
            continue;
        }
        std::string_view word = depfile.substr(0, length);
        const bool isTarget = word.back() == ':';
        if (isTarget) word.remove_suffix(1);
        result += escaped(rename(unescaped(word))) + (isTarget ? ":" : "");
        depfile.remove_prefix(length);
    }
    return result;
}

std::vector<std::string> filesOfRules(std::string_view rules) {
    std::vector<std::string> files;
    size_t ofEarlierRules = 0;
    bool isContinued = false;
    while (!rules.empty()) {
        const size_t length = wordLength(rules);
        const std::string_view word = rules.substr(0, length);
        if (length > 0 && word.back() == ':')
            files.resize(ofEarlierRules);  // so far they were targets
        else if (length > 0)
            files.push_back(unescaped(word));
        else if (rules[0] == '\n' && !isContinued)
            ofEarlierRules = files.size();
        isContinued = rules[0] == '\\';
        rules.remove_prefix(std::max<size_t>(length, 1));
    }
    return files;
}

std::string dependencyRules(const DependencyOptions& options, const std::string& target,
                            const std::vector<std::string>& prerequisites) {
    std::string rules, phony;
    for (size_t at = 0; at + 1 < options.words.size(); ++at) {
        if (options.words[at] == "-MT")
            rules += options.words[++at] + " ";
        else if (options.words[at] == "-MQ")
            rules += escaped(options.words[++at]) + " ";
    }
    if (rules.empty()) rules = escaped(target) + " ";
    rules.back() = ':';
    for (const std::string& name : prerequisites) rules += " \\\n " + escaped(name);
    const bool wanted =
        std::find(options.words.begin(), options.words.end(), "-MP") != options.words.end();
    for (size_t at = 1; wanted && at < prerequisites.size(); ++at)
        phony += "\n" + escaped(prerequisites[at]) + ":\n";
    return rules + "\n" + phony;
}

}  // namespace hpcc::driver
