#include "contents.hpp"

#include <hpspmd/environment.hpp>

#include <algorithm>
#include <cstring>

#include "plan/local_elements.hpp"
#include "plan/plan.hpp"
#include "schedule/pack.hpp"

namespace hpspmd::detail {
namespace {

template <class Use>
void forEachArray(const SubscriptArrays& subscripts, const Use& use) {
    for (const Integers& each : subscripts.list) use(each.array);
    if (subscripts.mask) use(*subscripts.mask);
}

void append(std::vector<char>& bytes, const Operand& array) {
    if (array.data == nullptr) return;
    const plan::Region held =
        plan::localElements<1>(array.layout, ownRank(), {plan::memory(array.layout)});
    const std::size_t before = bytes.size();
    bytes.resize(before + static_cast<std::size_t>(held.count()) * array.elementSize);
    pack(bytes.data() + before, array.data, held, array.elementSize);
}

}  // namespace

Contents::Contents(const SubscriptArrays& subscripts) {
    for (const Integers& each : subscripts.list) types_.push_back(each.read);
    forEachArray(subscripts, [&](const Operand& array) { append(bytes_, array); });
}

bool Contents::areIn(const SubscriptArrays& subscripts) const {
    for (std::size_t r = 0; r < types_.size(); ++r)
        if (types_[r] != subscripts.list[r].read) return false;
    static std::vector<char> bytes;  // of the array under comparison
    std::size_t begin = 0;
    bool same = true;
    forEachArray(subscripts, [&](const Operand& array) {
        if (!same) return;
        bytes.clear();
        append(bytes, array);
        same = begin + bytes.size() <= bytes_.size() &&
               std::equal(bytes.begin(), bytes.end(), bytes_.begin() + static_cast<long>(begin));
        begin += bytes.size();
    });
    return same;
}

}  // namespace hpspmd::detail
