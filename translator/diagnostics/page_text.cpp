// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnostics/pages.hpp"

#include <algorithm>
#include <utility>

namespace hpcc::diagnostics {
namespace {

constexpr std::size_t width = 80;
constexpr std::string_view fence = "```";

std::string_view takeLine(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

std::size_t behindMarks(std::string_view text, std::size_t begin) {
    return std::min(text.find_first_not_of('`', begin), text.size());
}

// Where the next run of exactly `count` backquotes begins.
std::size_t findMarks(std::string_view text, std::size_t begin, std::size_t count) {
    while (true) {
        const std::size_t open = text.find('`', begin);
        if (open == text.npos) return open;
        begin = behindMarks(text, open);
        if (begin - open == count) return open;
    }
}

// `a[i]` becomes 'a[i]', and `` i` `` becomes 'i`'.
std::string withoutMarks(std::string_view text) {
    std::string result;
    while (true) {
        const std::size_t open = text.find('`');
        result += text.substr(0, open);
        if (open == text.npos) return result;
        const std::size_t begin = behindMarks(text, open), count = begin - open;
        const std::size_t end = findMarks(text, begin, count);
        std::string_view code = text.substr(begin, end - begin);
        if (count > 1 && code.starts_with(' ') && code.ends_with(' '))
            code = code.substr(1, code.size() - 2);
        result += "'" + std::string(code) + "'";
        if (end == text.npos) return result;
        text.remove_prefix(end + count);
    }
}

// Words in lines of at most `width`; later lines are indented.
std::string filled(std::string_view text, std::string_view indentation) {
    std::string result;
    std::size_t column = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (column > 0 && column + 1 + word.size() > width) {
            result += "\n" + std::string(indentation);
            column = indentation.size();
        } else if (column > 0) {
            result += ' ';
            ++column;
        }
        result += word;
        column += word.size();
    }
    return result.empty() ? result : result + "\n";
}

class ShownPage {
public:
    std::string shown(std::string_view markdown) {
        while (!markdown.empty()) takeOne(takeLine(markdown));
        endParagraph();
        return std::move(out_);
    }

private:
    void takeOne(std::string_view line) {
        if (line.starts_with(fence))
            takeFence(line.substr(fence.size()));
        else if (isProgram_)
            out_ += line.empty() ? "\n" : "    " + std::string(line) + "\n";
        else if (line.starts_with('#'))
            takeHeading(line);
        else if (line.empty() || line.starts_with("* "))
            takeBreak(line);
        else
            paragraph_ += (paragraph_.empty() ? "" : " ") + trimmed(line);
    }

    // ```cpp field.hph begins a file with a name.
    void takeFence(std::string_view info) {
        endParagraph();
        isProgram_ = !isProgram_;
        const std::size_t name = info.find(' ');
        if (name != info.npos) out_ += std::string(info.substr(name + 1)) + ":\n";
    }

    void takeHeading(std::string_view line) {
        endParagraph();
        const bool isTitle = !line.starts_with("##");
        out_ += withoutMarks(line.substr(line.find_first_not_of("# "))) + (isTitle ? "\n" : ":\n");
    }

    void takeBreak(std::string_view line) {
        endParagraph();
        if (line.empty())
            out_ += "\n";
        else
            paragraph_ = line;
    }

    void endParagraph() {
        out_ += filled(withoutMarks(paragraph_), paragraph_.starts_with("* ") ? "  " : "");
        paragraph_.clear();
    }

    static std::string trimmed(std::string_view line) {
        return std::string(line.substr(std::min(line.find_first_not_of(' '), line.size())));
    }

    std::string out_, paragraph_;
    bool isProgram_ = false;
};

}  // namespace

std::string pageText(std::string_view markdown) { return ShownPage().shown(markdown); }

}  // namespace hpcc::diagnostics
