// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rule 2: i` asks a bound index.
#include "check/facts.hpp"
#include "check/wording.hpp"

namespace hpcc::check {

void globalIndexOperand(const Context& context, NodePtr node) {
    const NodePtr operand = bare(node->child(ast::GlobalIndex::operand));
    const Type* type = typeOf(operand);
    if (type->kind == TypeKind::Index) return;
    if (isUndeclared(context, operand)) return reportUnbound(context, operand);
    if (isUnknown(type) || type->kind == TypeKind::Class) return;
    Report report = context.report(Id::NotAnIndex, node, textOf(operand), describe(type));
    if (isInteger(type))
        report.help("an integer needs no '`'");
    else if (const Symbol* index = namedIndex(operand))
        report.help("the global index of a shifted index is arithmetic: " + index->name + "` + ..");
    else
        report.help("only the index of an 'at' or 'overall' has a global index");
}

}  // namespace hpcc::check
