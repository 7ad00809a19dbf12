#pragma once

#include "nests/context.hpp"
#include "nests/fast_form.hpp"
#include "nests/halo_call.hpp"
#include "nests/splitting.hpp"

namespace hpcc::nests {

/// The exchange and the nest behind it, `statement`, as one block in which the exchange runs beside
/// the interior of the nest (overlap.hpp). `nest` is what the fast form computes.
ast::NodePtr overlapped(Context& context, const HaloCall& halo, const FastForm& form,
                        const Nest& nest, const Splitting& splitting, ast::NodePtr statement);

}  // namespace hpcc::nests
