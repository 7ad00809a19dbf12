// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/plain_macros.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <vector>

#include "ast/macro_text.hpp"

namespace hpcc::ast {
namespace {

using Names = std::unordered_set<std::string_view>;

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isNameStart(char c) { return isNameCharacter(c) && !isDigit(c); }

constexpr std::array words = {"double", "float", "int",  "long",  "unsigned",    "short",
                              "char",   "bool",  "true", "false", "static_cast", "std"};
constexpr std::array functions = {"abs",   "fabs",  "sqrt", "cbrt",  "exp",  "log",  "pow",  "sin",
                                  "cos",   "tan",   "asin", "acos",  "atan", "tanh", "sinh", "cosh",
                                  "hypot", "floor", "ceil", "round", "fmax", "fmin", "max",  "min"};
constexpr std::array operators = {"==", "!=", "<=", ">=", "&&", "||", "::", "+", "-", "*",
                                  "/",  "%",  "<",  ">",  "!",  "?",  ":",  ",", "(", ")"};

bool isAmong(const auto& all, std::string_view word) {
    return std::ranges::find(all, word) != all.end();
}

/// One definition of a macro.
struct Definition {
    bool isFunction = false;
    Names parameters;
    std::string_view body;
};

/// Reads the words of a body.
class Body {
public:
    Body(const Definition& definition, const std::unordered_map<std::string_view, Definition>& all)
        : own_(definition), all_(all), rest_(definition.body) {}

    bool computes(int depth) {
        if (depth == 0) return false;
        while (true) {
            if (!skipBlanks()) return false;
            if (rest_.empty()) return !isEmpty_;
            if (!takeWord(depth)) return false;
            isEmpty_ = false;
        }
    }

private:
    /// False where a comment has no end.
    bool skipBlanks() {
        while (!rest_.empty()) {
            if (isAmong(std::string_view(" \t\r\n\\"), rest_.substr(0, 1))) {
                rest_.remove_prefix(1);
            } else if (rest_.starts_with("//")) {
                rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
            } else if (rest_.starts_with("/*")) {
                const size_t end = rest_.find("*/");
                if (end == rest_.npos) return false;
                rest_.remove_prefix(end + 2);
            } else {
                break;
            }
        }
        return true;
    }
    static bool isAmong(std::string_view characters, std::string_view one) {
        return characters.find(one) != characters.npos;
    }

    bool takeWord(int depth) {
        const char c = rest_.front();
        if (isDigit(c) || (c == '.' && rest_.size() > 1 && isDigit(rest_[1]))) return takeNumber();
        if (isNameStart(c)) return takeName(depth);
        for (const std::string_view forbidden : {"++", "--", "<<", ">>", "->"})
            if (rest_.starts_with(forbidden)) return false;
        const auto found = std::ranges::find_if(
            operators, [&](std::string_view each) { return rest_.starts_with(each); });
        if (found == operators.end()) return false;
        const std::string_view op = *found;
        if (rest_.substr(op.size()).starts_with('=')) return false;  // an assignment
        if (op == "*" && !isOperand_) return false;                  // what a pointer points to
        rest_.remove_prefix(op.size());
        isOperand_ = op == ")";
        if (op == "::") return isOfStandard_;
        isOfStandard_ = false;
        return true;
    }

    bool takeNumber() {
        size_t length = 1;
        const auto isPart = [&] {
            const char c = rest_[length], before = rest_[length - 1];
            const bool isSign = (c == '+' || c == '-') && (before == 'e' || before == 'E') &&
                                !rest_.starts_with("0x");
            return isNameCharacter(c) || c == '.' || c == '\'' || isSign;
        };
        while (length < rest_.size() && isPart()) ++length;
        if (rest_.substr(0, length).find('_') != rest_.npos) return false;
        rest_.remove_prefix(length);
        return isOperand_ = true;
    }

    bool takeName(int depth) {
        const std::string_view name = nameAt(rest_);
        rest_.remove_prefix(name.size());
        isOperand_ = true;
        if (isOfStandard_) {  // a program may have functions of such names
            isOfStandard_ = false;
            return hpcc::ast::isAmong(functions, name);
        }
        isOfStandard_ = name == "std";
        if (own_.parameters.contains(name) || hpcc::ast::isAmong(words, name)) return true;
        const auto macro = all_.find(name);
        return macro != all_.end() && &macro->second != &own_ &&
               Body(macro->second, all_).computes(depth - 1);
    }

    const Definition& own_;
    const std::unordered_map<std::string_view, Definition>& all_;
    std::string_view rest_;
    bool isOperand_ = false;     // what stands in front is one
    bool isOfStandard_ = false;  // `std::` stands in front, or `std`
    bool isEmpty_ = true;
};

/// Of what stands behind `#define`, up to the end of `text`, which may be lines further down.
Definition definitionIn(std::string_view text, size_t lineLength) {
    Definition result;
    size_t end = lineLength;
    while (end < text.size() && text.substr(0, end).ends_with('\\'))
        end = std::min(text.find('\n', end + 1), text.size());
    text = text.substr(0, end);
    text.remove_prefix(nameAt(text).size());
    result.isFunction = text.starts_with('(');
    if (result.isFunction) {
        const size_t close = text.find(')');
        std::string_view list = text.substr(1, close == text.npos ? 0 : close - 1);
        while (!list.empty()) {
            if (!isNameStart(list.front())) {
                list.remove_prefix(1);
                continue;
            }
            const std::string_view name = nameAt(list);
            result.parameters.insert(name);
            list.remove_prefix(name.size());
        }
        text.remove_prefix(close == text.npos ? text.size() : close + 1);
    }
    result.body = text;
    return result;
}

}  // namespace

std::unordered_set<std::string_view> plainMacros(const source::Text& text) {
    std::unordered_map<std::string_view, Definition> all;
    Names unsure;
    int conditions = 0;
    const std::string_view content = text.content();
    for (uint32_t number = 1; number <= text.lineCount(); ++number) {
        std::string_view line = text.line(number);
        const std::string_view word = directiveIn(line);
        if (word.starts_with("if")) ++conditions;
        if (word == "endif") --conditions;
        if (word != "define" && word != "undef") continue;
        const std::string_view name = nameAt(line);
        const size_t at = static_cast<size_t>(line.data() - content.data());
        if (word == "undef" || conditions > 0 || all.contains(name)) unsure.insert(name);
        if (word == "define") all[name] = definitionIn(content.substr(at), line.size());
    }
    for (const std::string_view name : unsure) all[name].body = {};
    Names result;
    for (const auto& [name, definition] : all)
        if (definition.isFunction && Body(definition, all).computes(8)) result.insert(name);
    return result;
}

}  // namespace hpcc::ast
