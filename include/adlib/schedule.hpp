// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Schedule, a prepared communication without element type, and the base classes of the schedule
/// classes of operations that move elements (Remap, WriteHalo, ..).

#include <adlib/combining.hpp>
#include <adlib/operand.hpp>
#include <memory>
#include <optional>
#include <vector>

namespace hpspmd::detail {

class Transfer;

/// The descriptors of the destination and the source that a schedule was made for, where they are
/// known to share no element.
class MadeFor {
public:
    MadeFor(const Operand& to, const Operand& from);

    /// AdlibError unless these arrays have the same descriptors and share no element. Collective
    /// over the APG if they are sections of one array, once for each distance between them.
    void require(const Call& call, const Operand& to, const Operand& from);

    /// For as long as this lives.
    Descriptor destination() const {
        return {toGroup_, toMaps_.data(), static_cast<int>(toMaps_.size())};
    }

private:
    Group toGroup_, fromGroup_;
    std::vector<Map> toMaps_, fromMaps_;
    std::optional<Index> apart_;  // of two in one storage: by so many elements
};

/// Its maker (the inspector) has decided what goes where; running it (the executor) may be repeated
/// with any contents, and with other arrays of the same descriptors.
class Schedule {
public:
    /// `plan`: fingerprint of what the messages depend on, 0 if there are none on any process.
    Schedule(std::unique_ptr<Transfer> transfer, const Call& call, Fingerprint plan,
             const Operand& to, const Operand& from);
    ~Schedule();
    Schedule(Schedule&&) noexcept;
    Schedule& operator=(Schedule&&) noexcept;

    /// Around start() and finish() of one execution, which observers are told as one call.
    Call call(Where where) const { return Call(call_, where); }

    /// start() and finish(), of two arrays, where their elements are.
    void execute(const Operand& to, const Operand& from, Where where);
    /// Posts the messages and copies what stays. If it is already under way, another instance of it
    /// is used. AdlibError unless the arrays have the descriptors of those the schedule was made
    /// for and, if these were two, share no element.
    void start(const Operand& to, const Operand& from, Where where,
               const Combining& combining = {});
    /// Returns when the destination of the first start() that was not finished is complete.
    /// AdlibError if there is none.
    void finish(Where where);

    /// Ghost cells that a schedule within one array fills, by dimension.
    struct Filled {
        Index low, high;
        bool cyclic;
    };
    void fills(std::vector<Filled> cells) { filled_ = std::move(cells); }

private:
    std::vector<std::unique_ptr<Transfer>> idle_, underWay_;
    const char* call_;
    Fingerprint plan_;
    MadeFor madeFor_;
    std::vector<Filled> filled_;     // empty: it writes elements of the destination
    std::vector<Operand> observed_;  // the destinations of those under way, if an observer is told
};

/// A schedule bound to a destination and a source.
template <class To, class From>
class TwoArraySchedule {
public:
    void execute(Where where = Where::here()) { execute(to_, from_, where); }
    void execute(const To& to, const From& from, Where where = Where::here()) {
        const Call call = schedule_.call(where);
        schedule_.execute(operandAnywhere("destination", to, where),
                          operandAnywhere("source", from, where), where);
    }

    /// destination element = op(destination element, the one that comes), where one comes.
    template <class Op>
    void execute(const Op& op, Where where = Where::here()) {
        execute(to_, from_, op, where);
    }
    template <class Op>
    void execute(const To& to, const From& from, const Op& op, Where where = Where::here()) {
        const auto& operation = callable(op);
        const Call call = schedule_.call(where);
        schedule_.start(operand("destination", to, where), readOperand("source", from, where),
                        where, combiningBy<typename To::Element>(operation));
        schedule_.finish(where);
    }

    /// execute() in two halves; between them neither array may be touched.
    void start(Where where = Where::here()) { start(to_, from_, where); }
    void start(const To& to, const From& from, Where where = Where::here()) {
        keepHome(to, where);
        begin(to, from, where);
    }
    void finish(Where where = Where::here()) { schedule_.finish(where); }

protected:
    TwoArraySchedule(const To& to, const From& from, Schedule schedule)
        : to_(to), from_(from), schedule_(std::move(schedule)) {}

private:
    void begin(const To& to, const From& from, Where where) {
        schedule_.start(operand("destination", to, where), readOperand("source", from, where),
                        where);
    }

    To to_;
    From from_;
    Schedule schedule_;
};

/// A schedule that moves elements within one array.
template <class A>
class OneArraySchedule {
public:
    void execute(Where where = Where::here()) { execute(array_, where); }
    void execute(const A& array, Where where = Where::here()) {
        const Call call = schedule_.call(where);
        begin(array, where);
        finish(where);
    }

    /// execute() in two halves; between them elements may be read, but none written and no ghost
    /// cell touched.
    void start(Where where = Where::here()) { start(array_, where); }
    void start(const A& array, Where where = Where::here()) {
        keepHome(array, where);
        begin(array, where);
    }
    void finish(Where where = Where::here()) { schedule_.finish(where); }

protected:
    OneArraySchedule(const A& array, Schedule schedule)
        : array_(array), schedule_(std::move(schedule)) {}

private:
    void begin(const A& array, Where where) {
        const Operand both = operand("array", array, where);
        schedule_.start(both, both, where);
    }

    A array_;
    Schedule schedule_;
};

/// The demands that types can show: equal element types and ranks, a destination that can change.
template <class To, class From>
constexpr void requireSameKind() {
    static_assert(!std::is_const_v<typename To::Element>,
                  "the destination of a collective must not be an array of const elements");
    static_assert(std::is_same_v<typename To::Element, std::remove_const_t<typename From::Element>>,
                  "destination and source of a collective must have the same element type");
    static_assert(To::rank() == From::rank(),
                  "destination and source of a collective must have the same rank");
}

}  // namespace hpspmd::detail
