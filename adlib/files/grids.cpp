// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <charconv>

#include "files/format.hpp"
#include "files/matrix_head.hpp"
#include "files/values.hpp"

namespace hpspmd::detail::files {
namespace {

// Tables of numbers as text with a header: grids of ESRI (.asc), which geographers exchange, and
// matrices of the Matrix Market (.mtx).

constexpr Index mostElements = 10'000'000;

std::string textOf(DiskFile& file) {
    std::string text(static_cast<std::size_t>(file.size()), ' ');
    file.read(text.data(), static_cast<Index>(text.size()), 0);
    return text;
}

/// Words between blanks; lines that begin with '%' are left out.
class Words {
public:
    explicit Words(const std::string& text) : text_(text) {}

    std::string_view peek() {
        const std::size_t before = at_;
        const std::string_view word = next();
        at_ = before;
        return word;
    }
    std::string_view next() {
        while (at_ < text_.size() && isBlank(text_[at_])) ++at_;
        const bool beginsLine = at_ == 0 || (at_ < text_.size() && text_[at_ - 1] == '\n');
        if (at_ < text_.size() && text_[at_] == '%' && beginsLine) {
            at_ = std::min(text_.find('\n', at_), text_.size());
            return next();
        }
        const std::size_t begin = at_;
        while (at_ < text_.size() && !isBlank(text_[at_])) ++at_;
        return std::string_view(text_).substr(begin, at_ - begin);
    }
    double number() { return as<double>("number"); }
    /// 0 .. most.
    Index count(Index most) {
        const auto value = as<Index>("whole number");
        if (value < 0 || value > most) throw Failure("it has a size or place that cannot be");
        return value;
    }

private:
    static bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

    template <class Number>
    Number as(const char* what) {
        std::string_view word = next();
        if (word.starts_with('+')) word.remove_prefix(1);
        Number value{};
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (word.empty()) throw Failure("it ends too early");
        if (error != std::errc() || end != word.data() + word.size())
            throw Failure("'" + std::string(word.substr(0, 40)) + "' is no " + what);
        return value;
    }

    const std::string& text_;
    std::size_t at_ = 0;
};

struct Table {
    Index rows = 0, columns = 0;
    std::vector<double> values;  ///< row-major
};

void requireSize(Index rows, Index columns) {
    if (columns > 0 && rows > mostElements / columns)
        throw Failure("a table of text has at most 10^7 elements");
}

Table parseGrid(const std::string& text) {
    Words words(text);
    Table table{-1, -1, {}};
    while (true) {
        const std::string key = lower(words.peek());
        if (key.empty() || key[0] < 'a' || key == "nan" || key == "inf") break;
        words.next();
        if (key == "nrows")
            table.rows = words.count(mostElements);
        else if (key == "ncols")
            table.columns = words.count(mostElements);
        else
            words.number();  // where it lies, and which number stands for no data
    }
    if (table.rows < 0 || table.columns < 0)
        throw Failure("it is no grid: nrows or ncols are missing");
    requireSize(table.rows, table.columns);
    for (Index k = 0; k < table.rows * table.columns; ++k) table.values.push_back(words.number());
    return table;
}

class Matrix {
public:
    explicit Matrix(const std::string& text) : words_(text) {
        const MatrixHead head = matrixHeadOf(std::string_view(text).substr(0, text.find('\n')));
        if (head.field == MatrixHead::Field::Complex ||
            head.symmetry == MatrixHead::Symmetry::Hermitian)
            throw Failure("complex matrices are not read");
        isSkew_ = head.symmetry == MatrixHead::Symmetry::Skew;
        isSymmetric_ = head.symmetry != MatrixHead::Symmetry::General;
        isPattern_ = head.field == MatrixHead::Field::Pattern;
        table_.rows = words_.count(mostElements);
        table_.columns = words_.count(mostElements);
        requireSize(table_.rows, table_.columns);
        if (isSymmetric_ && table_.rows != table_.columns)
            throw Failure("it is symmetric, but not square");
        table_.values.assign(static_cast<std::size_t>(table_.rows * table_.columns), 0.0);
        if (head.form == MatrixHead::Form::Coordinate)
            readCoordinates();
        else
            readColumns();
    }
    const Table& table() const { return table_; }

private:
    void readCoordinates() {
        for (Index left = words_.count(mostElements); left > 0; --left) {
            const Index row = words_.count(table_.rows) - 1,
                        column = words_.count(table_.columns) - 1;
            if (row < 0 || column < 0) throw Failure("its rows and columns count from 1");
            set(row, column, isPattern_ ? 1 : words_.number());
        }
    }
    void readColumns() {
        for (Index column = 0; column < table_.columns; ++column)
            for (Index row = isSymmetric_ ? column + isSkew_ : 0; row < table_.rows; ++row)
                set(row, column, words_.number());
    }
    void set(Index row, Index column, double value) {
        table_.values[static_cast<std::size_t>(row * table_.columns + column)] += value;
        if (isSymmetric_ && row != column)
            table_.values[static_cast<std::size_t>(column * table_.columns + row)] +=
                isSkew_ ? -value : value;
    }

    Words words_;
    bool isSymmetric_ = false, isSkew_ = false, isPattern_ = false;
    Table table_;
};

Table parseMatrix(const std::string& text) { return Matrix(text).table(); }

std::string gridText(const Table& table) {
    std::string text = "ncols " + std::to_string(table.columns) + "\nnrows " +
                       std::to_string(table.rows) +
                       "\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -9999\n";
    for (std::size_t k = 0; k < table.values.size(); ++k) {
        appendText(text, reinterpret_cast<const char*>(&table.values[k]), fileNumber<double>());
        text += (k + 1) % static_cast<std::size_t>(table.columns) == 0 ? '\n' : ' ';
    }
    return text;
}

std::string matrixText(const Table& table) {
    std::string text = "%%MatrixMarket matrix array real general\n" + std::to_string(table.rows) +
                       " " + std::to_string(table.columns) + "\n";
    for (Index column = 0; column < table.columns; ++column)
        for (Index row = 0; row < table.rows; ++row) {
            const double& value =
                table.values[static_cast<std::size_t>(row * table.columns + column)];
            appendText(text, reinterpret_cast<const char*>(&value), fileNumber<double>());
            text += '\n';
        }
    return text;
}

class Reader final : public Stream {
public:
    Reader(Table table, FileNumber number) : table_(std::move(table)), number_(number) {}
    void pass(char* elements, Index count) override {
        for (Index k = 0; k < count; ++k)
            fromDouble(table_.values[next_++], elements + k * number_.bytes, number_);
    }

private:
    Table table_;
    FileNumber number_;
    std::size_t next_ = 0;
};

using TextOf = std::string (*)(const Table&);

class Writer final : public Stream {
public:
    Writer(DiskFile& file, const FileArray& array, TextOf text)
        : file_(file),
          number_(*array.number),
          text_(text),
          table_{array.shape[0], array.shape[1], {}} {}
    void pass(char* elements, Index count) override {
        for (Index k = 0; k < count; ++k)
            table_.values.push_back(toDouble(elements + k * number_.bytes, number_));
    }
    void finish() override {
        const std::string text = text_(table_);
        file_.write(text.data(), static_cast<Index>(text.size()), 0);
    }

private:
    DiskFile& file_;
    FileNumber number_;
    TextOf text_;
    Table table_;
};

class TableFormat final : public FileFormat {
public:
    using Parse = Table (*)(const std::string& text);
    TableFormat(Parse parse, TextOf text) : parse_(parse), text_(text) {}

    bool isPlaced() const override { return false; }
    void requireWritable(const FileArray& array) const override {
        if (array.shape.size() != 2)
            throw Failure("such a table has 2 dimensions, the array has " +
                          std::to_string(array.shape.size()));
        if (array.number->kind == FileNumber::Complex) throw Failure("it holds no complex numbers");
        if (array.number->kind >= FileNumber::Opaque) throw Failure("a table of text has numbers");
        requireSize(array.shape[0], array.shape[1]);
    }
    FileArray look(DiskFile& file, const FileArray* wanted) const override {
        if (wanted != nullptr && wanted->number->kind == FileNumber::Complex)
            throw Failure("it holds no complex numbers");
        const Table table = parse_(textOf(file));
        FileArray array;
        array.shape = {table.rows, table.columns};
        return array;
    }
    std::unique_ptr<Stream> writer(DiskFile& file, const FileArray& array) const override {
        return std::make_unique<Writer>(file, array, text_);
    }
    std::unique_ptr<Stream> reader(DiskFile& file, const FileArray& array) const override {
        return std::make_unique<Reader>(parse_(textOf(file)), *array.number);
    }

private:
    Parse parse_;
    TextOf text_;
};

}  // namespace

const FileFormat& gridFormat() {
    static const TableFormat format(parseGrid, gridText);
    return format;
}
const FileFormat& matrixFormat() {
    static const TableFormat format(parseMatrix, matrixText);
    return format;
}

}  // namespace hpspmd::detail::files
