// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mutator.hpp"

namespace hpcc::fuzz {
namespace {

constexpr std::size_t legalCount = 1024;

}  // namespace

std::string Mutator::mutated(const std::string& text, Random& random) {
    const auto choice = static_cast<int>(random.below(10));
    if (choice >= mix_.tree + mix_.token) return "";
    if (choice >= mix_.tree) return withTokensMutated(text, words_, random);
    const Program program(text);
    if (!program.isLegal() && !legal_.empty() && !random.oneIn(8))
        return mutatedTree(Program(random.oneOf(legal_)), random);
    return mutatedTree(program, random);
}

std::string Mutator::crossed(const std::string& text, const std::string& other, Random& random) {
    const Program program(text), source(other);
    fragments_.note(source, random);
    return withPartOf(program, source, random);
}

std::string Mutator::mutatedTree(const Program& program, Random& random) {
    fragments_.note(program, random);
    if (program.isLegal()) {
        if (legal_.size() < legalCount)
            legal_.push_back(program.content());
        else
            legal_[random.below(legalCount)] = program.content();
    }
    return withTreeMutated(program, fragments_, random);
}

}  // namespace hpcc::fuzz
