// Names for what the translator adds to a program.
#pragma once

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

    // The same name each time: for names that each construct declares in a scope of its own.
    std::string name(const std::string& wanted) const { return firstFree(wanted, {}); }

    // A name that is not in `scope`, and puts it there: for names that may meet in one scope.
    std::string name(const std::string& wanted, std::unordered_set<std::string>& scope) const {
        return *scope.insert(firstFree(wanted, scope)).first;
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

private:
    std::string firstFree(const std::string& wanted,
                          const std::unordered_set<std::string>& scope) const {
        const std::string base = withoutDoubleUnderscores(wanted);
        std::string result = base;
        for (int number = 2; identifiers_->contains(result) || scope.contains(result); ++number)
            result = base + "_" + std::to_string(number);
        return result;
    }

    // "x__fits", made from a field "x_", would be a reserved name.
    static std::string withoutDoubleUnderscores(const std::string& name) {
        std::string result;
        for (const char c : name)
            if (c != '_' || result.empty() || result.back() != '_') result += c;
        return result;
    }

    const std::unordered_set<std::string_view>* identifiers_;
};

}  // namespace hpcc::ast
