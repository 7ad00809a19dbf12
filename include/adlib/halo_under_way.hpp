// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// writeHalo beside the interior of a nest: hpcc -O3 emits these.

#include <adlib/write_halos.hpp>
#include <hpspmd/nest.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

namespace hpspmd::detail {

class EnteredHalo;
class GhostExchange;

/// What the environment variable HPSPMD_OVERLAP says: always, never, or as measured.
enum class Overlapping { Measured, Always, Never };
extern Overlapping wantedOverlapping;

/// writeHalo(array, ..) that has begun. Its messages are under way until finish() if that pays, as
/// the first executions show, or the environment variable HPSPMD_OVERLAP says so; else the
/// constructor has completed it. Who moves an array from or to a device meanwhile completes it,
/// too.
///
///     HaloUnderWay a_halo(a);
///     if (..) {
///         NestParts i_parts(a_halo, disjoint(b, a), Margin(i_run, 1, 1));   // .sending(a.rng(0))
///         while (i_parts.next()) apart([&](const auto& i_run) { .. }, i_parts[0]);
///     } else {
///         a_halo.finish();
///         ..
///     }
class HaloUnderWay {
    template <std::size_t rank>
    using Widths = std::array<int, rank>;
    template <std::size_t rank>
    using Modes = std::array<Adlib::Mode, rank>;

public:
    template <class T, class... Slots>
    explicit HaloUnderWay(const Array<T, Slots...>& array, Where where = Where::here()) {
        if (wantedOverlapping == Overlapping::Always || !fillsAlone(array, where))
            begin(haloOperand(array, where), {}, where);
    }
    template <class T, class... Slots>
    HaloUnderWay(const Array<T, Slots...>& array, const Widths<sizeof...(Slots)>& low,
                 const Widths<sizeof...(Slots)>& high, Where where = Where::here()) {
        begin(haloOperand(array, where), {low.data(), high.data(), nullptr}, where);
    }
    template <class T, class... Slots>
    HaloUnderWay(const Array<T, Slots...>& array, const Widths<sizeof...(Slots)>& low,
                 const Widths<sizeof...(Slots)>& high, const Modes<sizeof...(Slots)>& modes,
                 Where where = Where::here()) {
        begin(haloOperand(array, where), {low.data(), high.data(), modes.data()}, where);
    }
    /// Of several arrays: std::forward_as_tuple(a, b, Adlib::halo(..)).
    template <class... X>
    explicit HaloUnderWay(std::tuple<X...> halos, Where where = Where::here()) {
        begin(std::apply(
                  [&](const auto&... x) { return std::vector<HaloPart>{haloPart(where, x)...}; },
                  halos),
              where);
    }
    /// Completes what is still under way: an error has ended the nest.
    ~HaloUnderWay() {
        if (isUnderWay_) end();
    }
    HaloUnderWay(const HaloUnderWay&) = delete;
    HaloUnderWay& operator=(const HaloUnderWay&) = delete;

    bool isUnderWay() const { return isUnderWay_; }
    /// True if an array was on a device when it began.
    bool isOnDevice() const { return isOnDevice_; }
    /// Lets messages that can travel do so.
    void poll();
    /// Completes it; nothing if it is complete.
    void finish() {
        if (std::exchange(isUnderWay_, false)) complete();
    }
    /// The nest has run: what was measured counts.
    void noteTime() {
        if (state_ != nullptr) note();
    }

private:
    template <class A>
    static Operand haloOperand(const A& array, Where where) {
        requireChangeable<A>();
        return operandAnywhere("array", array, where);
    }
    void begin(const Operand& array, const HaloRequest& request, Where where);
    void begin(const std::vector<HaloPart>& parts, Where where);
    using HaloArrays = std::function<const Operand&(std::size_t)>;
    void begin(EnteredHalo& call, const HaloArrays& arrays);
    static void complete(GhostExchange& ghosts, EnteredHalo& call, const HaloArrays& arrays);
    void complete();
    void end() noexcept;
    void note();

    struct State;
    struct DeleteState {
        void operator()(State* state) const;
    };
    std::unique_ptr<State, DeleteState> state_;  // null if nothing travels or is to be measured
    bool isUnderWay_ = false, isOnDevice_ = false;
};

/// A loop of such a nest: the `low` elements at the lower end of the block, and the `high` ones at
/// the upper end, read ghost cells.
struct Margin {
    Run run;
    Index low, high;
    Index step = 1;

    Margin(const Run& run, Index low, Index high, Index step = 1)
        : run(run), low(run.isSplit() ? low : 0), high(run.isSplit() ? high : 0), step(step) {}

    /// Of a nest that writes the array that is exchanged: elements that are sent, of which the
    /// neighbours in this dimension have ghost cells, change behind the exchange.
    Margin sending(const Range& x) const {
        Margin result = *this;
        if (!run.isSplit()) return result;
        result.low = std::max(low, x.hiExtension());
        result.high = std::max(high, x.loExtension());
        return result;
    }

    Run inner() const { return run.cut(begin(), end(), step); }
    Run below() const { return run.cut(run.first, begin() - 1, step); }
    Run above() const { return run.cut(end() < begin() ? begin() : end() + 1, run.last, step); }

private:
    Index begin() const { return run.lowest() + low; }
    Index end() const { return run.highest() - high; }
};

/// The parts of a nest over n ranges: the interior, which reads no ghost cell, in slabs between
/// which messages travel, or in one where a device computes it meanwhile; then, after the exchange,
/// the rim. All of it as one part if the exchange is complete, or if the arrays are not `apart`:
/// what is written might be read by other indices.
template <std::size_t n>
class NestParts {
public:
    template <class... M>
    NestParts(HaloUnderWay& halo, bool apart, const M&... margins)
        : halo_(halo), runs_{margins.run...} {
        if (!apart) halo_.finish();
        if (!halo_.isUnderWay()) return;
        margins_.emplace(std::array<Margin, n>{margins...});
        if (halo_.isOnDevice()) slabs_ = 1;
    }

    /// Goes on to the next part; false if there is none.
    bool next() {
        if (!margins_) return part_++ == 0 || end();
        return nextOfSeveral();
    }

    const Run& operator[](std::size_t k) const { return runs_[k]; }

private:
    [[gnu::noinline]] bool nextOfSeveral() {
        while (part_ < slabs_) {
            if (part_ > 0) halo_.poll();
            takeSlab(part_++);
            if (!isEmpty()) return true;
        }
        halo_.finish();
        while (part_ < slabs_ + 2 * n) {
            takeRim(part_++ - slabs_);
            if (!isEmpty()) return true;
        }
        return end();
    }

    bool end() {
        halo_.noteTime();
        return false;
    }

    void takeSlab(std::size_t slab) {
        for (std::size_t k = 0; k < n; ++k) runs_[k] = (*margins_)[k].inner();
        const Index count = runs_[0].last - runs_[0].first + 1, step = (*margins_)[0].step;
        const Index length = (count / static_cast<Index>(slabs_) / step + 1) * step;
        const Index first = runs_[0].first + static_cast<Index>(slab) * length;
        runs_[0] = runs_[0].cut(first, first + length - 1, step);
    }

    /// Outer dimensions without, inner ones with what is near their ends.
    void takeRim(std::size_t piece) {
        const std::size_t side = piece / 2;
        for (std::size_t k = 0; k < n; ++k)
            runs_[k] = k < side ? (*margins_)[k].inner() : (*margins_)[k].run;
        runs_[side] = piece % 2 == 0 ? (*margins_)[side].below() : (*margins_)[side].above();
    }

    bool isEmpty() const {
        for (const Run& run : runs_)
            if (run.last < run.first) return true;
        return false;
    }

    HaloUnderWay& halo_;
    std::optional<std::array<Margin, n>> margins_;  // nothing if it is complete
    std::array<Run, n> runs_;
    std::size_t slabs_ = 4, part_ = 0;
};
template <class... M>
NestParts(HaloUnderWay&, bool, const M&...) -> NestParts<sizeof...(M)>;

}  // namespace hpspmd::detail
