// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/halo/parts.hpp"

#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "check/facts.hpp"
#include "check/flow/tracked.hpp"

#include <algorithm>

namespace hpcc::check::halo {
namespace {

Meeting meeting(const PartStep& a, const PartStep& b) {
    if (analysis::leadApart(a.step, b.step)) return Meeting::Never;
    if (a.step.isMember() != b.step.isMember()) return Meeting::Perhaps;
    if (!a.step.isMember()) return meeting(Box{a.subscript}, Box{b.subscript});
    return a.step.name()->text() == b.step.name()->text() ? Meeting::Surely : Meeting::Perhaps;
}

// What stands round an expression of a path, parentheses apart.
NodePtr parentOf(NodePtr expression, const std::vector<NodePtr>& path) {
    const auto own = std::ranges::find(path, expression);
    const auto outside = std::find_if(std::reverse_iterator(own), path.rend(),
                                      [](NodePtr each) { return !each->is<ast::Parenthesized>(); });
    return own == path.end() || outside == path.rend() ? nullptr : *outside;
}

}  // namespace

bool isReadWhole(NodePtr expression, const std::vector<NodePtr>& path) {
    const Type* type = typeOf(expression);
    const NodePtr parent = parentOf(expression, path);
    const NodePtr declared =
        ast::is<ast::EqualInitializer>(parent) ? parentOf(parent, path) : nullptr;
    if (ast::is<ast::InitDeclarator>(declared))
        return !flow::bindsReference(declared->child(ast::InitDeclarator::declarator));
    if (!ast::isObject(type) && !isUnknown(type)) return true;
    return ast::is<ast::Assign>(parent) && parent->child(ast::Assign::op)->text() == "=" &&
           bare(parent->child(ast::Assign::value)) == expression;
}

NodePtr binding(NodePtr expression, const std::vector<NodePtr>& path) {
    const NodePtr parent = parentOf(expression, path);
    const NodePtr declared =
        ast::is<ast::EqualInitializer>(parent) ? parentOf(parent, path) : nullptr;
    return ast::is<ast::InitDeclarator>(declared) && declared->symbol ? declared : nullptr;
}

std::optional<std::vector<std::vector<NodePtr>>> usesOf(NodePtr nest, NodePtr declared) {
    const Symbol* const name = declared->symbol;
    const auto count = [&](NodePtr where) {
        return std::ranges::count(ast::allOf<ast::Identifier>(where), name, &ast::Node::symbol);
    };
    std::vector<std::vector<NodePtr>> uses;
    auto members = ast::allOf<ast::Member>(nest);
    std::ranges::reverse(members);  // inner ones first
    for (const NodePtr each : members) {
        const NodePtr base = bare(each->child(ast::Member::base));
        if (ast::is<ast::Identifier>(base) && base->symbol == name)
            uses.push_back({each, base});
        else if (!uses.empty() && uses.back().front() == base)
            uses.back().insert(uses.back().begin(), each);
    }
    const auto inDeclarator = count(declared->child(ast::InitDeclarator::declarator));
    const auto wanted = static_cast<std::size_t>(count(nest) - inDeclarator);
    return uses.size() == wanted ? std::optional(uses) : std::nullopt;
}

Meeting meeting(const Part& write, const Part& read) {
    Meeting met = write.areAll ? Meeting::Surely : Meeting::Perhaps;
    if (write.steps.size() > read.steps.size() && !read.areAll) met = Meeting::Perhaps;
    for (std::size_t k = 0; k < std::min(write.steps.size(), read.steps.size()); ++k) {
        const Meeting own = meeting(write.steps[k], read.steps[k]);
        if (own == Meeting::Perhaps) return own;
        met = std::min(met, own);
    }
    return met;
}

Meeting meeting(const Elements& write, const Elements& read) {
    return std::min(meeting(write.box, read.box), meeting(write.part, read.part));
}

Elements withoutVariables(Elements elements) {
    elements.box = withoutVariables(std::move(elements.box));
    for (PartStep& each : elements.part.steps)
        each.subscript = withoutVariables(Box{each.subscript})[0];
    return elements;
}

}  // namespace hpcc::check::halo
