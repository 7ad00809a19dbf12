// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// A nest that has a kernel: by one device, by several ones and the host, or in pieces.

#include <hpspmd/device/launch.hpp>

namespace hpspmd::detail {

/// Local subscripts first .. last of an outermost loop.
struct RowPart {
    Index first = 0, last = -1;
};

/// An outermost loop, and what of its range the process holds.
struct OutermostLoop {
    RowPart part, held;
};

/// Who runs a nest.
struct Division {
    int parts = 0;           ///< so many on devices; 0: the host runs all of it
    bool isWhole = true;     ///< one part, which is all of it
    RowPart left = {};       ///< what is left to the host otherwise
    bool isInTurns = false;  ///< there may be more to do
};

/// A part whose arrays are where it runs.
struct EnteredPart {
    RowPart rows;
    RunsAt place;
};
EnteredPart enterPart(int number, Where nest);
void leavePart(int number, Where nest);
/// The host has run its part, if there is one, behind those of the devices.
void leaveHost();
/// Of a division in turns, once the host has run its part: another turn, if there is one.
bool nextTurn(Division& division, Where nest);
/// The device of the part does not run it, and the host has all elements.
void stayAtHome();

/// What of a loop with that step lies in a part.
inline Run cutTo(const Run& run, const RowPart& part, Index step) {
    return run.cut(part.first, part.last, step);
}

template <class T, class... Slots>
void takeHome(const Array<T, Slots...>& a, Where where) {
    bringHome(a.storage(), Use::Writes, where);
}
template <class V>
void takeHome(const V&, Where) {}

/// A kernel whose arrays are on the devices that takeToDevice() has chosen.
template <class... P>
class DeviceRun {
public:
    DeviceRun(const Kernel<P...>& kernel, const Site& site, const Division& division, Index step)
        : kernel_(&kernel), site_(site), division_(division), step_(step) {}
    /// True if a device runs anything of it.
    explicit operator bool() const { return division_.parts > 0 || division_.isInTurns; }

    /// The numbers that are joined, those of parts in the order of their rows: nothing, one, or a
    /// tuple of several.
    template <class First, class... A>
    auto run(const First& outermost, const A&... others) const {
        auto totals = std::tuple_cat(totalOf(outermost), totalOf(others)...);
        if constexpr (std::is_same_v<First, Run>) {
            for (int k = 0; k < division_.parts && !division_.isWhole; ++k) {
                const EnteredPart part = enterPart(k, kernel_->where);
                if (part.rows.first <= part.rows.last)
                    runAt(part.place, totals, cutTo(outermost, part.rows, step_), others...);
                leavePart(k, kernel_->where);
            }
        }
        if (division_.isWhole) runAt(RunsAt::Device, totals, outermost, others...);
        if constexpr (std::tuple_size_v<decltype(totals)> == 1)
            return std::get<0>(totals);
        else if constexpr (std::tuple_size_v<decltype(totals)> > 1)
            return totals;
    }

    /// By a library of the device, or else by the kernel, which takes these arguments.
    template <class... A>
    void runOr(const MatrixProduct& product, const A&... arguments) const {
        if (!multiply(*kernel_, product)) run(arguments...);
    }

protected:
    Division& division() { return division_; }
    const Division& division() const { return division_; }
    Where where() const { return kernel_->where; }
    Index step() const { return step_; }

private:
    template <class Totals, class... A>
    void runAt(RunsAt place, Totals& totals, const A&... arguments) const {
        constexpr auto each = std::index_sequence_for<P...>();
        Values values(std::tuple_cat(flattened(arguments, place)...));
        const auto pieces = piecesOf(JoinsOf<A...>(), References());
        if (place == RunsAt::Home ||
            !launch(*kernel_, site_, addresses(values, each).data(), pieces.data())) {
            (takeHome(arguments, kernel_->where), ...);
            stayAtHome();
            values = std::tuple_cat(flattened(arguments, RunsAt::Home)...);
            kernel_->onHost(addresses(values, each).data());
        }
        joinAll(totals, values, JoinsOf<A...>(), each);
    }

    using Values = std::tuple<std::remove_cv_t<std::remove_reference_t<P>>...>;
    template <class T>
    using IfReference = std::conditional_t<std::is_reference_v<T>,
                                           std::tuple<std::remove_reference_t<T>>, std::tuple<>>;
    using References = decltype(std::tuple_cat(IfReference<P>()...));

    template <class... By, class... T>
    static std::array<JoinPieces, sizeof...(By)> piecesOf(std::tuple<By...>, std::tuple<T...>) {
        return {&joinPieces<By, T>...};
    }
    template <std::size_t... k>
    static std::array<void*, sizeof...(k)> addresses(Values& values, std::index_sequence<k...>) {
        return {address(std::get<k>(values))...};
    }
    template <class V>
    static void* address(V& value) {
        return const_cast<void*>(static_cast<const void*>(&value));
    }
    template <std::size_t k>
    static auto resultAt(const Values& values) {
        if constexpr (std::is_reference_v<std::tuple_element_t<k, std::tuple<P...>>>)
            return std::make_tuple(std::get<k>(values));
        else
            return std::tuple<>();
    }
    template <class Totals, class... By, std::size_t... k>
    static void joinAll(Totals& totals, const Values& values, std::tuple<By...> ways,
                        std::index_sequence<k...>) {
        const auto results = std::tuple_cat(resultAt<k>(values)...);
        static_assert(std::tuple_size_v<decltype(results)> == sizeof...(By));
        if constexpr (sizeof...(By) == 1)
            join(ways, std::get<0>(totals), std::get<0>(results));
        else if constexpr (sizeof...(By) > 1)
            join(ways, totals, results);
    }

    const Kernel<P...>* kernel_;
    Site site_;
    Division division_;
    Index step_;
};

/// The same of a nest whose outermost loop has that run, and goes in steps.
template <class... P>
class DividedRun : public DeviceRun<P...> {
public:
    DividedRun(const DeviceRun<P...>& onDevices, const Run& outermost)
        : DeviceRun<P...>(onDevices), outermost_(outermost) {}
    DividedRun(const DividedRun&) = delete;
    DividedRun& operator=(const DividedRun&) = delete;
    ~DividedRun() {
        if (*this && !this->division().isWhole) leaveHost();
    }

    /// To the host.
    bool leavesSome() const {
        return !*this || this->division().left.first <= this->division().left.last;
    }
    RunLeft left() const {
        if (!*this) return {outermost_, false};
        return {cutTo(outermost_, this->division().left, this->step()), true};
    }
    /// True if there is more to do for devices and host, after what both have done.
    bool goesOn() {
        return this->division().isInTurns && nextTurn(this->division(), this->where());
    }

private:
    Run outermost_;
};

/// The devices that can run the nest here and now; its arrays are valid there then, and those
/// written there only. It can be divided if its outermost loop is given. TargetUnavailable if a
/// strict target says so.
Division takeToDevice(const KernelText& kernel, const Site& site, bool isFit, const Taken* begin,
                      const Taken* end, const OutermostLoop* outermost);

template <class... P>
DeviceRun<P...> deviceFor(const Kernel<P...>& kernel, bool isFit,
                          std::initializer_list<Taken> arrays,
                          const char* function = __builtin_FUNCTION()) {
    const Site site{kernel.where, function, true};
    return {kernel, site, takeToDevice(kernel, site, isFit, arrays.begin(), arrays.end(), nullptr),
            1};
}
template <class... P>
DividedRun<P...> deviceFor(const Kernel<P...>& kernel, bool isFit,
                           std::initializer_list<Taken> arrays, const Run& outermost,
                           Index step = 1, const char* function = __builtin_FUNCTION()) {
    const Site site{kernel.where, function, true};
    const OutermostLoop loop{{outermost.first, outermost.last},
                             {outermost.lowest(), outermost.highest()}};
    const Division division =
        takeToDevice(kernel, site, isFit, arrays.begin(), arrays.end(), &loop);
    return {DeviceRun<P...>(kernel, site, division, step), outermost};
}

}  // namespace hpspmd::detail
