// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results of all functions of a translation, each found when first asked for.
#pragma once

#include "analysis/object_writes.hpp"
#include "check/functions.hpp"
#include "check/halo/analysis.hpp"

#include <unordered_map>

namespace hpcc::check::halo {

class Results {
public:
    Results(const Functions& functions, const ast::MacroNames& macros)
        : functions_(functions),
          macros_(macros),
          objectWrites_([this](NodePtr call) { return calledBody(call); }) {}

    const ast::MacroNames& macros() const { return macros_; }
    analysis::ObjectWrites& objectWrites() { return objectWrites_; }

    // Of a function definition or lambda; null while it is being analysed.
    const Result* of(NodePtr function);

    // The body that a call runs: a FunctionDefinition or Lambda; null if it is out of sight, or
    // may be one of several.
    NodePtr calledBody(NodePtr call);

    // The arguments whose ghost cells the called function is declared to fill.
    std::vector<NodePtr> declaredRefreshed(NodePtr call) const;

private:
    const Functions& functions_;
    const ast::MacroNames& macros_;
    std::unordered_map<NodePtr, std::unique_ptr<Result>> results_;  // null: being analysed
    analysis::ObjectWrites objectWrites_;
};

// ---- what a function that is called makes of its arguments ------------------------------------

// The expression that a root of the callee's paths stands for at the call; null: itself.
struct Actual {
    NodePtr expression = nullptr;
    bool isOwn = false;     // the caller knows the root by the same name
    bool isObject = false;  // the root is a field of the object `expression`
};

Actual actualOf(const Symbol* root, NodePtr call, NodePtr body);

// Of parameter k: unknown if it is one of `auto... arrays`; void if the body does not name it.
const Type* formalType(NodePtr body, std::size_t k);
NodePtr defaultValue(NodePtr body, std::size_t k);  // null if it has none

// True if a parameter of a class is made when the argument is passed. False for a reference to it.
bool isMadeFrom(const Type& formal, NodePtr argument);

}  // namespace hpcc::check::halo
