// What a name means.
#pragma once

#include "ast/node.hpp"

#include <string>

namespace hpcc::ast {

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
    NodePtr declaration = nullptr;
    const Type* type = nullptr;
};

}  // namespace hpcc::ast
