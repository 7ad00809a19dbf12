// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The coherence of expressions, and what they assign.
#include "ast/symbol.hpp"
#include "check/alignment/library_calls.hpp"
#include "check/alignment/objects.hpp"
#include "check/alignment/walk.hpp"
#include "check/flow/constants.hpp"
#include "check/library.hpp"

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
        if (keepsOld) value |= old;
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
    const Coherence first = evaluate(left);
    if (flow::logicOf(node) != flow::Logic::None) {
        // Whether an argument makes it differ depends on the other operand.
        Coherence value = first | under(left, first, right);
        for (std::size_t k = 0; k < sources_.size(); ++k)
            if (sources_[k].isParameter) value.surely.reset(k);
        return value;
    }
    const bool extracts = node->child(ast::Binary::op)->text() == ">>" && !isNumber(typeOf(left));
    if (!extracts) return first | evaluate(right);
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
