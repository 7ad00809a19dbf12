// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/triples.hpp>
#include <algorithm>
#include <cstring>
#include <hpspmd/active.hpp>

#include "files/format.hpp"
#include "files/lines.hpp"
#include "files/matrix_head.hpp"
#include "files/new_file.hpp"
#include "files/request.hpp"
#include "files/values.hpp"
#include "transport/combine.hpp"

namespace hpspmd::detail::files {
namespace {

// A head (files/matrix_head.hpp), lines of comment that begin with '%', rows, columns and elements,
// and a line for each element: row and column, from 1 on, value.

using Field = MatrixHead::Field;
using Symmetry = MatrixHead::Symmetry;

struct Head : MatrixHead {
    Index rows = 0, columns = 0, elements = 0;
    Index begin = 0, end = 0;  ///< of the lines of elements
};

Index wholeNumber(std::string_view word) {
    Index value = 0;
    if (!fromText(word, reinterpret_cast<char*>(&value), fileNumber<Index>()) || value < 0)
        throw Failure("'" + std::string(word.substr(0, 40)) + "' is no whole number");
    return value;
}

Head headOf(DiskFile& file) {
    Lines lines(file, 0, file.size());
    Head head{matrixHeadOf(lines.next() ? lines.line() : "")};
    if (head.form == MatrixHead::Form::Array)
        throw Failure("it is a matrix of the form 'array', which has no triples: read() reads it");
    head.end = file.size();
    std::vector<std::string_view> words;
    while (words.empty()) {
        if (!lines.next()) throw Failure("its head ends too early");
        if (!lines.line().starts_with('%')) words = wordsOf(lines.line());
    }
    if (words.size() != 3) throw Failure("its head has no rows, columns and number of elements");
    head.rows = wholeNumber(words[0]);
    head.columns = wholeNumber(words[1]);
    head.elements = wholeNumber(words[2]);
    head.begin = std::min(lines.nextBegin(), head.end);
    if (head.symmetry != Symmetry::General && head.rows != head.columns)
        throw Failure("it is symmetric, but not square");
    return head;
}

void requireHolding(const Head& head, FileNumber number) {
    const bool isInteger = number.kind == FileNumber::Signed || number.kind == FileNumber::Unsigned;
    const bool isReal = number.kind == FileNumber::Real,
               isComplex = number.kind == FileNumber::Complex;
    const auto refuse = [&](const char* what) {
        throw Failure(std::string("it has ") + what + ", the values are " + nameOf(number));
    };
    if (head.field == Field::Complex && !isComplex) refuse("complex numbers");
    if (head.field == Field::Real && !isReal && !isComplex) refuse("real numbers");
    if (head.field == Field::Integer && !isInteger && !isReal && !isComplex) refuse("integers");
    if (head.symmetry == Symmetry::Skew && !isReal && !isComplex &&
        number.kind != FileNumber::Signed)
        refuse("negative numbers, being skew-symmetric");
}

void negate(char* element, FileNumber number) {
    withType(number, [&](auto value) {
        std::memcpy(&value, element, sizeof value);
        value = static_cast<decltype(value)>(0 - value);
        std::memcpy(element, &value, sizeof value);
    });
}

/// Takes the lines of elements, one after the other.
class Taker {
public:
    Taker(const Head& head, FileNumber number, TriplesShare& share)
        : head_(head),
          number_(number),
          part_(number.kind == FileNumber::Complex ? FileNumber{FileNumber::Real, number.bytes / 2}
                                                   : number),
          share_(share),
          element_(number.bytes, '\0') {}

    /// How many elements there were, mirrored ones not counted.
    Index count() const { return count_; }

    void take(std::string_view line) {
        const std::vector<std::string_view> words = wordsOf(line);
        if (words.empty() || line.starts_with('%')) return;
        const std::size_t wanted = head_.field == Field::Pattern   ? 2
                                   : head_.field == Field::Complex ? 4
                                                                   : 3;
        if (words.size() != wanted)
            throw Failure("it has " + std::to_string(words.size()) + " words instead of " +
                          std::to_string(wanted));
        const Index row = place(words[0], head_.rows, "row"),
                    column = place(words[1], head_.columns, "column");
        readValue(words);
        ++count_;
        add(row, column);
        if (head_.symmetry == Symmetry::General || row == column) {
            if (head_.symmetry == Symmetry::Skew)
                throw Failure("a skew-symmetric matrix has no elements on its diagonal");
            return;
        }
        if (head_.symmetry == Symmetry::Skew)
            for (std::uint32_t at = 0; at < number_.bytes; at += part_.bytes)
                negate(&element_[at], part_);
        if (head_.symmetry == Symmetry::Hermitian && part_ != number_)
            negate(&element_[part_.bytes], part_);
        add(column, row);
    }

private:
    static Index place(std::string_view word, Index most, const char* what) {
        const Index number = wholeNumber(word);
        if (number < 1 || number > most)
            throw Failure("there is no " + std::string(what) + " " + std::to_string(number) +
                          ": they count from 1 to " + std::to_string(most));
        return number - 1;
    }

    void readValue(const std::vector<std::string_view>& words) {
        const std::vector<std::string_view> numbers =
            head_.field == Field::Pattern
                ? std::vector<std::string_view>{"1"}
                : std::vector<std::string_view>(words.begin() + 2, words.end());
        element_.assign(number_.bytes, '\0');
        for (std::size_t k = 0; k < numbers.size(); ++k)
            if (!fromText(numbers[k], &element_[k * part_.bytes], part_))
                throw Failure("'" + std::string(numbers[k].substr(0, 40)) + "' is no " +
                              nameOf(part_));
    }

    void add(Index row, Index column) {
        share_.rows.push_back(row);
        share_.columns.push_back(column);
        share_.values += element_;
    }

    const Head& head_;
    FileNumber number_, part_;
    TriplesShare& share_;
    std::string element_;
    Index count_ = 0;
};

/// The lines that begin in this process's part of the file; how many elements they have.
Index takeShare(const std::string& path, const Head& head, FileNumber number, TriplesShare& share) {
    DiskFile file = DiskFile::forReading(path);
    const Index bytes = head.end - head.begin, rank = apg().rank(), size = apg().size();
    const auto cut = [&](Index k) {
        return head.begin + bytes / size * k + bytes % size * k / size;
    };
    // The line in which the part begins belongs to the process before.
    const Index begin = rank == 0 ? head.begin : cut(rank) - 1;
    Lines lines(file, begin, cut(rank + 1));
    if (rank > 0) lines.next();
    Taker taker(head, number, share);
    while (lines.next()) try {
            taker.take(lines.line());
        } catch (const Failure& failure) {
            throw Failure("line " + std::to_string(lineNumber(file, lines.begin())) + ": " +
                          failure.what());
        }
    return taker.count();
}

void addAll(void* left, const void* right, std::size_t bytes, const void*) {
    auto* to = static_cast<Index*>(left);
    const auto* from = static_cast<const Index*>(right);
    for (std::size_t k = 0; k < bytes / sizeof *to; ++k) to[k] += from[k];
}

void addUp(const Entered& entered, Index* values, std::size_t count) {
    transport::combine(entered, apg(), {reinterpret_cast<char*>(values), sizeof *values, count},
                       {addAll});
}

TriplesShare readShare(const Entered& entered, const std::string& file, FileNumber number) {
    Outcome outcome(entered);
    Head head;
    if (isFirst())
        outcome.attempt([&] {
            DiskFile handle = DiskFile::forReading(file);
            head = headOf(handle);
            requireHolding(head, number);
        });
    outcome.require();
    transport::broadcast(entered, apg(), 0, &head, sizeof head);
    TriplesShare share;
    share.shape = {head.rows, head.columns};
    Index found = 0;
    outcome.attempt([&] { found = takeShare(file, head, number, share); });
    outcome.require();
    addUp(entered, &found, 1);
    if (found != head.elements)
        throw Failure("it has " + std::to_string(found) + " elements, its head says " +
                      std::to_string(head.elements));
    share.counts.assign(static_cast<std::size_t>(apg().size()), 0);
    share.counts[static_cast<std::size_t>(apg().rank())] = static_cast<Index>(share.rows.size());
    addUp(entered, share.counts.data(), share.counts.size());
    return share;
}

}  // namespace
}  // namespace hpspmd::detail::files

namespace hpspmd::detail {

TriplesShare readTriplesShare(const std::string& file, FileNumber number, Where where) {
    const Call call{"readTriples", where};
    return files::onFile(call, file, "read", [&] {
        return files::readShare(files::entered(call, file, nullptr), file, number);
    });
}

}  // namespace hpspmd::detail
