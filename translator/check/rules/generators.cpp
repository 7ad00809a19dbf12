// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rule 9: the generators of genarray and modarray run over the same ranges and give different
// elements.
#include "check/callee.hpp"
#include "check/facts.hpp"
#include "check/rules.hpp"

#include <algorithm>
#include <limits>

namespace hpcc::check {
namespace {

// The locations of a triplet whose bounds are known; the last ones of a range may not be.
constexpr long long open = std::numeric_limits<long long>::max();
struct Locations {
    long long first, last, step;
    bool contains(long long place) const {
        return first <= place && place <= last && (place - first) % step == 0;
    }
};

std::optional<long long> numberOr(NodePtr bound, std::optional<long long> otherwise) {
    return bound ? constantValue(bound) : otherwise;
}

std::optional<Locations> locationsOf(NodePtr header) {
    const NodePtr triplet = header->child(ast::OverallHeader::triplet);
    if (!ast::is<ast::Triplet>(triplet)) return std::nullopt;
    const auto extent = rangeFacts(header->child(ast::OverallHeader::range)).extent;
    const long long last = extent ? *extent - 1 : open;
    const auto low = numberOr(triplet->child(ast::Triplet::low), 0),
               high = numberOr(triplet->child(ast::Triplet::high), last),
               step = numberOr(triplet->child(ast::Triplet::step), 1);
    if (!low || !high || !step || *step < 1) return std::nullopt;
    return Locations{*low, *high, *step};
}

// The first location of both: as one of them ends there, the range has it.
std::optional<long long> common(const Locations& a, const Locations& b) {
    const long long from = std::max(a.first, b.first), to = std::min(a.last, b.last);
    constexpr long long most = 100000;
    if (to == open) return std::nullopt;
    for (long long place = from; place <= std::min(to, from + most); ++place)
        if (a.contains(place) && b.contains(place)) return place;
    return std::nullopt;
}

class Generators {
public:
    Generators(const Context& context, NodePtr call) : context_(context) {
        for (const NodePtr each : call->child(ast::Call::arguments)->children())
            if (ast::is<ast::OverallExpression>(each)) all_.push_back(each);
    }

    void check(NodePtr array) const {
        for (std::size_t k = 0; k < all_.size(); ++k) {
            if (array) compareWithArray(k, array);
            if (k > 0 && !array) compareRanges(k);
            for (std::size_t other = 0; other < k; ++other) compareElements(other, k);
        }
    }

private:
    std::span<const NodePtr> headers(std::size_t k) const {
        return all_[k]->child(ast::OverallExpression::headers)->children();
    }

    void compareWithArray(std::size_t k, NodePtr array) const {
        const auto own = headers(k);
        if (!isKind(array, TypeKind::Multiarray) || typeOf(array)->slots.size() != own.size())
            return;
        for (std::size_t r = 0; r < own.size(); ++r)
            compare(k, r, dimensionFacts(array, r), "the array");
    }
    void compareRanges(std::size_t k) const {
        const auto first = headers(0);
        if (first.size() != headers(k).size()) return;
        for (std::size_t r = 0; r < first.size(); ++r)
            compare(k, r, rangeFacts(first[r]->child(ast::OverallHeader::range)), "generator 1");
    }
    void compare(std::size_t k, std::size_t r, const RangeFacts& wanted,
                 std::string_view whose) const {
        const NodePtr range = headers(k)[r]->child(ast::OverallHeader::range);
        if (!provableMisfit(rangeFacts(range), wanted).empty())
            context_.report(Id::GeneratorRanges, range, r, k + 1, range->text(), whose);
    }

    void compareElements(std::size_t a, std::size_t b) const {
        const auto one = headers(a), other = headers(b);
        if (one.size() != other.size()) return;
        std::string element;
        for (std::size_t r = 0; r < one.size(); ++r) {
            const auto x = locationsOf(one[r]), y = locationsOf(other[r]);
            const auto place = x && y ? common(*x, *y) : std::nullopt;
            if (!place) return;
            element += (r == 0 ? "" : ", ") + std::to_string(*place);
        }
        context_.report(Id::OverlappingGenerators, all_[b], a + 1, b + 1, element);
    }

    const Context& context_;
    std::vector<NodePtr> all_;
};

}  // namespace

void generators(const Context& context, NodePtr call) {
    const std::string name = adlibCallee(call);
    if (name != "genarray" && name != "modarray") return;
    const auto arguments = call->child(ast::Call::arguments)->children();
    if (arguments.empty()) return;
    Generators(context, call).check(name == "modarray" ? arguments[0] : nullptr);
}

}  // namespace hpcc::check
