// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Identifiers of a text, numbered, so that scans compare numbers instead of text.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hpcc::syntax {

using NameId = int32_t;
constexpr NameId noName = -1;

// The words with a meaning in some places only.
enum Word : NameId {
    wordOverall,
    wordAt,
    wordOn,
    wordOverride,
    wordFinal,
    wordHpspmd,
    wordModule,
    wordImport
};

class Names {
public:
    Names();
    NameId id(std::string_view name);  // the name's text must live as long as this table
    std::string_view text(NameId id) const { return texts_[id]; }
    int count() const { return static_cast<int>(texts_.size()); }

private:
    std::unordered_map<std::string_view, NameId> ids_;
    std::vector<std::string_view> texts_;
};

}  // namespace hpcc::syntax
