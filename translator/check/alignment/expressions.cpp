// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The coherence of expressions, and what they assign.
#include "analysis/operators.hpp"
#include "ast/purity.hpp"
#include "ast/symbol.hpp"
#include "check/alignment/library_calls.hpp"
#include "check/alignment/objects.hpp"
#include "check/alignment/walk.hpp"
#include "check/flow/constants.hpp"
#include "check/library.hpp"

#include <algorithm>
#include <initializer_list>

namespace hpcc::check::alignment {
namespace {

using ast::Kind;

// x.localBlock()
bool isInquiry(NodePtr node) {
    const NodePtr callee =
        ast::is<ast::Call>(node) ? bare(node->child(ast::Call::callee)) : NodePtr(nullptr);
    return ast::is<ast::Member>(callee) &&
           memberResult(typeOf(bare(callee->child(ast::Member::base)))->kind,
                        callee->child(ast::Member::name)->text());
}

bool isConstant(NodePtr node, long long value) {
    const auto literal = flow::literalCondition(node);
    if (literal && value <= 1) return *literal == (value == 1);
    return constantValue(node) == value;
}

bool isOneValue(NodePtr a, NodePtr b) { return ast::isPure(a) && a->text() == b->text(); }

// True if the result has one value, whatever the numbers are.
//
//     n * 0    n & 0    0 / n    n % 1    n | -1    n - n    n ^ n    n <= n    n && false
bool isFixed(std::string_view op, NodePtr left, NodePtr right) {
    const auto holds = [](std::initializer_list<std::string_view> all, std::string_view wanted) {
        return std::ranges::find(all, wanted) != all.end();
    };
    const auto isWhole = [](NodePtr node) {
        return isInteger(typeOf(node)) || isKind(node, TypeKind::Bool);
    };
    if (op == "&&") return isConstant(left, 0) || isConstant(right, 0);
    if (op == "||") return isConstant(left, 1) || isConstant(right, 1);
    if (!isWhole(left) || !isWhole(right)) return false;
    const bool isOne = isOneValue(left, right);
    return (holds({"*", "&"}, op) && (constantValue(left) == 0 || constantValue(right) == 0)) ||
           (holds({"/", "%", "<<", ">>"}, op) && constantValue(left) == 0) ||
           (op == "%" && (constantValue(right) == 1 || isOne)) ||
           (op == "|" && (constantValue(left) == -1 || constantValue(right) == -1)) ||
           (holds({"-", "^", "/", "==", "!=", "<", "<=", ">", ">=", "<=>"}, op) && isOne);
}

// p.rank() >= 0, p.rank() < p.size(): true in all members of p.
bool isBeyondNumbers(std::string_view op, NodePtr left, NodePtr right) {
    const auto asked = [](NodePtr call, std::initializer_list<std::string_view> names) -> NodePtr {
        const NodePtr callee = ast::is<ast::Call>(bare(call))
                                   ? bare(bare(call)->child(ast::Call::callee))
                                   : NodePtr(nullptr);
        if (!ast::is<ast::Member>(callee)) return nullptr;
        const std::string_view name = callee->child(ast::Member::name)->text();
        return std::ranges::find(names, name) == names.end() ? nullptr
                                                             : callee->child(ast::Member::base);
    };
    const NodePtr number = asked(left, {"rank", "crd"}), count = asked(right, {"size"});
    if (!number) return false;
    const auto limit = constantValue(right);
    const bool isCounted = count && number->text() == count->text();
    if (op == ">=" || op == "<") return (limit && *limit <= 0) || isCounted;
    if (op == ">" || op == "<=") return (limit && *limit < 0) || isCounted;
    return (op == "==" || op == "!=") && ((limit && *limit < 0) || isCounted);
}

// What an operation makes of numbers that may differ.
Coherence result(std::string_view op, NodePtr left, NodePtr right, const Coherence& value) {
    if (isFixed(op, left, right)) return {};
    const bool isSame =
        isBeyondNumbers(op, left, right) || isBeyondNumbers(analysis::mirrored(op), right, left);
    return isSame ? value.weakened() : value;
}

}  // namespace

// ---- variables ---------------------------------------------------------------------------------

bool Walk::isLocal(const Symbol* symbol) const {
    if (!symbol->declaration || symbol->kind == ast::SymbolKind::Field) return false;
    return function_->span().contains(symbol->declaration->span());
}

void Walk::set(const Variable& variable, const Coherence& value) {
    if (!variable.symbol || !state_.isReached) return;
    const auto declaration = variable.symbol->declaration;
    const bool isOuter = storedLambda_ && declaration &&
                         (declaration->span().begin < storedLambda_->span().begin ||
                          declaration->span().begin > storedLambda_->span().end);
    if (isOuter) escaped_.insert(variable.symbol);
    if (!isLocal(variable.symbol)) shared_.insert(variable.symbol);
    const bool isFollowed = !escaped_.contains(variable.symbol);
    state_.values.set(variable, isFollowed ? value : Coherence());
}

// Its value may be a new one, of which nothing is known.
void Walk::forget(const Symbol* symbol) { state_.values.erase(symbol); }

// What other functions may change.
void Walk::forgetShared() {
    for (const Symbol* each : shared_) state_.values.erase(each);
}

Coherence Walk::read(NodePtr name) {
    if (isStandardInput(name))
        return source(Source::everywhere(name, "only process 0 has standard input"));
    const Symbol* symbol = name->symbol;
    if (!symbol) return {};
    const Coherence value = state_.values.of({symbol, ""});
    const bool isConst = symbol->type && symbol->type->isConst;
    const bool mayBeChanged = !isConst && summaries_.macros().mention(symbol->name);  // unseen
    return mayBeChanged ? value.weakened() : value;
}

// ---- expressions -------------------------------------------------------------------------------

Coherence Walk::evaluateChildren(NodePtr node) {
    Coherence value;
    for (NodePtr each : node->children()) {
        if (!each || each->category() == ast::Category::Type ||
            each->category() == ast::Category::Declarator)
            continue;
        value |= evaluate(each);
    }
    return value;
}

Coherence Walk::evaluate(NodePtr node) {
    if (!node) return {};
    if (node->category() == ast::Category::Statement) {  // the argument of a macro
        statement(node);
        state_.isReached = true;
        return {};
    }
    switch (node->kind()) {
    case Kind::Identifier:
    case Kind::QualifiedName:
        return read(node);
    case Kind::Assign:
        return assignment(node);
    case Kind::Binary:
        return binary(node);
    case Kind::Comma:
        evaluate(node->child(ast::Comma::left));
        return evaluate(node->child(ast::Comma::right));
    case Kind::Unary:
        return unary(node);
    case Kind::Postfix: {
        const Coherence value = evaluate(node->child(ast::Postfix::operand));
        assign(node->child(ast::Postfix::operand), value | control());
        return value;
    }
    case Kind::Conditional:
        return conditional(node);
    case Kind::Call:
        return call(node);
    case Kind::Member:
        if (const auto place = placeOf(node)) return state_.values.of(*place);
        if (isInquiry(bare(node->child(ast::Member::base))))  // x.localBlock().count
            return evaluate(node->child(ast::Member::base));
        {
            const Coherence whole = evaluate(node->child(ast::Member::base));
            return resultPart(node).value_or(whole.weakened());
        }
    case Kind::PointerMember:
        if (const Symbol* field = plainVariable(node)) return state_.values.of({field, ""});
        return evaluate(node->child(ast::PointerMember::base)).weakened();
    case Kind::Subscript:
        return subscript(node);
    case Kind::Lambda:
        storedLambda(node);
        return {};
    case Kind::OverallExpression:
        return overallExpression(node);
    case Kind::Cast:
    case Kind::NamedCast:
        return cast(node);
    case Kind::FunctionalCast:
        return construct(node, typeOf(node), node->child(ast::FunctionalCast::arguments));
    case Kind::New:
        return construct(node, typeOf(node->child(ast::New::type)),
                         node->child(ast::New::initializer));
    case Kind::Throw:
        evaluate(node->child(ast::Throw::operand));
        if (node->text().starts_with("throw")) raise(node);
        return {};
    case Kind::OpaqueExpression:
        state_.values.clear();
        return {};
    case Kind::GlobalIndex:  // all processes of the group have the same index
    case Kind::Sizeof:
    case Kind::Typeid:
    case Kind::Noexcept:
    case Kind::RequiresExpression:
        return {};
    default:
        return evaluateChildren(node);
    }
}

// An operand that only some processes evaluate.
Coherence Walk::under(NodePtr place, const Coherence& guard, NodePtr expression) {
    const State skipped = state_;
    guards_.push_back({place, guard, true});
    const Coherence value = evaluate(expression);
    guards_.pop_back();
    state_.join(skipped, control().surely | guard.surely);
    return value;
}

Coherence Walk::test(NodePtr condition) {
    if (!ast::is<ast::ConditionDeclaration>(condition)) return evaluate(condition);
    declare(condition, condition);
    return condition->symbol ? state_.values.of({condition->symbol, ""}) : Coherence();
}

Coherence Walk::assignment(NodePtr node) {
    const NodePtr target = node->child(ast::Assign::target);
    const Symbol* variable = plainVariable(bare(target));
    const bool keepsOld = node->child(ast::Assign::op)->text() != "=";
    const NodePtr given = node->child(ast::Assign::value);
    Composed object =
        keepsOld ? Composed{evaluate(given), {}} : evaluateObject(given, typeOf(target));
    Coherence value = object.whole;
    const bool isPlain = variable != nullptr;
    if (!isPlain || keepsOld) {
        const Coherence old = evaluate(target);
        const std::string_view op = node->child(ast::Assign::op)->text();
        if (keepsOld) value = result(op.substr(0, op.size() - 1), target, given, value | old);
    }
    assign(target, value | control());
    if (isPlain)
        for (const auto& [part, of] : object.parts) set({variable, part}, of | control());
    return value;
}

// in >> n assigns n what the stream holds.
Coherence Walk::binary(NodePtr node) {
    const NodePtr left = node->child(ast::Binary::left);
    const NodePtr right = node->child(ast::Binary::right);
    const std::string_view op = node->child(ast::Binary::op)->text();
    const Coherence first = evaluate(left);
    const flow::Logic logic = flow::logicOf(node);
    if (logic != flow::Logic::None) {
        // The right operand of `false && ..` is never evaluated.
        const bool isDecided = isConstant(left, logic == flow::Logic::And ? 0 : 1);
        if (isDecided) return first;
        // Whether an argument makes it differ depends on the other operand.
        Coherence value = first | under(left, first, right);
        for (std::size_t k = 0; k < sources_.size(); ++k)
            if (sources_[k].isParameter) value.surely.reset(k);
        return isFixed(logic == flow::Logic::And ? "&&" : "||", left, right) ? Coherence() : value;
    }
    const bool extracts = op == ">>" && !isNumber(typeOf(left));
    if (!extracts) return result(op, left, right, first | evaluate(right));
    assign(right, first | control());
    return first;
}

Coherence Walk::unary(NodePtr node) {
    const std::string_view op = node->child(ast::Unary::op)->text();
    const NodePtr operand = bare(node->child(ast::Unary::operand));
    if (op == "&") {  // whoever has the address may assign
        if (!plainVariable(operand)) evaluate(operand);
        loseSight(operand);
        return {};
    }
    const Coherence value = evaluate(operand);
    if (op == "*" && plainVariable(operand)) return state_.values.of({plainVariable(operand), "*"});
    if (op == "++" || op == "--") assign(operand, value | control());
    return value;
}

Coherence Walk::cast(NodePtr node) {
    const bool named = node->is<ast::NamedCast>();
    const NodePtr type = node->child(named ? +ast::NamedCast::type : +ast::Cast::type);
    const NodePtr operand = node->child(named ? +ast::NamedCast::operand : +ast::Cast::operand);
    const Coherence value = evaluate(operand);
    const bool isAddress = isInteger(typeOf(type)) && isKind(bare(operand), TypeKind::Pointer);
    const bool isAsNumber =
        type->text().find("intptr_t") != std::string_view::npos &&
        (!named || node->child(ast::NamedCast::keyword)->text() == "reinterpret_cast");
    if (!isAddress && !isAsNumber) return value;
    return value | source(Source::everywhere(node, "an address is another number in each process"));
}

Coherence Walk::conditional(NodePtr node) {
    const NodePtr condition = node->child(ast::Conditional::condition);
    const Coherence who = evaluate(condition);
    const NodePtr then = node->child(ast::Conditional::then);
    const NodePtr otherwise = node->child(ast::Conditional::otherwise);
    const Coherence one = under(condition, who, then);
    const Coherence other = under(condition, who, otherwise);
    forgiveAlike(condition, {then, otherwise});
    if (then && otherwise && isOneValue(then, otherwise)) return meet(one, other, {});
    return who | meet(one, other, who.surely);
}

// The elements that the processes of the group see are the same, unless the program has made them
// differ: that is followed for what is no distributed array.
Coherence Walk::subscript(NodePtr node) {
    const NodePtr base = bare(node->child(ast::Subscript::base));
    const auto place = placeOf(node);
    const bool isArray = isKind(base, TypeKind::Multiarray);
    Coherence value = isArray ? evaluate(base) : Coherence();
    if (place && place->part == "[]")
        value |= state_.values.anyElementOf(place->symbol);
    else if (place)
        value |= state_.values.of(*place);
    else if (!isArray)
        value |= evaluate(base).weakened();
    for (NodePtr each : node->child(ast::Subscript::subscripts)->children()) {
        const Coherence place = evaluate(each);
        if (!isIndex(typeOf(each))) value |= place;
    }
    return value;
}

Coherence Walk::overallExpression(NodePtr node) {
    const std::size_t depth = group_.depth();
    const Coherence guard = enterHeaders(node, node->child(ast::OverallExpression::headers));
    located(node, depth, guard, [&] { evaluate(node->child(ast::OverallExpression::expression)); });
    return {};  // an argument of a reduction, or an error of its own
}

Coherence Walk::initializer(NodePtr node) { return node ? evaluateChildren(node) : Coherence(); }

}  // namespace hpcc::check::alignment
