// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/includes.hpp"

#include <cctype>

namespace hpcc::driver {
namespace {

bool endsWith(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// Walks over the text line by line; only what can hide or hold a directive is recognised.
class Scanner {
public:
    explicit Scanner(const source::Text& text) : text_(text), content_(text.content()) {}

    void scan() {
        bool atLineStart = true;
        for (skipPlain(atLineStart); at_ < content_.size(); skipPlain(atLineStart)) {
            if (skipHidden()) continue;
            if (content_[at_] == '#' && atLineStart)
                directive();
            else
                ++at_;
            atLineStart = false;
        }
    }

    std::vector<Include> includes, plainIncludes;

private:
    bool startsWith(std::string_view word) const {
        return content_.substr(at_, word.size()) == word;
    }

    void moveBehind(std::string_view end) {
        const size_t found = content_.find(end, at_);
        at_ = found == std::string_view::npos ? content_.size() : found + end.size();
    }

    /// Moves to the next character that may begin a directive or hide one.
    void skipPlain(bool& atLineStart) {
        for (; at_ < content_.size(); ++at_) {
            const char c = content_[at_];
            if (c == '\n')
                atLineStart = true;
            else if (c == '/' || c == 'R' || c == '"' || c == '#')
                return;
            else if (c != ' ' && !std::isspace(static_cast<unsigned char>(c)))
                atLineStart = false;
        }
    }

    /// Moves behind a comment, string or character literal that begins here.
    bool skipHidden() {
        const char c = content_[at_];
        if (c != '/' && c != 'R' && c != '"') return false;
        if (startsWith("/*")) {
            at_ += 2;
            moveBehind("*/");
        } else if (startsWith("//")) {
            at_ = std::min(content_.find('\n', at_), content_.size());
        } else if (startsWith("R\"")) {
            const size_t open = content_.find('(', at_);
            if (open == std::string_view::npos) return ++at_, true;
            const std::string end =
                ")" + std::string(content_.substr(at_ + 2, open - at_ - 2)) + "\"";
            at_ = open;
            moveBehind(end);
        } else if (c == '"') {
            skipString();
        } else {
            return false;
        }
        return true;
    }

    void skipString() {
        for (++at_; at_ < content_.size() && content_[at_] != '\n'; ++at_) {
            if (content_[at_] == '\\')
                ++at_;
            else if (content_[at_] == '"')
                break;
        }
        if (at_ < content_.size() && content_[at_] == '"') ++at_;
        at_ = std::min(at_, content_.size());
    }

    void skipBlanks() {
        while (at_ < content_.size() && (content_[at_] == ' ' || content_[at_] == '\t')) ++at_;
    }

    std::string_view word() {
        const size_t begin = at_;
        while (at_ < content_.size() && std::isalpha(static_cast<unsigned char>(content_[at_])))
            ++at_;
        return content_.substr(begin, at_ - begin);
    }

    void directive() {
        ++at_;
        skipBlanks();
        const std::string_view name = word();
        if (name == "if" || name == "ifdef" || name == "ifndef") ++depth_;
        if (name == "endif" && depth_ > 0) --depth_;
        if (name == "include") include();
    }

    void include() {
        skipBlanks();
        if (at_ >= content_.size() || (content_[at_] != '"' && content_[at_] != '<')) return;
        const bool isQuoted = content_[at_] == '"';
        const size_t end = content_.find_first_of(isQuoted ? "\"\n" : ">\n", at_ + 1);
        if (end == std::string_view::npos || content_[end] == '\n') return;
        const std::string name(content_.substr(at_ + 1, end - at_ - 1));
        const source::Span span{&text_, static_cast<uint32_t>(at_), static_cast<uint32_t>(end + 1)};
        const Include found{span, name, isQuoted, depth_ > 0};
        if (endsWith(name, ".hph"))
            includes.push_back(found);
        else if (isQuoted)
            plainIncludes.push_back(found);
        at_ = end + 1;
    }

    const source::Text& text_;
    std::string_view content_;
    size_t at_ = 0;
    int depth_ = 0;
};

Scanner scanned(const source::Text& text) {
    Scanner scanner(text);
    scanner.scan();
    return scanner;
}

}  // namespace

// Most texts need no look at each of their characters.
std::vector<Include> findIncludes(const source::Text& text) {
    if (text.content().find(".hph") == std::string_view::npos) return {};
    return scanned(text).includes;
}
std::vector<Include> findPlainIncludes(const source::Text& text) {
    return scanned(text).plainIncludes;
}

std::string renameIncludes(
    const source::Text& text, const std::vector<Include>& includes,
    const std::function<std::optional<std::string>(const Include&)>& rename) {
    std::string result;
    uint32_t done = 0;
    for (const Include& include : includes) {
        const std::optional<std::string> name = rename(include);
        if (!name) continue;
        result += std::string(text.content().substr(done, include.span.begin - done)) + *name;
        done = include.span.end;
    }
    return result + std::string(text.content().substr(done));
}

}  // namespace hpcc::driver
