#include "nests/fused_form.hpp"

#include <algorithm>

#include "ast/print.hpp"
#include "nests/entry_test.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// What the entry test of the fused nest does not ask.
std::vector<NodePtr> conditionsOf(Context& context, const FusedForm& form, Reaches& reaches,
                                  NodePtr origin) {
    const Nest& nest = form.nest;
    const auto isGone = [&](size_t array) {
        return std::ranges::any_of(form.contractions,
                                   [&](const Contraction& each) { return each.array == array; });
    };
    std::vector<NodePtr> conditions;
    for (size_t k = 0; k < nest.arrays.size(); ++k)
        for (size_t l = k + 1; l < nest.arrays.size(); ++l) {
            const std::string &left = nest.arrays[k].text, &right = nest.arrays[l].text;
            if (isGone(k) || isGone(l) || !form.apart.contains(std::minmax(left, right))) continue;
            conditions.push_back(context.expression("hpspmd::detail::disjoint($a, $b)",
                                                    {{"$a", context.identifier(left, origin)},
                                                     {"$b", context.identifier(right, origin)}},
                                                    origin));
        }
    Nest vanished = nest;
    std::erase_if(vanished.accesses, [&](const Access& access) {
        return std::ranges::none_of(form.contractions,
                                    [&](const auto& each) { return each.array == access.array; });
    });
    if (vanished.accesses.empty()) return conditions;
    EntryTest test(context, vanished, reaches);
    test.requireReady();
    conditions.push_back(test.condition());
    return conditions;
}

}  // namespace

bool cannotFail(Context& context, const Nest& nest) {
    Reaches reaches(context, nest);
    EntryTest test(context, nest, reaches);
    test.requireReady();
    return test.unchecked().empty();
}

NodePtr choice(Context& context, const FusedForm& form, NodePtr origin) {
    Reaches reaches(context, form.nest);
    const std::vector<NodePtr> conditions = conditionsOf(context, form, reaches, origin);
    const NodePtr choice = context.statement(
        "if (hpspmd::detail::fused($conditions)) {\n"
        "    $then;\n"
        "} else {\n"
        "    $otherwise;\n"
        "}",
        {{"$conditions", conditions}, {"$then", form.then}, {"$otherwise", form.otherwise}},
        origin);
    return context.behind(reaches.takeDeclarations(), choice, origin);
}

bool isFused(NodePtr choice) {
    const NodePtr condition = choice->child(ast::If::condition);
    return ast::is<ast::Call>(condition) &&
           ast::print(condition->child(ast::Call::callee)) == "hpspmd::detail::fused";
}

}  // namespace hpcc::nests
