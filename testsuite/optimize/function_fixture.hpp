// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function with the graph of its body, for tests of the machinery.
#pragma once

#include <string>

#include "diagnostics/engine.hpp"
#include "optimize/versions.hpp"
#include "syntax/parse.hpp"

namespace hpcc::optimize {

/// `void f(int n, bool c) { body }`
struct FunctionFixture {
    explicit FunctionFixture(const std::string& body)
        : text("f.cpp", "void f(int n, bool c) {\n" + body + "\n}\n"),
          unit(syntax::parse(text, engine, {})),
          function(unit.root->children()[0]),
          names(function),
          graph(names, function->child(ast::FunctionDefinition::body)),
          versions(graph) {}

    source::Text text;
    diagnostics::Engine engine;
    ast::Unit unit;
    NodePtr function;
    Names names;
    FlowGraph graph;
    Versions versions;

    int variable(std::string_view name) const {
        for (int k = 0; k < names.size(); ++k)
            if (names[k].name == name) return k + firstVariable;
        return -1;
    }
    /// The place of the statement with that text.
    int place(std::string_view statement) const {
        for (size_t k = 0; k < graph.places().size(); ++k)
            if (graph.places()[k].statement->text() == statement) return static_cast<int>(k);
        return -1;
    }
    int versionBefore(std::string_view statement, std::string_view name) const {
        return versions.at(graph.place(place(statement)), variable(name));
    }
};

}  // namespace hpcc::optimize
