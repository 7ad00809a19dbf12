// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "ast/node.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"

namespace hpcc::lower {

/// Destructors, conversions, and constructors of one argument: they run where nobody names them, so
/// that a call cannot give them the nest that is checked. They ask the thread for it:
///
///     ~Left() { mark += 1; }
///     ->
///     ~Left() {
///         if (hpspmd::detail::checkedNest() != nullptr) {
///             hpspmd::detail::Independence &nest_asserted = *hpspmd::detail::checkedNest();
///             hpspmd::detail::mayWrite(nest_asserted, mark, "mark") += 1;
///         } else { mark += 1; }
///     }
///
/// So do those of which a nest that is checked mentions the class, itself or as a part of others,
/// if they reach more than members of their object, which is noted as a whole where it is used.
class UnnamedFunctions {
    using NodePtr = ast::NodePtr;

public:
    void noteClass(NodePtr node);
    /// A FunctionDefinition that stands in the class `around`, or in none (null). Others are left
    /// out.
    void note(NodePtr definition, NodePtr around);
    /// Those of the classes that the code mentions and no code before has mentioned.
    std::vector<NodePtr> mentionedIn(NodePtr code);
    /// True of one of those, at any stage.
    bool isMentioned(NodePtr definition) const;
    /// The destructor, if it is one of these; else null.
    NodePtr destructorOf(const ast::Symbol* object) const;

private:
    void mention(NodePtr code, std::vector<NodePtr>& found);
    void mention(const ast::Type* type, std::vector<NodePtr>& found);
    void mention(const ast::Symbol* object, std::vector<NodePtr>& found);

    std::map<const ast::Symbol*, NodePtr> classes_;
    std::map<const ast::Symbol*, std::vector<NodePtr>> functions_;
    std::set<const ast::Symbol*> mentioned_;
    std::set<std::size_t> begins_;  // of the functions of classes that are mentioned
};

/// True if the body of a member function reads members of its object, and does nothing else that
/// concerns elements.
bool reachesItsObjectOnly(ast::NodePtr body);

}  // namespace hpcc::lower
