// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string_view>

namespace hpcc::analysis {

enum class StandardWriting : unsigned char { No, Perhaps, Surely };

/// Whether a function of the standard library changes what its argument k names or points to.
///
///     swap(a, b)      both         modf(x, &whole)     the second one
///     fill(p, q, v)   perhaps *p   ref(a)              perhaps later
StandardWriting standardWriting(std::string_view function, std::size_t k);

/// .. or one of its classes its object: `a[i].fill(0)`, `a[i].real(1)`.
StandardWriting standardMemberWriting(std::string_view member, std::size_t arguments);

}  // namespace hpcc::analysis
