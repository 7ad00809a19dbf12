// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/template_arguments.hpp"

#include "analysis/constant.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"

#include <charconv>
#include <cstdint>

namespace hpcc::check {
namespace {

bool isKnown(const Type& type) {
    if (type.isDependent) return false;
    if (type.kind == TypeKind::Integer) return type.number.bits > 0;
    if (type.kind == TypeKind::Class) return type.classSymbol != nullptr;
    return type.kind == TypeKind::Bool || type.kind == TypeKind::Floating;
}

// Also the parameter of a template round the call.
bool isGiven(const Type& type) { return isKnown(type) || analysis::typeParameterOf(&type); }

// What has another type than it seems: L'x', 'ab', 0x1p3f, and enumerators that are calculated
// with.
bool isOdd(NodePtr node) {
    const std::string_view text = node->text();
    if (node->is<ast::CharacterLiteral>())
        return !text.starts_with("'") || (text.size() > 3 && text[1] != '\\');
    if (node->is<ast::NumberLiteral>())
        return text.find_first_of("_pP") != text.npos ||
               (text.find_first_of("lL") != text.npos && node->type->kind == TypeKind::Floating);
    return node->type && node->type->kind == TypeKind::Integer && node->type->number.bits == 0;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n"),
                      end = text.find_last_not_of(" \t\r\n");
    return begin == text.npos ? std::string_view() : text.substr(begin, end + 1 - begin);
}

class Deduction {
public:
    Deduction(ast::Arena& arena, const Symbol& function, bool isOnly)
        : arena_(arena), function_(function), isOnly_(isOnly) {}

    TemplateArguments result;

    void take(NodePtr written, std::span<const Type* const> arguments) {
        const NodePtr parameters = function_.head->child(ast::Template::parameters);
        if (function_.head->child(ast::Template::constraint) || parameters->children().empty())
            return;
        for (const NodePtr each : parameters->children())
            if (!declare(each)) return;
        const Type& type = *function_.type;
        if (arguments.size() > type.parameters.size() || arguments.size() < type.requiredParameters)
            return refuse();
        if (written && !takeWritten(written->children())) return;
        const std::vector<bool> areGiven = given();
        for (std::size_t k = 0; k < arguments.size(); ++k)
            if (!match(*type.parameters[k], *arguments[k], areGiven)) return;
        for (std::size_t k = 0; k < result.all.size(); ++k)
            if (!isBound(k) && !takeDefault(k)) return;
        result.fit = Sameness::Yes;
    }

private:
    void refuse() { result.fit = Sameness::No; }

    // False: no parameter that is understood.
    bool declare(NodePtr parameter) {
        const NodePtr name = parameter->child(0);
        if (!name || parameter->text().find("...") != std::string_view::npos) return false;
        const std::string_view before =
            trimmed(parameter->text().substr(0, name->span().begin - parameter->span().begin));
        const bool isType = ast::is<ast::TypeParameter>(parameter);
        if (isType && before != "class" && before != "typename") return false;
        const bool isValue = !isType && parameter->symbol && parameter->symbol->type &&
                             parameter->symbol->type->kind != TypeKind::Class &&
                             isKnown(*parameter->symbol->type);
        if (!isType && !isValue) return false;
        result.all.push_back({parameter, std::string(name->text()),
                              isType ? nullptr : parameter->symbol->type, std::nullopt});
        return true;
    }

    bool isType(std::size_t k) const {
        return ast::is<ast::TypeParameter>(result.all[k].parameter);
    }
    bool isBound(std::size_t k) const {
        return isType(k) ? result.all[k].type != nullptr : result.all[k].value.has_value();
    }
    std::vector<bool> given() const {
        std::vector<bool> all;
        for (std::size_t k = 0; k < result.all.size(); ++k) all.push_back(isBound(k));
        return all;
    }

    bool takeWritten(std::span<const NodePtr> written) {
        if (written.size() > result.all.size()) {
            refuse();
            return false;
        }
        for (std::size_t k = 0; k < written.size(); ++k) {
            const Type& type = *typeOf(written[k]);
            const bool isName = ast::is<ast::TypeName>(written[k]);
            if (isType(k)) {
                if (!isName || !isGiven(type) || type.isConst || type.isReference) return false;
                result.all[k].type = &type;
            } else {
                const auto value = isName ? std::nullopt : analysis::constantValue(written[k]);
                if (!value) return false;
                result.all[k].value = value;
            }
        }
        return true;
    }

    // `Vector<T>`, and `Vector<double>`.
    bool matchArguments(const Type& own, const Type& argument, const std::vector<bool>& areGiven) {
        if (isNumber(&argument)) {
            refuse();
            return false;
        }
        if (own.classSymbol != argument.classSymbol ||
            own.arguments.size() != argument.arguments.size())
            return false;
        for (std::size_t k = 0; k < own.arguments.size(); ++k)
            if (!match(*own.arguments[k], *argument.arguments[k], areGiven)) return false;
        return true;
    }

    // A parameter of the function, and what it is given.
    bool match(const Type& own, const Type& argument, const std::vector<bool>& areGiven) {
        if (own.isReference && !own.isConst) return false;
        if (own.kind == TypeKind::Class && !own.arguments.empty() && !isKnown(own))
            return matchArguments(own, argument, areGiven);
        const bool isName = own.isDependent && own.classSymbol && !own.element &&
                            own.arguments.empty() &&
                            (own.kind == TypeKind::Unknown || own.kind == TypeKind::Floating);
        const auto place = std::ranges::find_if(result.all, [&](const auto& each) {
            return isName && each.parameter->symbol == own.classSymbol;
        });
        const bool isParameter = place != result.all.end();
        if (!isParameter && !isKnown(own)) return false;
        const bool isConverted =
            !isParameter || areGiven[static_cast<std::size_t>(place - result.all.begin())];
        if (isParameter && !place->type) {
            place->type = valueOf(arena_, &argument);
            return true;
        }
        if (isConverted && isOnly_) return true;
        const Sameness fit = same(isParameter ? *place->type : own, argument);
        if (fit == Sameness::No && !isConverted) refuse();
        return fit == Sameness::Yes;
    }

    // `class R = T`, `class R = double`, `int N = 2`
    bool takeDefault(std::size_t k) {
        TemplateArguments::Argument& argument = result.all[k];
        const std::string_view text = argument.parameter->text();
        const NodePtr name = argument.parameter->child(0);
        const std::size_t behind = name->span().end - argument.parameter->span().begin;
        const std::size_t equals = text.find('=', behind);
        const std::string_view value = trimmed(equals == text.npos ? "" : text.substr(equals + 1));
        if (value.empty()) return false;
        if (!isType(k)) {
            if (isOneOf(value, {"true", "false"})) {
                argument.value = value == "true";
                return true;
            }
            long long number = 0;
            const auto [end, error] =
                std::from_chars(value.data(), value.data() + value.size(), number);
            if (error != std::errc() || end != value.data() + value.size()) return false;
            argument.value = number;
            return true;
        }
        const auto other = std::ranges::find(result.all, value, &TemplateArguments::Argument::name);
        if (other != result.all.end())
            argument.type =
                other - result.all.begin() < static_cast<std::ptrdiff_t>(k) ? other->type : nullptr;
        else if (isOneOf(value, {"float", "double", "int", "unsigned", "long"}))
            argument.type = builtinType(arena_, value);
        return argument.type != nullptr;
    }

    ast::Arena& arena_;
    const Symbol& function_;
    const bool isOnly_;
};

}  // namespace

Sameness same(const Type& a, const Type& b) {
    const Symbol* const parameter = analysis::typeParameterOf(&a);
    if (parameter && parameter == analysis::typeParameterOf(&b)) return Sameness::Yes;
    if (!isKnown(a) || !isKnown(b)) return Sameness::Unknown;
    if (a.kind != b.kind) return Sameness::No;
    const auto told = [](bool isSame) { return isSame ? Sameness::Yes : Sameness::No; };
    switch (a.kind) {
    case TypeKind::Floating:
        return told(a.spelled == b.spelled);
    case TypeKind::Integer:
        if (a.number != b.number) return Sameness::No;
        return a.spelled == b.spelled ? Sameness::Yes : Sameness::Unknown;
    case TypeKind::Class:
        if (a.classSymbol != b.classSymbol) return Sameness::No;
        if (a.arguments.size() != b.arguments.size()) return Sameness::Unknown;
        for (std::size_t k = 0; k < a.arguments.size(); ++k)
            if (const Sameness each = same(*a.arguments[k], *b.arguments[k]); each != Sameness::Yes)
                return each;
        return Sameness::Yes;
    default:
        return Sameness::Yes;
    }
}

analysis::InstanceType certainType(NodePtr argument) {
    if (!argument || ast::is<ast::BracedInitializer>(argument) || ast::anywhere(argument, isOdd))
        return {};
    if (isKnown(*typeOf(argument))) return {argument->type};
    const analysis::InstanceType inside = analysis::typeInInstances(argument);
    return inside.type && isGiven(*inside.type) ? inside : analysis::InstanceType{};
}

std::string TemplateArguments::key() const {
    std::string key;
    for (const Argument& each : all)
        key += each.type->spelled + '@' +
               std::to_string(reinterpret_cast<std::uintptr_t>(each.type->classSymbol)) + '=' +
               (each.value ? std::to_string(*each.value) : "") + ';';
    return key;
}

TemplateArguments templateArguments(ast::Arena& arena, const Symbol& function, NodePtr written,
                                    std::span<const Type* const> arguments, bool isOnly) {
    Deduction deduction(arena, function, isOnly);
    deduction.take(written, arguments);
    return std::move(deduction.result);
}

}  // namespace hpcc::check
