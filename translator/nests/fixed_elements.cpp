// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/fixed_elements.hpp"

#include <algorithm>

#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/subscripts.hpp"
#include "ast/type.hpp"

namespace hpcc::nests {

using ast::NodePtr;

void FixedElements::find(ArrayPairs& apart) {
    const Nest& nest = *plan_.nest;
    if (plan_.fold || plan_.device) return;
    for (const Loop& loop : nest.loops) {
        const Form& form = plan_.forms.at(&loop);
        if (!loop.isInnermost || loop.kind == Loop::Kind::Other || loop.touchesForeign ||
            form.kind != Form::Kind::InOrder || form.meets || nest.callsForeign)
            continue;
        for (const size_t k : loop.accesses) {
            const Access& access = nest.accesses[k];
            if (!isSameThroughout(access, loop) || !isInside(bodyOf(loop), access.node) ||
                !isThere(access))
                continue;
            const std::set<size_t> written = writtenBeside(access, loop);
            if (written.empty() || written.contains(access.array) ||
                apart.size() + written.size() > mostArrayPairs)
                continue;
            for (const size_t other : written) apart.insert(std::minmax(access.array, other));
            apart_.emplace(&loop, access.array);
        }
    }
}

/// The arrays that a loop changes, of elements that the C++ compiler takes for perhaps the same.
std::set<size_t> FixedElements::writtenBeside(const Access& access, const Loop& loop) const {
    const auto typeOf = [&](const Access& each) {
        const ast::Type* const type = ast::multiarrayType(plan_.nest->arrays[each.array].base);
        return type ? type->element : nullptr;
    };
    const auto areOther = [](const ast::Type* one, const ast::Type* other) {
        return ast::isNumber(one) && ast::isNumber(other) &&
               !(one->kind == other->kind && one->number == other->number);
    };
    std::set<size_t> written;
    for (const size_t k : loop.accesses)
        if (const Access& other = plan_.nest->accesses[k];
            other.writes && !areOther(typeOf(other), typeOf(access)))
            written.insert(other.array);
    return written;
}

/// True if the entry test asks for it whether or not a condition leaves it out.
bool FixedElements::isThere(const Access& access) const {
    if (reaches_.isSurelyMade(access)) return true;
    for (size_t r = 0; r < access.slots.size(); ++r)
        if (reaches_.areGuarded(access, r)) return false;
    return true;
}

bool FixedElements::isApart(const Access& access, const Loop& loop) const {
    return plan_.forms.at(&loop).kind == Form::Kind::Independent ||
           apart_.contains({&loop, access.array});
}

std::vector<NodePtr> FixedElements::before(const Loop& loop) {
    std::vector<NodePtr> result;
    std::map<std::string, std::string> known;  // by the text of the element
    for (const size_t k : loop.accesses) {
        const Access& access = plan_.nest->accesses[k];
        if (!isApart(access, loop) || !isSameThroughout(access, loop) || !isThere(access)) continue;
        std::string& name = known[ast::print(access.node)];
        if (!name.empty()) continue;
        name = context_.fresh(elements_.nameOf(access) + "_value");
        result.push_back(context_.statement(
            "const auto $v = $e;",
            {{"$v", context_.identifier(name, access.node)}, {"$e", elements_.element(access)}},
            loop.statement));
    }
    for (const size_t k : loop.accesses) {
        const Access& access = plan_.nest->accesses[k];
        const auto found = known.find(ast::print(access.node));
        if (found != known.end() && isSameThroughout(access, loop))
            names_[access.node] = found->second;
    }
    return result;
}

const std::string* FixedElements::inPlaceOf(NodePtr access) const {
    const auto found = names_.find(access);
    return found == names_.end() ? nullptr : &found->second;
}

/// A check is made where the access stands.
bool FixedElements::isSameThroughout(const Access& access, const Loop& loop) const {
    if (access.writes) return false;
    for (size_t r = 0; r < access.slots.size(); ++r)
        if (test_.unchecked().contains({access.node, r})) return false;
    return !mayChangeIn(loop, access.node);
}

}  // namespace hpcc::nests
