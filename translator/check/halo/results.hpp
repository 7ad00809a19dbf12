// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results of all functions of a translation, each found when first asked for.
#pragma once

#include "check/functions.hpp"
#include "check/halo/analysis.hpp"

#include <unordered_map>

namespace hpcc::check::halo {

class Results {
public:
    Results(const Functions& functions, const ast::MacroNames& macros)
        : functions_(functions), macros_(macros) {}

    const ast::MacroNames& macros() const { return macros_; }

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
};

}  // namespace hpcc::check::halo
