// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the C++ compiler must reject in emitted code: one case per number, 0 is the correct
/// program. reject_test.sh compiles each and looks for the words in the comment.

#include <hpspmd/create.hpp>
#include <hpspmd/element.hpp>

using namespace hpspmd;

void program(Array<double, Dist, Seq> a, Array<const double, Dist, Seq> c, DistributedIndex i) {
    detail::element(a, i, 2) = 1;
    a(i, 2) = c(i, 2);
    static_cast<void>(section(a, i, Triplet()));
#if CASE == 1  // cannot convert|no viable conversion
    int n = i;
#elif CASE == 2   // cannot convert|no viable conversion
    Range().location(i);
#elif CASE == 3   // not an integer
    detail::element(a, 3, 2) = 1;
#elif CASE == 4   // write i` for the index i
    detail::element(a, i, i) = 1;
#elif CASE == 5   // read-only|const value
    detail::element(c, i, 2) = 1;
#elif CASE == 6   // conversion from
    Array<double, Dist, Seq> writable = c;
#elif CASE == 7   // conversion from
    Array<double, Seq, Seq> sequential = a;
#elif CASE == 8   // one subscript per dimension
    detail::element(a, i) = 1;
#elif CASE == 9   // only a `-` slot can be split
    section(a, i, split);
#elif CASE == 10  // need a multiarray
    detail::element(3, i);
#elif CASE == 11  // no multiarrays and no C arrays
    Array<Array<double>, Seq> nested;
#elif CASE == 12  // an extent is a range
    create<double>(apg(), 2.5);
#elif CASE == 13  // no match|invalid operands
    Group g = apg() / 3;
#elif CASE == 14  // an integer; write i`
    detail::bounded(2.5, a, 1);
#elif CASE == 15  // no matching function|no match
    static_cast<Array<float, Dist, Seq> >(a);
#elif CASE == 16  // no match
    ExtBlockRange half(4, a.rng(0).dim(), 2);
#elif CASE == 17  // could not convert|cannot convert|no viable conversion|no match|no matching
    a(3, 2) = 1;
#elif CASE == 18  // could not convert|cannot convert|no viable conversion|no match|no matching
    a(i, i) = 1;
#elif CASE == 19  // read-only|const-qualified type
    c(i, 2) = 1;
#elif CASE == 20  // no match|no matching|too few arguments
    a(i) = 1;
#endif
    static_cast<void>(c);
}
