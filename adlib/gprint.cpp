// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/gprint.hpp>
#include <hpspmd/active.hpp>
#include <sstream>

#include "output.hpp"

namespace hpspmd::detail {

GroupText::GroupText() {
    if (apg().rank() == 0) stream_ = std::make_unique<std::ostringstream>();
}

GroupText::~GroupText() = default;

void GroupText::print(Where where) {
    writeOut(static_cast<std::ostringstream&>(*stream_).str(), where);
}

}  // namespace hpspmd::detail
