// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an assignment, ++ or -- may change: elements at the own index, not const ones, no sections.
#include "ast/effects.hpp"
#include "check/facts.hpp"
#include "check/wording.hpp"

namespace hpcc::check {
namespace {

// The element access whose object, or part of it, is changed: a[i] of a[i].x = 3.
NodePtr changedAccess(NodePtr target) {
    while (ast::is<ast::Member>(target)) target = bare(target->child(ast::Member::base));
    return ast::is<ast::Subscript>(target) ? target : nullptr;
}

void shiftedTarget(const Context& context, NodePtr access, NodePtr base) {
    const std::vector<SlotKind>& slots = typeOf(base)->slots;
    const auto subscripts = access->child(ast::Subscript::subscripts)->children();
    for (std::size_t r = 0; r < subscripts.size() && r < slots.size(); ++r) {
        const NodePtr subscript = subscripts[r];
        const bool isShifted = isKind(subscript, TypeKind::ShiftedIndex);
        if (!isShifted || slots[r] == SlotKind::Sequential) continue;
        const Symbol* index = namedIndex(subscript);
        Report report = context.report(Id::ShiftedTarget, subscript, textOf(subscript));
        report.help(
            "run over the elements that are changed, and shift the others the opposite way");
        if (index && index->declaration)
            report.note(index->declaration->child(0)->span(),
                        "'" + index->name + "' is bound here");
    }
}

void constTarget(const Context& context, NodePtr access, NodePtr base) {
    if (!typeOf(base)->elementConst) return;
    context.report(Id::ConstElement, access, textOf(base))
        .help("declare it without const, or change a copy: clone(" + textOf(base) + ")");
}

void sectionTarget(const Context& context, NodePtr section) {
    const Type* base = typeOf(section->child(ast::Section::base));
    if (base->kind != TypeKind::Multiarray && !isRange(base)) return;
    Report report = context.report(Id::SectionTarget, section, textOf(section));
    if (base->kind == TypeKind::Multiarray)
        report.help("copy into it: Adlib::copy(" + textOf(section) +
                    ", b) if b is aligned with it, else Adlib::remap");
}

}  // namespace

void changedElement(const Context& context, NodePtr node) {
    const NodePtr operand = ast::changedOperand(node);
    if (!operand) return;
    const NodePtr target = bare(operand);
    if (target->is<ast::Section>()) return sectionTarget(context, target);
    const NodePtr access = changedAccess(target);
    if (!access) return;
    const NodePtr base = access->child(ast::Subscript::base);
    if (!isKind(base, TypeKind::Multiarray)) return;
    shiftedTarget(context, access, base);
    constTarget(context, access, base);
}

}  // namespace hpcc::check
