// The functions of a translation: where their bodies stand, and what their attributes declare.
#pragma once

#include "ast/unit.hpp"
#include "check/types.hpp"

#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace hpcc::check {

// Looked up in the unit and in the headers that it imports; collected when first asked for.
class Functions {
public:
    explicit Functions(const ast::Unit& unit) : unit_(unit) {}

    // The FunctionDefinition of a function that may be declared elsewhere; null if the translation
    // does not show it.
    NodePtr definition(const Symbol& function) const;

    // `[[hpspmd::<name>]]` before any declaration of the function: the HpspmdAttribute, or null.
    NodePtr attribute(const Symbol& function, std::string_view name) const;

private:
    void collect() const;
    void collect(const ast::Unit& unit) const;
    void collect(NodePtr node, bool isInClass) const;
    void note(NodePtr attributes, NodePtr declared) const;

    struct Definition {
        NodePtr node;
        bool isInClass;
    };
    const ast::Unit& unit_;
    mutable bool isCollected_ = false;
    mutable std::unordered_set<const ast::Unit*> seen_;
    mutable std::unordered_multimap<std::string_view, Definition> definitions_;
    mutable std::unordered_map<NodePtr, std::vector<NodePtr>> attributes_;  // by declaration
};

}  // namespace hpcc::check
