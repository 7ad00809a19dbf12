// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/attributes.hpp"

#include <algorithm>
#include <array>

#include "regions/strategies.hpp"

namespace hpcc::regions {
namespace {

constexpr std::array names = {"dist", "reduce", "overall", "single", "sync"};

constexpr std::array<Operation, 9> operations = {{{"+", "Plus"},
                                                  {"*", "Times"},
                                                  {"min", "Min"},
                                                  {"max", "Max"},
                                                  {"&&", "And"},
                                                  {"||", "Or"},
                                                  {"&", "BitAnd"},
                                                  {"|", "BitOr"},
                                                  {"^", "BitXor"}}};

}  // namespace

std::vector<Attribute> methodAttributes(NodePtr attributed) {
    std::vector<Attribute> result = ast::attributesOf(attributed);
    std::erase_if(result, [](const Attribute& each) {
        return std::ranges::find(names, each.name) == names.end();
    });
    return result;
}

std::optional<Attribute> attributeOf(NodePtr attributed, std::string_view name) {
    for (; ast::is<ast::Attributed>(attributed);
         attributed = attributed->child(ast::Attributed::declaration))
        for (const Attribute& each : methodAttributes(attributed))
            if (each.name == name) return each;
    return std::nullopt;
}

NodePtr attributedNode(NodePtr node) {
    while (ast::is<ast::Attributed>(node)) node = node->child(ast::Attributed::declaration);
    return node;
}

std::optional<std::string_view> argumentOf(std::string_view part, std::string_view name) {
    if (!part.starts_with(name) || !part.ends_with(")")) return std::nullopt;
    const std::string_view rest = ast::trimmed(part.substr(name.size()));
    if (!rest.starts_with("(")) return std::nullopt;
    return ast::trimmed(rest.substr(1, rest.size() - 2));
}

std::optional<Line> lineOf(const Attribute& single) {
    const std::string_view text = single.arguments;
    const std::size_t open = text.find('[');
    if (open == std::string_view::npos || open == 0 || !text.ends_with(']')) return std::nullopt;
    const auto isOfName = [](char c) { return std::isalnum(c) || c == '_'; };
    const Line line{text.substr(0, open), text.substr(open + 1, text.size() - open - 2)};
    if (!std::ranges::all_of(line.array, isOfName) || parts(line.location).size() != 1)
        return std::nullopt;
    return line;
}

std::optional<Operation> operationOf(std::string_view sign, NodePtr unit) {
    const auto found = std::ranges::find(operations, sign, &Operation::sign);
    if (found != operations.end()) return *found;
    if (sign == "self") return Operation{sign, "", Operation::Of::Self};
    const std::size_t count = parametersOfFunction(unit, sign.substr(sign.rfind(':') + 1));
    if (count == 0) return std::nullopt;
    return Operation{sign, "", count == 2 ? Operation::Of::Two : Operation::Of::All};
}

}  // namespace hpcc::regions
