#include "ast/kind.hpp"

#include <array>
#include <cstddef>

namespace hpcc::ast {
namespace {

struct KindFacts {
    std::string_view name;
    Category category;
    Arity arity;
};

constexpr std::array facts = {
#define NODE(category, name, ...) KindFacts{#name, Category::category, Arity::Node},
#define LIST(category, name) KindFacts{#name, Category::category, Arity::List},
#define LEAF(category, name) KindFacts{#name, Category::category, Arity::Leaf},
#include "ast/nodes.def"
#undef NODE
#undef LIST
#undef LEAF
};

}  // namespace

std::string_view kindName(Kind kind) { return facts[static_cast<std::size_t>(kind)].name; }
Category categoryOf(Kind kind) { return facts[static_cast<std::size_t>(kind)].category; }
Arity arityOf(Kind kind) { return facts[static_cast<std::size_t>(kind)].arity; }
int kindCount() { return static_cast<int>(facts.size()); }

}  // namespace hpcc::ast
