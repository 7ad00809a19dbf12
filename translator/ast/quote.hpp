// Schemata as quoted C++: text with $placeholders becomes a tree.
//
//     Quoter quote(syntax::parseSchema);
//     quote(arena, "for (const hpspmd::Block &$block : $range.localBlocks()) $body",
//           {{"$block", blockName}, {"$range", range}, {"$body", body}}, origin)
#pragma once

#include "ast/arena.hpp"

#include <functional>
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
    Binding(NodePtr node) : nodes{node} {}
    Binding(std::vector<NodePtr> list) : nodes(std::move(list)), isList(true) {}
    std::vector<NodePtr> nodes;
    bool isList = false;
};

using Bindings = std::vector<std::pair<std::string_view, Binding>>;

// A placeholder `$name` stands for an expression, a name, an argument, a type (`$T x`), a parameter
// (`f($parameters)`) or, alone before a ';', a statement, according to what it is bound to; the
// largest construct that consists of the placeholder alone and has the category of the bound node
// is replaced. Bound nodes are used as they are: bind a node once, or give copies. Must live as
// long as the trees it made: they print from its schemata.
class Quoter {
public:
    explicit Quoter(ParseSchema parse) : parse_(std::move(parse)) {}

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
    NodePtr quoted(SchemaPart part, Arena& arena, std::string_view schema, const Bindings& bindings,
                   NodePtr origin);
    NodePtr parsed(SchemaPart part, std::string_view schema);

    ParseSchema parse_;
    Arena schemata_;
    std::unordered_map<std::string, NodePtr> cache_;  // by part and text
};

}  // namespace hpcc::ast
