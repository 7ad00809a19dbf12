#include <adlib/remap.hpp>
#include <adlib/scan.hpp>
#include <hpspmd/collective.hpp>
#include <hpspmd/create.hpp>
#include <hpspmd/ghosts.hpp>

#include "checks/checks.hpp"
#include "plan/layout.hpp"
#include "plan/local_elements.hpp"
#include "plan/pairing.hpp"
#include "schedule/cache.hpp"
#include "transport/prefix.hpp"

namespace hpspmd::detail {
namespace {

/// How the coordinates of a range follow one another.
enum class Sequence { Rising, Falling, Mixed };

/// Rising or falling if each coordinate holds one stretch of the range and those of higher
/// coordinates lie all above, or all below.
Sequence sequenceOf(const Range& x) {
    bool rises = true, falls = true;
    Index last = -1, first = -1;
    for (int c = 0; c < static_cast<int>(x.dim().size()); ++c) {
        const std::vector<Block> blocks = plan::blocksAt(x, c);
        if (blocks.empty()) continue;
        const Block& block = blocks.front();
        if (blocks.size() > 1 || (block.count > 1 && block.globalStep != 1)) return Sequence::Mixed;
        if (first >= 0) {
            rises &= block.globalBase > last;
            falls &= block.globalBase < first;
        }
        first = block.globalBase;
        last = block.globalBase + block.count - 1;
    }
    return rises ? Sequence::Rising : falls ? Sequence::Falling : Sequence::Mixed;
}

/// The inspector's result.
struct ScanPlan final : Prepared {
    Sequence sequence;
    Fingerprint fingerprint;
    plan::Product<2> lines;  ///< rows along d; places: destination, source
    Group along;             ///< the processes that share the lines
};

std::vector<Map> withLast(const Descriptor& array, int d) {
    std::vector<Map> maps(array.begin(), array.end());
    const Map moved = maps[d];
    maps.erase(maps.begin() + d);
    maps.push_back(moved);
    return maps;
}

std::unique_ptr<ScanPlan> checkedPlan(const Call& call, const Key& key, const Operand& to,
                                      const Operand& from, int d) {
    requireDimension(call, to, d);
    requireAligned(call, to, from);
    requireContained(call, to);
    const std::vector<Map> toMaps = withLast(to.layout, d), fromMaps = withLast(from.layout, d);
    const Descriptor target{to.layout.group, toMaps.data(), to.layout.rank};
    const Descriptor source{from.layout.group, fromMaps.data(), from.layout.rank};
    auto result = std::make_unique<ScanPlan>();
    result->fingerprint = key.fingerprint();
    result->sequence = sequenceOf(to.layout[d].range);
    result->lines =
        plan::localElements<2>(target, ownRank(), {plan::memory(target), plan::memory(source)});
    result->along = plan::processesAlong(to.layout, d);
    return result;
}

/// Calls take(line) for each line of this process that is not empty.
template <class Take>
void forEachLine(const ScanPlan& plan, const Operand& to, const Operand& from, const Take& take) {
    const auto size = static_cast<Index>(to.elementSize);
    plan::forEachRow(plan.lines, [&](const auto& start, Index count, const auto& step) {
        if (count > 0)
            take(Line{static_cast<char*>(to.data) + start[0] * size,
                      static_cast<const char*>(from.data) + start[1] * size, step[0], step[1],
                      count});
    });
}

void scanLines(const ScanPlan& plan, const Call& call, const Operand& to, const Operand& from,
               const Scanner& scanner) {
    const Entered entered =
        enter(call.name, apg(), mixed(plan.fingerprint, scanner.stateBytes), call.where);
    if (!to.layout.group.amMember()) return;
    std::vector<char> earlier;
    if (plan.along.size() > 1) {
        std::vector<char> states;
        forEachLine(plan, to, from, [&](const Line& line) {
            states.resize(states.size() + scanner.stateBytes);
            scanner.summarise(scanner.op, line, states.data() + states.size() - scanner.stateBytes);
        });
        earlier = transport::before(entered, plan.along, plan.sequence == Sequence::Falling,
                                    std::move(states), scanner.combiner);
    }
    const char* state = earlier.empty() ? nullptr : earlier.data();
    forEachLine(plan, to, from, [&](const Line& line) {
        scanner.write(scanner.op, line, state);
        if (state != nullptr) state += scanner.stateBytes;
    });
}

/// An array like another, but for one dimension: by blocks in place of its format.
class Blockwise {
public:
    Blockwise(const Operand& like, int d, Where where)
        : maps_(like.layout.begin(), like.layout.end()), operand_(like) {
        maps_[d].range = BlockRange(maps_[d].range.size(), maps_[d].range.dim(), where);
        operand_.layout.maps = maps_.data();
        const Layout layout =
            layOut(Placement(like.layout.group, where), maps_.data(), like.layout.rank);
        memory_.resize(layout.slots * like.elementSize);
        if (like.data != nullptr) operand_.data = memory_.data() + layout.origin * like.elementSize;
        operand_.storage = &storage_;
        operand_.layout.ghosts = nullptr;
    }
    Blockwise(const Blockwise&) = delete;
    Blockwise& operator=(const Blockwise&) = delete;

    const Operand& operand() const { return operand_; }

private:
    std::vector<Map> maps_;
    std::vector<char> memory_;
    Storage storage_;  // no array's: it overlaps with none
    Operand operand_;
};

ScanPlan& cachedPlan(const Call& call, const Operand& to, const Operand& from, int d) {
    Key key(Kind::Scan);
    key.add(to.layout).add(from.layout).add(static_cast<Index>(to.elementSize)).add(d);
    return cached<ScanPlan>(apg(), key, [&] { return checkedPlan(call, key, to, from, d); });
}

}  // namespace

void scan(const Operand& to, const Operand& from, int d, const Scanner& scanner, Where where) {
    const Call call{"scan", where};
    const ScanPlan& plan = cachedPlan(call, to, from, d);
    requireDisjoint(call, to, from);
    markWritten(to.layout);
    if (plan.sequence != Sequence::Mixed) return scanLines(plan, call, to, from, scanner);
    const Blockwise source(from, d, where), target(from, d, where);
    remap(source.operand(), from, {}, where);
    scanLines(cachedPlan(call, target.operand(), source.operand(), d), call, target.operand(),
              source.operand(), scanner);
    remap(to, target.operand(), {}, where);
}

}  // namespace hpspmd::detail
