// What the evaluation of an expression may change.
#pragma once

#include "optimize/names.hpp"

namespace hpcc::optimize {

/// Judged for the safe side. A call of unknown code reaches what escapes and what is declared
/// outside, never a local variable whose address nobody took.
struct StepEffects {
    Variables assigned;           // variables, each as often as it may be assigned
    Variables escaping;           // their address is taken, or a reference is bound to them
    bool reachesOutside = false;  // may change anything that escapes or is declared outside
    bool storesElements = false;  // may change numbers there, but no handles: `a.data()[..] = v`
    bool callsUnknown = false;    // calls code that may read the active process group
};

/// Of one expression, initializer or declarator; lambdas in it are only made, not run.
StepEffects effectsOfStep(const Names& names, NodePtr node);

/// Of all statements of a function or lambda, without the lambdas inside.
StepEffects effectsOfBody(const Names& names, NodePtr body);

/// A call of one of the runtime's questions: no effect, the same answer while its names keep their
/// values: `a.stride(0)`, `x.size()`, `y.localBlocks(1, n)`.
bool isInquiry(NodePtr call);

/// An element of a multiarray: `a.data()[e]`, or `p[e]` with `auto *const p = a.data()`.
bool isElementAccess(const Names& names, NodePtr node);

}  // namespace hpcc::optimize
