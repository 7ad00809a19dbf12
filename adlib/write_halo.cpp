#include <adlib/write_halo.hpp>
#include <hpspmd/error.hpp>

#include "checks/checks.hpp"
#include "plan/operations.hpp"
#include "schedule/run.hpp"

namespace hpspmd::detail {
namespace {

/// Width of one side: what was asked for, or the whole extension.
Index width(const int* widths, int r, Index extension) {
    return widths == nullptr ? extension : widths[r];
}

void requireWidth(const Call& call, const char* side, int r, Index width, Index extension) {
    if (width >= 0 && width <= extension) return;
    throw AdlibError(std::string(call.name) + ": " + std::to_string(width) + " cells " + side +
                         " the blocks of dimension " + std::to_string(r) +
                         " were asked for, the range has " + std::to_string(extension),
                     call.where);
}

std::vector<plan::HaloWidth> checkedWidths(const Call& call, const Operand& array,
                                           const HaloRequest& request) {
    std::vector<plan::HaloWidth> widths;
    for (int r = 0; r < array.layout.rank; ++r) {
        const Range& x = array.layout[r].range;
        const Index low = width(request.low, r, x.loExtension());
        const Index high = width(request.high, r, x.hiExtension());
        requireWidth(call, "below", r, low, x.loExtension());
        requireWidth(call, "above", r, high, x.hiExtension());
        const Adlib::Mode mode = request.modes == nullptr ? Adlib::Edge : request.modes[r];
        if (mode == Adlib::None)
            widths.push_back({0, 0, false});
        else
            widths.push_back({low, high, mode == Adlib::Cyclic});
    }
    return widths;
}

plan::Plan checkedPlan(const Call& call, const Operand& array, const HaloRequest& request) {
    requireContained(call, array);
    return ownPlan(plan::writeHalo(array.layout, checkedWidths(call, array, request)));
}

Key keyOf(const Operand& array, const HaloRequest& request) {
    Key key(Kind::WriteHalo);
    key.add(array.layout).add(static_cast<Index>(array.elementSize));
    if (request.low != nullptr)
        for (int r = 0; r < array.layout.rank; ++r)
            key.add(request.low[r])
                .add(request.high[r])
                .add(request.modes == nullptr ? Adlib::Edge : request.modes[r]);
    return key;
}

}  // namespace

void writeHalo(const Operand& array, const HaloRequest& request, Where where) {
    const Call call{"writeHalo", where};
    const Key key = keyOf(array, request);
    Transfer& schedule =
        cachedTransfer(key, array.elementSize, [&] { return checkedPlan(call, array, request); });
    execute(schedule, call, key, array, array);
}

Schedule makeWriteHalo(const Operand& array, const HaloRequest& request, Where where) {
    const Call call{"WriteHalo", where};
    return ownedSchedule(call, keyOf(array, request), array, array,
                         [&] { return checkedPlan(call, array, request); });
}

}  // namespace hpspmd::detail
