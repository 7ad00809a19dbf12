# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares words that programs print."""
import math


def isNear(left, right, relative, absolute):
    """The same word, or numbers of which the relative or the absolute difference is at most this; infinity is near to
    itself only, NaN to NaN."""
    try:
        numbers = float(left), float(right)
    except ValueError:
        return left == right
    return math.isclose(*numbers, rel_tol=relative, abs_tol=absolute) or all(map(math.isnan, numbers))
