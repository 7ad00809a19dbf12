// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes work on one function at a time.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "ast/quote.hpp"
#include "ast/remarks.hpp"
#include "ast/unit.hpp"
#include "optimize/names.hpp"

namespace hpcc::optimize {

/// One function under a pass: makes nodes and names for it, and tells the user what the pass does.
class Function {
public:
    Function(ast::Unit& unit, ast::Quoter& quote, Names names, std::string_view pass);

    NodePtr definition() const { return names_.function(); }
    const Names& names() const { return names_; }
    /// Its names, when the pass has ended.
    Names takeNames() { return std::move(names_); }
    ast::Arena& arena() { return *unit_.arena; }

    NodePtr statement(std::string_view schema, const ast::Bindings& bindings, NodePtr origin) {
        return quote_.statement(arena(), schema, bindings, origin);
    }
    NodePtr expression(std::string_view schema, const ast::Bindings& bindings, NodePtr origin) {
        return quote_.expression(arena(), schema, bindings, origin);
    }
    /// A leaf with that text, with the meaning of `like` if it is given.
    NodePtr identifier(const std::string& name, NodePtr origin, NodePtr like = nullptr);
    /// True if the user's text, or another body of the function, has the name.
    bool isUsed(const std::string& name) const {
        return unit_.identifiers.contains(name) || used_.contains(name);
    }
    bool isInText(const std::string& name) const { return unit_.identifiers.contains(name); }
    void use(const std::string& name) { used_.insert(name); }

    /// True if the remarks of the pass are wanted. Texts of remarks need not be made otherwise.
    bool isHeard() const { return unit_.remarks && unit_.remarks->wants(pass_); }
    void fired(NodePtr place, const std::string& text) const {
        if (isHeardAt(place)) unit_.remarks->fired(pass_, place, text);
    }
    void missed(NodePtr place, const std::string& text, NodePtr cause,
                const std::string& reason) const {
        if (isHeardAt(place)) unit_.remarks->missed(pass_, place, text, cause, reason);
    }
    /// "the loop of line 9", for remarks; nothing if nobody listens.
    std::string lineOf(NodePtr loop) const;
    /// The pass leaves a body of the function alone.
    void leave(NodePtr body) const;

private:
    bool isHeardAt(NodePtr place) const { return isHeard() && !unit_.remarks->isCovered(place); }

    ast::Unit& unit_;
    ast::Quoter& quote_;
    std::string_view pass_;
    Names names_;
    std::unordered_set<std::string> used_;
    std::unordered_map<std::string, NodePtr> shapes_;
};

/// The unit with every lowered function replaced by what `improve` makes of it.
ast::Unit improveFunctions(ast::Unit unit, ast::Quoter& quote, std::string_view pass,
                           const std::function<NodePtr(Function&)>& improve);

}  // namespace hpcc::optimize
