// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function or lambda of this program that a call in a nest runs, as code that may stand there.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "ast/node.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"

namespace hpcc::regions {

using ast::NodePtr;
using ast::Symbol;

// A parameter, and what the call gives for it.
struct Given {
    NodePtr declaration = nullptr;  // Parameter
    const Symbol* symbol = nullptr;
    NodePtr value = nullptr;   // the argument, or the default value
    bool isChanged = false;    // the function assigns it
    bool isMentioned = false;  // somewhere in the function
    bool isReference = false, isConst = false;
};

struct CalledCode {
    NodePtr function = nullptr;  // FunctionDefinition or Lambda
    NodePtr object = nullptr;    // f of f.lap(i, j), f(i, j)
    bool isPointer = false;      // .. of f->lap(i, j)
    const Symbol* objectClass = nullptr;
    NodePtr qualifier = nullptr;  // pde of pde::f(u, i)
    std::vector<Given> given;
    std::map<const Symbol*, std::string> types;  // what parameters of its template stand for

    // Statements without a `return`, and behind them those that decide what is returned.
    std::vector<NodePtr> first, last;
    bool isChoice = false;              // the last ones are `return` and `if (..) return ..;` only
    NodePtr result = nullptr;           // the Specifiers of its type; null: `auto`
    const ast::Type* number = nullptr;  // its type, if that is known for a number
    bool isVoid = false, returnsReference = false;
    bool mayGiveValue = false;  // if it does not return a reference, as it seems to

    bool onlyComputes = false;  // it changes nothing but its own variables
    bool runsNests = false;     // it stands outside of nests, and has some
    bool isOptional = false;    // it gets no index and no array, and reaches no elements
    bool isLocal() const { return ast::is<ast::Lambda>(function); }
};

// What a call runs, or why it cannot stand in its place; nothing of calls that get no index and no
// array and reach no elements, but for those that only change the plain values of their object, go
// in steps, or call functions that there are for several numbers at once.
struct NotCalled {};
std::variant<NotCalled, CalledCode, std::string> calledCode(NodePtr call);
// Outside of nests: of functions whose nests call what they are given (called_nests.hpp).
std::variant<NotCalled, CalledCode, std::string> codeWithNests(NodePtr call);

}  // namespace hpcc::regions
