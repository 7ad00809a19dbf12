#include "ast/type.hpp"

#include <algorithm>

namespace hpcc::ast {

bool isHandleType(const Type* type) {
    if (!type) return false;
    switch (type->kind) {
    case TypeKind::Range:
    case TypeKind::Group:
    case TypeKind::Dimension:
    case TypeKind::Location:
    case TypeKind::Index:
    case TypeKind::ShiftedIndex:
    case TypeKind::Multiarray:
        return true;
    default:
        return false;
    }
}

bool mentions(const Type& type, const Symbol& templateParameter) {
    const auto inside = [&](const Type* part) {
        return part && mentions(*part, templateParameter);
    };
    return type.classSymbol == &templateParameter || inside(type.element) || inside(type.result) ||
           std::ranges::any_of(type.arguments, inside) ||
           std::ranges::any_of(type.parameters, inside);
}

}  // namespace hpcc::ast
