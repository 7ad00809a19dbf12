// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <hpspmd/active.hpp>
#include <hpspmd/collective.hpp>
#include <hpspmd/error.hpp>

#include "checks/checks.hpp"
#include "plan/local_elements.hpp"
#include "schedule/cache.hpp"
#include "transport/combine.hpp"

namespace hpspmd::detail {
namespace {

/// The bytes from the first to the last element that this process holds.
struct Stretch {
    const char* begin = nullptr;
    const char* end = nullptr;
};

Stretch spanOf(const Operand& array, const plan::Region& elements) {
    Index low = elements.offset[0], high = low;
    for (const plan::Runs<1>& runs : elements.dims) {
        if (runs.empty()) return {};
        Index lowest = runs.front().base[0], highest = lowest;
        for (const plan::Run<1>& run : runs) {
            const Index last = run.base[0] + (run.count - 1) * run.step[0];
            lowest = std::min({lowest, run.base[0], last});
            highest = std::max({highest, run.base[0], last});
        }
        low += lowest;
        high += highest;
    }
    const char* data = static_cast<const char*>(array.data);
    const auto size = static_cast<Index>(array.elementSize);
    return {data + low * size, data + (high + 1) * size};
}

/// One flag per element of a's span: true if it is an element of the array.
std::vector<bool> elementsIn(const Operand& array, const plan::Region& elements,
                             const Stretch& span) {
    const auto size = static_cast<Index>(array.elementSize);
    std::vector<bool> marks((span.end - span.begin) / size);
    const Index origin = (static_cast<const char*>(array.data) - span.begin) / size;
    plan::forEachRow(elements, [&](const auto& start, Index count, const auto& step) {
        for (Index t = 0; t < count; ++t) {
            const Index element = origin + start[0] + t * step[0];
            if (element >= 0 && element < static_cast<Index>(marks.size())) marks[element] = true;
        }
    });
    return marks;
}

/// True if this process holds an element of both.
bool shareElements(const Operand& a, const Operand& b) {
    if (a.data == nullptr || b.data == nullptr) return false;
    const plan::Region mine = plan::localElements<1>(a.layout, ownRank(), {plan::memory(a.layout)});
    const plan::Region other =
        plan::localElements<1>(b.layout, ownRank(), {plan::memory(b.layout)});
    const Stretch spanA = spanOf(a, mine), spanB = spanOf(b, other);
    if (spanA.end <= spanB.begin || spanB.end <= spanA.begin) return false;
    const std::vector<bool> marksA = elementsIn(a, mine, spanA);
    const std::vector<bool> marksB = elementsIn(b, other, spanA);
    for (std::size_t k = 0; k < marksA.size(); ++k)
        if (marksA[k] && marksB[k]) return true;
    return false;
}

/// What the processes of the APG found together about two layouts in one storage.
struct Verdict final : Prepared {
    bool overlap = false;
};

void orBytes(void* left, const void* right, std::size_t, const void*) {
    *static_cast<bool*>(left) |= *static_cast<const bool*>(right);
}

}  // namespace

void requireDisjoint(const Call& call, const Operand& a, const Operand& b) {
    if (a.storage == nullptr || a.storage != b.storage) return;
    Key key(Kind::Overlap);
    key.add(a.layout).add(b.layout).add(a.offset - b.offset);
    key.add(static_cast<Index>(a.elementSize));
    const Fingerprint fingerprint = key.fingerprint();
    const Verdict& verdict = cached<Verdict>(apg(), key, [&] {
        auto found = std::make_unique<Verdict>();
        found->overlap = shareElements(a, b);
        const Entered entered = enter(call.name, apg(), fingerprint, call.where);
        transport::combine(entered, apg(),
                           {reinterpret_cast<char*>(&found->overlap), sizeof found->overlap, 1},
                           {orBytes});
        return found;
    });
    if (verdict.overlap)
        throw AdlibError(std::string(call.name) + ": the " + a.role + " and the " + b.role +
                             " overlap: they share elements of one array",
                         call.where);
}

}  // namespace hpspmd::detail
