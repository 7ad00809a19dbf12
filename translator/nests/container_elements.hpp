// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/nest.hpp"

namespace hpcc::nests {

/// True of the name of a std::vector of numbers that is no reference, which shares its elements
/// with no other one.
bool isVector(ast::NodePtr e);

/// The variable whose memory the elements of a container are: a vector as above, or a std::array or
/// C array of numbers, or of such arrays, `sums` of `sums[j]`; null of others.
ast::NodePtr ownContainer(ast::NodePtr e);

/// True if an innermost loop touches no memory but elements of multiarrays and of containers of
/// their own, and each iteration changes others of these: `row[j] += f * b[k, j]`. It holds where
/// these share no memory with the multiarrays.
bool hasOwnContainerElements(const Nest& nest, const Loop& loop);

/// A name or member that is a std::vector, std::array, std::span or C array of plain values,
/// whose address and length can be asked: no parameter that is a pointer.
bool isNamedContainer(ast::NodePtr base);

}  // namespace hpcc::nests
