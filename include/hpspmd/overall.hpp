// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// overall as an expression: the argument of a reduction, evaluated once per location on the
/// processes that hold it.

#include <hpspmd/active.hpp>
#include <hpspmd/ghosts.hpp>

#include <vector>

namespace hpspmd::detail {

template <class Body>
class OverallExpression;
template <class E>
inline constexpr bool isOverall = false;
template <class Body>
inline constexpr bool isOverall<OverallExpression<Body>> = true;

/// `overall (i = x for triplet) e`; body(i) gives e, or the next inner OverallExpression.
template <class Body>
class [[nodiscard]] OverallExpression {
public:
    using Result = std::decay_t<std::invoke_result_t<const Body&, const DistributedIndex&>>;

    OverallExpression(const Range& x, const Triplet& triplet, Body body)
        : range_(x), triplet_(triplet), body_(std::move(body)) {}

    /// Calls visit(value, indices...) for every location that this process holds, in increasing
    /// order, under the APG restricted to it. The indices are those of the nest, outermost first.
    template <class Visit>
    void forEach(const Visit& visit) const {
        const Nest nest;
        const Active active(range_.dim(triplet_.where()), triplet_.where());
        for (const Block block : range_.localBlocks(triplet_))
            for (Index k = 0; k < block.count; ++k) {
                const DistributedIndex i(range_, block, k);
                if constexpr (isOverall<Result>)
                    body_(i).forEach([&](const auto& value, const auto&... inner) {
                        visit(value, i, inner...);
                    });
                else
                    visit(body_(i), i);
            }
    }

    Where where() const { return triplet_.where(); }

    /// visit(range, triplet, locations) for each header, outermost first; inner ones are asked
    /// under the first location of those around them, which is not necessarily held. False if a
    /// header around another one has no location, so that the inner ones are not known.
    template <class Visit>
    bool forHeaders(const Visit& visit) const {
        const Progression locations = triplet_.over(range_);
        visit(range_, triplet_, locations);
        if constexpr (isOverall<Result>) {
            if (locations.count == 0) return false;
            const Block first{1, locations.first, 1, 0, 1};
            return body_(DistributedIndex(range_, first, 0)).forHeaders(visit);
        } else {
            return true;
        }
    }

    /// The ranges of the nest, outermost first; the same on all processes. Empty if they are not
    /// known.
    std::vector<Range> ranges() const {
        std::vector<Range> result;
        const auto add = [&](const Range& range, const Triplet&, const Progression&) {
            result.push_back(range);
        };
        if (!forHeaders(add)) result.clear();
        return result;
    }

    /// The own locations of each dimension, if no triplet depends on an outer index; empty if there
    /// are none.
    std::vector<std::vector<Block>> ownBlocks() const {
        std::vector<std::vector<Block>> result;
        const auto add = [&](const Range& range, const Triplet& triplet, const Progression&) {
            const Blocks own = range.localBlocks(triplet);
            result.emplace_back(own.begin(), own.end());
        };
        if (!forHeaders(add)) result.clear();
        return result;
    }

private:
    Range range_;
    Triplet triplet_;
    Body body_;
};

template <class Body>
OverallExpression<Body> overall(const Range& x, const Triplet& triplet, Body body) {
    return {x, triplet, std::move(body)};
}

/// An expression of which a nest computes the reduction over all values that this process holds:
/// local(start) joins them to `start`. The expression itself, which make(use) hands to `use`, is
/// not even made unless somebody asks for its values or its ranges.
template <class Make, class Local>
class [[nodiscard]] OverallWithNest {
public:
    OverallWithNest(Make make, Local local) : make_(std::move(make)), local_(std::move(local)) {}

    template <class T>
    T local(T start) const {
        return local_(start);
    }
    template <class Visit>
    void forEach(const Visit& visit) const {
        make_([&](const auto& values) { values.forEach(visit); });
    }
    std::vector<Range> ranges() const {
        return make_([](const auto& values) { return values.ranges(); });
    }

private:
    Make make_;
    Local local_;
};
template <class Make, class Local>
inline constexpr bool isOverall<OverallWithNest<Make, Local>> = true;
template <class E>
inline constexpr bool hasNest = false;
template <class Make, class Local>
inline constexpr bool hasNest<OverallWithNest<Make, Local>> = true;

template <class Make, class Local>
OverallWithNest<Make, Local> withNest(Make make, Local local) {
    return {std::move(make), std::move(local)};
}

/// An expression whose values a nest stores: store(to) gives an array the elements that this
/// process holds. No triplet depends on an outer index.
template <class Body, class Store>
class [[nodiscard]] OverallWithStores : public OverallExpression<Body> {
public:
    OverallWithStores(const OverallExpression<Body>& values, Store store)
        : OverallExpression<Body>(values), store_(std::move(store)) {}

    template <class A>
    void store(const A& to) const {
        store_(to);
    }

private:
    Store store_;
};
template <class Body, class Store>
inline constexpr bool isOverall<OverallWithStores<Body, Store>> = true;
template <class E>
inline constexpr bool hasStores = false;
template <class Body, class Store>
inline constexpr bool hasStores<OverallWithStores<Body, Store>> = true;

template <class Body, class Store>
OverallWithStores<Body, Store> withStores(const OverallExpression<Body>& values, Store store) {
    return {values, std::move(store)};
}

/// Type of the expression at the heart of a nest.
template <class E>
struct ValueOf {
    using type = E;
};
template <class Body>
struct ValueOf<OverallExpression<Body>> : ValueOf<typename OverallExpression<Body>::Result> {};
/// Tells of an expression that it is handed what its values are.
struct TellsValue {
    template <class E>
    typename ValueOf<E>::type operator()(const E&) const;
};
template <class Make, class Local>
struct ValueOf<OverallWithNest<Make, Local>> {
    using type = std::invoke_result_t<const Make&, TellsValue>;
};
template <class Body, class Store>
struct ValueOf<OverallWithStores<Body, Store>> : ValueOf<OverallExpression<Body>> {};

}  // namespace hpspmd::detail
