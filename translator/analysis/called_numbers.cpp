// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What functions in sight return, and what variables hold that statements of a nest assign.
#include <algorithm>

#include "analysis/harmless_calls.hpp"
#include "analysis/reader.hpp"
#include "ast/declarators.hpp"
#include "ast/search.hpp"
#include "ast/specifiers.hpp"

namespace hpcc::analysis {
namespace {

bool isDeclaredIn(NodePtr function, const Symbol* symbol) {
    return symbol->declaration && function->span().contains(symbol->declaration->span());
}

NodePtr bodyOf(NodePtr function) {
    return function->child(function->is<ast::Lambda>() ? +ast::Lambda::body
                                                       : +ast::FunctionDefinition::body);
}

// The lambda holds the values that names had where it was made.
bool copiesNames(NodePtr function) {
    if (!function->is<ast::Lambda>()) return false;
    return ast::anywhere(function->child(ast::Lambda::captures), [](NodePtr each) {
        return each->is<ast::ValueCapture>() ||
               (each->is<ast::DefaultCapture>() && each->text() == "=");
    });
}

// The value of `return e;`, alone or in braces; null of others.
NodePtr returned(NodePtr statement) {
    if (ast::is<ast::Compound>(statement) && statement->children().size() == 1)
        statement = statement->child(0);
    return ast::is<ast::Return>(statement) ? bare(statement->child(ast::Return::value)) : nullptr;
}

bool isPlainIf(NodePtr statement) {
    return ast::is<ast::If>(statement) && !statement->child(ast::If::initializer) &&
           !isConstexprIf(statement);
}

bool isPlainSwitch(NodePtr statement) {
    return ast::is<ast::Switch>(statement) && !statement->child(ast::Switch::initializer);
}

bool leaves(NodePtr statement) {
    return ast::isAny<ast::Continue, ast::Break, ast::Return>(statement);
}

}  // namespace

// The function that a call runs, with numbers in place of its parameters, while this lives.
class Reader::CalledFunction {
public:
    CalledFunction(Reader& reader, NodePtr call, Place place)
        : reader_(reader),
          bound_(reader.bound_),
          function_(reader.function_),
          isOfOther_(reader.isOfOther_) {
        constexpr int most = 4;  // calls in calls
        const NodePtr callee = call->child(ast::Call::callee);
        const NodePtr definition = ++reader_.calls_ <= most ? definitionOf(callee) : nullptr;
        if (!definition || !ast::is<ast::Compound>(bodyOf(definition))) return;
        if (!bind(definition, call, place)) return;
        const bool isOwn =
            !ast::is<ast::Member>(callee) || callee->child(ast::Member::base)->text() == "this";
        reader_.isOfOther_ |= !isOwn;
        reader_.function_ = definition;
        body = bodyOf(definition);
    }
    ~CalledFunction() {
        --reader_.calls_;
        reader_.bound_ = std::move(bound_);
        reader_.function_ = function_;
        reader_.isOfOther_ = isOfOther_;
    }
    CalledFunction(const CalledFunction&) = delete;
    CalledFunction& operator=(const CalledFunction&) = delete;

    NodePtr body = nullptr;  // null if it is not known

private:
    bool bind(NodePtr definition, NodePtr call, Place place) {
        const NodePtr parameters = ast::parametersOf(definition);
        const auto given = call->child(ast::Call::arguments)->children();
        if ((parameters ? parameters->children().size() : 0) != given.size()) return false;
        Numbers numbers = reader_.bound_;
        for (std::size_t k = 0; k < given.size(); ++k) {
            const NodePtr each = parameters->child(k);
            const NodePtr name = ast::is<ast::Parameter>(each)
                                     ? ast::declaredName(each->child(ast::Parameter::declarator))
                                     : nullptr;
            if (!name || !name->symbol) return false;
            numbers.insert_or_assign(name->symbol,
                                     reader_.valueIn(given[k], place, name->symbol->type));
        }
        reader_.bound_ = std::move(numbers);
        return true;
    }

    Reader& reader_;
    Numbers bound_;
    NodePtr function_;
    bool isOfOther_;
};

// An expression as a value of a type.
Sum Reader::valueIn(NodePtr e, Place place, const ast::Type* type) {
    if (!e || !type) return fresh();
    const bool isNumber =
        type->kind == ast::TypeKind::Integer || type->kind == ast::TypeKind::Bool ||
        (type->classSymbol && e->type && e->type->classSymbol == type->classSymbol);
    return isNumber && isInteger(e, place) && !mayHaveWrapped(e, place) ? converted(e, place, type)
                                                                        : fresh();
}

// c ? a : b is b + c (a - b). Where a - b is odd or even throughout, what is lost is its size.
Sum Reader::chosen(const Sum& truth, const Sum& then, const Sum& otherwise) {
    const Sum difference = then - otherwise;
    const bool isEven = difference.isKnown() && difference.divisor() % 2 == 0;
    if (!isEven || difference.isConstant() || truth.isConstant())
        return otherwise + difference * truth;
    const long odd = difference.constant() % 2;
    const Sum twice = (difference - Sum(odd)) * truth;
    if (!twice.isKnown()) return twice;
    return otherwise + Sum(odd) * truth + Sum(2) * atom(nullptr, 0, "half", twice);
}

Sum Reader::called(NodePtr call, Place place) {
    const CalledFunction function(*this, call, place);
    const auto result =
        function.body ? returnedFrom(function.body, 0, place, call->type) : std::nullopt;
    return result ? *result : fresh();
}

// By what a block returns from its k-th statement on.
std::optional<Sum> Reader::returnedFrom(NodePtr block, std::size_t k, Place place,
                                        const ast::Type* result) {
    for (; k < block->children().size(); ++k) {
        const NodePtr each = block->child(k);
        if (const NodePtr value = returned(each)) return valueIn(value, place, result);
        if (isPlainSwitch(each) && ast::anywhere(each, ast::is<ast::Return>)) {
            const NodePtr value = each->child(ast::Switch::condition);
            const auto parts = partsOf(each);
            if (!parts || mayChange(value)) return std::nullopt;
            const Numbers here = bound_;
            const auto behind = returnedFrom(block, k + 1, place, result);
            bound_ = here;
            return returnedFrom(*parts, value, behind, place, result);
        }
        const NodePtr then = isPlainIf(each) ? returned(each->child(ast::If::then)) : nullptr;
        if (!then) {
            if (!perform(each, place)) return std::nullopt;
            continue;
        }
        const NodePtr other = each->child(ast::If::otherwise);
        const Sum decided = truthOf(each->child(ast::If::condition), place),
                  here = valueIn(then, place, result);
        if (other && !returned(other)) return std::nullopt;
        const auto there = other ? valueIn(returned(other), place, result)
                                 : returnedFrom(block, k + 1, place, result);
        return there ? std::optional(chosen(decided, here, *there)) : std::nullopt;
    }
    return std::nullopt;
}

// 1 for the part to which control comes, 0 for the others; the last one is for none of them.
std::vector<Sum> Reader::truths(NodePtr value, const std::vector<SwitchPart>& parts, Place place) {
    std::vector<Sum> result;
    Sum rest(1);
    for (const SwitchPart& part : parts) {
        Sum truth;
        for (const NodePtr each : part.values) {
            const auto equal = this->equal(value, each, place);
            truth =
                truth + (equal ? *equal : Sum(1) - notZero(read(value, place) - read(each, place)));
        }
        rest = rest - truth;
        result.push_back(truth);
    }
    for (std::size_t k = 0; k < parts.size(); ++k)
        if (parts[k].isDefault) result[k] = result[k] + std::exchange(rest, Sum());
    result.push_back(rest);
    return result;
}

// By what the parts return, or what is returned behind them.
std::optional<Sum> Reader::returnedFrom(const std::vector<SwitchPart>& parts, NodePtr value,
                                        const std::optional<Sum>& behind, Place place,
                                        const ast::Type* result) {
    const std::vector<Sum> decided = truths(value, parts, place);
    Sum sum = behind.value_or(fresh());
    const Sum otherwise = sum;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const auto& statements = parts[k].statements;
        const NodePtr last = statements.empty() ? nullptr : returned(statements.back());
        if (statements.size() > 1 || (!last && (!statements.empty() || !behind)))
            return std::nullopt;
        if (last) sum = sum + decided[k] * (valueIn(last, place, result) - otherwise);
    }
    return sum;
}

bool Reader::performSwitch(NodePtr statement, Place place) {
    const NodePtr value = statement->child(ast::Switch::condition);
    const auto parts = partsOf(statement);
    if (!isPlainSwitch(statement) || !parts || mayChange(value)) return !mayChange(statement);
    const std::vector<Sum> decided = truths(value, *parts, place);
    const Numbers before = bound_;
    Numbers after = before;
    for (std::size_t k = 0; k < parts->size(); ++k) {
        bound_ = before;
        for (const NodePtr each : (*parts)[k].statements)
            if (!perform(each, place)) return false;
        for (auto& [symbol, sum] : after)
            sum = sum + decided[k] * (bound_.at(symbol) - before.at(symbol));
    }
    bound_ = after;
    return true;
}

// The call is true, or false: what it returns holds, or not.
bool Reader::assumeCalled(System& system, NodePtr call, bool holds, Place place) {
    const CalledFunction function(*this, call, place);
    if (!function.body || function.body->children().empty()) return false;
    const auto statements = function.body->children();
    const NodePtr value = returned(statements.back());
    if (!value || !call->type || call->type->kind != ast::TypeKind::Bool) return false;
    for (const NodePtr each : statements.first(statements.size() - 1))
        if (!perform(each, place)) return false;
    assume(system, value, holds, place);
    return true;
}

Sum Reader::truthOf(NodePtr condition, Place place) {
    return isInteger(condition, place) ? truth(condition, place) : fresh();
}

// May give one of the numbers that are followed another value, in a way that is not.
bool Reader::mayChange(NodePtr statement) const {
    const ast::Effects effects = ast::effectsOf(statement);
    const bool isAssigned = std::ranges::any_of(
        bound_, [&](const auto& each) { return effects.assigned.contains(each.first->name); });
    return isAssigned || ast::anywhere(statement, [](NodePtr each) {
               return each->is<ast::Lambda>() || each->is<ast::Goto>() || each->is<ast::Label>() ||
                      each->is<ast::OpaqueStatement>() ||
                      (each->is<ast::InitDeclarator>() && each->type && each->type->isReference);
           });
}

// Follows what a statement does to numbers; false if that is not known.
bool Reader::perform(NodePtr statement, Place place) {
    if (!statement) return true;
    if (leaves(statement)) return !function_;  // what comes behind is for those that stay
    const auto each = [&](NodePtr child) { return perform(child, place); };
    switch (statement->kind()) {
    case ast::Kind::Compound:
        return std::ranges::all_of(statement->children(), each);
    case ast::Kind::Declaration:
        return declare(statement, place);
    case ast::Kind::ExpressionStatement:
        return assign(bare(statement->child(ast::ExpressionStatement::expression)), place);
    case ast::Kind::If: {
        const NodePtr condition = statement->child(ast::If::condition);
        if (!isPlainIf(statement) || mayChange(condition)) return !mayChange(statement);
        const Sum decided = truthOf(condition, place);
        const Numbers before = bound_;
        if (!perform(statement->child(ast::If::then), place)) return false;
        const Numbers then = std::exchange(bound_, before);
        if (!perform(statement->child(ast::If::otherwise), place)) return false;
        for (auto& [symbol, value] : bound_)
            if (const auto other = then.find(symbol); other != then.end() && other->second != value)
                value = chosen(decided, other->second, value);
        return true;
    }
    case ast::Kind::Switch:
        return performSwitch(statement, place);
    default:
        return !mayChange(statement) && !(function_ && ast::effectsOf(statement).mayJump);
    }
}

bool Reader::declare(NodePtr declaration, Place place) {
    if (mayChange(declaration)) return false;
    const NodePtr declarators = declaration->child(ast::Declaration::declarators);
    if (!function_ || !declarators) return true;
    for (const NodePtr each : declarators->children()) {
        const Symbol* symbol = ast::is<ast::InitDeclarator>(each)
                                   ? each->child(ast::InitDeclarator::declarator)->symbol
                                   : nullptr;
        if (!symbol) return false;
        const NodePtr value = singleInitializer(symbol->initializer);
        if (isStable(symbol) && IterationSpace::isStableThroughout(value)) continue;
        const NodePtr specifiers = declaration->child(ast::Declaration::specifiers);
        if (ast::isSpecifiedAs(specifiers, "static") ||
            ast::isSpecifiedAs(specifiers, "thread_local"))
            return false;
        bound_.insert_or_assign(symbol, valueIn(value, place, symbol->type));
    }
    return true;
}

// `v = e`, `v += e`, `++v` of a number that is followed.
bool Reader::assign(NodePtr e, Place place) {
    const NodePtr target = e ? bare(ast::changedOperand(e)) : nullptr;
    const auto found =
        ast::is<ast::Identifier>(target) ? bound_.find(target->symbol) : bound_.end();
    if (found == bound_.end()) return !e || !mayChange(e);
    const bool isAssign = e->is<ast::Assign>();
    const NodePtr value = isAssign ? e->child(ast::Assign::value) : nullptr;
    if (value && mayChange(value)) return false;
    const ast::Type* const type = target->symbol->type;
    const NumberType number = numberOf(type);
    const std::string_view op = isAssign                ? e->child(ast::Assign::op)->text()
                                : e->is<ast::Postfix>() ? e->child(ast::Postfix::op)->text()
                                                        : e->child(ast::Unary::op)->text();
    const bool isWide = number.isSigned && number.bits >= 32;
    Sum result = fresh();
    if (op == "=")
        result = valueIn(value, place, type);
    else if (isWide && (op == "+=" || op == "-=") && isInteger(value, place))
        result = found->second + Sum(op == "+=" ? 1 : -1) * valueIn(value, place, type);
    else if (isWide && (op == "++" || op == "--"))
        result = found->second + Sum(op == "++" ? 1 : -1);
    found->second = result;
    return true;
}

// What a name stands for: of a function in place of a call, too.
IterationSpace::Value Reader::meaningOf(NodePtr name, const Loop* place) const {
    if (!function_) return space_.valueOf(name, place);
    const Symbol* symbol = name->symbol;
    if (!symbol || bound_.contains(symbol)) return {};
    if (!isDeclaredIn(function_, symbol)) return space_.valueOf(name, place);
    const bool isValue = isStable(symbol) && symbol->kind == ast::SymbolKind::Variable;
    const NodePtr value = isValue ? singleInitializer(symbol->initializer) : nullptr;
    return IterationSpace::isStableThroughout(value) ? IterationSpace::Value{value, place}
                                                     : IterationSpace::Value();
}

// In the text of a function: a name that has another value in each call, or that is not known.
bool Reader::isOfCall(NodePtr name) const {
    const Symbol* symbol = name->symbol;
    if (!function_) return false;
    return !symbol || isDeclaredIn(function_, symbol) ||
           (isOfOther_ && symbol->kind == ast::SymbolKind::Field) ||
           (copiesNames(function_) && !isStable(symbol));
}

// Of a variable that statements of its block assign: its value behind the last one of these.
//
//     int first = 1;
//     if (i` % 2 == 0) first = 2;
//     overall (j = y for first : n : 2)      first: 2 - (i - 2 q)
std::optional<Sum> Reader::settled(NodePtr name, Place place) {
    const auto* declared =
        function_ || isStable(name->symbol) ? nullptr : space_.declared(name->symbol);
    if (!declared || !name->isParsed()) return std::nullopt;
    const auto [found, isNew] = settled_.try_emplace({name->symbol, place.iteration});
    if (isNew) found->second = settle(name->symbol, *declared, place.iteration);
    const Settled& known = found->second;
    const bool isBehind = known.last && name->span().begin >= known.last->span().end;
    return isBehind && declared->block->span().contains(name->span()) ? std::optional(known.value)
                                                                      : std::nullopt;
}

Reader::Settled Reader::settle(const Symbol* symbol, const IterationSpace::Declared& declared,
                               int iteration) {
    const Place place{declared.loop, iteration};
    const auto statements = declared.block->children();
    const NodePtr first = singleInitializer(symbol->initializer);
    const Sum begin = first ? valueIn(first, place, symbol->type) : fresh();
    const Numbers before = std::exchange(bound_, {{symbol, begin}});
    std::size_t last = declared.position;
    for (std::size_t k = last + 1; k < statements.size(); ++k)
        if (statements[k] && mayChange(statements[k])) last = k;
    bool isKnown = statements[last]->isParsed();
    for (std::size_t k = declared.position + 1; k <= last; ++k)
        isKnown = isKnown && perform(statements[k], place);
    Settled result{isKnown ? statements[last] : nullptr, bound_.at(symbol)};
    bound_ = before;
    return result;
}

}  // namespace hpcc::analysis
