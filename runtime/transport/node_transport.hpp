// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transport/transport.hpp"

namespace hpspmd::detail {

/// The processes that `hpcc run --transport=node` started on this machine; this one alone if it was
/// started otherwise.
Transport& nodeTransport();

}  // namespace hpspmd::detail
