// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of a namespace, class, template head, function or block.
#pragma once

#include "ast/symbol.hpp"

#include <string_view>
#include <unordered_map>
#include <vector>

namespace hpcc::ast {

class Scope {
public:
    enum class Kind { Namespace, Class, Template, Function, Block };

    Scope(Kind kind, const Scope* parent) : kind_(kind), parent_(parent) {}

    Kind kind() const { return kind_; }
    const Scope* parent() const { return parent_; }
    const std::vector<const Symbol*>& symbols() const { return symbols_; }  // as declared

    // A function that follows one of its name becomes its overload; any other name replaces.
    void declare(const Symbol& symbol);

    // Names of `other` are found here too: the same namespace in an imported header, a namespace
    // named by a using-directive, a base class.
    void include(const Scope* other) { included_.push_back(other); }

    // Names may come from where the translator does not see: a base class or namespace of a
    // foreign header.
    void setOpen() { isOpen_ = true; }
    bool isOpen() const;

    const std::vector<const Scope*>& included() const { return included_; }

    const Symbol* findHere(std::string_view name) const;  // null if there is none
    std::vector<const Symbol*> allHere(std::string_view name) const;
    const Symbol* find(std::string_view name) const;  // here, then outwards

    // All functions of that name in the innermost scope that has the name.
    std::vector<const Symbol*> overloads(std::string_view name) const;

private:
    const Symbol* own(std::string_view name) const;  // null if it is not declared here
    const Symbol* findHere(std::string_view name, int depth) const;
    void collect(std::string_view name, std::vector<const Symbol*>& found,
                 std::vector<const Scope*>& seen) const;

    Kind kind_;
    const Scope* parent_;
    std::vector<const Symbol*> symbols_;
    std::unordered_map<std::string_view, const Symbol*> names_;  // of them, once they are many
    std::vector<const Scope*> included_;
    bool isOpen_ = false;
};

}  // namespace hpcc::ast
