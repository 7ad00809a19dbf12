// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <utility>

#include "cases.hpp"

namespace hpspmd::test {
namespace {

class Shrinking {
public:
    Shrinking(Choices choices, const std::function<bool(Choices&)>& fails)
        : choices_(std::move(choices)), fails_(fails) {}

    Choices run() {
        for (bool smaller = true; smaller && attempts_ < mostAttempts;) {
            smaller = false;
            for (const std::size_t length : {8, 4, 2, 1}) smaller |= leaveOut(length);
            smaller |= lower();
        }
        return choices_;
    }

private:
    static constexpr int mostAttempts = 600;

    bool accept(Choices candidate) {
        if (++attempts_ > mostAttempts || !fails_(candidate) || !isSimpler(candidate)) return false;
        choices_ = std::move(candidate);
        return true;
    }

    bool isSimpler(const Choices& other) const {
        return std::pair(other.size(), other) < std::pair(choices_.size(), choices_);
    }

    bool leaveOut(std::size_t length) {
        bool smaller = false;
        for (std::size_t end = choices_.size(); end >= length; --end) {
            if (end > choices_.size()) continue;
            Choices candidate = choices_;
            const auto first = candidate.begin() + static_cast<std::ptrdiff_t>(end - length);
            candidate.erase(first, first + static_cast<std::ptrdiff_t>(length));
            smaller |= accept(std::move(candidate));
        }
        return smaller;
    }

    bool lower() {
        bool smaller = false;
        for (std::size_t k = 0; k < choices_.size(); ++k) smaller |= lower(k);
        return smaller;
    }

    /// By as much as possible: 0, else half way down, and so on.
    bool lower(std::size_t k) {
        for (Index by = choices_[k]; by > 0; by /= 2) {
            Choices candidate = choices_;
            candidate[k] -= by;
            if (accept(std::move(candidate))) return true;
        }
        return false;
    }

    Choices choices_;
    const std::function<bool(Choices&)>& fails_;
    int attempts_ = 0;
};

}  // namespace

Choices shrink(Choices choices, const std::function<bool(Choices&)>& fails) {
    return Shrinking(std::move(choices), fails).run();
}

}  // namespace hpspmd::test
