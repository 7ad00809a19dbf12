// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which variable each name of a lowered function means.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "ast/node_table.hpp"
#include "optimize/name_numbers.hpp"

namespace hpcc::optimize {

using ast::NodePtr;

/// Few of these come together: they need no memory of their own.
using Variables = boost::container::small_vector<int, 4>;

/// What the evaluation of an expression may change.
/// Judged for the safe side. A call of unknown code reaches what escapes and what is declared
/// outside, never a local variable whose address nobody took.
struct StepEffects {
    int body = 0;                         // that holds the step
    bool isPlain = false;                 // declares no names inside, and its body is looked into
    size_t firstPlace = 0, endPlace = 0;  // in Names
    Variables assigned;                   // variables, each as often as it may be assigned
    Variables escaping;                   // their address is taken, or a reference is bound to them
    bool reachesOutside = false;          // may change anything that escapes or is declared outside
    bool storesElements = false;  // may change numbers there, but no handles: `a.data()[..] = v`
    bool callsUnknown = false;    // calls code that may read the active process group
};

/// One declared variable of a function or of a lambda inside it.
struct Variable {
    std::string_view name{};
    NodePtr declaration = nullptr;  // InitDeclarator, Parameter, RangeFor, ConditionDeclaration ..
    NodePtr specifiers = nullptr;   // its type as written; null for captures and bindings
    NodePtr initializer = nullptr;  // null if it has none
    int body = 0;                   // 0: the function; else the lambda that declares it
    int assignments = 0;            // besides the initialization
    bool isParameter = false;
    bool isReference = false;
    bool isConst = false;        // as declared
    bool isPersistent = false;   // static, extern, thread_local
    bool escapes = false;        // code that does not name it may change it
    bool holdsElements = false;  // `auto *const p = a.data()`
    int nameNumber = 0;          // of the names of the function
    int namesake = -1;           // the one declared before it with the same name

    /// It has one value from its declaration on.
    bool isConstant() const { return assignments == 0 && !escapes; }
};

/// The body of the function, or of a lambda inside it.
struct Body {
    NodePtr node = nullptr;
    bool isLambda = false;
    bool isOpaque = false;   // holds C++ that the translator does not look into
    bool hasLabels = false;  // to jump to
    bool hasLoops = false;
    bool hasRangeLoops = false;  // `for (x : r)`, as over blocks
    bool hasDeclarations = false;
};

/// An identifier that means a variable, and is not its declaration.
struct NamePlace {
    int variable;
    NodePtr node;
    NodePtr member;   // of which the node is the base: `i.sub` for an i; null for others
    NodePtr step;     // that it stands in; null for one in none
    bool isMadeText;  // the node is a leaf of made text, which may name several
};

/// The names of one function with the lambdas in it, resolved by scope. What is not found is
/// declared outside of the function.
class Names {
public:
    /// `before`: what was known of the function before a pass changed parts of it. What the other
    /// parts name and may change is taken over.
    explicit Names(NodePtr function, Names* before = nullptr);

    NodePtr function() const { return function_; }

    /// The variable that an Identifier means; -1 if it is declared outside or is no variable.
    int find(NodePtr identifier) const {
        const int* const variable = found_.find(identifier);
        return variable ? *variable : -1;
    }
    const Variable& operator[](int variable) const {
        return variables_[static_cast<size_t>(variable)];
    }
    int size() const { return static_cast<int>(variables_.size()); }

    /// The variable declared last with this name; -1 if there is none.
    int lastNamed(std::string_view name) const {
        const int number = numbers_.find(name);
        return number < 0 ? -1 : meanings_[static_cast<size_t>(number)].last;
    }

    /// The variable declared by a node, by its position among the names of that node.
    int declaredBy(NodePtr declaration) const {
        const int* const variable = declared_.find(declaration);
        return variable ? *variable : -1;
    }

    /// The identifiers that mean it, its declaration not among them, in textual order.
    std::span<const NodePtr> usesOf(int variable) const {
        const auto begin = firstUses_[static_cast<size_t>(variable)];
        return std::span(uses_).subspan(begin,
                                        firstUses_[static_cast<size_t>(variable) + 1] - begin);
    }

    /// The members that these are the bases of, `i.sub` for an i; null for other uses.
    std::span<const NodePtr> membersOf(int variable) const {
        return std::span(members_).subspan(firstUses_[static_cast<size_t>(variable)],
                                           usesOf(variable).size());
    }

    /// The steps that these stand in; null for one in none.
    std::span<const NodePtr> stepsOf(int variable) const {
        return std::span(useSteps_).subspan(firstUses_[static_cast<size_t>(variable)],
                                            usesOf(variable).size());
    }

    /// Of a step of a body (step_effects.hpp); null for what is none.
    const StepEffects* effectsOf(NodePtr step) const {
        const int* const number = steps_.find(step);
        return number ? &effects_[static_cast<size_t>(*number)] : nullptr;
    }

    /// The names in a step that is plain, in textual order.
    std::span<const NamePlace> placesIn(const StepEffects& step) const {
        return std::span(places_).subspan(step.firstPlace, step.endPlace - step.firstPlace);
    }

    /// The variables named in a leaf of made text, as lowering writes into its checks:
    /// `x.size() - 1`.
    const Variables* namedIn(NodePtr leaf) const {
        const int* const number = named_.find(leaf);
        return number ? &namedVariables_[static_cast<size_t>(*number)] : nullptr;
    }

    /// Number of a body: 0 for the function's own, k for the k-th lambda.
    int bodyOf(NodePtr body) const {
        const auto place = std::ranges::find(bodies_, body, &Body::node);
        return place == bodies_.end() ? -1 : static_cast<int>(place - bodies_.begin());
    }
    const Body& body(int number) const { return bodies_[static_cast<size_t>(number)]; }

    /// The bodies in textual order, the function's first.
    const std::vector<Body>& bodies() const { return bodies_; }

private:
    friend class NameResolver;
    friend class StepRecorder;
    struct Meaning {
        int last = -1;     // declared with the name
        int current = -1;  // in scope at the present place of the resolver
    };

    void note(const NamePlace& place);
    void makeRoom(const Names* before);
    void countAssignments();

    NodePtr function_;
    std::vector<Variable> variables_;
    std::vector<NamePlace> places_;  // in textual order
    std::vector<NodePtr> uses_;      // of one variable after the other
    std::vector<NodePtr> members_;   // of which these are the bases
    std::vector<NodePtr> useSteps_;  // in which these stand
    std::vector<size_t> firstUses_;  // where those of each variable begin, and the end
    ast::NodeTable<int> found_;
    NameNumbers numbers_;            // of the names of variables
    std::vector<Meaning> meanings_;  // by number of the name
    ast::NodeTable<int> named_;
    std::vector<Variables> namedVariables_;
    ast::NodeTable<int> declared_;
    std::vector<Body> bodies_;
    ast::NodeTable<int> steps_;
    std::vector<StepEffects> effects_;  // of the steps
};

}  // namespace hpcc::optimize
