// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Changes programs: mostly so that they still parse, by exchanging parts of their trees.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "places.hpp"
#include "random.hpp"

namespace hpcc::fuzz {

/// Parts of programs seen so far, by sort; a bounded number.
class Fragments {
public:
    void note(const Program& program, Random& random);
    /// Empty if none of that sort has been seen.
    std::string_view oneOf(int sort, Random& random) const;

private:
    std::vector<std::vector<std::string>> bySort_ =
        std::vector<std::vector<std::string>>(static_cast<std::size_t>(Program::sortCount()));
};

/// The words of a dictionary file of libFuzzer: one quoted word per line, "#" begins a comment.
std::vector<std::string> wordsOf(const std::string& path);

/// One part of the tree exchanged, removed, doubled or wrapped; the program itself if it has none.
std::string withTreeMutated(const Program& program, const Fragments& fragments, Random& random);

/// A part of `other` in place of one of `program`, or a declaration of `other` behind it.
std::string withPartOf(const Program& program, const Program& other, Random& random);

/// A few tokens exchanged, removed, doubled, replaced or inserted.
std::string withTokensMutated(const std::string& text, const std::vector<std::string>& words,
                              Random& random);

/// Of ten mutations, how many change trees, how many tokens.
struct Mix {
    int tree;
    int token;
};

/// Mutates in the proportions of a mix; what it has seen goes into what it makes. Inputs that lead
/// to new code are often broken ones, from which only broken ones would come: trees are mostly
/// taken from programs that parse.
class Mutator {
public:
    Mutator(Mix mix, const std::string& dictionary) : mix_(mix), words_(wordsOf(dictionary)) {}

    /// Empty if bytes are to be moved, which is left to the caller.
    std::string mutated(const std::string& text, Random& random);
    std::string crossed(const std::string& text, const std::string& other, Random& random);

private:
    std::string mutatedTree(const Program& program, Random& random);

    Mix mix_;
    std::vector<std::string> words_;
    Fragments fragments_;
    std::vector<std::string> legal_;  // programs that parse, seen before
};

}  // namespace hpcc::fuzz
