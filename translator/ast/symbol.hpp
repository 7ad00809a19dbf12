// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a name means.
#pragma once

#include "ast/node.hpp"
#include "ast/runtime_names.hpp"

#include <string>

namespace hpcc::ast {

class Scope;
struct Type;

enum class SymbolKind {
    Variable,
    Parameter,
    Field,
    Function,
    Class,
    Alias,
    Namespace,
    Enumerator,
    TemplateParameter,
    DistributedIndex
};

struct Symbol {
    std::string name;
    SymbolKind kind = SymbolKind::Variable;
    // The node that declares it: InitDeclarator, Parameter, FunctionDefinition, Class, At,
    // OverallHeader ..; null for names of the libraries.
    NodePtr declaration = nullptr;
    mutable const Type* type = nullptr;
    NodePtr initializer = nullptr;             // of a variable, as in InitDeclarator
    mutable const Symbol* previous = nullptr;  // the overload of this function declared before it
    mutable const Scope* members = nullptr;    // of a class (null until defined) or namespace
    bool isTemplate = false;                   // declared under a template head
    NodePtr head = nullptr;  // of a function template, or of a template parameter: the Template
    const Scope* home = nullptr;        // of a function: the namespace that declares it
    const Symbol* generic = nullptr;    // of an instance: its template, or the variable of a lambda
    mutable bool isReassigned = false;  // may get another value after its declaration
    mutable bool mayVary = false;       // of a function: a call that names it may run another one
    RuntimeResult result = RuntimeResult::Unknown;  // of a library's function
    StandardShape shape = StandardShape::None;      // of a standard class template
    bool standsForGeneral = false;  // a pass has named a general expression by it, perhaps null:
                                    // its accesses raise their errors where they happen
    bool isInUnion = false;         // of a member: another one may lie where it does
    const Symbol* field = nullptr;  // of a reference that a pass has declared: what it names is
                                    // this member of some object
};

}  // namespace hpcc::ast
