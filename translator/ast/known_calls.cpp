// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/known_calls.hpp"

#include <algorithm>
#include <array>

#include "ast/symbol.hpp"

namespace hpcc::ast {
namespace {

constexpr std::array members = {
#define RUNTIME_MEMBER(typeKind, name, result, takes, answers) \
    RuntimeMember{TypeKind::typeKind, #name, RuntimeResult::result, Takes::takes, Answers::answers},
#include "ast/runtime_names.def"
};

constexpr std::array<std::string_view, 25> vectorForms = {
    "acos",  "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos",
    "cosh",  "erf",   "erfc", "exp",   "exp2", "expm1", "hypot", "log",  "log10",
    "log1p", "log2",  "pow",  "sin",   "sinh", "tan",   "tanh"};

}  // namespace

std::span<const RuntimeMember> runtimeMembers() { return members; }

bool hasMembersOf(TypeKind kind, TypeKind owner) {
    return kind == owner || (kind == TypeKind::Dimension && owner == TypeKind::Range);
}

const RuntimeMember* runtimeMember(TypeKind kind, std::string_view name) {
    const auto found = std::ranges::find_if(members, [&](const RuntimeMember& each) {
        return hasMembersOf(kind, each.owner) && each.name == name;
    });
    return found == members.end() ? nullptr : &*found;
}

const RuntimeMember* inquiryOf(NodePtr call) {
    const NodePtr callee = is<Call>(call) ? call->child(Call::callee) : nullptr;
    if (!is<Member>(callee)) return nullptr;
    const Type* owner = callee->child(Member::base)->type;
    return owner ? runtimeMember(owner->kind, callee->child(Member::name)->text()) : nullptr;
}

bool asksContainer(NodePtr call) {
    const NodePtr callee = is<Call>(call) ? call->child(Call::callee) : nullptr;
    if (is<Member>(callee)) {
        const std::string_view name = callee->child(Member::name)->text();
        return isStandardSequence(callee->child(Member::base)->type) &&
               (name == "size" || name == "empty");
    }
    const Symbol* function = callee ? callee->symbol : nullptr;
    const bool asks = function && function->kind == SymbolKind::Function &&
                      !function->declaration &&
                      (function->name == "size" || function->name == "ssize");
    const auto arguments = call->child(Call::arguments)->children();
    const Type* type = asks && arguments.size() == 1 ? arguments[0]->type : nullptr;
    return type && (isStandardSequence(type) || type->kind == TypeKind::CArray);
}

bool isLibraryName(NodePtr callee) {
    const std::string_view text = callee->text();
    return is<QualifiedName>(callee) &&
           (text.starts_with("Adlib::") || text.starts_with("hpspmd::"));
}

bool isMathematical(NodePtr callee) {
    return callee->symbol && isMathematics(callee->symbol->result);
}

bool isMathematicalCall(NodePtr call) {
    const NodePtr callee = call->child(Call::callee);
    if (!isMathematical(callee)) return false;
    const bool isOfAny = callee->symbol->result == RuntimeResult::SameNumber;
    return std::ranges::none_of(call->child(Call::arguments)->children(), [&](NodePtr argument) {
        const Type* type = argument->type;
        return isObject(type) || (isOfAny && (!type || type->kind == TypeKind::Unknown));
    });
}

bool hasVectorForm(NodePtr call) {
    const NodePtr callee = is<Call>(call) ? call->child(Call::callee) : nullptr;
    return callee && isMathematical(callee) &&
           std::ranges::find(vectorForms, callee->symbol->name) != vectorForms.end();
}

bool mayAssign(NodePtr callee, std::size_t argument) {
    if (isMathematical(callee)) return false;
    const Type* type = callee->type;
    const bool known = type && type->kind == TypeKind::Function &&
                       argument < type->parameters.size() && callee->symbol &&
                       !callee->symbol->previous;
    if (!known) return true;
    const Type& parameter = *type->parameters[argument];
    return parameter.kind == TypeKind::Unknown || (parameter.isReference && !parameter.isConst);
}

}  // namespace hpcc::ast
