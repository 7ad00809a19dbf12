// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Which copies of the rows of an array are valid, where several devices and the host have copies,
/// and what must be copied before rows are used. Pure. A row is a slot of the storage, so that
/// arrays and their sections mean the same.

#include <hpspmd/where.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace hpspmd::detail {

/// Rows begin .. end - 1.
struct Stretch {
    Index begin = 0, end = 0;

    bool isEmpty() const { return begin >= end; }
    Stretch cut(const Stretch& other) const {
        return {std::max(begin, other.begin), std::min(end, other.end)};
    }
    /// The least that holds both.
    Stretch joined(const Stretch& other) const {
        if (isEmpty() || other.isEmpty()) return isEmpty() ? other : *this;
        return {std::min(begin, other.begin), std::max(end, other.end)};
    }
    friend bool operator==(const Stretch& a, const Stretch& b) {
        return a.begin == b.begin && a.end == b.end;
    }
};

/// A set of rows: disjoint stretches in ascending order, with gaps between them.
class RowSet {
public:
    const std::vector<Stretch>& stretches() const { return stretches_; }

    void add(Stretch rows) {
        if (rows.isEmpty()) return;
        std::vector<Stretch> result;
        for (const Stretch& each : stretches_) {
            if (each.end < rows.begin || each.begin > rows.end)
                result.push_back(each);
            else
                rows = rows.joined(each);
        }
        const auto place = std::find_if(result.begin(), result.end(), [&](const Stretch& each) {
            return each.begin > rows.begin;
        });
        result.insert(place, rows);
        stretches_ = std::move(result);
    }

    void remove(const Stretch& rows) {
        if (rows.isEmpty()) return;
        std::vector<Stretch> result;
        for (const Stretch& each : stretches_)
            for (const Stretch& left :
                 {each.cut({each.begin, rows.begin}), each.cut({rows.end, each.end})})
                if (!left.isEmpty()) result.push_back(left);
        stretches_ = std::move(result);
    }

    /// What of these rows is in the set.
    std::vector<Stretch> in(const Stretch& rows) const {
        std::vector<Stretch> result;
        for (const Stretch& each : stretches_)
            if (const Stretch both = each.cut(rows); !both.isEmpty()) result.push_back(both);
        return result;
    }

    /// What of these rows is not in the set.
    std::vector<Stretch> missingIn(const Stretch& rows) const {
        std::vector<Stretch> result;
        Index begin = rows.begin;
        for (const Stretch& each : in(rows)) {
            if (begin < each.begin) result.push_back({begin, each.begin});
            begin = each.end;
        }
        if (begin < rows.end) result.push_back({begin, rows.end});
        return result;
    }

private:
    std::vector<Stretch> stretches_;
};

/// Rows that one copy gives another one. The copy 0 is the one at home.
struct RowMove {
    Stretch rows;
    std::size_t from, to;
};

/// Each row is valid in one copy at least.
class RowStates {
public:
    /// All of `rows` rows are valid at home.
    explicit RowStates(Index rows) : valid_(1), rows_(rows) { valid_[0].add({0, rows}); }

    std::size_t addCopy() {
        valid_.emplace_back();
        return valid_.size() - 1;
    }

    /// What must be moved before `copy` uses the rows, in this order: devices give each other rows
    /// by way of the host.
    std::vector<RowMove> movesFor(std::size_t copy, const Stretch& rows) const {
        std::vector<RowMove> moves;
        for (const Stretch& missing : valid_[copy].missingIn(rows.cut({0, rows_}))) {
            for (const Stretch& away : valid_[0].missingIn(missing)) fetch(away, moves);
            if (copy != 0) moves.push_back({missing, 0, copy});
        }
        return moves;
    }

    /// A move has been done, or what a copy held before has been given to it otherwise.
    void becomesValid(std::size_t copy, const Stretch& rows) {
        valid_[copy].add(rows.cut({0, rows_}));
    }

    /// The rows, which are valid in `copy`, change there.
    void isWritten(std::size_t copy, const Stretch& rows) {
        for (std::size_t other = 0; other < valid_.size(); ++other)
            if (other != copy) valid_[other].remove(rows);
    }

    /// The copy is given up; none of its rows is valid nowhere else.
    void drop(std::size_t copy) { valid_[copy] = {}; }

    const RowSet& validIn(std::size_t copy) const { return valid_[copy]; }

private:
    /// Rows that are not valid at home, each by the first copy that has it.
    void fetch(Stretch rows, std::vector<RowMove>& moves) const {
        std::vector<Stretch> missing{rows};
        for (std::size_t from = 1; from < valid_.size() && !missing.empty(); ++from) {
            std::vector<Stretch> still;
            for (const Stretch& part : missing) {
                for (const Stretch& found : valid_[from].in(part))
                    moves.push_back({found, from, 0});
                const auto left = valid_[from].missingIn(part);
                still.insert(still.end(), left.begin(), left.end());
            }
            missing = std::move(still);
        }
    }

    std::vector<RowSet> valid_;
    Index rows_;
};

}  // namespace hpspmd::detail
