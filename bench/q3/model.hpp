// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The three-parameter logistic model of Q3 (thesis, 6.4), with parameters and answers made up.
#pragma once
#include <cmath>

/// A number in [0, 1) for each key.
inline double uniform(long key) { return double((key * 7919 + 104729) % 1009) / 1009; }

/// What an examinee's answer to an item differs by from the probability of the right one.
inline double residual(long examinee, long item, long items) {
    const double discrimination = 0.8 + 0.8 * uniform(3 * item);
    const double difficulty = -2.0 + 4.0 * uniform(3 * item + 1);
    const double guessing = 0.1 + 0.15 * uniform(3 * item + 2);
    const double ability = 4.0 * uniform(1000 + examinee) - 2.0;
    const double e = std::exp(1.7 * discrimination * (ability - difficulty));
    const double answer = uniform(items * examinee + item) < 0.6 ? 1.0 : 0.0;
    return answer - (guessing + (1.0 - guessing) * e / (1.0 + e));
}
