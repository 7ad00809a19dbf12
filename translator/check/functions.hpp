// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of a translation: where their bodies stand, and what their attributes declare.
#pragma once

#include "ast/unit.hpp"
#include "check/types.hpp"

#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace hpcc::check {

// The word stands behind the parameters of a function: `void f() const override final`.
bool isQualified(const Symbol& function, std::string_view word);

// Looked up in the unit and in the headers that it imports; collected when first asked for.
class Functions {
public:
    explicit Functions(const ast::Unit& unit) : unit_(unit) {}

    // The FunctionDefinition of a function that may be declared elsewhere; null if the translation
    // does not show it.
    NodePtr definition(const Symbol& function) const;

    // True if a call that names the function may run another one: a virtual function of a derived
    // class, a specialization of a template.
    bool mayVary(const Symbol& function) const;

    // Notes that in the symbols, but for what overloads tell already.
    void noteVarying() const;

    // `[[hpspmd::<name>]]` before any declaration of the function: the HpspmdAttribute, or null.
    NodePtr attribute(const Symbol& function, std::string_view name) const;

    // Those that a call of a virtual function runs instead, as far as the translation shows them;
    // and whether there may be any: it is virtual, and neither it nor its class is final.
    std::vector<const Symbol*> overriders(const Symbol& method) const;
    bool mayBeOverridden(const Symbol& method) const;

private:
    void collect() const;
    void collect(const ast::Unit& unit) const;
    void collect(NodePtr node, bool isInClass) const;
    void collectMember(NodePtr node, NodePtr classNode) const;
    void collectSpecialized(NodePtr node, bool isMember) const;
    void note(NodePtr attributes, NodePtr declared) const;

    struct Names {
        std::unordered_set<std::string_view> functions, members;
    };
    bool mayVary(const Symbol& function, const Names& specialized) const;

    struct Definition {
        NodePtr node;
        bool isInClass;
    };
    const ast::Unit& unit_;
    mutable bool isCollected_ = false;
    mutable std::unordered_set<const ast::Unit*> seen_;
    mutable std::unordered_multimap<std::string_view, Definition> definitions_;
    mutable std::unordered_map<NodePtr, NodePtr> classOf_;  // of methods, by declaration
    mutable std::unordered_multimap<std::string_view, NodePtr> virtuals_;  // names, their classes
    mutable Names specialized_, hidden_;  // all, and those that are no overloads: `f<2>`, `S<T>::f`
    mutable std::unordered_map<NodePtr, std::vector<NodePtr>> attributes_;  // by declaration
    mutable std::vector<NodePtr> classes_;
    mutable std::unordered_set<NodePtr> virtual_;  // declarations of virtual methods
};

}  // namespace hpcc::check
