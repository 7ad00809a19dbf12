// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "diagnostics/engine.hpp"
#include "regions/attributes.hpp"
#include "regions/views.hpp"

namespace hpcc::regions {

using ast::isNumber;
using diagnostics::quoted;

using ast::Symbol;

// A parameter or local variable with [[hpspmd::dist]].
struct DividedArray {
    const Symbol* symbol = nullptr;
    // The Parameter, or the Declaration of a local variable; null for arrays of a loop that is
    // marked outside of methods.
    NodePtr declaration = nullptr;
    std::string element;          // "const double"
    int rank = 1, dimension = 0;  // of which one is divided,
    std::vector<int> further;     // and perhaps some behind it
    bool isNested = false;        // an element is a[i][j], rather than a[i, j],
    bool isRows = false;          // and a[i] has memory of its own
    std::string format;           // CyclicRange, BlockCyclicRange(8); empty if it is not said
    bool isStrategy = false;      // but what makes the sizes of its parts
    std::string size;             // of a pointer: the number of its elements
    std::optional<View> view;     // that is promised
    std::vector<View> furtherViews;
    NodePtr width = nullptr;  // of the rows that a[i * n + j] counts; divided are these
    bool isLocal() const { return declaration && !ast::is<ast::Parameter>(declaration); }
    bool isPointer() const { return !size.empty(); }
    // Loops work in its own memory, rather than through the part.
    bool isInPlace() const { return isRows || width; }
    bool isInBlocks() const { return !further.empty(); }
    int divided(std::size_t k) const { return k == 0 ? dimension : further[k - 1]; }
    bool isDivided(int r) const {
        return r == dimension || std::ranges::find(further, r) != further.end();
    }
    // The same array, as loops see it that run over its k-th further dimension.
    DividedArray along(std::size_t k) const;
    bool isConst() const { return element.starts_with("const "); }
    void setConst();

    // Where a subscript is among what is divided.
    std::string location(std::string_view subscript) const;
    std::string countedBy() const;  // ", n" for rows of n elements
};

// By their names, so that what is written does not depend on where in memory they are.
struct ByName {
    bool operator()(const Symbol* a, const Symbol* b) const {
        const bool haveNames = a != nullptr && b != nullptr && a->name != b->name;
        return haveNames ? a->name < b->name : std::less<>()(a, b);
    }
    bool operator()(const DividedArray* a, const DividedArray* b) const {
        return (*this)(a->symbol, b->symbol);
    }
};
using ArraySet = std::set<const DividedArray*, ByName>;
template <class T>
using ArrayMap = std::map<const DividedArray*, T, ByName>;

// Of `[[hpspmd::dist(..)]] declaration`; nothing, and an error, if it cannot be divided.
std::optional<DividedArray> dividedArray(NodePtr attributed, const Attribute& dist, NodePtr unit,
                                         diagnostics::Engine& engine);

// Of an array that a loop subscripts; nothing if that dimension of it cannot be divided.
std::optional<DividedArray> arrayToDivide(const Symbol& symbol, int dimension, NodePtr unit);

// vector, array, span of the standard library, but for vector<bool>.
bool isContiguous(const ast::Type* type);

// A container, C array or `*` multiarray of numbers, which reduce combines.
bool holdsNumbers(const Symbol& symbol);

// v of `v.size(0)` or `v[k].size()`, a name; null for anything else.
NodePtr sizedArray(NodePtr call);

// a.size(), g.size(0), g[k].size() of an array
bool isSize(NodePtr call);

}  // namespace hpcc::regions
