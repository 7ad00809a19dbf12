// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/show_layout.hpp>
#include <hpspmd/active.hpp>

#include "checks/checks.hpp"
#include "files/arrays.hpp"
#include "files/request.hpp"
#include "layout/picture.hpp"
#include "pictures/picture.hpp"

namespace hpspmd::detail {

void showLayout(const std::string& file, const Operand& array, Where where) {
    const Call call{"showLayout", where};
    requireContained(call, array);
    if (array.layout.rank == 0)
        throw AdlibError("showLayout: an array of rank 0 has no layout to be shown", where);
    files::onFile(call, file, "write", [&] {
        const Entered entry = files::entered(call, file, &array.layout);
        files::Outcome outcome(entry);
        if (files::isFirst())
            outcome.attempt([&] {
                std::vector<Range> ranges;
                std::string title;
                for (const Map& map : array.layout) {
                    title += (title.empty() ? "" : ", ") + describe(map.range);
                    ranges.push_back(map.range);
                }
                const layout::Shown shown{title, Layouts(array.layout.group, ranges),
                                          array.elementSize};
                files::replaceFile(file, layout::pageOf({shown}));
            });
        outcome.require();
    });
}

}  // namespace hpspmd::detail
