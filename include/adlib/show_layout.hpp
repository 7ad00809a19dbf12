// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// showLayout, a page that shows who holds which elements.

#include <adlib/operand.hpp>
#include <string>

namespace hpspmd {
namespace detail {

void showLayout(const std::string& file, const Operand& array, Where where);

}  // namespace detail

namespace Adlib {

/// Writes a page of HTML about an array, or a section of one: a picture (SVG) with a colour for
/// each process, and a table of the elements that each holds and what it sends in writeHalo, as
/// `hpcc layout` does. Of rank 3 and more the first two dimensions; at most 64 x 64 stretches of
/// neighbouring locations and 64 processes. The first process writes it; the elements do not
/// matter. Collective. Example: `Adlib::showLayout("a.html", a)`.
/// Errors: IoError on all processes alike; AdlibError for an array of rank 0, or one that is not
/// contained in the APG.
template <class T, class... Slots>
void showLayout(const std::string& file, const Array<T, Slots...>& array,
                detail::Where where = detail::Where::here()) {
    detail::showLayout(file, detail::operandAnywhere("array", array, where), where);
}

}  // namespace Adlib
}  // namespace hpspmd
