// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands for the names in called code.
#include <algorithm>

#include "analysis/constant.hpp"
#include "analysis/harmless_calls.hpp"
#include "analysis/plain_fields.hpp"
#include "ast/declarators.hpp"
#include "ast/purity.hpp"
#include "ast/scope.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "regions/called_arguments.hpp"
#include "regions/called_function.hpp"
#include "regions/called_sections.hpp"
#include "regions/called_text.hpp"

namespace hpcc::regions {

CalledText::CalledText(const CalledCode& code, const ast::FreshNames& names,
                       ast::FreshNames::Counts& counts)
    : code_(code), names_(names), counts_(counts), choice_(code.isChoice) {
    for (const auto& [symbol, text] : code.types) words_.emplace(symbol, text);
}

std::string CalledText::bind(const CallPlace& place) {
    place_ = place;
    std::string reason = bindAll();
    if (reason.empty()) reason = namesInTheWay();
    if (reason.empty()) reason = resultInTheWay();
    return reason;
}

std::string CalledText::bindAll() {
    if (code_.object && !isPath(code_.object)) return "its object has no name";
    for (const Given& each : code_.given)
        if (std::string reason = bindOne(each); !reason.empty()) return reason;
    return bindVariables();
}

std::string CalledText::bindOne(const Given& given) {
    const ast::Type* const type = given.value->type;
    if (!given.symbol)
        return place_.mayDeclare || ast::isPure(given.value)
                   ? ""
                   : "an argument without a name has an effect";
    if (bindParts(given)) return "";
    if (ast::isIndexValue(given.value) &&
        !(given.symbol->type && ast::isNumber(given.symbol->type)))
        return bindIndex(given);
    const bool isArray = type && type->kind == ast::TypeKind::Multiarray;
    if (isArray) {
        const ast::Type* own = given.symbol->type;
        if (code_.runsNests && !given.isReference && (given.isChanged || !isPath(given.value)))
            return declare(given);
        if (given.isChanged) return "it changes its parameter '" + given.symbol->name + "'";
        if (own && own->kind == ast::TypeKind::Multiarray && own->slots != type->slots)
            return "'" + given.symbol->name + "' has other slots than '" +
                   std::string(given.value->text()) + "'";
        if (const NodePtr value = ast::withoutParentheses(given.value);
            ast::is<ast::Section>(value)) {
            sections_[given.symbol] = value;
            words_[given.symbol] = "";  // stands nowhere alone
            return sectionInTheWay(code_, given);
        }
        if (!isPath(given.value)) return "'" + std::string(given.value->text()) + "' has no name";
        words_[given.symbol] = given.value->text();
        return "";
    }
    const bool isLambda = ast::is<ast::Identifier>(given.value) && given.value->symbol &&
                          analysis::lambdaOf(given.value->symbol);
    const bool isAlias = isPath(given.value) && (given.isReference || code_.onlyComputes) &&
                         (given.isReference || !given.isChanged);
    const bool isObject = type && !ast::isNumber(type) && type->kind != ast::TypeKind::Unknown;
    const bool isSame =
        isDeduced(given.declaration) || (given.symbol->type && type &&
                                         (given.symbol->type->spelled == type->spelled ||
                                          given.symbol->type->classSymbol == type->classSymbol));
    if (isLambda || (isAlias && isObject && isSame)) {
        words_[given.symbol] = given.value->text();
        return "";
    }
    return bindNumber(given);
}

// `{a[i], b[i]}`: a variable for each member, if the function names nothing else of it.
bool CalledText::bindParts(const Given& given) {
    const ast::Type* const type = given.symbol->type;
    if (!type || given.isChanged || !place_.mayDeclare) return false;
    const auto fields = analysis::numbersOf(*type);
    const auto values = analysis::valuesFor(given.value, *type);
    if (fields.empty() || !values || values->size() != fields.size()) return false;
    std::size_t named = 0, members = 0;
    ast::anywhere(bodyOf(code_.function), [&](NodePtr each) {
        named += ast::is<ast::Identifier>(each) && each->symbol == given.symbol;
        members += ast::is<ast::Member>(each) && each->child(0)->symbol == given.symbol &&
                   std::ranges::find(fields, each->child(1)->text(), &analysis::PlainField::name) !=
                       fields.end();
        return false;
    });
    if (named != members) return false;
    std::vector<Part>& parts = parts_[given.symbol];
    for (std::size_t k = 0; k < fields.size(); ++k)
        parts.push_back({fields[k].name,
                         names_.next(given.symbol->name + "_" + fields[k].name, counts_),
                         fields[k].type->spelled, (*values)[k]});
    words_[given.symbol] = "";  // stands nowhere alone
    return true;
}

std::string CalledText::bindIndex(const Given& given) {
    const auto subscript = ast::asIndexSubscript(given.value);
    if (!subscript) return "'" + std::string(given.value->text()) + "' is no index by its name";
    const std::string index(subscript->index->text());
    if (!subscript->distance) {
        words_[given.symbol] = index;
        return "";
    }
    if (!ast::isPure(subscript->distance))
        return "'" + std::string(given.value->text()) + "' has an effect";
    const std::string distance = flat(subscript->distance->text());
    shifted_[given.symbol] = {index, subscript->negative              ? "-(" + distance + ")"
                                     : isLiteral(subscript->distance) ? distance
                                                                      : "(" + distance + ")"};
    return "";
}

// A variable in front of the call.
std::string CalledText::declare(const Given& given) {
    words_[given.symbol] = names_.next(given.symbol->name, counts_);
    if (given.isMentioned || !ast::isPure(given.value)) declared_.push_back(given);
    return "";
}

std::string CalledText::bindNumber(const Given& given) {
    const ast::Type* const own = given.symbol->type;
    const ast::Type* const type = given.value->type;
    const bool isSame = isDeduced(given.declaration) || isSameNumber(own, type);
    const bool isVariable =
        ast::is<ast::Identifier>(given.value) && given.value->symbol && ast::isNumber(type);
    const bool isReferred = given.isReference && !given.isConst;
    if (isReferred && ast::isSimple(given.value) && (isSame || !ast::isNumber(own))) {
        words_[given.symbol] = given.value->text();  // another name of it
        return "";
    }
    const bool isFixed = !given.isChanged && ast::isNumber(type);
    if (isSame && isFixed && isLiteral(given.value)) {
        words_[given.symbol] = "(" + std::string(given.value->text()) + ")";
        return "";
    }
    if (isSame && isFixed && isVariable && code_.onlyComputes) {
        words_[given.symbol] = given.value->text();
        return "";
    }
    if (place_.mayDeclare) return declare(given);
    const bool isPlain = isFixed && code_.onlyComputes && ast::isPure(given.value) && !isReferred;
    if (!isPlain || !(isSame || ast::isNumber(own)))
        return "the argument '" + flat(given.value->text()) +
               "' needs a statement in front of the call";
    const std::string text = flat(given.value->text());
    words_[given.symbol] =
        isSame ? "(" + text + ")" : "static_cast<" + own->spelled + ">(" + text + ")";
    return "";
}

// Its own variables get new names. Where no statement may stand, those that never change are what
// they were given.
std::string CalledText::bindVariables() {
    std::vector<NodePtr> all = code_.first;
    all.insert(all.end(), code_.last.begin(), code_.last.end());
    isInPlace_ = !place_.mayDeclare;
    for (const NodePtr statement : all) {
        const bool isUnderneath = !isInPlace_ || !ast::is<ast::Declaration>(statement);
        if (!isUnderneath) {
            for (const NodePtr each : ast::declaratorsOf(statement))
                if (!bindConstant(each))
                    return "it has variables, for which there is no place in front of the call";
            continue;
        }
        ast::anywhere(statement, [&](NodePtr node) {
            if (ast::isAny<ast::InitDeclarator, ast::ConditionDeclaration, ast::Parameter,
                           ast::RangeFor, ast::OverallHeader, ast::At>(node))
                for (const NodePtr name : namesDeclared(node))
                    if (name->symbol && !words_.contains(name->symbol))
                        words_[name->symbol] = names_.next(std::string(name->text()), counts_);
            return false;
        });
    }
    const bool isExpression =
        choice_ && std::ranges::all_of(code_.first, ast::is<ast::Declaration>);
    if (isInPlace_ && !isExpression)
        return "it has statements, for which there is no place in front of the call";
    return "";
}

// `const double c = u[i, j];`
bool CalledText::bindConstant(NodePtr declarator) {
    const NodePtr name = declarator->child(ast::InitDeclarator::declarator);
    const NodePtr value =
        analysis::singleInitializer(declarator->child(ast::InitDeclarator::initializer));
    const bool isConstant = ast::is<ast::Identifier>(name) && name->symbol && value &&
                            !name->symbol->isReassigned && code_.onlyComputes;
    if (!isConstant) return false;
    values_[name->symbol] = value;
    return true;
}

std::string CalledText::namesInTheWay() const {
    std::vector<NodePtr> all = code_.first;
    all.insert(all.end(), code_.last.begin(), code_.last.end());
    if (code_.result) all.push_back(code_.result);
    for (const Given& each : declared_)
        if (!isDeduced(each.declaration))
            all.push_back(each.declaration->child(ast::Parameter::specifiers));
    for (const NodePtr root : all)
        if (std::string reason = namesInTheWay(root); !reason.empty()) return reason;
    return "";
}

// x of `o.x` and max of `std::max` follow from what stands in front of them.
std::string CalledText::namesInTheWay(NodePtr node) const {
    if (!node) return "";
    if (node->is<ast::Identifier>()) return meansElsewhere(node);
    const bool isMember = ast::isAny<ast::Member, ast::PointerMember>(node);
    const bool isPath = isMember || (ast::is<ast::QualifiedName>(node) && node->child(0));
    if (isPath && node->child(1)->is<ast::Identifier>()) {
        const NodePtr name = node->child(1);
        if (isOfThis(node)) return meansElsewhere(name);
        const ast::Type* type = node->child(0)->type;
        if (type && type->kind == ast::TypeKind::Pointer) type = type->element;
        const Symbol* const owner = isMember && type ? type->classSymbol : nullptr;
        if (owner && owner->members != place_.members && name->symbol &&
            name->symbol->kind == ast::SymbolKind::Field && !isPublic(name->symbol, owner))
            return "'" + std::string(name->text()) + "' is private";
        return namesInTheWay(node->child(0));
    }
    if (code_.object && isThisObject(node)) return "";
    if (code_.object && isThis(node)) return "it names its object as a whole";
    for (const NodePtr child : node->children())
        if (std::string reason = namesInTheWay(child); !reason.empty()) return reason;
    return "";
}

// Of the namespace by which the call names the function.
bool CalledText::isOfNamespace(const Symbol* symbol) const {
    const Symbol* const owner = code_.qualifier ? code_.qualifier->symbol : nullptr;
    return symbol && owner && owner->kind == ast::SymbolKind::Namespace && owner->members &&
           owner->members->findHere(symbol->name) == symbol;
}

// "" if the name means the same at the call.
std::string CalledText::meansElsewhere(NodePtr name) const {
    const Symbol* const symbol = name->symbol;
    const std::string_view word = name->text();
    if (symbol &&
        (words_.contains(symbol) || values_.contains(symbol) || shifted_.contains(symbol)))
        return "";
    const bool isOwn = symbol && symbol->declaration &&
                       code_.function->span().contains(symbol->declaration->span());
    const bool isOfTemplate = symbol && symbol->kind == ast::SymbolKind::TemplateParameter;
    for (const Given& each : code_.given)
        if (each.symbol && each.symbol->name == word && !symbol) return "a name in it is not known";
    if (isOwn) return "";
    const std::string reason = "'" + std::string(word) + "' means something else at the call";
    if (isOfTemplate && !code_.isLocal())
        return "what '" + std::string(word) + "' stands for is not known";
    const bool isMember = symbol && (symbol->kind == ast::SymbolKind::Field ||
                                     (symbol->kind == ast::SymbolKind::Function && !symbol->home));
    if (code_.object && isMember) {
        const ast::Scope* const own = code_.objectClass ? code_.objectClass->members : nullptr;
        const bool maySee = (own && own == place_.members) || isPublic(symbol, code_.objectClass);
        return maySee ? "" : "'" + std::string(word) + "' is private";
    }
    if (isOfNamespace(symbol)) return "";
    if (const auto here = place_.scopes->find(word)) return *here == symbol ? "" : reason;
    if (place_.members)
        if (const Symbol* here = place_.members->findHere(word))
            return here == symbol || (symbol && here->declaration == symbol->declaration) ? ""
                                                                                          : reason;
    if (!symbol) return "";
    if (isMember) return reason;
    const Symbol* const here = place_.outside ? place_.outside->find(word) : nullptr;
    const bool isSame =
        here && (here == symbol || here->kind == symbol->kind) &&
        (here == symbol || here->declaration == symbol->declaration || here->home == symbol->home);
    return isSame || !symbol->declaration ? "" : reason;
}

std::string CalledText::resultInTheWay() {
    if (code_.isVoid) return "";
    if (!choice_) {
        if (!place_.mayDeclare) return "it has statements, for which there is no place here";
        if (!code_.result) {
            for (const NodePtr last : code_.last)
                for (const NodePtr each : ast::allOf<ast::Return>(last)) {
                    const ast::Type* type = each->child(0) ? each->child(0)->type : nullptr;
                    if (!ast::isNumber(type) ||
                        (!resultType_.empty() && resultType_ != type->spelled))
                        return "the type of its result is not known";
                    resultType_ = type->spelled;
                }
        }
        result_ = names_.next("result", counts_);
        return "";
    }
    if (place_.needsValue && code_.mayGiveValue)
        return "it is not certain whether it gives a value or a reference";
    const bool givesPart = ast::anywhere(code_.last.back(), [](NodePtr each) {
        return ast::is<ast::Return>(each) && isLvalue(each->child(ast::Return::value));
    });
    if (place_.needsValue && !code_.result && givesPart) return "its result is taken by reference";
    return "";
}

}  // namespace hpcc::regions
