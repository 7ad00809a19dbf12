// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "print_format.hpp"

#include <cctype>
#include <cstdio>
#include <cstring>
#include <hpspmd/error.hpp>

namespace hpspmd::detail {
namespace {

const char* conversionsOf(Printed kind) {
    switch (kind) {
    case Printed::Integer:
        return "dic";
    case Printed::Unsigned:
        return "dicuoxX";
    default:
        return "fFeEgGaA";
    }
}

const char* nameOf(Printed kind) {
    switch (kind) {
    case Printed::Integer:
        return "signed integers";
    case Printed::Unsigned:
        return "unsigned integers";
    default:
        return "floating-point numbers";
    }
}

class Parser {
public:
    Parser(const PrintFormat& format, const std::vector<PrintedArray>& arrays)
        : format_(format), arrays_(arrays) {}

    std::vector<FormatPart> parse() {
        while (*at() != '\0') {
            if (*at() != '%')
                literal(*at());
            else
                parseConversion();
            ++position_;
        }
        if (used_ != arrays_.size())
            fail("it prints " + std::to_string(used_) + " of " + std::to_string(arrays_.size()) +
                 " arrays");
        return std::move(parts_);
    }

private:
    const char* at() const { return format_.text + position_; }

    [[noreturn]] void fail(const std::string& text) const {
        throw AdlibError(std::string("aprintf: bad format \"") + format_.text + "\" at character " +
                             std::to_string(position_) + ": " + text,
                         format_.where);
    }

    static std::string conversion(const std::string& layout, const std::string& end) {
        std::string text = "%";
        text += layout;
        return text += end;
    }

    void literal(char c) {
        if (parts_.empty() || parts_.back().kind != FormatPart::Text)
            parts_.push_back({FormatPart::Text, {}, 0});
        parts_.back().text += c;
    }

    /// From '%' to the last character of the conversion.
    void parseConversion() {
        ++position_;
        if (*at() == '%') return literal('%');
        const std::string flags = take("-+ #0");
        const std::string width = takeDigits();
        std::string precision;
        if (*at() == '.') {
            ++position_;
            precision = ".";
            precision += takeDigits();
        }
        take("hlLqjzt");
        if (*at() == 'N') return newline(flags + precision, width);
        if (width.size() > 4 || precision.size() > 5) fail("the width or precision is too large");
        if (*at() == 'R') return globalIndex(flags + width + precision);
        element(flags + width + precision);
    }

    std::string take(const char* characters) {
        std::string taken;
        for (; *at() != '\0' && std::strchr(characters, *at()); ++position_) taken += *at();
        return taken;
    }

    std::string takeDigits() {
        const std::string digits = take("0123456789");
        if (digits.size() > 9) fail("the number " + digits + " is too large");
        return digits;
    }

    void newline(const std::string& rest, const std::string& period) {
        const int every = period.empty() ? 1 : std::stoi(period);
        if (!rest.empty() || every == 0) fail("%N takes a positive period only");
        parts_.push_back({FormatPart::Newline, {}, every});
    }

    void globalIndex(const std::string& layout) {
        ++position_;
        const int rank = arrays_.empty() ? 0 : arrays_.front().array.layout.rank;
        const int d = std::isdigit(static_cast<unsigned char>(*at())) ? *at() - '0' : -1;
        if (d < 0 || d >= rank)
            fail("%R must be followed by a dimension of the arrays, whose rank is " +
                 std::to_string(rank));
        parts_.push_back({FormatPart::GlobalIndex, conversion(layout, "lld"), d});
    }

    void element(const std::string& layout) {
        const char letter = *at();
        if (letter == '\0') fail("the conversion has no end");
        if (used_ == arrays_.size())
            fail("there are only " + std::to_string(used_) + " arrays to print");
        const Printed kind = arrays_[used_].kind;
        if (!std::strchr(conversionsOf(kind), letter))
            fail(std::string("'") + letter + "' cannot print an array of " + nameOf(kind) +
                 ", only one of " + conversionsOf(kind) + " can");
        const char* length = letter == 'c'               ? ""
                             : kind == Printed::Integer  ? "ll"
                             : kind == Printed::Unsigned ? "ll"
                                                         : "L";
        parts_.push_back({FormatPart::Element, conversion(layout, std::string(length) + letter),
                          static_cast<int>(used_)});
        ++used_;
    }

    const PrintFormat& format_;
    const std::vector<PrintedArray>& arrays_;
    std::size_t position_ = 0;
    std::size_t used_ = 0;
    std::vector<FormatPart> parts_;
};

/// What printf prints for one value of the type that the conversion asks for.
template <class Value>
std::string printed(const std::string& conversion, Value value, Where where) {
    const int size = std::snprintf(nullptr, 0, conversion.c_str(), value);
    if (size < 0) throw IoError("aprintf: " + conversion + " cannot be printed", where);
    std::string text(static_cast<std::size_t>(size) + 1, '\0');
    std::snprintf(text.data(), text.size(), conversion.c_str(), value);
    text.pop_back();
    return text;
}

}  // namespace

std::vector<FormatPart> parseFormat(const PrintFormat& format,
                                    const std::vector<PrintedArray>& arrays) {
    return Parser(format, arrays).parse();
}

std::string formatted(const FormatPart& part, const PrintedArray& array, const void* element,
                      Where where) {
    if (array.kind == Printed::Floating || array.kind == Printed::LongDouble)
        return printed(part.text, array.asFloating(element), where);
    const long long value = array.asInteger(element);
    if (part.text.back() == 'c') return printed(part.text, static_cast<int>(value), where);
    return printed(part.text, value, where);
}

std::string formatted(const FormatPart& part, Index value, Where where) {
    return printed(part.text, static_cast<long long>(value), where);
}

}  // namespace hpspmd::detail
