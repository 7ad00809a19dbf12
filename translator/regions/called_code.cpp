// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/called_code.hpp"

#include <algorithm>
#include <cstdlib>
#include <span>

#include "analysis/constant.hpp"
#include "analysis/harmless_calls.hpp"
#include "analysis/loop.hpp"
#include "analysis/plain_fields.hpp"
#include "analysis/plain_values.hpp"
#include "analysis/switch_parts.hpp"
#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "regions/called_arguments.hpp"
#include "regions/called_function.hpp"
#include "regions/called_nests.hpp"
#include "regions/called_overloads.hpp"
#include "regions/called_returns.hpp"
#include "regions/class_arguments.hpp"

namespace hpcc::regions {
namespace {

bool reachesElements(NodePtr function) {
    return ast::anywhere(bodyOf(function), [](NodePtr each) {
        return ast::is<ast::Subscript>(each) &&
               (ast::multiarrayType(each->child(ast::Subscript::base)) ||
                each->child(ast::Subscript::subscripts)->children().size() > 1);
    });
}

// Calls exp, log, sin .., perhaps in functions that it calls.
bool callsVectorForms(NodePtr function, int depth = 0) {
    constexpr int deepest = 4;
    return ast::anywhere(bodyOf(function), [&](NodePtr each) {
        if (!ast::is<ast::Call>(each)) return false;
        const NodePtr called = depth < deepest ? functionOf(each) : nullptr;
        return ast::hasVectorForm(each) || (called && callsVectorForms(called, depth + 1));
    });
}

class Reader {
public:
    Reader(NodePtr call, bool runsNests) : call_(call) { code_.runsNests = runsNests; }

    std::variant<NotCalled, CalledCode, std::string> read() {
        code_.function = functionOf(call_);
        const bool isGiven = std::ranges::any_of(argumentsOf(call_), [](NodePtr each) {
            return ast::isIndexValue(each) || ast::multiarrayType(each);
        });
        if (!code_.function) {
            if (!isGiven || !isOwnName()) return NotCalled{};
            return "it is not certain which function of this file that is";
        }
        const bool isOperator = isOperatorCall(call_);
        if (isOperator && !std::ranges::all_of(argumentsOf(call_), isNumberOrList))
            return NotCalled{};
        code_.isOptional =
            code_.runsNests || isOperator || (!isGiven && !reachesElements(code_.function));
        if (code_.isOptional && !code_.runsNests && !isOperator && !onlyChangesObject() &&
            !goesInSteps() && !changesTable() && !asksForRange())
            return NotCalled{};
        std::string reason = inTheWay(code_.function, code_.runsNests);
        if (reason.empty()) reason = takeParameters();
        if (reason.empty()) reason = takeResult();
        if (!reason.empty() && code_.isOptional) return NotCalled{};
        if (!reason.empty()) return reason;
        code_.onlyComputes = regions::onlyComputes(code_.function);
        const NodePtr callee = ast::withoutParentheses(call_->child(ast::Call::callee));
        if (ast::is<ast::QualifiedName>(callee))
            code_.qualifier = callee->child(ast::QualifiedName::qualifier);
        takeObject(callee);
        code_.mayGiveValue = !isOperator && overloadOf(call_).mayGiveValue;
        return std::move(code_);
    }

private:
    // For what is in no variable there will be one, or one for each member.
    static bool isNumberOrList(NodePtr argument) {
        return ast::isNumber(argument->type) ||
               (argument->type && analysis::valuesFor(argument, *argument->type));
    }

    static bool isArrayOfNumbers(const ast::Type* type) {
        return ast::isStandardArray(type) && ast::isNumber(type->arguments.front());
    }

    // A name of the program's: the library has functions that take indices, too.
    bool isOwnName() const {
        if (objectCalled(call_)) return true;
        const NodePtr callee = ast::withoutParentheses(call_->child(ast::Call::callee));
        const Symbol* const symbol = nameCalled(callee);
        return symbol && symbol->declaration && symbol->kind == ast::SymbolKind::Function &&
               !ast::isLibraryName(callee);
    }

    // Which a nest may take apart; perhaps a list, as its parameter tells.
    bool isComplexNumber(NodePtr argument) const {
        const ast::Type* type = argument->type;
        if (ast::is<ast::BracedInitializer>(argument)) {
            const auto given = argumentsOf(call_);
            const auto at = std::ranges::find(given, argument) - given.begin();
            const auto formals = formalsOf(code_.function);
            const NodePtr formal =
                at < std::ssize(formals) ? formals[static_cast<std::size_t>(at)] : nullptr;
            const NodePtr name = ast::is<ast::Parameter>(formal)
                                     ? ast::declaredName(formal->child(ast::Parameter::declarator))
                                     : nullptr;
            type = name && name->symbol ? name->symbol->type : nullptr;
        }
        return type && type->classSymbol && type->arguments.size() == 1 &&
               type->classSymbol->shape == ast::StandardShape::Opaque &&
               ast::isNumber(type->arguments.front());
    }

    // Of plain values, which then may be numbers of the nest.
    bool onlyChangesObject() const {
        const NodePtr callee = ast::withoutParentheses(call_->child(ast::Call::callee));
        const ast::Type* type =
            ast::is<ast::Member>(callee) ? callee->child(0)->type : analysis::calledObject(callee);
        return analysis::isPlainValue(type) && !analysis::isHarmlessCall(call_) &&
               analysis::onlyChangesObject(code_.function);
    }

    // `Range rows() const { return u.rng(0); }`
    bool asksForRange() const {
        const auto statements = bodyOf(code_.function)->children();
        const NodePtr value = statements.size() == 1 && ast::is<ast::Return>(statements.front())
                                  ? statements.front()->child(ast::Return::value)
                                  : nullptr;
        return value && call_->type && call_->type->kind == ast::TypeKind::Range &&
               ast::is<ast::Call>(value) && ast::isPure(value);
    }

    // Of a named object: the nest then may count in several tables.
    bool changesTable() const {
        const NodePtr callee = ast::withoutParentheses(call_->child(ast::Call::callee));
        return ast::is<ast::Member>(callee) && ast::is<ast::Identifier>(callee->child(0)) &&
               onlyChangesTable(code_.function);
    }

    // Of a loop: not one of at most 16 iterations, as the function or its call tells, which the C++
    // compiler writes out.
    bool isLong(NodePtr loop, std::span<const NodePtr> given) const {
        if (ast::isAny<ast::RangeFor, ast::While, ast::DoWhile>(loop)) return true;
        if (!ast::is<ast::For>(loop)) return false;
        const auto counting = analysis::countingLoop(loop);
        if (!counting) return true;
        const auto formals = formalsOf(code_.function);
        const auto written = writtenArguments();
        const auto valueOf = [&](NodePtr bound) {
            for (std::size_t k = 0; k < std::min(formals.size(), given.size()); ++k) {
                if (!ast::is<ast::Parameter>(formals[k])) break;
                const NodePtr name =
                    ast::declaredName(formals[k]->child(ast::Parameter::declarator));
                if (name && name->symbol && name->symbol == bound->symbol)
                    return analysis::constantValue(given[k]);
            }
            const auto known = written.find(bound->symbol);
            return analysis::constantValue(known == written.end() ? bound : known->second);
        };
        const auto first = valueOf(counting->first), bound = valueOf(counting->bound);
        return !first || !bound || std::abs(*bound - *first) > 16 * std::abs(counting->step);
    }

    // A switch that becomes `?:` or `if`.
    static bool isChosen(NodePtr each) {
        return ast::is<ast::Switch>(each) &&
               (holdsReturn(each) ? !returnedCases(each).empty()
                                  : analysis::partsOf(each).has_value());
    }

    // Of numbers alone, and std::arrays of numbers. Its loops, and what it changes by a reference
    // in statements, are then the nest's, and a `switch` is `?:`, of which C++ compilers compute
    // several at once.
    bool goesInSteps() const {
        const auto given = argumentsOf(call_);
        const bool hasSteps =
            ast::anywhere(bodyOf(code_.function),
                          [&](NodePtr each) { return isLong(each, given) || isChosen(each); }) ||
            callsVectorForms(code_.function) || !regions::onlyComputes(code_.function);
        const bool returnsValues = !ast::anywhere(bodyOf(code_.function), [](NodePtr each) {
            return ast::is<ast::Return>(each) && ast::anywhere(each, ast::changedOperand);
        });
        return hasSteps && returnsValues && regions::onlyChangesGiven(code_.function) &&
               std::ranges::all_of(given, [this](NodePtr each) {
                   return ast::isNumber(each->type) || isArrayOfNumbers(each->type) ||
                          isComplexNumber(each);
               });
    }

    void takeObject(NodePtr callee) {
        const bool isOperator = isOperatorCall(call_);
        const NodePtr called = isOperator ? nullptr : objectCalled(call_);
        const bool isMember =
            !isOperator && !called && ast::isAny<ast::Member, ast::PointerMember>(callee);
        if (!isOperator && !isMember && !called) return;
        const NodePtr object = isMember ? callee->child(0) : callee;
        if (isThis(object) || isThisObject(object)) return;
        code_.object = object;
        code_.isPointer = isMember && ast::is<ast::PointerMember>(callee);
        const ast::Type* type = ast::is<ast::Identifier>(object) && object->symbol
                                    ? object->symbol->type
                                    : object->type;
        if (type && type->kind == ast::TypeKind::Pointer) type = type->element;
        code_.objectClass = type ? type->classSymbol : nullptr;
        if (!code_.objectClass) return;
        for (const auto& [parameter, spelled] : classArguments(*type, code_.function, call_))
            code_.types.try_emplace(parameter, spelled);
    }

    std::string takeParameters() {
        const auto arguments = argumentsOf(call_);
        const auto parameters = formalsOf(code_.function);
        const ast::Effects effects = ast::effectsOf(bodyOf(code_.function));
        const auto mentioned = ast::namesIn(bodyOf(code_.function));
        if (arguments.size() > parameters.size()) return "it takes any number of arguments";
        for (std::size_t k = 0; k < parameters.size(); ++k) {
            if (!ast::is<ast::Parameter>(parameters[k])) return "it takes any number of arguments";
            Given given;
            given.declaration = parameters[k];
            const NodePtr declarator = parameters[k]->child(ast::Parameter::declarator);
            const NodePtr name = declarator ? ast::declaredName(declarator) : nullptr;
            if (ast::anywhere(declarator, ast::is<ast::PackDeclarator>))
                return "it takes any number of arguments";
            if (name) given.symbol = name->symbol;
            if (name && !given.symbol) return "a parameter is not understood";
            given.value = k < arguments.size() ? arguments[k]
                          : parameters[k]->child(ast::Parameter::defaultValue)
                              ? parameters[k]->child(ast::Parameter::defaultValue)->child(0)
                              : nullptr;
            if (!given.value || ast::is<ast::PackExpansion>(given.value))
                return "an argument is missing";
            if (k >= arguments.size() && !analysis::constantValue(given.value) &&
                !ast::is<ast::NumberLiteral>(analysis::bare(given.value)))
                return "a default argument is no constant";
            given.isChanged = name && effects.assigned.contains(name->text());
            given.isMentioned = name && mentioned.contains(name->text());
            given.isReference =
                ast::is<ast::PointerDeclarator>(declarator) &&
                declarator->child(ast::PointerDeclarator::operators)->text().starts_with('&');
            given.isConst =
                parameters[k]->child(ast::Parameter::specifiers)->text().find("const") !=
                std::string_view::npos;
            // Its elements may change.
            given.isChanged |=
                !given.isReference && !given.isConst && isArrayOfNumbers(given.value->type);
            takeType(given);
            code_.given.push_back(given);
        }
        return takeWrittenTypes();
    }

    // double of T in `const T [[-,-]] u`, `T v`
    void takeType(const Given& given) {
        NodePtr specifiers = given.declaration->child(ast::Parameter::specifiers);
        const ast::Type* type = given.value->type;
        if (ast::is<ast::MultiarrayType>(specifiers)) {
            specifiers = ast::elementSpecifiers(specifiers);
            type = type && type->kind == ast::TypeKind::Multiarray ? type->element : nullptr;
        }
        const NodePtr core = ast::is<ast::Specifiers>(specifiers)
                                 ? specifiers->child(ast::Specifiers::core)
                                 : nullptr;
        const bool isParameter = ast::is<ast::Identifier>(core) && core->symbol &&
                                 core->symbol->kind == ast::SymbolKind::TemplateParameter;
        const NodePtr declarator = given.declaration->child(ast::Parameter::declarator);
        const bool isWhole =
            !declarator || ast::is<ast::Identifier>(declarator) || given.isReference;
        if (isParameter && isWhole && ast::isNumber(type) && !type->spelled.empty())
            code_.types.try_emplace(core->symbol, type->spelled);
    }

    // f<2, double>(..)
    std::map<const Symbol*, NodePtr> writtenArguments() const {
        std::map<const Symbol*, NodePtr> result;
        if (isOperatorCall(call_)) return result;
        NodePtr callee = ast::withoutParentheses(call_->child(ast::Call::callee));
        if (ast::isAny<ast::Member, ast::PointerMember>(callee)) callee = callee->child(1);
        if (ast::is<ast::QualifiedName>(callee)) callee = callee->child(ast::QualifiedName::name);
        if (!ast::is<ast::TemplateName>(callee)) return result;
        const Symbol* const function = nameCalled(call_->child(ast::Call::callee));
        const NodePtr head = function ? function->head : nullptr;
        const auto written = callee->child(ast::TemplateName::arguments)->children();
        const auto parameters =
            head ? head->child(ast::Template::parameters)->children() : std::span<const NodePtr>{};
        for (std::size_t k = 0; k < written.size(); ++k) {
            const NodePtr name = k < parameters.size() ? parameters[k]->child(0) : nullptr;
            result.try_emplace(name ? name->symbol : nullptr, written[k]);
        }
        return result;
    }
    std::string takeWrittenTypes() {
        for (const auto& [parameter, argument] : writtenArguments()) {
            if (!parameter) return "arguments of its template are not understood";
            const std::string text(argument->text());
            code_.types[parameter] = ast::isExpression(argument) ? "(" + text + ")" : text;
        }
        return "";
    }

    std::string takeResult() {
        if (isOperatorCall(call_)) return takeOperator();
        NodePtr specifiers = nullptr;
        NodePtr declarator = nullptr;
        NodePtr trailing = nullptr;
        if (!code_.isLocal()) {
            specifiers = code_.function->child(ast::FunctionDefinition::specifiers);
            declarator = code_.function->child(ast::FunctionDefinition::declarator);
            if (!ast::is<ast::Specifiers>(specifiers)) return "its result is not understood";
            code_.result = specifiers->child(ast::Specifiers::core);
        }
        const NodePtr qualifiers =
            code_.isLocal()
                ? code_.function->child(ast::Lambda::qualifiers)
                : ast::functionDeclarator(declarator)->child(ast::FunctionDeclarator::qualifiers);
        for (const NodePtr each : ast::allOf<ast::TrailingReturn>(qualifiers))
            trailing = each->child(ast::TrailingReturn::type);
        if (ast::is<ast::PointerDeclarator>(declarator))
            code_.returnsReference = declarator->child(0)->text() == "&";
        if (trailing) {
            code_.result = trailing->child(ast::TypeName::specifiers)->child(ast::Specifiers::core);
            const NodePtr operators = trailing->child(ast::TypeName::declarator);
            code_.returnsReference = operators && operators->text() == "&";
            if (operators && !code_.returnsReference) return "its result is not understood";
        }
        if (ast::is<ast::AutoType>(code_.result)) {
            if (code_.result->text() != "auto") return "its result is not understood";
            code_.result = nullptr;
        }
        return takeStatements();
    }

    // Nobody asks for what an operator gives, which is its object.
    std::string takeOperator() {
        auto all = bodyOf(code_.function)->children();
        const NodePtr last = all.empty() ? nullptr : all.back();
        const NodePtr value =
            ast::is<ast::Return>(last) ? last->child(ast::Return::value) : nullptr;
        if (value && value->text() == "*this") all = all.first(all.size() - 1);
        if (std::ranges::any_of(all, holdsReturn)) return "it returns in between";
        code_.first.assign(all.begin(), all.end());
        code_.isVoid = true;
        return "";
    }

    std::string takeStatements() {
        const auto all = bodyOf(code_.function)->children();
        const auto begin = std::ranges::find_if(all, holdsReturn);
        code_.first.assign(all.begin(), begin);
        code_.last.assign(begin, all.end());
        const bool returnsValue = ast::anywhere(bodyOf(code_.function), [](NodePtr each) {
            return ast::is<ast::Return>(each) && each->child(ast::Return::value);
        });
        code_.isVoid = code_.result ? code_.result->text() == "void" : !returnsValue;
        code_.isChoice = isChoice(code_.last);
        if (!code_.isChoice && !areBranches(code_.last) && !leavesLoop(code_.last))
            return "it returns from inside of a loop or of several branches";
        if (!code_.isVoid && !code_.isChoice && !returnsAlways(bodyOf(code_.function)))
            return "its end may be reached without a result";
        if (code_.returnsReference && !(code_.isChoice && code_.first.empty()))
            return "it gives a reference";
        if (code_.result && code_.result->type && ast::isNumber(code_.result->type))
            code_.number = code_.result->type;
        return "";
    }

    const NodePtr call_;
    CalledCode code_;
};

}  // namespace

std::variant<NotCalled, CalledCode, std::string> calledCode(NodePtr call) {
    return Reader(call, false).read();
}

std::variant<NotCalled, CalledCode, std::string> codeWithNests(NodePtr call) {
    if (!tellsNests(call)) return NotCalled{};
    return Reader(call, true).read();
}

}  // namespace hpcc::regions
