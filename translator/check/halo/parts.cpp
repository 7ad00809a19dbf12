// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/halo/parts.hpp"

#include <algorithm>

namespace hpcc::check::halo {
namespace {

Meeting meeting(const PartStep& a, const PartStep& b) {
    if (analysis::leadApart(a.step, b.step)) return Meeting::Never;
    if (a.step.isMember() != b.step.isMember()) return Meeting::Perhaps;
    if (!a.step.isMember()) return meeting(Box{a.subscript}, Box{b.subscript});
    const auto name = [](const PartStep& each) {
        return each.step.node->child(ast::Member::name)->text();
    };
    return name(a) == name(b) ? Meeting::Surely : Meeting::Perhaps;
}

}  // namespace

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
