// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hpspmd::detail::files {

/// The first line of a matrix of the Matrix Market,
/// "%%MatrixMarket matrix coordinate real symmetric".
struct MatrixHead {
    enum class Form { Coordinate, Array };
    enum class Field { Real, Integer, Complex, Pattern };
    enum class Symmetry { General, Symmetric, Skew, Hermitian };

    Form form = Form::Coordinate;
    Field field = Field::Real;
    Symmetry symmetry = Symmetry::General;
};

/// Failure if the line is none.
MatrixHead matrixHeadOf(std::string_view line);

/// Between blanks.
std::vector<std::string_view> wordsOf(std::string_view line);

/// With small letters.
std::string lower(std::string_view word);

}  // namespace hpspmd::detail::files
