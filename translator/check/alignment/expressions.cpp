// The coherence of expressions, and what they assign.
#include "ast/symbol.hpp"
#include "check/alignment/library_calls.hpp"
#include "check/alignment/walk.hpp"
#include "check/callee.hpp"
#include "check/flow/constants.hpp"
#include "check/flow/returning.hpp"
#include "check/wording.hpp"

#include <algorithm>

namespace hpcc::check::alignment {
namespace {

using ast::Kind;

bool isThis(NodePtr node) { return node && node->text() == "this"; }

// x, this->x: one word for the place that is read or assigned.
const Symbol* plainVariable(NodePtr node) {
    if (ast::is<ast::Identifier>(node)) return node->symbol;
    const bool isOwnField =
        ast::is<ast::PointerMember>(node) && isThis(bare(node->child(ast::PointerMember::base)));
    return isOwnField ? node->child(ast::PointerMember::name)->symbol : nullptr;
}

bool isSequential(const Type* type) {
    return type->kind != TypeKind::Multiarray ||
           std::ranges::all_of(type->slots,
                               [](SlotKind slot) { return slot == SlotKind::Sequential; });
}

}  // namespace

// ---- variables ---------------------------------------------------------------------------------

bool Walk::isLocal(const Symbol* symbol) const {
    if (!symbol->declaration || symbol->kind == ast::SymbolKind::Field) return false;
    const auto part = symbol->declaration->span(), whole = function_->span();
    return part.text == whole.text && part.begin >= whole.begin && part.end <= whole.end;
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
    if (isStandardInput(name)) {
        Source input;
        input.place = name;
        input.reason = "only process 0 has standard input";
        input.isEverywhere = true;
        return source(std::move(input));
    }
    return name->symbol ? state_.values.of({name->symbol, ""}) : Coherence();
}

void Walk::assign(NodePtr target, const Coherence& value) {
    target = bare(target);
    if (const Symbol* symbol = plainVariable(target)) {
        forget(symbol);
        return set({symbol, ""}, value);
    }
    if (ast::is<ast::Member>(target)) {
        const NodePtr base = bare(target->child(ast::Member::base));
        if (const Symbol* symbol = plainVariable(base))
            return set({symbol, target->child(ast::Member::name)->text()}, value);
    }
    if (ast::is<ast::Subscript>(target)) {
        const NodePtr base = bare(target->child(ast::Subscript::base));
        const Symbol* symbol = plainVariable(base);
        if (!symbol || !isSequential(typeOf(base))) return;
        const Variable elements{symbol, "[]"};
        return set(elements, state_.values.of(elements) | value);
    }
    if (ast::is<ast::Unary>(target) || ast::is<ast::Subscript>(target)) return;
    for (NodePtr each : target->children())  // (a ? b : c) = d; std::tie(a, b) = f();
        if (each && ast::isExpression(each) && plainVariable(bare(each))) assign(each, {});
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
    case Kind::Member: {
        const NodePtr base = bare(node->child(ast::Member::base));
        const Coherence whole = evaluate(base);
        const Symbol* symbol = plainVariable(base);
        const std::string_view name = node->child(ast::Member::name)->text();
        return symbol ? whole | state_.values.of({symbol, name}) : whole;
    }
    case Kind::PointerMember:
        if (const Symbol* field = plainVariable(node)) return state_.values.of({field, ""});
        return evaluate(node->child(ast::PointerMember::base));
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
    guards_.push_back({place, guard});
    const Coherence value = evaluate(expression);
    guards_.pop_back();
    state_.join(skipped);
    return value;
}

Coherence Walk::test(NodePtr condition) {
    if (!ast::is<ast::ConditionDeclaration>(condition)) return evaluate(condition);
    declare(condition, condition);
    return condition->symbol ? state_.values.of({condition->symbol, ""}) : Coherence();
}

Coherence Walk::assignment(NodePtr node) {
    const NodePtr target = node->child(ast::Assign::target);
    Coherence value = evaluate(node->child(ast::Assign::value));
    const bool isPlain = plainVariable(bare(target)) != nullptr;
    const bool keepsOld = node->child(ast::Assign::op)->text() != "=";
    if (!isPlain || keepsOld) {
        const Coherence old = evaluate(target);
        if (keepsOld) value |= old;
    }
    assign(target, value | control());
    return value;
}

// in >> n assigns n what the stream holds.
Coherence Walk::binary(NodePtr node) {
    const NodePtr left = node->child(ast::Binary::left);
    const NodePtr right = node->child(ast::Binary::right);
    const Coherence first = evaluate(left);
    if (flow::logicOf(node) != flow::Logic::None) return first | under(left, first, right);
    const bool extracts = node->child(ast::Binary::op)->text() == ">>" && !isNumber(typeOf(left));
    if (!extracts) return first | evaluate(right);
    assign(right, first | control());
    return first;
}

Coherence Walk::unary(NodePtr node) {
    const std::string_view op = node->child(ast::Unary::op)->text();
    const NodePtr operand = bare(node->child(ast::Unary::operand));
    if (op == "&") {  // whoever has the address may assign
        if (const Symbol* symbol = plainVariable(operand)) {
            forget(symbol);
            escaped_.insert(symbol);
        } else {
            evaluate(operand);
        }
        return {};
    }
    const Coherence value = evaluate(operand);
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
    Source address;
    address.place = node;
    address.reason = "an address is another number in each process";
    address.isEverywhere = true;
    return value | source(std::move(address));
}

Coherence Walk::conditional(NodePtr node) {
    const NodePtr condition = node->child(ast::Conditional::condition);
    const Coherence who = evaluate(condition);
    const Coherence then = under(condition, who, node->child(ast::Conditional::then));
    return who | then | under(condition, who, node->child(ast::Conditional::otherwise));
}

// The elements that the processes of the group see are the same, unless the program has made them
// differ: that is followed for what is no distributed array.
Coherence Walk::subscript(NodePtr node) {
    const NodePtr base = bare(node->child(ast::Subscript::base));
    Coherence value = evaluate(base);
    const Symbol* symbol = plainVariable(base);
    if (symbol && isSequential(typeOf(base))) value |= state_.values.of({symbol, "[]"});
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
