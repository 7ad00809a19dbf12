// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/request.hpp"

#include <hpspmd/active.hpp>

namespace hpspmd::detail::files {

Entered entered(const Call& call, const std::string& file, const Descriptor* array) {
    Fingerprint plan = 0;
    for (const char c : file) plan = mixed(plan, static_cast<std::uint64_t>(c));
    if (array != nullptr) {
        plan = mixed(plan, array->group.record()->fingerprint);
        for (const Map& map : *array) plan = mixed(plan, map.range.record()->fingerprint);
    }
    return enter(call.name, apg(), plan, call.where);
}

}  // namespace hpspmd::detail::files
