// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects: their members and elements, and who refers to them.
#include "check/alignment/objects.hpp"

#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "check/alignment/walk.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace hpcc::check::alignment {
namespace {

bool isStandard(const Type* type, std::string_view name) {
    std::string_view spelled = type->spelled;
    if (spelled.starts_with("const ")) spelled.remove_prefix(6);
    return spelled.starts_with("std::" + std::string(name));
}

bool isSequential(const Type* type) {
    return type->kind != TypeKind::Multiarray ||
           std::ranges::all_of(type->slots,
                               [](SlotKind slot) { return slot == SlotKind::Sequential; });
}

// "0", "1" ..; "[]" for those that are not told apart.
std::string_view elementPart(std::optional<long long> number) {
    static const auto names = [] {
        std::array<std::string, 64> list;
        for (std::size_t k = 0; k < list.size(); ++k) list[k] = std::to_string(k);
        return list;
    }();
    const bool isOne = number && *number >= 0 && *number < static_cast<long long>(names.size());
    return isOne ? std::string_view(names[static_cast<std::size_t>(*number)]) : "[]";
}

// The k of std::get<k>.
std::optional<long long> numberOfGet(NodePtr callee) {
    std::string_view text = callee->text();
    if (text.starts_with("std::")) text.remove_prefix(5);
    if (!text.starts_with("get<")) return std::nullopt;
    long long number = 0;
    const auto read = std::from_chars(text.data() + 4, text.data() + text.size(), number);
    return read.ec == std::errc() ? std::optional(number) : std::nullopt;
}

std::string_view elementOfMethod(std::string_view method, NodePtr arguments) {
    if (method == "front") return elementPart(0);
    if (method == "back") return "[]";
    if (method == "value") return "*";
    return method == "at" && arguments->child(0) ? elementPart(constantValue(arguments->child(0)))
                                                 : "";
}

bool isComposed(NodePtr call) {
    const std::string_view name = call->child(ast::Call::callee)->text();
    return name == "std::make_pair" || name == "std::make_tuple";
}

// The fields of a class that is made of values in their order.
std::vector<std::string_view> fieldsOf(const Type* type) {
    const Symbol* symbol = type->kind == TypeKind::Class ? type->classSymbol : nullptr;
    std::vector<std::string_view> names;
    if (!symbol || !symbol->declaration || !symbol->members) return names;
    const bool isAggregate = !symbol->members->findHere("(constructor)") &&
                             symbol->members->included().empty() && !symbol->members->isOpen();
    if (!isAggregate) return names;
    for (const Symbol* each : symbol->members->symbols())
        if (each->kind == ast::SymbolKind::Field && each->declaration) names.push_back(each->name);
    return names;
}

// u(i, j) of an object: an element of an array that it has.
bool getsIndex(NodePtr call) {
    return ast::is<ast::Call>(call) &&
           std::ranges::any_of(call->child(ast::Call::arguments)->children(),
                               [](NodePtr each) { return each && isIndex(typeOf(each)); });
}

// Whether an object of a type of the standard library is nothing but its elements.
bool hasElements(const Type* type) {
    static constexpr std::array<std::string_view, 4> names = {"pair", "tuple", "array", "vector"};
    return std::ranges::any_of(names, [&](auto name) { return isStandard(type, name); });
}

}  // namespace

std::vector<std::string_view> partNames(const Type* type, NodePtr given, std::size_t count) {
    std::vector<std::string_view> names = fieldsOf(type);
    const bool isPair = isStandard(type, "pair") ||
                        (given && given->text().find("make_pair") != std::string_view::npos);
    if (isPair) names = {"first", "second"};
    while (names.size() < count) names.push_back(elementPart(names.size()));
    return names;
}

bool isThis(NodePtr node) { return node && node->text() == "this"; }

const Symbol* plainVariable(NodePtr node) {
    if (ast::is<ast::Identifier>(node)) return node->symbol;
    const bool isOwnField =
        ast::is<ast::PointerMember>(node) && isThis(bare(node->child(ast::PointerMember::base)));
    return isOwnField ? node->child(ast::PointerMember::name)->symbol : nullptr;
}

const Symbol* rootOf(NodePtr node) {
    while ((node = bare(node))) {
        if (const Symbol* symbol = plainVariable(node)) return symbol;
        const auto next = [&]() -> NodePtr {
            switch (node->kind()) {
            case ast::Kind::Member:
            case ast::Kind::PointerMember:
            case ast::Kind::Subscript:
            case ast::Kind::Binary:  // v.begin() + 1
                return node->child(0);
            case ast::Kind::Unary:
                return node->child(ast::Unary::operand);
            case ast::Kind::Cast:
                return node->child(ast::Cast::operand);
            case ast::Kind::NamedCast:
                return node->child(ast::NamedCast::operand);
            case ast::Kind::Call: {
                const NodePtr callee = bare(node->child(ast::Call::callee));
                if (callee->is<ast::Member>() || callee->is<ast::PointerMember>())
                    return callee->child(0);
                return callee->text().starts_with("std::")
                           ? node->child(ast::Call::arguments)->child(0)
                           : nullptr;
            }
            default:
                return nullptr;
            }
        };
        node = next();
    }
    return nullptr;
}

namespace {

// x.m, x[3], x.at(3), std::get<1>(x), *x
struct Access {
    NodePtr base = nullptr;
    std::string_view part;
};

Access accessOf(NodePtr node) {
    NodePtr base = nullptr;
    std::string_view part;
    if (ast::is<ast::Member>(node)) {
        base = node->child(ast::Member::base);
        part = node->child(ast::Member::name)->text();
    } else if (ast::is<ast::Subscript>(node)) {
        base = node->child(ast::Subscript::base);
        const auto subscripts = node->child(ast::Subscript::subscripts)->children();
        part = elementPart(subscripts.size() == 1 ? constantValue(subscripts[0]) : std::nullopt);
        if (!isSequential(typeOf(bare(base)))) return {};
    } else if (ast::is<ast::Unary>(node) && node->child(ast::Unary::op)->text() == "*") {
        base = node->child(ast::Unary::operand);
        part = "*";
    } else if (ast::is<ast::Call>(node)) {
        const NodePtr callee = bare(node->child(ast::Call::callee));
        const NodePtr arguments = node->child(ast::Call::arguments);
        if (const auto number = numberOfGet(callee)) {
            base = arguments->child(0);
            part = elementPart(number);
        } else if (callee->is<ast::Member>()) {
            base = callee->child(ast::Member::base);
            part = elementOfMethod(callee->child(ast::Member::name)->text(), arguments);
        }
    }
    return {bare(base), part};
}

}  // namespace

std::optional<Variable> placeOf(NodePtr node) {
    if (const Symbol* symbol = plainVariable(node)) return Variable{symbol, ""};
    auto [base, part] = accessOf(node);
    const Symbol* symbol = base && !part.empty() ? plainVariable(base) : nullptr;
    if (!symbol) return std::nullopt;
    const bool isFirstOfPair = part == "0" && symbol->type && isStandard(symbol->type, "pair");
    const bool isSecondOfPair = part == "1" && symbol->type && isStandard(symbol->type, "pair");
    if (isFirstOfPair) part = "first";
    if (isSecondOfPair) part = "second";
    return Variable{symbol, part};
}

// Other names may change it, so it is not followed any more.
void Walk::loseSight(NodePtr expression) {
    const Symbol* symbol = rootOf(expression);
    if (!symbol || isKind(bare(expression), TypeKind::Multiarray)) return;
    forget(symbol);
    escaped_.insert(symbol);
}

void Walk::assign(NodePtr target, const Coherence& value) {
    target = bare(target);
    if (const auto place = placeOf(target)) {
        const Type* type = place->symbol->type ? place->symbol->type : unknownType();
        const bool isCertain = place->part != "*" || isStandard(type, "optional");
        if (place->part.empty()) forget(place->symbol);
        if (place->part == "[]") return assignSomeElement(place->symbol, value);
        if (place->part.empty() && isStandard(type, "optional")) {
            set({place->symbol, "*"}, value);
            return set(*place, control());
        }
        return set(*place, isCertain ? value : value.weakened());
    }
    const bool isTie =
        ast::is<ast::Call>(target) && target->child(ast::Call::callee)->text().ends_with("tie");
    if (isTie) {
        for (NodePtr each : target->child(ast::Call::arguments)->children())
            assign(each, value.weakened());
        return;
    }
    NodePtr whole = target;  // a.b.c = d changes a part of a.b
    while (ast::is<ast::Member>(whole) || ast::is<ast::Subscript>(whole)) {
        whole = bare(whole->child(0));
        if (isKind(whole, TypeKind::Multiarray)) return;
        const auto place = placeOf(whole);
        if (!place) continue;
        const Coherence old = state_.values.of(*place);
        return set(*place, mayDiffer(value) ? meet(old, value, {}) : value);
    }
    if (ast::is<ast::Unary>(target) || whole != target || getsIndex(target)) return;
    for (NodePtr each : target->children())  // (a ? b : c) = d
        if (each && ast::isExpression(each) && plainVariable(bare(each)))
            assign(each, value.weakened());
}

// For all that this function knows.
bool Walk::mayDiffer(const Coherence& value) const {
    for (std::size_t k = 0; k < sources_.size(); ++k)
        if (value.perhaps[k] && !sources_[k].isParameter) return true;
    return false;
}

// Of elements that are not told apart, what is coherent in one is not known in the others.
void Walk::assignSomeElement(const Symbol* symbol, const Coherence& value) {
    const Variable others{symbol, "[]"};
    std::vector<std::string_view> parts = state_.values.partsOf(symbol);
    parts.push_back(others.part);
    for (const std::string_view part : parts) {
        const bool isElement = part == others.part || (part[0] >= '0' && part[0] <= '9');
        if (!isElement) continue;
        const Coherence old = state_.values.of({symbol, part});
        set({symbol, part}, mayDiffer(value) ? meet(old, value, {}) : value);
    }
}

// ---- what an object is made of -----------------------------------------------------------------

// {a, b}, T{a, b}, std::make_pair(a, b); null if it is not put together here.
NodePtr Walk::composition(NodePtr given) const {
    given = ast::is<ast::EqualInitializer>(given) ? bare(given->child(ast::EqualInitializer::value))
                                                  : given;
    if (ast::is<ast::BracedInitializer>(given)) return given;
    if (ast::is<ast::FunctionalCast>(given)) {
        const NodePtr arguments = given->child(ast::FunctionalCast::arguments);
        const Type* type = typeOf(given);
        const bool isPair = isStandard(type, "pair") || isStandard(type, "tuple");
        return ast::is<ast::BracedInitializer>(arguments) || isPair ? arguments : nullptr;
    }
    return ast::is<ast::Call>(given) && isComposed(given) ? given->child(ast::Call::arguments)
                                                          : nullptr;
}

// The coherence of the parts that an object is made of, by their names.
Composed Walk::putTogether(NodePtr values, const std::vector<std::string_view>& names) {
    Composed object;
    for (std::size_t k = 0; k < values->children().size(); ++k) {
        NodePtr each = values->child(static_cast<uint32_t>(k));
        std::string_view name = names[k];
        if (ast::is<ast::DesignatedInitializer>(each)) {
            name = each->child(ast::DesignatedInitializer::name)->text();
            each = each->child(ast::DesignatedInitializer::value);
        }
        Coherence value = evaluate(each);
        if (ast::is<ast::BracedInitializer>(each)) value = value.weakened();
        const auto [part, isNew] = object.parts.try_emplace(name, value);
        if (!isNew) part->second = meet(part->second, value, {});
    }
    return object;
}

// An object with the parts of the variable that it is, or of what the call returns that it is.
Composed Walk::withParts(NodePtr value, const Coherence& whole) const {
    Composed object{whole, {}};
    if (!value) return object;
    if (const auto returned = results_.find(value); returned != results_.end())
        object.parts = returned->second.parts;
    if (const Symbol* symbol = plainVariable(value))
        for (const std::string_view part : state_.values.partsOf(symbol))
            if (part != "*") object.parts[part] = state_.values.of({symbol, part});
    return object;
}

Composed Walk::evaluateObject(NodePtr given, const Type* type) {
    if (!given) return {};
    given = bare(given);
    if (given->is<ast::FunctionalCast>()) type = typeOf(given);
    const NodePtr values = composition(given);
    const bool isObject =
        values && (given->is<ast::Call>() || hasElements(type) || !fieldsOf(type).empty());
    if (isObject) return putTogether(values, partNames(type, given, values->children().size()));
    return withParts(given, evaluate(given));
}

std::optional<Coherence> Walk::resultPart(NodePtr access) const {
    const auto [base, part] = accessOf(access);
    const auto returned = base && !part.empty() ? results_.find(base) : results_.end();
    const bool isKnown = returned != results_.end() && !returned->second.parts.empty();
    return isKnown ? std::optional(returned->second.of(part)) : std::nullopt;
}

bool Walk::declareComposed(NodePtr node, NodePtr declarator, NodePtr given) {
    const Type* type = typeOf(node);
    const bool isPair = isStandard(type, "pair") || isStandard(type, "tuple");
    NodePtr values = composition(given);
    if (!values && ast::is<ast::Arguments>(given) && isPair) values = given;
    if (!values) return false;
    const std::size_t count = values->children().size();
    const auto names = partNames(type, given, count);
    if (declarator->is<ast::StructuredBinding>() || !node->symbol) {
        if (boundNames(declarator).size() != count) return false;
        bind(declarator, putTogether(values, names), names);
        return true;
    }
    const bool isObject =
        !fieldsOf(type).empty() || type->kind == TypeKind::CArray ||
        (type->spelled.find("std::") != std::string::npos && type->kind != TypeKind::String) ||
        isUnknown(type);
    if (!isObject) return false;
    forget(node->symbol);
    for (const auto& [name, value] : putTogether(values, names).parts)
        set({node->symbol, name}, value | control());
    set({node->symbol, ""}, control());
    return true;
}

// auto [a, b] = object
void Walk::bind(NodePtr declarator, const Composed& object,
                const std::vector<std::string_view>& names) {
    const std::vector<const Symbol*> bound = boundNames(declarator);
    for (std::size_t k = 0; k < bound.size() && k < names.size(); ++k)
        set({bound[k], ""}, object.of(names[k]) | control());
}

std::vector<const Symbol*> Walk::boundNames(NodePtr declarator) const {
    std::vector<const Symbol*> bound;
    for (const NodePtr name : ast::allOf<ast::Identifier>(declarator))
        bound.push_back(name->symbol);
    return bound;
}

}  // namespace hpcc::check::alignment
