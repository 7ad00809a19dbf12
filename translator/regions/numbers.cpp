// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/numbers.hpp"

#include "analysis/constant.hpp"

namespace hpcc::regions {

std::string shifted(const std::string& text, long by) {
    if (by == 0) return text;
    return text + (by < 0 ? " - " : " + ") + std::to_string(std::abs(by));
}

std::string bound(NodePtr node) {
    const std::string text(node->text());
    if (node->is<ast::NumberLiteral>()) return text;
    if (analysis::constantValue(node)) return "(" + text + ")";
    const ast::Type* type = node->type;
    const bool isWide = type && type->kind == ast::TypeKind::Integer && type->number.isSigned &&
                        type->number.bits >= 64;
    return isWide ? "(" + text + ")" : "static_cast<hpspmd::Index>(" + text + ")";
}

std::string value(const Division& division) {
    const Symbol& symbol = *division.variable();
    const std::string index = shifted(symbol.name + "`", -division.anchor);
    const ast::NumberType number = division.counting.number();
    if (number.bits >= 64 && number.isSigned)
        return division.anchor == 0 ? index : "(" + index + ")";
    return "static_cast<" + symbol.type->spelled + ">(" + index + ")";
}

}  // namespace hpcc::regions
