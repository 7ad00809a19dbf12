// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ast/node.hpp"
#include "diagnostics/engine.hpp"

namespace hpcc::analysis {
class Dependences;
}

namespace hpcc::nests {

using Names = std::unordered_set<std::string_view>;

/// What is assigned, and where first. No loop assigns one variable and declares another one of
/// that name.
using Assignments = std::map<std::string_view, ast::NodePtr>;

/// A loop of a nest: an `overall`, a counting `for`, or any other loop.
struct Loop {
    enum class Kind { Overall, Counting, Other };

    Kind kind = Kind::Other;
    size_t number = 0;  // in the order of the text
    ast::NodePtr statement = nullptr;
    const Loop* outer = nullptr;   // the loop directly round it; null for the nest itself
    std::string_view variable;     // i of `overall (i = ..`, k of `for (int k = ..`
    ast::NodePtr range = nullptr;  // of an overall
    ast::NodePtr first = nullptr;  // of a counting loop: value of k at start,
    ast::NodePtr end = nullptr;    // and what it is compared with
    bool reachesEnd = false;       // by `<=`, `>=`
    bool endsByMeeting = false;    // by `!=`
    bool endsPerRow = false;       // the same, where the nest does not know first and end before
    long step = 1;                 // a literal, below 0 if a counting loop goes down; of an
                                   // overall positive, 1 where it is none, in general forms
    bool isInnermost = true;       // contains no loop
    bool usesGlobal = false;       // contains i`
    bool touchesForeign = false;   // reads or writes memory that is no element of a multiarray
    bool touchesShared = false;    // and more of that than elements of containers, which it reads
    bool touchesOther = false;     // and any that is no element of a container of numbers
    bool touchesLasting = false;   // the same, but for `scratch` of the loop itself
    bool jumps = false;            // break or continue inside
    std::set<const ast::Symbol*> scratch;  // vectors that each iteration may have for itself
    Assignments assigned;                  // of scalars, anywhere inside
    Names declared;                        // anywhere inside
    std::vector<size_t> accesses;          // of the nest's, those inside, inner loops apart
};

/// How an access subscripts one dimension.
struct Slot {
    ast::NodePtr subscript = nullptr;
    ast::NodePtr index = nullptr;     // `-` slot: the distributed index,
    const Loop* loop = nullptr;       // and the overall of this nest that binds it, if any;
                                      // `*` slot: the counting loop whose variable (+ shift) it is
    long shift = 0;                   // constant distance from the index or loop variable
    ast::NodePtr distance = nullptr;  // of an index, where it is no constant,
    bool negative = false;            // and whether it is subtracted
};

/// One element access.
struct Access {
    ast::NodePtr node = nullptr;  // the Subscript
    size_t array = 0;
    const Loop* loop = nullptr;  // the innermost loop round it
    bool writes = false;
    std::vector<Slot> slots;
};

struct NestArray {
    std::string text;  // as the program names it: `a`, `test.answers`
    ast::NodePtr base = nullptr;
};

/// Why a nest stays as it is.
struct Obstacle {
    ast::NodePtr place = nullptr;
    std::string reason;
    std::string cure = {};  // what the user can do about it; "" where nothing is known
};

/// An outermost `overall`, and what its fast form must know. Loops outlive moves of the nest.
struct Nest {
    std::deque<Loop> loops;  // the nest itself first
    std::vector<NestArray> arrays;
    std::vector<NestArray> containers;  // that own elements which the nest reads: a std::vector
    std::vector<Access> accesses;
    std::unordered_map<ast::NodePtr, size_t> accessOf;  // Subscript -> accesses
    std::unordered_map<ast::NodePtr, const Loop*> loopOf;
    std::unordered_map<std::string_view, const Loop*> loopOfName;
    Assignments assigned;  // of scalars; loop variables and indices apart
    Names declared;
    bool callsForeign = false;       // code that may do anything else, as ask for the active group
    Names changeable;                // variables that code out of sight may change
    std::set<std::string> premises;  // of C++, under which calls only compute
    std::set<std::string> tables;    // `W::w` of a template's parameter, of which it reads elements
    Obstacle general;                // what only the general form can do
    std::string function;            // "Sor::relax", where the C++ compiler would not say so; or ""
    bool isPromised = false;  // [[hpspmd::independent]]: iterations of its `overall`s are apart
    std::string_view method;  // [[hpspmd::divided(method)]]: those of the outermost one are, in
                              // any memory, if this object says so

    /// Which of its accesses meet, and in which iterations.
    analysis::Dependences& dependences() const;

    /// All that has perhaps not one value throughout; loop variables and indices apart.
    Names changed() const;

    /// The first of them that has this variable, or null.
    const Loop* loopNamed(std::string_view variable) const {
        const auto found = loopOfName.find(variable);
        return found == loopOfName.end() ? nullptr : found->second;
    }

private:
    mutable std::shared_ptr<analysis::Dependences> dependences_;  // made when first asked for
};

using diagnostics::quoted;

/// `a, b, c`
std::string listed(const std::vector<std::string>& parts, const char* separator = ", ");

/// True if it is the loop itself or inside it. Null is not.
bool isInside(const Loop* inner, const Loop& loop);
/// A loop and those inside it, in the order of the text.
struct LoopsInside {
    std::deque<Loop>::const_iterator first, last;

    [[nodiscard]] auto begin() const { return first; }
    [[nodiscard]] auto end() const { return last; }
};
LoopsInside loopsIn(const Nest& nest, const Loop& loop);
/// The accesses in the loop and in those inside it.
std::vector<const Access*> accessesIn(const Nest& nest, const Loop& loop);

/// The body of an `overall` or counting loop, and which child of the statement it is.
uint32_t bodySlot(const Loop& loop);
ast::NodePtr bodyOf(const Loop& loop);

/// The body of any loop; the condition of one of C++, null of an `overall`.
ast::NodePtr bodyOf(ast::NodePtr loop);
ast::NodePtr conditionOf(ast::NodePtr loop);
/// Which child of a loop of C++ its condition is.
uint32_t conditionSlot(ast::NodePtr loop);

/// What names a loop in `analysis`: the header of an `overall`, or a `for`.
ast::NodePtr headerOf(const Loop& loop);

/// `1 : n - 2` of an `overall`.
ast::NodePtr tripletOf(const Loop& overall);

/// `Index` of `for (Index k = ..`.
ast::NodePtr counterType(const Loop& counting);

/// True of a counting loop that is known to have at most 16 iterations.
bool isShort(const Loop& loop);

/// What is assigned inside and outlives an iteration.
Names lastingIn(const Loop& loop);
Names lastingIn(const Nest& nest);

/// True if an expression names what a loop assigns, declares or counts with.
bool mayChangeIn(const Loop& loop, ast::NodePtr expression);

/// The access that an expression is; null if it is none.
const Access* accessAt(const Nest& nest, ast::NodePtr expression);

/// True if both reach the same row of one array.
bool areInOneRow(const Access& a, const Access& b);

/// True if the subscript is the variable of this loop, without a shift.
bool isIndex(const Slot& slot, const Loop& loop);

/// A statement without blocks that hold nothing else; the assignment that it is then, or null.
ast::NodePtr soleStatement(ast::NodePtr statement);
ast::NodePtr soleAssignment(ast::NodePtr statement);

/// The statements of a body, with those of blocks in it that declare nothing.
std::vector<ast::NodePtr> statementsIn(ast::NodePtr body);

/// t of `sum += t`, `sum = sum + t` and `sum = t + sum`; null if the assignment is none of these.
ast::NodePtr addendOf(ast::NodePtr assign, const std::function<bool(ast::NodePtr)>& isSum);

/// `double sum = 0;`, `double sum{0};` or `double sum(0);`
struct DeclaredNumber {
    std::string_view type, name;
    ast::NodePtr start;
};
std::optional<DeclaredNumber> numberDeclaredIn(ast::NodePtr statement);

/// What a statement is, or what stands behind declarations in a block, in one of that, and so on.
ast::NodePtr behindDeclarations(ast::NodePtr statement);

/// True if it is this name, perhaps in parentheses.
bool isNamed(ast::NodePtr expression, std::string_view name);

/// True if a part of it mentions this name.
bool mentions(ast::NodePtr node, std::string_view name);

/// True if `part` is `node` itself or below it.
bool isInside(ast::NodePtr node, ast::NodePtr part);

/// The containers that a call exchanges, `std::swap(u, v)` or `u.swap(v)`; null of others.
std::pair<ast::NodePtr, ast::NodePtr> exchangedBy(ast::NodePtr call);

/// `break` or `continue`.
bool holdsJump(ast::NodePtr node);

}  // namespace hpcc::nests
