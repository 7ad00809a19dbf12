// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/conversion.hpp"

#include "check/wording.hpp"

namespace hpcc::check {
namespace {

// Integer types with names of their own (Index, std::size_t) may equal others of their width.
bool isBuiltinName(const Type* type) {
    return type->spelled != "Index" && !type->spelled.starts_with("std::");
}

// An enumeration, of which neither is known, may have any.
bool provablyOtherNumber(const Type* a, const Type* b) {
    if (a->kind != b->kind) return true;
    if (a->kind != TypeKind::Integer) return a->spelled != b->spelled;
    if (a->number.bits == 0 || b->number.bits == 0) return false;
    return a->number != b->number ||
           (isBuiltinName(a) && isBuiltinName(b) && a->spelled != b->spelled);
}

bool isOwnClass(const Type* type) {
    return type->kind == TypeKind::Class && type->classSymbol && !type->isDependent;
}

bool isScalar(const Type* type) { return isNumber(type) || type->kind == TypeKind::String; }

bool isNoArray(const Type* type) {
    return !isUnknown(type) && type->kind != TypeKind::Class && type->kind != TypeKind::Function &&
           type->kind != TypeKind::Multiarray;
}

}  // namespace

bool provablyDifferent(const Type* a, const Type* b) {
    if (a->isDependent || b->isDependent || isUnknown(a) || isUnknown(b)) return false;
    if (isNumber(a) && isNumber(b)) return provablyOtherNumber(a, b);
    if (isOwnClass(a) && isOwnClass(b)) {
        if (a->classSymbol != b->classSymbol) return a->classSymbol->name != b->classSymbol->name;
        for (std::size_t k = 0; k < a->arguments.size() && k < b->arguments.size(); ++k)
            if (provablyDifferent(a->arguments[k], b->arguments[k])) return true;
        return false;
    }
    return (isNumber(a) && isOwnClass(b)) || (isOwnClass(a) && isNumber(b));
}

Comparison compare(const Type* wanted, const Type* given) {
    if (wanted->kind != TypeKind::Multiarray) {
        const bool clash = isScalar(wanted) && given->kind == TypeKind::Multiarray;
        return {clash ? Fit::ScalarWanted : Fit::Fits};
    }
    if (given->kind != TypeKind::Multiarray)
        return {isNoArray(given) ? Fit::NoMultiarray : Fit::Fits};
    if (wanted->slots.size() != given->slots.size()) return {Fit::Rank};
    if (provablyDifferent(wanted->element, given->element)) return {Fit::Element};
    for (std::size_t r = 0; r < wanted->slots.size(); ++r)
        if (wanted->slots[r] == SlotKind::Sequential && given->slots[r] == SlotKind::Distributed)
            return {Fit::Slot, r};
    const bool deducesConst = wanted->isDependent;  // T becomes const double
    const bool losesConst = given->elementConst && !wanted->elementConst && !deducesConst;
    return {losesConst ? Fit::Const : Fit::Fits};
}

namespace {

std::string indexList(std::size_t rank) {
    std::string list = "i";
    for (std::size_t r = 1; r < rank; ++r) list += std::string(", ") + static_cast<char>('i' + r);
    return list;
}

void reportScalarWanted(const Context& context, const std::string& what, NodePtr value) {
    const std::string text = textOf(value);
    Report report = context.report(Id::MultiarrayAsScalar, value, what, text);
    const std::size_t rank = typeOf(value)->slots.size();
    if (rank == 0)
        report.help("the element of a rank-0 array is " + text + "[]")
            .fixit(source::behind(value->span()), "[]");
    else
        report.help("take one element inside at or overall, " + text + "[" + indexList(rank) +
                    "], or reduce it: Adlib::sum(" + text + ")");
}

}  // namespace

void reportMisfit(const Context& context, const std::string& what, NodePtr value,
                  const Type* wanted, const Comparison& found) {
    const Type* given = typeOf(value);
    const std::string text = textOf(value);
    switch (found.fit) {
    case Fit::Fits:
        return;
    case Fit::ScalarWanted:
        return reportScalarWanted(context, what, value);
    case Fit::NoMultiarray:
        context.report(Id::NotAMultiarray, value, what, text, describe(given))
            .help("a multiarray is made by new " + nameOf(wanted->element) +
                  " [[..]]; elements are set in an overall");
        return;
    case Fit::Rank:
        context
            .report(Id::RankMismatch, value, what, wanted->slots.size(), text, given->slots.size())
            .help("a section chooses dimensions: [[:, 0]] keeps the first of two");
        return;
    case Fit::Element:
        context
            .report(Id::ElementMismatch, value, what, nameOf(wanted->element), text,
                    nameOf(given->element))
            .help("elements are converted one by one, in an overall over both arrays");
        return;
    case Fit::Slot:
        context.report(Id::SlotMismatch, value, what, found.slot, text)
            .help("static_cast<" + nameOf(wanted) + ">(" + text +
                  ") converts it, if its range is collapsed when the program runs");
        return;
    case Fit::Const:
        context.report(Id::ConstMismatch, value, what, text)
            .help("accept const " + nameOf(wanted->element) + " elements, or pass a copy: clone(" +
                  text + ")");
        return;
    }
}

}  // namespace hpcc::check
