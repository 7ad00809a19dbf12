#pragma once

#include <adlib/combiner.hpp>
#include <hpspmd/collective.hpp>
#include <vector>

namespace hpspmd::detail::transport {

/// What the members of g before this one come to, in the order of their ranks (`descending`: the
/// other way round). `mine` is what this one comes to; members may have nothing, an empty vector,
/// which is also the result if all members before have nothing. All others have one size.
/// Collective over g, as part of the collective that was entered; ceil(log2(size)) exchanges.
std::vector<char> before(const Entered& entered, const Group& g, bool descending,
                         std::vector<char> mine, const Combiner& combiner);

}  // namespace hpspmd::detail::transport
