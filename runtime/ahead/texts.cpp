// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ahead/texts.hpp"

#include "device/reduction_text.hpp"

#include <algorithm>
#include <cctype>
#include <regex>
#include <stdexcept>
#include <string_view>

namespace hpspmd::ahead {
namespace {

/// Reads what stands between the parentheses of one kernel, token by token.
class Reader {
public:
    Reader(const std::string& text, std::size_t at) : text_(text), at_(at) {}

    /// Literals side by side are one.
    std::string literal() {
        std::string value;
        for (skip(); peek() == '"'; skip()) value += oneLiteral();
        return value;
    }

    int number() {
        skip();
        int value = 0;
        constexpr int base = 10;
        while (std::isdigit(static_cast<unsigned char>(peek())) != 0)
            value = base * value + (take() - '0');
        return value;
    }

    /// Takes it if it is.
    bool isNext(char wanted) {
        skip();
        if (peek() != wanted) return false;
        take();
        return true;
    }
    void expect(char wanted) {
        skip();
        if (take() != wanted) throw std::runtime_error("the texts of the kernels are damaged");
    }

private:
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    char take() {
        const char result = peek();
        ++at_;
        return result;
    }

    /// Spaces, and lines that tell where a text comes from.
    void skip() {
        while (std::isspace(static_cast<unsigned char>(peek())) != 0)
            if (take() == '\n' && peek() == '#')
                at_ = std::min(text_.find('\n', at_), text_.size());
    }

    /// A text that the preprocessor has made of tokens escapes quotes and backslashes only.
    std::string oneLiteral() {
        std::string value;
        take();
        while (at_ < text_.size() && peek() != '"') {
            if (peek() == '\\') take();
            value += take();
        }
        take();
        return value;
    }

    const std::string& text_;
    std::size_t at_;
};

/// Of HPSPMD_KERNEL and, behind it, of HPSPMD_KERNEL_OF.
Text textBy(Reader& reader) {
    Text text;
    reader.expect('(');
    text.name = reader.literal();
    reader.expect(',');
    text.functions = reader.literal();
    reader.expect(',');
    text.nest = reader.literal();
    reader.expect(',');
    text.line = reader.number();
    reader.expect(',');
    text.mappedLoops = reader.number();
    return text;
}

std::string withoutParentheses(const std::string& text) { return text.substr(1, text.size() - 2); }

/// "(TYPE(heat_22_9_T), TYPE(heat_22_9_U))"
std::vector<std::string> typesNamed(const std::string& words) {
    static const std::regex type(R"(TYPE\((\w+)\))");
    std::vector<std::string> names;
    for (std::sregex_iterator each(words.begin(), words.end(), type), end; each != end; ++each)
        names.push_back((*each)[1]);
    return names;
}

/// All of a kind: what a line says of them, one after the other.
std::vector<std::vector<std::string>> listsOf(const std::string& preprocessed,
                                              std::string_view word) {
    std::vector<std::vector<std::string>> lists;
    for (std::size_t at = 0; (at = preprocessed.find(word, at)) != std::string::npos;) {
        const bool isOutsideOfTexts = at == 0 || preprocessed[at - 1] == '\n';
        at += word.size();
        if (!isOutsideOfTexts) continue;
        Reader reader(preprocessed, at);
        reader.expect('(');
        std::vector<std::string>& list = lists.emplace_back();
        for (;;) {
            list.push_back(reader.literal());
            if (reader.isNext(')')) break;
            reader.expect(',');
        }
    }
    return lists;
}

/// What an InstanceText makes of them.
std::vector<Text> instancesOf(const Text& text, const std::string& words,
                              const std::string& classes, const std::vector<std::string>& types) {
    const std::vector<std::string> names = typesNamed(words);
    std::size_t count = types.empty() ? 0 : 1;
    for (std::size_t k = 0; k < names.size() && count <= mostInstances; ++k) count *= types.size();
    if (count > mostInstances) return {};
    std::vector<Text> all;
    for (std::size_t number = 0; number < count; ++number) {
        Text instance = text;
        instance.isGuess = true;
        instance.functions = "(";
        std::size_t rest = number;
        for (const std::string& name : names) {
            instance.functions += "typedef " + types[rest % types.size()] + " " + name + "; ";
            rest /= types.size();
        }
        instance.functions +=
            withoutParentheses(classes) + " " + withoutParentheses(text.functions) + ")";
        all.push_back(std::move(instance));
    }
    return all;
}

/// "SUM", "elements", "double", and the dimensions as a number. Sums of integers are those of
/// unsigned ones.
Text reductionOf(const std::vector<std::string>& words) {
    constexpr std::size_t count = 4;
    if (words.size() != count) throw std::runtime_error("the texts of the kernels are damaged");
    const std::string &joins = words[0], &type = words[2];
    const bool isInteger = type == "int" || type == "long";
    const int loops = std::stoi(words[3]);
    return {"reduction",
            "()",
            detail::reductionText(joins, joins == "SUM" && isInteger ? "unsigned " + type : type,
                                  words[1] == "products" ? 2 : 1, static_cast<std::size_t>(loops)),
            0,
            loops,
            true,
            true};
}

}  // namespace

std::vector<Text> textsIn(const std::string& preprocessed) {
    constexpr std::string_view word = "hpspmd_kernel", ofTemplate = "_of";
    std::vector<std::string> types;
    for (const auto& list : listsOf(preprocessed, "hpspmd_types")) types = list;
    std::vector<Text> texts;
    const auto add = [&](Text text) {
        const bool isKnown = std::any_of(texts.begin(), texts.end(), [&](const Text& each) {
            return each.nest == text.nest && each.functions == text.functions;
        });
        if (!isKnown) texts.push_back(std::move(text));
    };
    for (std::size_t at = 0; (at = preprocessed.find(word, at)) != std::string::npos;) {
        const bool isOutsideOfTexts = at == 0 || preprocessed[at - 1] == '\n';
        at += word.size();
        if (!isOutsideOfTexts) continue;
        const bool isTemplate = preprocessed.compare(at, ofTemplate.size(), ofTemplate) == 0;
        Reader reader(preprocessed, isTemplate ? at + ofTemplate.size() : at);
        const Text text = textBy(reader);
        if (!isTemplate) {
            reader.expect(')');
            add(text);
            continue;
        }
        reader.expect(',');
        const std::string words = reader.literal();
        reader.expect(',');
        const std::string classes = reader.literal();
        reader.expect(')');
        for (Text& each : instancesOf(text, words, classes, types)) add(std::move(each));
    }
    for (const auto& list : listsOf(preprocessed, "hpspmd_reduction")) add(reductionOf(list));
    return texts;
}

}  // namespace hpspmd::ahead
