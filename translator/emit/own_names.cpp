// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/own_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace hpcc::emit {
namespace {

/// What emitted code asks of ranges, blocks, indices and arrays.
constexpr std::array<std::string_view, 28> members = {
    "data",      "stride",     "sub",        "global",   "shift", "held",    "count",
    "dim",       "location",   "localBlock", "subrange", "first", "last",    "localBlocks",
    "localBase", "localStep",  "globalBase", "rng",      "size",  "valid",   "globalStep",
    "part",      "descriptor", "grp",        "load",     "maps",  "localAt", "contains"};

bool isWordPart(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}

/// Walks the text and copies it.
class Protector {
public:
    Protector(const std::string& text, const std::unordered_set<std::string>& macros)
        : text_(text), macros_(macros) {}

    std::string run() {
        while (at_ < text_.size()) step();
        return std::move(out_);
    }

private:
    void step() {
        const std::string_view rest = std::string_view(text_).substr(at_);
        if (rest.front() == '\n') return newLine();
        if (rest.starts_with("//")) return copy(lineEnd());
        if (rest.starts_with("/*")) return copy(behind("*/", 2));
        if (rest.front() == '#' && blankSoFar_) return directive();
        if (rest.front() == '"' || rest.front() == '\'') return literal(rest.front());
        if (isWordPart(rest.front())) return word();
        if (!std::isspace(static_cast<unsigned char>(rest.front()))) blankSoFar_ = false;
        copy(at_ + 1);
    }

    void newLine() {
        ++line_;
        blankSoFar_ = true;
        out_ += text_[at_++];
    }
    void copy(size_t end) {
        for (; at_ < end; ++at_) {
            line_ += text_[at_] == '\n';
            out_ += text_[at_];
        }
    }
    size_t lineEnd() const { return std::min(text_.find('\n', at_), text_.size()); }
    size_t behind(std::string_view closing, size_t from) const {
        const size_t found = text_.find(closing, at_ + from);
        return found == std::string::npos ? text_.size() : found + closing.size();
    }

    /// `#line 7 "f.hpcpp"` tells the number of the line behind it.
    void directive() {
        size_t end = lineEnd();
        while (end < text_.size() && text_[end - 1] == '\\')
            end = std::min(text_.find('\n', end + 1), text_.size());
        const std::string line = text_.substr(at_, end - at_);
        copy(end);
        if (!line.starts_with("#line ")) return;
        line_ = std::atol(line.c_str() + 6) - 1;
        const size_t quote = line.find('"');
        if (quote != std::string::npos) file_ = line.substr(quote);
    }

    void literal(char quote) {
        blankSoFar_ = false;
        size_t end = at_ + 1;
        for (; end < text_.size() && text_[end] != quote && text_[end] != '\n'; ++end)
            if (text_[end] == '\\') ++end;
        copy(std::min(end + 1, text_.size()));
    }

    void word() {
        blankSoFar_ = false;
        size_t end = at_;
        const bool isNumber = std::isdigit(static_cast<unsigned char>(text_[at_])) != 0;
        while (end < text_.size() && (isWordPart(text_[end]) || (isNumber && text_[end] == '\'')))
            ++end;
        const std::string name = text_.substr(at_, end - at_);
        if (name.ends_with('R') && end < text_.size() && text_[end] == '"') {  // a raw string
            const size_t paren = text_.find('(', end);
            const std::string closing = ")" + text_.substr(end + 1, paren - end - 1) + "\"";
            return copy(behind(closing, end - at_));
        }
        if (!macros_.contains(name) || !isOwn(name)) return copy(end);
        at_ = end;
        out_ += "\n#pragma push_macro(\"" + name + "\")\n#undef " + name + "\n" + name +
                "\n#pragma pop_macro(\"" + name + "\")\n";
        if (!file_.empty()) out_ += "#line " + std::to_string(line_) + " " + file_ + "\n";
    }

    bool isOwn(const std::string& name) const {
        if (name == "hpspmd") return true;
        const std::string_view before = std::string_view(text_).substr(0, at_);
        if (before.ends_with("hpspmd::") || before.ends_with("hpspmd::detail::")) return true;
        return before.ends_with('.') && std::ranges::find(members, name) != members.end();
    }

    const std::string& text_;
    const std::unordered_set<std::string>& macros_;
    std::string out_;
    std::string file_;
    size_t at_ = 0;
    long line_ = 1;
    bool blankSoFar_ = true;  // on this line
};

}  // namespace

std::unordered_set<std::string> macrosOf(std::string_view text) {
    std::unordered_set<std::string> names;
    constexpr std::string_view keyword = "define";
    for (size_t hash = text.find('#'); hash != text.npos; hash = text.find('#', hash + 1)) {
        size_t at = text.find_first_not_of(" \t", hash + 1);
        if (at == text.npos || !text.substr(at).starts_with(keyword)) continue;
        at = text.find_first_not_of(" \t", at + keyword.size());
        size_t end = at;
        while (end < text.size() && isWordPart(text[end])) ++end;
        if (at != text.npos && end > at) names.emplace(text.substr(at, end - at));
    }
    return names;
}

std::string withOwnNames(std::string text, const std::unordered_set<std::string>& macros) {
    if (macros.empty()) return text;
    return Protector(text, macros).run();
}

}  // namespace hpcc::emit
