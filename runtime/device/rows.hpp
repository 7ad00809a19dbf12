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
struct RowStretch {
    Index begin = 0, end = 0;

    bool isEmpty() const { return begin >= end; }
    RowStretch cut(const RowStretch& other) const {
        return {std::max(begin, other.begin), std::min(end, other.end)};
    }
    /// The least that holds both.
    RowStretch joined(const RowStretch& other) const {
        if (isEmpty() || other.isEmpty()) return isEmpty() ? other : *this;
        return {std::min(begin, other.begin), std::max(end, other.end)};
    }
    friend bool operator==(const RowStretch& a, const RowStretch& b) {
        return a.begin == b.begin && a.end == b.end;
    }
};

/// A set of rows: disjoint stretches in ascending order, with gaps between them.
class RowSet {
public:
    const std::vector<RowStretch>& stretches() const { return stretches_; }

    void add(RowStretch rows) {
        if (rows.isEmpty()) return;
        std::vector<RowStretch> result;
        for (const RowStretch& each : stretches_) {
            if (each.end < rows.begin || each.begin > rows.end)
                result.push_back(each);
            else
                rows = rows.joined(each);
        }
        const auto place = std::find_if(result.begin(), result.end(), [&](const RowStretch& each) {
            return each.begin > rows.begin;
        });
        result.insert(place, rows);
        stretches_ = std::move(result);
    }

    void remove(const RowStretch& rows) {
        if (rows.isEmpty()) return;
        std::vector<RowStretch> result;
        for (const RowStretch& each : stretches_)
            for (const RowStretch& left :
                 {each.cut({each.begin, rows.begin}), each.cut({rows.end, each.end})})
                if (!left.isEmpty()) result.push_back(left);
        stretches_ = std::move(result);
    }

    /// What of these rows is in the set.
    std::vector<RowStretch> in(const RowStretch& rows) const {
        std::vector<RowStretch> result;
        for (const RowStretch& each : stretches_)
            if (const RowStretch both = each.cut(rows); !both.isEmpty()) result.push_back(both);
        return result;
    }

    /// What of these rows is not in the set.
    std::vector<RowStretch> missingIn(const RowStretch& rows) const {
        std::vector<RowStretch> result;
        Index begin = rows.begin;
        for (const RowStretch& each : in(rows)) {
            if (begin < each.begin) result.push_back({begin, each.begin});
            begin = each.end;
        }
        if (begin < rows.end) result.push_back({begin, rows.end});
        return result;
    }

private:
    std::vector<RowStretch> stretches_;
};

/// Rows that one copy gives another one. The copy 0 is the one at home.
struct RowMove {
    RowStretch rows;
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

    /// What other devices may give `copy`, a device, before it uses the rows: those that are not
    /// valid at home.
    std::vector<RowMove> directMovesFor(std::size_t copy, const RowStretch& rows) const {
        std::vector<RowMove> moves;
        for (const RowStretch& missing : valid_[copy].missingIn(rows.cut({0, rows_})))
            for (const RowStretch& away : valid_[0].missingIn(missing)) fetch(away, copy, moves);
        return moves;
    }

    /// What must be moved before `copy` uses the rows, in this order, by way of the host: from
    /// home, and from devices to there.
    std::vector<RowMove> movesFor(std::size_t copy, const RowStretch& rows) const {
        std::vector<RowMove> moves;
        for (const RowStretch& missing : valid_[copy].missingIn(rows.cut({0, rows_}))) {
            for (const RowStretch& away : valid_[0].missingIn(missing)) fetch(away, 0, moves);
            if (copy != 0) moves.push_back({missing, 0, copy});
        }
        return moves;
    }

    /// A move has been done, or what a copy held before has been given to it otherwise.
    void becomesValid(std::size_t copy, const RowStretch& rows) {
        valid_[copy].add(rows.cut({0, rows_}));
    }

    /// The rows, which are valid in `copy`, change there.
    void isWritten(std::size_t copy, const RowStretch& rows) {
        for (std::size_t other = 0; other < valid_.size(); ++other)
            if (other != copy) valid_[other].remove(rows);
    }

    /// The copy is given up; none of its rows is valid nowhere else.
    void drop(std::size_t copy) { valid_[copy] = {}; }

    const RowSet& validIn(std::size_t copy) const { return valid_[copy]; }

private:
    /// Rows that are not valid at home, each by the first copy that has it.
    void fetch(RowStretch rows, std::size_t to, std::vector<RowMove>& moves) const {
        std::vector<RowStretch> missing{rows};
        for (std::size_t from = 1; from < valid_.size() && !missing.empty(); ++from) {
            std::vector<RowStretch> still;
            for (const RowStretch& part : missing) {
                for (const RowStretch& found : valid_[from].in(part))
                    moves.push_back({found, from, to});
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
