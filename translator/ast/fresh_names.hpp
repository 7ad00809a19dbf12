// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names for what the translator adds to a program.
#pragma once

#include <cctype>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace hpcc::ast {

// Names that no identifier of the user's text has: "i_block", or "i_block_2" if that is taken.
class FreshNames {
public:
    explicit FreshNames(const std::unordered_set<std::string_view>& identifiers)
        : identifiers_(&identifiers) {}

    // Names given out in one scope.
    class Given {
    public:
        void clear() { numbers_.clear(); }

    private:
        friend FreshNames;
        std::unordered_map<std::string, int> numbers_;  // of each name the last one tried
    };

    // The same name each time: for names that each construct declares in a scope of its own.
    std::string name(const std::string& wanted) const {
        Given none;
        return name(wanted, none);
    }

    // A name that has not been given out in `scope`: for names that may meet in one scope.
    std::string name(const std::string& wanted, Given& scope) const {
        const std::string base = withoutDoubleUnderscores(wanted);
        int& number = scope.numbers_.try_emplace(base, 0).first->second;
        std::string result;
        do {
            ++number;
            result = number == 1 ? base : base + "_" + std::to_string(number);
        } while (identifiers_->contains(result) ||
                 (number > 1 && !scope.numbers_.try_emplace(result, 1).second));
        return result;
    }

    // How often each name has been asked for.
    using Counts = std::unordered_map<std::string, int>;

    // Another name each time.
    std::string next(const std::string& wanted, Counts& counts) const {
        const std::string base = withoutDoubleUnderscores(wanted);
        int& number = counts[base];
        std::string result;
        do {
            ++number;
            result = number == 1 ? base : base + "_" + std::to_string(number);
        } while (identifiers_->contains(result));
        return result;
    }

    // "state_total" of `state.total`
    static std::string wordOf(std::string_view text) {
        std::string word;
        for (const char c : text)
            if (std::isalnum(static_cast<unsigned char>(c)))
                word += c;
            else if (!word.empty() && word.back() != '_')
                word += '_';
        if (!word.empty() && word.back() == '_') word.pop_back();
        return word;
    }

    // "x__fits", made from a field "x_", would be a reserved name.
    static std::string withoutDoubleUnderscores(const std::string& name) {
        std::string result;
        for (const char c : name)
            if (c != '_' || result.empty() || result.back() != '_') result += c;
        return result;
    }

private:
    const std::unordered_set<std::string_view>* identifiers_;
};

}  // namespace hpcc::ast
