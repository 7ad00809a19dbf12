#pragma once
/// A trial of the links at start.

#include "links/links.hpp"

#include <vector>

namespace hpspmd::detail {

/// Seconds for an exchange of 4 KiB with one neighbour, both ways.
struct Trial {
    double links = 0, messages = 0;
};

/// Neighbours in pairs exchange messages by their link and by MPI. Collective over node; takes some
/// tenths of a millisecond.
Trial compareWithMessages(std::vector<Link>& links, MPI_Comm node);

}  // namespace hpspmd::detail
