// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <map>
#include <set>
#include <vector>

#include "nests/context.hpp"
#include "nests/independence.hpp"
#include "nests/nest.hpp"

namespace hpcc::nests {

/// Sums and products of signed integers, which leave no value out.
bool isOfSigned(ast::NodePtr expression);

/// Expressions that the entry of a nest can evaluate.
///
/// Of what changes inside it can tell the values from a smallest to a largest one: for
/// `for (Index k = 1; k < n - 1; ++k)` it declares `const hpspmd::detail::Reach k_reach(1, n -
/// 2);`, and the subscript `k * m + 1` reaches `k_reach * m + 1`.
class Reaches {
public:
    Reaches(Context& context, const Nest& nest) : context_(context), nest_(nest) {}

    /// The same where an innermost loop of the nest begins: what the loop does not change is fixed
    /// there, elements among them that `areThere`. Parts of the program stand in these expressions
    /// as they are in the nest.
    Reaches(Context& context, const Nest& nest, const Loop& inner,
            std::function<bool(const Access&)> areThere)
        : context_(context), nest_(nest), inner_(&inner), areThere_(std::move(areThere)) {}

    /// True if the expression has the same value all through the nest, or the inner loop, and may
    /// be evaluated where that perhaps runs no iteration.
    bool isFixed(ast::NodePtr expression) const;

    /// True if it has the same value all through an innermost loop, and may be evaluated before it.
    bool isFixedIn(ast::NodePtr expression, const Loop& loop) const;

    /// The values of an expression inside `loop`, as an expression for the entry; null if they
    /// cannot be told.
    ast::NodePtr of(ast::NodePtr expression, const Loop* loop);

    /// The same for a `*` subscript of an access that every iteration makes. Elements of integer
    /// arrays that the nest only reads may occur in it, which `gathers` then names: `column_reach -
    /// 1` of `column[i, k] - 1`. It holds behind the conditions of takeGathers().
    struct Subscripts {
        ast::NodePtr reach = nullptr;
        bool gathers = false;
    };
    /// Where such elements may stand.
    struct Elements {
        bool inBounds = false, inSubscripts = false;
    };
    Subscripts ofSubscript(const Access& access, size_t slot, Elements elements);
    /// True of a counting loop from or to such elements: `for (k = first[i]; k < first[i + 1];
    /// ++k)`.
    bool hasElementsInBounds(const Loop& loop) const { return inPlace_.contains(&loop); }
    /// True if it stands under no condition, nor in an operand that is perhaps not evaluated.
    bool isSurelyMade(const Access& access) const;

    /// What of the values of a `*` subscript the conditions round its access leave, for the entry:
    /// `hpspmd::detail::atLeast(k_reach - 1, 0)` of `if (k > 0) s += a[i, k - 1];`.
    ast::NodePtr guarded(ast::NodePtr reach, const Access& access, size_t slot);
    /// True if conditions leave out some of its values.
    bool areGuarded(const Access& access, size_t slot) const;

    /// Conditions that find the values of elements, for behind those that the elements are there;
    /// and the arrays that must not share elements with those.
    std::vector<ast::NodePtr> takeGathers() { return std::move(gathers_); }
    const ArrayPairs& gatheredApart() const { return gatheredApart_; }

    /// The run of an overall is known by this name at the entry.
    void nameRun(const Loop& loop, const std::string& run) { runs_[&loop] = run; }

    /// The distances by which a subscript inside `loop` shifts its index: the same all through the
    /// nest, or of signed integers, so that what they reach is what they are.
    bool areKnown(const Slot& slot, const Loop* loop);

    /// The values of such a distance, one that a condition chooses, too. (Of another subscript
    /// these may be more than the iterations come to, so that the entry would say no in vain.)
    ast::NodePtr ofDistance(ast::NodePtr distance, const Loop* loop);

    /// The values of a loop variable; null if they cannot be told.
    ast::NodePtr of(const Loop& loop);

    /// The declarations that these need, in their order.
    std::vector<ast::NodePtr> takeDeclarations() { return std::move(declarations_); }

private:
    ast::NodePtr origin() const;
    ast::NodePtr made(ast::NodePtr expression);
    bool isFixedElement(ast::NodePtr expression);
    bool isFixedValue(ast::NodePtr expression);
    ast::NodePtr ofElement(const Access& access);
    /// Elements whose values are asked for.
    struct Gathered {
        std::string name;
        ast::NodePtr base = nullptr;
        std::vector<ast::NodePtr> parts = {};
        bool isDeclared = false;
    };
    void gather(Gathered& values);
    ast::NodePtr partOf(const Access& access, const Slot& slot);
    bool isReadOnly(const Access& access);
    ast::NodePtr as(ast::NumberType type, ast::NodePtr value, const Loop* loop);
    ast::NodePtr ofConstant(ast::NodePtr name, const Loop* loop);
    ast::NodePtr ofAssigned(ast::NodePtr name);
    ast::NodePtr joined(ast::NodePtr a, ast::NodePtr b);
    ast::NodePtr ofIdentifier(ast::NodePtr name, const Loop* loop);
    ast::NodePtr ofExtreme(ast::NodePtr call, const Loop* loop);
    ast::NodePtr ofBinary(ast::NodePtr binary, const Loop* loop);
    bool declare(const Loop& loop);
    ast::NodePtr inPlaceOf(const Loop& loop);
    bool declareCounting(const Loop& loop, const std::string& name);
    void declareOverall(const Loop& loop, const std::string& name);
    ast::NodePtr lastOf(const Loop& loop);
    ast::NodePtr leastOf(const Loop& loop);
    ast::NodePtr startOf(const Loop& loop);
    ast::NodePtr converted(ast::NodePtr value, ast::NodePtr original);
    ast::NodePtr boundOf(const Loop& loop, ast::NodePtr expression);

    Context& context_;
    const Nest& nest_;
    const Loop* inner_ = nullptr;
    std::function<bool(const Access&)> areThere_;
    std::unordered_map<const Loop*, std::string> names_;  // "" if they cannot be told
    std::vector<ast::NodePtr> declarations_;
    /// Of loops that have no name, because it would be declared before the elements are known.
    struct InPlace {
        ast::NodePtr first = nullptr, last = nullptr;
        std::vector<std::string> taken = {};
    };
    std::unordered_map<const Loop*, InPlace> inPlace_;
    bool takesElements_ = false, takesBounds_ = false, takesChosen_ = false;
    bool ofRuns_ = false;             // of an index only what the process holds counts
    std::vector<std::string> taken_;  // keys of `gathered_`, in the subscript under way
    std::unordered_map<const Loop*, std::string> runs_;
    std::set<const ast::Symbol*> underWay_;  // variables of which ofAssigned() is asked
    std::map<std::string, Gathered> gathered_;  // by the text of the elements
    std::vector<ast::NodePtr> gathers_;
    ArrayPairs gatheredApart_;
};

}  // namespace hpcc::nests
