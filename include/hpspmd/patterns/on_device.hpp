// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Chains on devices: one kernel for all stages, if each function has its text (kernel.hpp).

#include <hpspmd/patterns/demands.hpp>
#include <hpspmd/patterns/folds.hpp>
#include <hpspmd/patterns/kernel.hpp>

#include <algorithm>
#include <functional>
#include <utility>

namespace hpspmd::patterns::detail {

/// A chain of these stages that reads elements of types E, and writes those of types O.
template <class Stages, class Out, class... E>
class DeviceChain;
template <class... S, class... O, class... E>
class DeviceChain<std::tuple<S...>, std::tuple<O...>, E...> {
    using Stages = std::tuple<S...>;
    using Last = LastOf<S...>;
    using T = typename Last::Type;
    using Captured = decltype(std::tuple_cat(std::declval<typename KernelOf<S>::Captured>()...));
    using All = CapturedBy<Captured>;
    using Passed = typename All::Passed;
    using RunsAt = hpspmd::detail::RunsAt;
    static constexpr std::size_t arrays = sizeof...(O) + sizeof...(E);

public:
    static constexpr std::size_t maps = sizeof...(S) - (Last::isReduction ? 1 : 0);
    static constexpr bool isFit =
        maps > 0 && Last::isFit && (kernelWord<O>() && ...) &&
        haveKernels<0, Stages>(static_cast<const std::tuple<E...>*>(nullptr));

    /// False if the host is to run it. Adds to the total what a reduce joins.
    template <class... OutArray, class... InArray>
    static bool run(const Named& pattern, const Stages& stages, T& total,
                    const std::tuple<const OutArray&...>& out, const InArray&... in) {
        using namespace hpspmd::detail;
        const Site site = pattern.site.withKernel();
        auto places = placesOf(std::get<0>(std::tie(in...)));
        std::apply([&](const auto&... result) { places.joinRows(in..., result...); }, out);
        if (places.size() == 0) return false;
        const Captured captured = std::apply(
            [](const auto&... stage) { return std::tuple_cat(capturedBy(stage)...); }, stages);
        if (!All::isFit(captured)) {
            fallBack(site, "an array that it captures is null, or no elements side by side");
            return false;
        }
        const auto held = All::hold(captured, site.where);
        bool isContiguous = true;
        places.forRows(0, places.size(), [&](const auto&, Index step, Index) {
            isContiguous = isContiguous && step == 1;
        });
        return std::apply(
            [&](const auto&... result) {
                isContiguous = isContiguous && ((Argument<const InArray>::step(in) == 1) && ...) &&
                               ((Argument<const OutArray>::step(result) == 1) && ...);
                std::vector<Taken> taken{reads(in)...};
                All::note(taken, held);
                const bool isInPlace = (isAmong(result, taken) || ...);
                const KernelText& kernel =
                    patternKernel(codeOf(site, stages, captured, isInPlace, isContiguous));
                (taken.push_back(writes(result)), ...);
                const Taken* const all = taken.data();
                if (takeToDevice(kernel, site, true, all, all + taken.size(), nullptr).parts == 0)
                    return false;
                RunsAt at = RunsAt::Device;
                places.forRows(0, places.size(), [&](const auto& subs, Index step, Index count) {
                    Row row{kernels::Run{0, count - 1, 0, 0, count - 1},
                            {elementOf(result, subs, at)...},
                            {elementOf(in, subs, at)...},
                            {kernels::Stride{Argument<const OutArray>::step(result) * step}...,
                             kernels::Stride{Argument<const InArray>::step(in) * step}...},
                            BySum::start(T()),
                            All::pass(held, at)};
                    if (at == RunsAt::Device && launch(kernel, site, row.addresses(), joins))
                        return add(total, row);
                    if (at == RunsAt::Device) {
                        at = RunsAt::Home;
                        for (const Taken& each : taken) atHome(site.where, each);
                        row.captured = All::pass(held, at);
                        row.out = {elementOf(result, subs, at)...};
                        row.in = {elementOf(in, subs, at)...};
                        row.joined = BySum::start(T());
                    }
                    onHost(row.addresses());
                    add(total, row);
                });
                return true;
            },
            out);
    }

private:
    struct Row {
        kernels::Run run;
        std::tuple<O*...> out;
        std::tuple<const E*...> in;
        std::array<kernels::Stride, arrays> steps;
        T joined;
        Passed captured;
        std::vector<void*> all = {};

        void** addresses() {
            all = {&run};
            const auto note = [this](auto&... value) {
                (all.push_back(const_cast<void*>(static_cast<const void*>(&value))), ...);
            };
            std::apply(note, out);
            std::apply(note, in);
            std::apply(note, steps);
            if (Last::isReduction) note(joined);
            std::apply(note, captured);
            return all.data();
        }
    };

    static constexpr hpspmd::detail::JoinPieces joins[] = {
        &hpspmd::detail::joinPieces<hpspmd::detail::BySum, T>};

    static void add(T& total, const Row& row) {
        if constexpr (Last::isReduction) total = hpspmd::detail::BySum::join(total, row.joined);
    }

    template <class A>
    static bool isAmong(const A& array, const std::vector<hpspmd::detail::Taken>& taken) {
        return std::any_of(taken.begin(), taken.end(), [&](const hpspmd::detail::Taken& each) {
            return each.storage == array.storage();
        });
    }

    template <class F>
    static auto capturedBy(const Map<F>& stage) {
        return stage.function.captures();
    }
    template <class Op, class Init>
    static std::tuple<> capturedBy(const Reduce<Op, Init>&) {
        return {};
    }

    template <class A, class Subs>
    static auto elementOf(const A& a, const Subs& subs, RunsAt at) {
        using Element = typename Argument<const A>::Element;
        const hpspmd::detail::Storage& storage = *a.storage();
        std::byte* const slots =
            at == RunsAt::Device ? hpspmd::detail::onDevice(storage) : storage.address;
        Index offset = a.offset();
        for (std::size_t r = 0; r < subs.size(); ++r)
            offset += a.stride(static_cast<int>(r)) * subs[r];
        return reinterpret_cast<Element*>(slots + offset * static_cast<Index>(sizeof(Element)));
    }

    template <std::size_t k, class... In>
    static void noteStages(std::vector<hpspmd::detail::PatternStage>& all, const Stages& stages,
                           const std::tuple<In...>*) {
        if constexpr (k < sizeof...(S)) {
            using Stage = std::tuple_element_t<k, Stages>;
            if constexpr (!isReduce<Stage>) {
                using R = MadeBy<k, Stages, In...>;
                using Next = std::conditional_t<isTuple<R>, R, std::tuple<R>>;
                const auto* const next = static_cast<const Next*>(nullptr);
                all.push_back({std::get<k>(stages).function.text,
                               std::tuple_size_v<typename KernelOf<Stage>::Passed>, words(next),
                               isTuple<R>});
                noteStages<k + 1>(all, stages, next);
            }
        }
    }

    static hpspmd::detail::PatternCode codeOf(const hpspmd::detail::Site& site,
                                              const Stages& stages, const Captured& captured,
                                              bool isInPlace, bool isContiguous) {
        hpspmd::detail::PatternCode code{site.where,
                                         {kernelWord<O>()...},
                                         {kernelWord<E>()...},
                                         Last::isReduction ? kernelWord<T>() : nullptr,
                                         {},
                                         All::describe(captured),
                                         isInPlace,
                                         isContiguous,
                                         &onHost,
                                         parameters().data(),
                                         parameters().size()};
        noteStages<0>(code.stages, stages, static_cast<const std::tuple<E...>*>(nullptr));
        return code;
    }

    template <class V>
    static hpspmd::detail::KernelParameter parameterFor(const V&) {
        using Kind = hpspmd::detail::KernelParameter::Kind;
        if constexpr (std::is_pointer_v<V>)
            return {Kind::Array, sizeof(std::remove_pointer_t<V>)};
        else
            return {Kind::Number, sizeof(V)};
    }

    static const std::vector<hpspmd::detail::KernelParameter>& parameters() {
        using Parameter = hpspmd::detail::KernelParameter;
        using Kind = Parameter::Kind;
        static const std::vector<Parameter>& all = *new std::vector<Parameter>([] {
            std::vector<Parameter> result{{Kind::Run, sizeof(kernels::Run)}};
            for (const std::size_t size : {sizeof(O)..., sizeof(E)...})
                result.push_back({Kind::Array, size});
            result.resize(result.size() + arrays, {Kind::Stride, sizeof(kernels::Stride)});
            if (Last::isReduction) result.push_back({Kind::Joined, sizeof(T)});
            std::apply([&](const auto&... value) { (result.push_back(parameterFor(value)), ...); },
                       Passed());
            return result;
        }());
        return all;
    }

    /// The kernel as C++, for the check device.
    static void onHost(void** arguments) {
        onHost(arguments, std::index_sequence_for<O...>(), std::index_sequence_for<E...>(),
               std::make_index_sequence<std::tuple_size_v<Passed>>());
    }
    template <std::size_t... o, std::size_t... i, std::size_t... c>
    static void onHost(void** arguments, std::index_sequence<o...>, std::index_sequence<i...>,
                       std::index_sequence<c...>) {
        const auto& run = *static_cast<const kernels::Run*>(arguments[0]);
        void** const reads = arguments + 1 + sizeof...(O);
        void** const steps = reads + sizeof...(E);
        void** const joined = steps + arrays;
        const auto stepOf = [&](std::size_t array) {
            return static_cast<const kernels::Stride*>(steps[array])->value;
        };
        const std::tuple<O*...> out{*static_cast<O**>(arguments[1 + o])...};
        const std::tuple<const E*...> in{*static_cast<const E**>(reads[i])...};
        void** const numbers = joined + (Last::isReduction ? 1 : 0);
        const Passed captured{*static_cast<std::tuple_element_t<c, Passed>*>(numbers[c])...};
        static_cast<void>(numbers);
        for (const Index t : kernels::Lanes(run.first, run.last, 1)) {
            const auto made =
                through<0, 0>(captured, *(std::get<i>(in) + t * stepOf(sizeof...(O) + i))...);
            if constexpr (Last::isReduction) {
                T& sum = *static_cast<T*>(joined[0]);
                sum = hpspmd::detail::BySum::join(sum, static_cast<T>(made));
            } else {
                const auto parts = asTuple(made);
                ((*(std::get<o>(out) + t * stepOf(o)) = static_cast<O>(std::get<o>(parts))), ...);
            }
        }
    }

    template <class M>
    static auto asTuple(const M& made) {
        if constexpr (isTuple<M>)
            return made;
        else
            return std::tuple<M>(made);
    }

    /// Of stage k, whose captured values are those from `first` on.
    template <std::size_t k, std::size_t first, class... In>
    static auto through(const Passed& captured, const In&... elements) {
        if constexpr (k == maps) {
            return packed(elements...);
        } else {
            using Kernel = KernelOf<std::tuple_element_t<k, Stages>>;
            constexpr std::size_t count = std::tuple_size_v<typename Kernel::Passed>;
            const auto made = Kernel::template make<MadeBy<k, Stages, In...>>(
                part<first>(captured, std::make_index_sequence<count>()), elements...);
            return std::apply(
                [&](const auto&... one) { return through<k + 1, first + count>(captured, one...); },
                asTuple(made));
        }
    }
    template <std::size_t first, std::size_t... c>
    static auto part(const Passed& captured, std::index_sequence<c...>) {
        return std::make_tuple(std::get<first + c>(captured)...);
    }
};

/// True if two containers have elements in the same memory.
template <class A, class B>
bool meet(const A& a, const B& b) {
    const auto ends = [](const auto& container) {
        const auto* const begin = reinterpret_cast<const std::byte*>(std::data(container));
        return std::pair(begin, begin + std::size(container) * sizeof(*std::data(container)));
    };
    const auto [first, last] = ends(a);
    const auto [begin, end] = ends(b);
    const std::less<const std::byte*> isBefore;
    return isBefore(first, end) && isBefore(begin, last);
}

/// The elements of a container as an array that a device can take, as long as the chain runs.
template <class A>
auto arrayFor(const A& container, hpspmd::detail::Lent how, Where where) {
    using namespace hpspmd::detail;
    using T = ElementOf<const A>;
    const auto count = static_cast<Index>(std::size(container));
    return Array<T, Seq>(
        Adopt(), Handle<1>(lentToDevices(std::data(container), count, sizeof(T), how, where), 0,
                           {hpspmd::detail::Map{CollapsedRange(count), 1}}, apg()));
}
/// .. or a copy of them: if results have the same memory, the host could not run the chain after a
/// device that has failed.
template <class A, class... Out>
auto arrayOf(const A& container, Where where, const Out&... results) {
    using hpspmd::detail::Lent;
    if (!(meet(container, results) || ...)) return arrayFor(container, Lent::Read, where);
    auto array = create<ElementOf<const A>>(hpspmd::detail::Placement(apg(), where),
                                            static_cast<Index>(std::size(container)));
    hpspmd::detail::atHome(where, hpspmd::detail::writes(array));
    std::copy_n(std::data(container), std::size(container), array.data());
    return array;
}

/// fill() on a device; false if the host is to do it.
template <class Stages, class... Out, class... A>
bool mapOnDevice(const Named& pattern, const Stages& stages, const std::tuple<Out&...>& results,
                 const A&... in) {
    using Chain = DeviceChain<Stages, std::tuple<ElementOf<Out>...>, ElementOf<const A>...>;
    if constexpr (Chain::isFit) {
        if (!hpspmd::detail::isForDevice(pattern.site.withKernel())) return false;
        char nothing = 0;
        return std::apply(
            [&](auto&... result) {
                if constexpr ((Argument<const A>::isMultiarray && ...)) {
                    return Chain::run(pattern, stages, nothing,
                                      std::tuple<const Out&...>(result...), in...);
                } else {
                    constexpr auto how = hpspmd::detail::Lent::Overwritten;
                    const auto made = std::make_tuple(arrayFor(result, how, pattern.where)...);
                    const bool isDone = std::apply(
                        [&](const auto&... array) {
                            return Chain::run(
                                pattern, stages, nothing,
                                std::tuple<const std::decay_t<decltype(array)>&...>(array...),
                                arrayOf(in, pattern.where, result...)...);
                        },
                        made);
                    if (!isDone) return false;
                    std::apply(
                        [&](const auto&... array) {
                            hpspmd::detail::atHome(pattern.where, hpspmd::detail::reads(array)...);
                        },
                        made);
                    return true;
                }
            },
            results);
    } else {
        return false;
    }
}

/// Adds up in `total` what stands before a reduce; false if the host is to do it.
template <class T, class Stages, class... A>
bool reduceOnDevice(const Named& pattern, const Stages& stages, T& total, const A&... in) {
    using Chain = DeviceChain<Stages, std::tuple<>, ElementOf<const A>...>;
    if constexpr (Chain::isFit) {
        if (!hpspmd::detail::isForDevice(pattern.site.withKernel())) return false;
        total = hpspmd::detail::BySum::start(T());
        if constexpr ((Argument<const A>::isMultiarray && ...))
            return Chain::run(pattern, stages, total, std::tuple<>(), in...);
        else
            return Chain::run(pattern, stages, total, std::tuple<>(),
                              arrayOf(in, pattern.where)...);
    } else {
        return false;
    }
}

/// For questions after threads: of a chain with a kernel the log has been told enough.
template <class Stages, class Out, class... E>
hpspmd::detail::Site siteOf(const Named& pattern) {
    return DeviceChain<Stages, Out, E...>::isFit ? pattern.site.withKernel() : pattern.site;
}

}  // namespace hpspmd::patterns::detail
