// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schemata as quoted C++: text with $placeholders becomes a tree.
//
//     Quoter quote(syntax::parseSchema);
//     quote(arena, "for (const hpspmd::Block &$block : $range.localBlocks()) $body",
//           {{"$block", blockName}, {"$range", range}, {"$body", body}}, origin)
#pragma once

#include "ast/arena.hpp"

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hpcc::ast {

enum class SchemaPart { Expression, Statement, Declaration, Type };

// Parses a schema; the result of several statements is a Sequence. Ends the program with a message
// if the schema is no legal C++: a schema is part of the translator.
using ParseSchema = std::function<NodePtr(Arena&, const source::Text& schema, SchemaPart)>;

// One node, or the nodes that take a placeholder's place in a list ($arguments... in calls,
// parameter lists, blocks).
struct Binding {
    Binding(NodePtr bound) : node(bound) {}
    Binding(std::vector<NodePtr> nodes) : list(std::move(nodes)), isList(true) {}
    NodePtr first() const { return !isList ? node : list.empty() ? nullptr : list.front(); }

    NodePtr node = nullptr;
    std::vector<NodePtr> list;
    bool isList = false;
};

using Bindings = std::vector<std::pair<std::string_view, Binding>>;

// A placeholder `$name` stands for an expression, a name, an argument, a type (`$T x`), a parameter
// (`f($parameters)`) or, alone before a ';', a statement, according to what it is bound to; the
// largest construct that consists of the placeholder alone and has the category of the bound node
// is replaced. Bound nodes are used as they are: bind a node once, or give copies. What a schema
// holds besides placeholders is shared by all its uses. Must live as long as the trees it made:
// they print from its schemata.
class Quoter {
public:
    explicit Quoter(ParseSchema parse);
    ~Quoter();

    NodePtr statement(Arena& arena, std::string_view schema, const Bindings& bindings,
                      NodePtr origin);
    NodePtr expression(Arena& arena, std::string_view schema, const Bindings& bindings,
                       NodePtr origin);
    NodePtr declaration(Arena& arena, std::string_view schema, const Bindings& bindings,
                        NodePtr origin);
    NodePtr type(Arena& arena, std::string_view schema, const Bindings& bindings, NodePtr origin);

    NodePtr operator()(Arena& arena, std::string_view schema, const Bindings& bindings,
                       NodePtr origin) {
        return statement(arena, schema, bindings, origin);
    }

private:
    struct Part;
    class Instantiation;

    NodePtr quoted(SchemaPart kind, Arena& arena, std::string_view schema, const Bindings& bindings,
                   NodePtr origin);
    const Part& prepared(SchemaPart kind, std::string_view schema);
    static Part prepared(NodePtr node);

    ParseSchema parse_;
    Arena arena_;
    std::array<std::unordered_map<std::string_view, std::unique_ptr<Part>>, 4>
        schemata_;                // by part and text
    std::vector<NodePtr> nodes_;  // children of the nodes under construction
};

}  // namespace hpcc::ast
