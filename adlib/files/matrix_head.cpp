// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/matrix_head.hpp"

#include <algorithm>

#include "files/disk_file.hpp"

namespace hpspmd::detail::files {
namespace {

/// Which of the words it is.
template <class Choice>
Choice choiceOf(std::string_view word, const std::vector<std::string_view>& words,
                const char* what) {
    const auto found = std::ranges::find(words, word);
    if (found == words.end())
        throw Failure("its head has the " + std::string(what) + " '" +
                      std::string(word.substr(0, 40)) + "', which is unknown");
    return static_cast<Choice>(found - words.begin());
}

}  // namespace

MatrixHead matrixHeadOf(std::string_view line) {
    const std::string text = lower(line);
    const std::vector<std::string_view> words = wordsOf(text);
    if (words.size() != 5 || words[0] != "%%matrixmarket" || words[1] != "matrix")
        throw Failure("it is no matrix of the Matrix Market");
    MatrixHead head;
    head.form = choiceOf<MatrixHead::Form>(words[2], {"coordinate", "array"}, "form");
    head.field =
        choiceOf<MatrixHead::Field>(words[3], {"real", "integer", "complex", "pattern"}, "field");
    head.symmetry = choiceOf<MatrixHead::Symmetry>(
        words[4], {"general", "symmetric", "skew-symmetric", "hermitian"}, "symmetry");
    return head;
}

std::vector<std::string_view> wordsOf(std::string_view line) {
    constexpr std::string_view blanks = " \t\r";
    std::vector<std::string_view> words;
    for (std::size_t at = 0; (at = line.find_first_not_of(blanks, at)) != line.npos;) {
        const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
        words.push_back(line.substr(at, end - at));
        at = end;
    }
    return words;
}

std::string lower(std::string_view word) {
    std::string result(word);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

}  // namespace hpspmd::detail::files
