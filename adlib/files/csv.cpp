// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <complex>

#include "files/format.hpp"
#include "files/values.hpp"

namespace hpspmd::detail::files {
namespace {

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Appends lines to a file, in larger parts.
class Writer final : public Stream {
public:
    Writer(DiskFile& file, const FileArray& array)
        : file_(file),
          number_(*array.number),
          columns_(array.shape.size() == 2 ? array.shape[1] : 1) {}

    void pass(char* elements, Index count) override {
        for (Index k = 0; k < count; ++k) {
            appendText(text_, elements + k * number_.bytes, number_);
            ++column_;
            text_ += column_ == columns_ ? '\n' : ',';
            if (column_ == columns_) column_ = 0;
            if (text_.size() > 1 << 20) flush();
        }
    }
    void finish() override { flush(); }

private:
    void flush() {
        file_.write(text_.data(), static_cast<Index>(text_.size()), written_);
        written_ += static_cast<Index>(text_.size());
        text_.clear();
    }

    DiskFile& file_;
    FileNumber number_;
    Index columns_, column_ = 0, written_ = 0;
    std::string text_;
};

/// The fields of a text, one after the other: between commas, semicolons or blanks. Lines that are
/// empty or begin with '#' are left out, and so is a first line that is no line of numbers.
class Fields {
public:
    explicit Fields(DiskFile& file) : text_(static_cast<std::size_t>(file.size()), ' ') {
        file.read(text_.data(), static_cast<Index>(text_.size()), 0);
        if (!beginLine()) return;
        const std::size_t first = at_;
        at_ = isNumber(field()) ? first : lineEnd();
    }

    /// Goes to the first field of the next line that has one; false at the end of the text.
    bool beginLine() {
        for (; at_ < text_.size(); at_ = lineEnd() + 1) {
            skipBlanks();
            if (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != '#') return true;
        }
        return false;
    }

    /// The next field of the line; nothing at its end.
    std::string_view field() {
        skipBlanks();
        std::size_t end = at_;
        while (end < text_.size() && !isBlank(text_[end]) && text_[end] != '\n' &&
               text_[end] != ',' && text_[end] != ';')
            ++end;
        const std::string_view result(text_.data() + at_, end - at_);
        at_ = end;
        return result;
    }

    /// Goes behind the mark between two fields; false at the end of the line.
    bool next() {
        const std::size_t before = at_;
        skipBlanks();
        if (at_ >= text_.size() || text_[at_] == '\n') {
            at_ = lineEnd() + 1;
            return false;
        }
        if (text_[at_] == ',' || text_[at_] == ';')
            ++at_;
        else if (at_ == before)
            throw Failure("line " + std::to_string(line()) + " cannot be read");
        return true;
    }

    /// The number of the line, from 1.
    Index line() const {
        return 1 + std::count(text_.begin(), text_.begin() + static_cast<Index>(at_), '\n');
    }

private:
    static bool isNumber(std::string_view field) {
        std::complex<double> value;
        return fromText(field, reinterpret_cast<char*>(&value), fileNumber<std::complex<double>>());
    }
    void skipBlanks() {
        while (at_ < text_.size() && isBlank(text_[at_])) ++at_;
    }
    std::size_t lineEnd() const { return std::min(text_.find('\n', at_), text_.size()); }

    std::string text_;
    std::size_t at_ = 0;
};

class Reader final : public Stream {
public:
    Reader(DiskFile& file, const FileArray& array)
        : fields_(file),
          number_(*array.number),
          columns_(array.shape.size() == 2 ? array.shape[1] : 1) {}

    void pass(char* elements, Index count) override {
        for (Index k = 0; k < count; ++k) {
            if (column_ == 0 && !fields_.beginLine()) throw Failure("it ends too early");
            const std::string_view field = fields_.field();
            if (!fromText(field, elements + k * number_.bytes, number_))
                throw Failure("line " + std::to_string(fields_.line()) + ": '" +
                              std::string(field.substr(0, 40)) + "' is no " + nameOf(number_));
            if (++column_ == columns_) column_ = 0;
            fields_.next();
        }
    }

private:
    Fields fields_;
    FileNumber number_;
    Index columns_, column_ = 0;
};

class Csv final : public FileFormat {
public:
    bool isPlaced() const override { return false; }

    void requireWritable(const FileArray& array) const override {
        if (array.number->kind >= FileNumber::Opaque) throw Failure("a table of text has numbers");
        if (array.shape.empty() || array.shape.size() > 2)
            throw Failure("a table has 1 or 2 dimensions, the array has " +
                          std::to_string(array.shape.size()));
    }
    bool isForFew() const override { return true; }

    FileArray look(DiskFile& file, const FileArray* wanted) const override {
        Fields fields(file);
        Index rows = 0, columns = 0;
        while (fields.beginLine()) {
            const Index line = fields.line();
            Index count = 0;
            do {
                fields.field();
                ++count;
            } while (fields.next());
            if (rows++ == 0) columns = count;
            if (count != columns)
                throw Failure("line " + std::to_string(line) + " has " + std::to_string(count) +
                              " fields, the lines before have " + std::to_string(columns));
        }
        FileArray array;
        const bool isVector = columns == 1 && (wanted == nullptr || wanted->shape.size() == 1);
        array.shape = isVector ? std::vector{rows} : std::vector{rows, columns};
        return array;
    }

    std::unique_ptr<Stream> writer(DiskFile& file, const FileArray& array) const override {
        return std::make_unique<Writer>(file, array);
    }
    std::unique_ptr<Stream> reader(DiskFile& file, const FileArray& array) const override {
        return std::make_unique<Reader>(file, array);
    }
};

}  // namespace

const FileFormat& csvFormat() {
    static const Csv format;
    return format;
}

}  // namespace hpspmd::detail::files
