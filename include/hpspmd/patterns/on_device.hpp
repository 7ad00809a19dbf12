// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Chains on devices: one kernel for all stages, if each function has its text (kernel.hpp).

#include <hpspmd/patterns/demands.hpp>
#include <hpspmd/patterns/folds.hpp>
#include <hpspmd/patterns/kernel.hpp>

#include <algorithm>

namespace hpspmd::patterns::detail {

/// A chain of these stages that reads elements of types E, and writes those of types O.
template <class Stages, class Out, class... E>
class DeviceChain;
template <class... S, class... O, class... E>
class DeviceChain<std::tuple<S...>, std::tuple<O...>, E...> {
    using Stages = std::tuple<S...>;
    using Last = LastOf<S...>;
    using T = typename Last::Type;
    using Captured = std::tuple<typename KernelOf<S>::Captured...>;
    using Flat = decltype(std::tuple_cat(std::declval<typename KernelOf<S>::Captured>()...));
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
        const Flat captured = std::apply(
            [](const auto&... stage) { return std::tuple_cat(capturedBy(stage)...); }, stages);
        bool isContiguous = true;
        places.forRows(0, places.size(), [&](const auto&, Index step, Index) {
            isContiguous = isContiguous && step == 1;
        });
        return std::apply(
            [&](const auto&... result) {
                isContiguous = isContiguous && ((Argument<const InArray>::step(in) == 1) && ...) &&
                               ((Argument<const OutArray>::step(result) == 1) && ...);
                const bool isInPlace = (isAmong(result.storage(), in.storage()...) || ...);
                const KernelText& kernel =
                    patternKernel(codeOf(site, stages, captured, isInPlace, isContiguous));
                const Taken taken[] = {writes(result)..., reads(in)...};
                if (takeToDevice(kernel, site, true, taken, taken + arrays, nullptr).parts == 0)
                    return false;
                RunsAt at = RunsAt::Device;
                places.forRows(0, places.size(), [&](const auto& subs, Index step, Index count) {
                    Row row{kernels::Run{0, count - 1, 0, 0, count - 1},
                            {elementOf(result, subs, at)...},
                            {elementOf(in, subs, at)...},
                            {kernels::Stride{Argument<const OutArray>::step(result) * step}...,
                             kernels::Stride{Argument<const InArray>::step(in) * step}...},
                            BySum::start(T()),
                            captured};
                    if (at == RunsAt::Device && launch(kernel, site, row.addresses(), joins))
                        return add(total, row);
                    if (at == RunsAt::Device) {
                        at = RunsAt::Home;
                        (takeHome(result, site.where), ...);
                        (takeHome(in, site.where), ...);
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
        Flat captured;
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

    template <class One, class... Others>
    static bool isAmong(const One& one, const Others&... others) {
        return ((one == others) || ...);
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
                               std::tuple_size_v<typename KernelOf<Stage>::Captured>, words(next),
                               isTuple<R>});
                noteStages<k + 1>(all, stages, next);
            }
        }
    }

    template <class C>
    static hpspmd::detail::CapturedNumber numberOf(const C& value) {
        static_assert(std::is_arithmetic_v<C>);
        const char* const word = std::is_same_v<C, bool> ? "unsigned char" : kernelWord<C>();
        if constexpr (std::is_integral_v<C>)
            return {word, true, static_cast<long long>(value)};
        else
            return {word, false, 0};
    }

    static hpspmd::detail::PatternCode codeOf(const hpspmd::detail::Site& site,
                                              const Stages& stages, const Flat& captured,
                                              bool isInPlace, bool isContiguous) {
        hpspmd::detail::PatternCode code{site.where,
                                         {kernelWord<O>()...},
                                         {kernelWord<E>()...},
                                         Last::isReduction ? kernelWord<T>() : nullptr,
                                         {},
                                         {},
                                         isInPlace,
                                         isContiguous,
                                         &onHost,
                                         parameters().data(),
                                         parameters().size()};
        noteStages<0>(code.stages, stages, static_cast<const std::tuple<E...>*>(nullptr));
        std::apply([&](const auto&... value) { (code.captured.push_back(numberOf(value)), ...); },
                   captured);
        return code;
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
            std::apply(
                [&](const auto&... value) {
                    (result.push_back({Kind::Number, sizeof value}), ...);
                },
                Flat());
            return result;
        }());
        return all;
    }

    /// The kernel as C++, for the check device.
    static void onHost(void** arguments) {
        onHost(arguments, std::index_sequence_for<O...>(), std::index_sequence_for<E...>(),
               std::make_index_sequence<std::tuple_size_v<Flat>>());
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
        const Flat captured{*static_cast<std::tuple_element_t<c, Flat>*>(numbers[c])...};
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

    /// Of stage k, whose captured numbers are those from `first` on.
    template <std::size_t k, std::size_t first, class... In>
    static auto through(const Flat& captured, const In&... elements) {
        if constexpr (k == maps) {
            return packed(elements...);
        } else {
            using Kernel = KernelOf<std::tuple_element_t<k, Stages>>;
            constexpr std::size_t count = std::tuple_size_v<typename Kernel::Captured>;
            const auto made = Kernel::template make<MadeBy<k, Stages, In...>>(
                part<first>(captured, std::make_index_sequence<count>()), elements...);
            return std::apply(
                [&](const auto&... one) { return through<k + 1, first + count>(captured, one...); },
                asTuple(made));
        }
    }
    template <std::size_t first, std::size_t... c>
    static auto part(const Flat& captured, std::index_sequence<c...>) {
        return std::make_tuple(std::get<first + c>(captured)...);
    }
};

/// An array that a device can take for a container, and one with its elements.
template <class A>
auto arrayFor(const A& container, Where where) {
    return create<ElementOf<const A>>(hpspmd::detail::Placement(apg(), where),
                                      static_cast<Index>(std::size(container)));
}
template <class A>
auto arrayOf(const A& container, Where where) {
    auto array = arrayFor(container, where);
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
                    const auto made = std::make_tuple(arrayFor(result, pattern.where)...);
                    const bool isDone = std::apply(
                        [&](const auto&... array) {
                            return Chain::run(
                                pattern, stages, nothing,
                                std::tuple<const decltype(arrayFor(result, pattern.where))&...>(
                                    array...),
                                arrayOf(in, pattern.where)...);
                        },
                        made);
                    if (!isDone) return false;
                    std::apply(
                        [&](const auto&... array) {
                            hpspmd::detail::atHome(pattern.where, hpspmd::detail::reads(array)...);
                            (std::copy_n(array.data(), std::size(result), std::data(result)), ...);
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
