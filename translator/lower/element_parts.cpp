// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/element_parts.hpp"

#include <algorithm>

#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "ast/type.hpp"

namespace hpcc::lower {

using ast::NodePtr;

namespace {

/// From the element outwards: members and subscripts.
std::vector<analysis::Step> stepsTo(NodePtr outer, NodePtr access) {
    std::vector<analysis::Step> steps;
    for (NodePtr node = ast::withoutParentheses(outer); node && node != access;
         node = ast::withoutParentheses(node->child(0)))
        steps.push_back({node});
    std::ranges::reverse(steps);
    return steps;
}

/// That is not translated.
bool isName(NodePtr member) {
    return ast::isAny<ast::Identifier, ast::QualifiedName>(member) &&
           !ast::anywhere(member, [](NodePtr node) { return ast::isExtension(node->kind()); });
}

}  // namespace

ElementPart partOf(NodePtr outer, NodePtr access, const PartSurroundings& surroundings) {
    return partOf(stepsTo(outer, access), surroundings);
}

ElementPart partOf(const std::vector<analysis::Step>& steps, const PartSurroundings& surroundings) {
    ElementPart part;
    for (const auto& [step] : steps) {
        part.isExact &= part.low == part.high;  // behind a counter lies something of each
        if (!part.isExact) return part;
        const bool isMember = ast::isAny<ast::Member, ast::PointerMember, ast::Identifier>(step);
        if (const NodePtr name = isMember ? analysis::Step{step}.name() : nullptr;
            name && isName(name)) {
            part.low += "." + ast::print(name);
            part.high = part.low;
            continue;
        }
        const NodePtr subscript = step->is<ast::Subscript>()
                                      ? step->child(ast::Subscript::subscripts)->child(0)
                                      : nullptr;
        const CountingLoop* loop = subscript ? surroundings.loopOf(subscript) : nullptr;
        const std::vector<std::string> last =
            loop ? loop->last.values() : std::vector<std::string>();
        if (last.size() == 1 && !loop->endsByMeeting) {
            part.high = part.low + "[" + last[0] + "]";
            part.low += "[" + std::to_string(loop->first) + "]";
        } else if (subscript && surroundings.isKnown(subscript)) {
            part.low += "[" + ast::print(subscript) + "]";
            part.high = part.low;
        } else {
            part.isExact = false;
        }
    }
    return part;
}

bool mayHaveParts(NodePtr array) {
    const ast::Type* type = ast::multiarrayType(array);
    return !type || !type->element || ast::isObject(type->element) ||
           type->element->kind == ast::TypeKind::Unknown;
}

std::string addressesOf(const ElementPart& part, const std::string& e) {
    const auto address = [&](const std::string& path) {
        const std::string member = "&" + e + path;
        return "[&](auto& " + e + ") -> decltype(" + member + ") { return " + member + "; }";
    };
    if (part.low == part.high) return address(part.low);
    return address(part.low) + ", " + address(part.high);
}

}  // namespace hpcc::lower
