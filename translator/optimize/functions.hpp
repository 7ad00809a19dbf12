// Passes work on one function at a time.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "ast/quote.hpp"
#include "ast/unit.hpp"
#include "optimize/names.hpp"

namespace hpcc::optimize {

/// One function under a pass: makes nodes and names for it.
class Function {
public:
    Function(ast::Unit& unit, ast::Quoter& quote, NodePtr definition);

    NodePtr definition() const { return definition_; }
    const Names& names() const { return names_; }
    ast::Arena& arena() { return *unit_.arena; }

    NodePtr statement(std::string_view schema, const ast::Bindings& bindings, NodePtr origin) {
        return quote_.statement(arena(), schema, bindings, origin);
    }
    NodePtr expression(std::string_view schema, const ast::Bindings& bindings, NodePtr origin) {
        return quote_.expression(arena(), schema, bindings, origin);
    }
    /// A leaf with that text, with the meaning of `like` if it is given.
    NodePtr identifier(const std::string& name, NodePtr origin, NodePtr like = nullptr);
    /// Does the user's text, or another body of the function, have the name?
    bool isUsed(const std::string& name) const {
        return unit_.identifiers.contains(name) || used_.contains(name);
    }
    void use(const std::string& name) { used_.insert(name); }

private:
    ast::Unit& unit_;
    ast::Quoter& quote_;
    NodePtr definition_;
    Names names_;
    std::unordered_set<std::string> used_;
    std::unordered_map<std::string, NodePtr> shapes_;
};

/// The unit with every lowered function replaced by what `improve` makes of it.
ast::Unit improveFunctions(ast::Unit unit, ast::Quoter& quote,
                           const std::function<NodePtr(Function&)>& improve);

}  // namespace hpcc::optimize
