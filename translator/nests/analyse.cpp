// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/analyse.hpp"

#include <algorithm>

#include "analysis/harmless_calls.hpp"
#include "analysis/numbers.hpp"
#include "analysis/plain_values.hpp"
#include "ast/comments.hpp"
#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/known_calls.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "nests/code_of_program.hpp"
#include "nests/container_elements.hpp"
#include "nests/counting_loop.hpp"
#include "nests/fusable.hpp"
#include "nests/names.hpp"
#include "nests/normalize/fixed_handles.hpp"
#include "nests/scratch.hpp"
#include "nests/slots.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// Walks a nest and notes what it meets; the first thing that it does not understand ends it.
class Analysis {
public:
    explicit Analysis(const Surroundings& surroundings) : surroundings_(surroundings) {}

    std::variant<Nest, Obstacle> run(NodePtr overall) {
        if (ast::holdsDirective(overall->text()))  // known to the C++ compiler only
            fail(overall, "holds a directive of the preprocessor");
        visit(overall);
        meet(ambiguousName(nest_, outer_));
        meet(codeOfProgram(overall, outer_, nest_.declared));
        if (foreignCall_) noteForeignWrites(overall, nest_);
        if (foreignCall_) meet(reachedBy(foreignCall_, nest_, surroundings_.confined()));
        if (obstacle_) return *obstacle_;
        return std::move(nest_);
    }

private:
    void fail(NodePtr place, std::string reason, std::string cure = "") {
        meet({place, std::move(reason), std::move(cure)});
    }
    void meet(const Obstacle& obstacle) {
        if (!obstacle_ && obstacle.place) obstacle_ = obstacle;
    }
    void visit(NodePtr node) {
        if (!node || obstacle_) return;
        return ast::isStatement(node) ? statement(node) : expression(node);
    }
    void visitChildren(NodePtr node) {
        for (const NodePtr child : node->children()) visit(child);
    }

    void statement(NodePtr node) {
        if (ast::is<ast::Declaration>(node)) return isStamp(node) ? void() : declaration(node);
        const size_t outside = visible_.size();
        compute(node);
        visible_.shrink(outside);
    }

    void compute(NodePtr node) {
        switch (node->kind()) {
        case ast::Kind::Compound:
        case ast::Kind::ExpressionStatement:
        case ast::Kind::EmptyStatement:
        case ast::Kind::Continue:
            return visitChildren(node);
        case ast::Kind::AliasDeclaration:
            return declare(node->child(ast::AliasDeclaration::name)->text());
        case ast::Kind::Break:
            return void(loop_->jumps = true);
        case ast::Kind::If:
            if (node->child(ast::If::initializer) ||
                ast::is<ast::ConditionDeclaration>(node->child(ast::If::condition)))
                return fail(node, "declares a variable in an 'if'");
            return visitChildren(node);
        case ast::Kind::Try:
            return attempt(node);
        case ast::Kind::Overall:
            return overall(node);
        case ast::Kind::For:
            return forLoop(node);
        case ast::Kind::While:
        case ast::Kind::DoWhile:
            enter(node);
            visitChildren(node);
            return leave();
        default:
            return fail(node, otherStatement(node), cureOfOtherStatement(node));
        }
    }
    Loop& enter(NodePtr node) {
        if (loop_) loop_->isInnermost = false;
        Loop& loop = nest_.loops.emplace_back();
        loop.number = nest_.loops.size() - 1;
        loop.statement = node;
        loop.outer = loop_;
        nest_.loopOf[node] = &loop;
        loops_.push_back(&loop);
        loop_ = &loop;
        return loop;
    }
    void leave() {
        loops_.pop_back();
        loop_ = loops_.empty() ? nullptr : loops_.back();
    }

    void overall(NodePtr node) {
        const NodePtr header = node->child(ast::Overall::headers)->child(0);
        const NodePtr range = header->child(ast::OverallHeader::range);
        const NodePtr triplet = header->child(ast::OverallHeader::triplet);
        if (!isPlainBase(range)) return fail(range, "names a range by a general expression");
        visitChildren(triplet);
        const NodePtr step = triplet->child(ast::Triplet::step);
        const long by = step ? ast::asConstant(step).value_or(0) : 1;
        if (by <= 0 && !nest_.general.place)
            nest_.general = {step, "goes in steps that are no positive number"};
        Loop& loop = enter(node);
        loop.kind = Loop::Kind::Overall;
        findScratch(loop, surroundings_);
        loop.variable = header->child(ast::OverallHeader::index)->text();
        nest_.loopOfName.emplace(loop.variable, &loop);
        loop.range = range;
        loop.step = std::max(by, 1L);
        visit(node->child(ast::Overall::body));
        leave();
    }

    /// True of a container of numbers that an iteration declares, or has for itself.
    bool isOwn(NodePtr container) const {
        return isScratchIn(loop_, container) ||
               (isArrayOrVector(container) && visible_.contains(container->text()));
    }

    void forLoop(NodePtr node) {
        Loop& loop = enter(node);
        recogniseCounting(loop);
        if (loop.kind != Loop::Kind::Counting) {
            visitChildren(node);
            return leave();
        }
        nest_.loopOfName.emplace(loop.variable, &loop);
        visible_.add(loop.variable);
        visit(loop.first);
        visit(loop.end);
        visit(node->child(ast::For::body));
        if (loop.assigned.contains(loop.variable)) loop.kind = Loop::Kind::Other;
        leave();
        if (loop.kind == Loop::Kind::Other) {
            declare(loop.variable);
            assign(loop.variable, node);
        }
    }

    /// What is thrown inside ends in the handlers, or ends the nest as an error does.
    void attempt(NodePtr node) {
        visit(node->child(ast::Try::body));
        for (const NodePtr handler : node->child(ast::Try::handlers)->children()) {
            if (const NodePtr name = caughtBy(handler)) declare(name->text());
            visit(handler->child(ast::Handler::body));
        }
    }

    void declaration(NodePtr node) {
        if (const ast::Symbol* own = plainClassDeclaredBy(node)) return declare(own->name);
        if (const Obstacle other = otherThanPlain(node); other.place && !declaresVectors(node))
            return fail(other.place, other.reason, other.cure);
        for (const NodePtr each : ast::declaratorsOf(node)) {
            const NodePtr name = analysis::variableOf(each->child(ast::InitDeclarator::declarator));
            if (visible_.contains(name->text()))
                return fail(each, "declares '" + ast::print(name) + "' where another one is known");
            visible_.add(name->text());
            declare(name->text());
            if (const NodePtr value = each->child(ast::InitDeclarator::initializer))
                visitChildren(value);
        }
    }

    void declare(std::string_view name) {
        nest_.declared.insert(name);
        for (Loop* loop : loops_) loop->declared.insert(name);
    }
    void assign(std::string_view name, NodePtr place) {
        nest_.assigned.emplace(name, place);
        for (Loop* loop : loops_) loop->assigned.emplace(name, place);
        if (!visible_.contains(name)) outer_.emplace(name, place);
    }
    void touchForeign(bool isShared = true, bool isOther = true, NodePtr memory = nullptr) {
        for (Loop* loop : loops_) {
            loop->touchesForeign = true;
            loop->touchesShared |= isShared;
            loop->touchesOther |= isOther;
            loop->touchesLasting |= isShared && !(memory && loop->scratch.contains(memory->symbol));
        }
    }
    void expression(NodePtr node) {
        switch (node->kind()) {
        case ast::Kind::Identifier:
        case ast::Kind::QualifiedName:
            if (isHandleType(node->type)) fail(node, "uses '" + ast::print(node) + "' as a value");
            return;
        case ast::Kind::Subscript:
            return analysis::elementOf(node) ? part(node, false) : otherSubscript(node, false);
        case ast::Kind::GlobalIndex:
            return globalIndex(node);
        case ast::Kind::Assign:
            target(node->child(ast::Assign::target));
            return visit(node->child(ast::Assign::value));
        case ast::Kind::Postfix:
            return target(node->child(ast::Postfix::operand));
        case ast::Kind::Unary:
            return unary(node);
        case ast::Kind::Call:
            return call(node);
        case ast::Kind::Member:
            if (analysis::elementOf(node)) return part(node, false);
            if (const NodePtr element = analysis::elementAround(node))
                return otherSubscript(element, false);
            if (isHandleType(node->type) || !isPlainBase(node))
                return fail(node, "uses '" + ast::print(node) + "' as a value", cureOfMember());
            return;
        case ast::Kind::PointerMember:
            touchForeign();
            return visit(node->child(ast::PointerMember::base));
        case ast::Kind::Lambda:
            return lambda(node);
        case ast::Kind::FunctionalCast:
        case ast::Kind::Cast:
        case ast::Kind::NamedCast:
            return cast(node);
        case ast::Kind::Conditional:
        case ast::Kind::Parenthesized:
        case ast::Kind::Comma:
        case ast::Kind::Binary:
        case ast::Kind::Arguments:
        case ast::Kind::BracedInitializer:
            return visitChildren(node);
        default:
            if (ast::isAny<ast::Operator, ast::NumberLiteral, ast::StringLiteral,
                           ast::CharacterLiteral, ast::KeywordLiteral>(node) ||
                (ast::is<ast::Sizeof>(node) && !ast::isExpression(node->child(0))))
                return;
            return meet(notUnderstood(node));
        }
    }

    void lambda(NodePtr node) {
        const NodePtr value = ast::valueOfLambda(node);
        if (!value && !analysis::isHarmlessLambda(node)) return meet(notUnderstood(node));
        for (const std::string_view name : ast::effectsOf(node).declared) declare(name);
        if (value) visit(value);
    }
    void cast(NodePtr node) {
        const bool givesNothing = node->type && node->type->kind == ast::TypeKind::Void;
        if (!givesNothing && !analysis::givesNumber(node) && !analysis::isPlainValue(node->type))
            return fail(node, "converts to a type that is not known as a plain value");
        visit(node->children().back());
    }
    void unary(NodePtr node) {
        const std::string_view op = node->child(ast::Unary::op)->text();
        if (op == "++" || op == "--") return target(node->child(ast::Unary::operand));
        if (op == "&" || op.starts_with("co_")) return fail(node, "takes an address");
        if (op == "*") touchForeign();
        visit(node->child(ast::Unary::operand));
    }
    void target(NodePtr node) {
        node = ast::withoutParentheses(node);
        if (analysis::elementOf(node)) return part(node, true);
        if (ast::is<ast::Subscript>(node)) return otherSubscript(node, true);
        if (ast::is<ast::Identifier>(node) && !isHandleType(node->type))
            return assign(node->text(), node);
        const NodePtr element = analysis::elementAround(node);
        if (element && analysis::isPlainValue(node->type)) return otherSubscript(element, true);
        const NodePtr root = rootOf(node);
        if (ast::is<ast::Identifier>(root) && nest_.declared.contains(root->text()) &&
            analysis::isPlainValue(node->type))
            return assign(root->text(), root);
        fail(node, "assigns something else than elements and local numbers");
    }
    void part(NodePtr node, bool writes) {
        node = ast::withoutParentheses(node);
        if (analysis::elementOf(node) == node) return subscript(node, writes);
        if (writes && !analysis::isPlainValue(node->type))
            touchForeign();  // perhaps what it refers to
        if (ast::is<ast::Subscript>(node)) visitChildren(node->child(ast::Subscript::subscripts));
        part(node->child(0), writes);
    }
    static bool note(std::set<std::string>& all, const std::string& one) {
        return !one.empty() && (all.insert(one), true);  // false if there is none
    }
    void changeOwn(NodePtr container) {
        if (!visible_.contains(container->text())) touchForeign(true, true, container);
        assign(container->text(), container);
    }
    void call(NodePtr node) {
        if (const auto [one, other] = exchangedBy(node); isOwn(one) && isOwn(other))
            return changeOwn(one), changeOwn(other);
        const NodePtr callee = node->child(ast::Call::callee);
        const NodePtr object =
            ast::isAny<ast::Member, ast::PointerMember>(callee) ? callee->child(0) : nullptr;
        if (ast::asksContainer(node) || analysis::isHarmlessForNumbers(node)) {
            note(nest_.premises, analysis::numbersPremise(node));
            if (object && !isPlainBase(object) && !isHandleType(object->type)) visit(object);
        } else if (!note(nest_.premises, surroundings_.premiseOf(node)))
            foreignCall(node);
        for (const analysis::ReadVariable& read : readByCall(node, nest_.declared))
            if (read.isMemory) touchForeign();
        visit(node->child(ast::Call::arguments));
    }

    /// Out of sight: it may end the program, ask for the active group, change what it can reach.
    void foreignCall(NodePtr node) {
        const NodePtr callee = node->child(ast::Call::callee);
        if (surroundings_.macros().mayBeMacro(node) || !mayBeForeign(node))
            return meet(unknownCall(node));
        if (ast::isAny<ast::Member, ast::PointerMember>(callee)) visit(callee->child(0));
        for (const std::string_view name : ast::effectsOf(node).assigned) assign(name, node);
        callForeign(callee);
    }
    void callForeign(NodePtr callee) {
        touchForeign();
        nest_.callsForeign = true;
        if (!foreignCall_) foreignCall_ = callee;
    }
    void globalIndex(NodePtr node) {
        const NodePtr operand = ast::withoutParentheses(node->child(ast::GlobalIndex::operand));
        if (!ast::is<ast::Identifier>(operand))
            return fail(node, "asks for the global index of an expression");
        for (Loop* loop : loops_)  // one that is hidden asks in vain
            loop->usesGlobal |= loop->variable == operand->text();
    }
    void subscript(NodePtr node, bool writes) {
        const NodePtr base = node->child(ast::Subscript::base);
        const auto subscripts = node->child(ast::Subscript::subscripts)->children();
        if (!ast::isDirectAccess(node) || !isPlainBase(base))
            return fail(node, reachedInGeneral(node), cureOfChosenArray(base, nest_));
        Access access{node, arrayOf(base), loop_, writes, {}};
        for (size_t r = 0; r < subscripts.size(); ++r) {
            const bool isIndex = ast::multiarrayType(base)->slots[r] == ast::SlotKind::Distributed;
            const Slot slot = isIndex ? distributedSlot(subscripts[r], loop_)
                                      : sequentialSlot(subscripts[r], loop_);
            visit(isIndex ? slot.distance : slot.subscript);
            access.slots.push_back(slot);
        }
        nest_.accessOf[node] = nest_.accesses.size();
        if (loop_) loop_->accesses.push_back(nest_.accesses.size());
        nest_.accesses.push_back(std::move(access));
    }

    /// Of no multiarray. Other names may reach it, unless it is constant or the iteration's own.
    void otherSubscript(NodePtr node, bool writes) {
        const NodePtr subscripts = node->child(ast::Subscript::subscripts);
        if (subscripts->children().size() != 1 || ast::isIndexValue(subscripts->child(0)))
            return fail(node, reachedInGeneral(node), cureOfUnknownArray(node));
        const bool isForeign = runsUnknownCode(node);  // which may change its object, too
        if (isForeign) writes = true, callForeign(node);
        const NodePtr table = analysis::tableOf(node), base = node->child(ast::Subscript::base);
        const NodePtr own = table ? table : isVector(base) ? base : nullptr;
        const bool isOwn = own && visible_.contains(own->text());
        const bool isConstant = !writes && (table ? surroundings_.hasConstant(*table->symbol)
                                                  : note(nest_.tables, tableOfParameter(node)));
        const bool isNoted = !isOwn && !isConstant && noteContainer(nest_, node);
        if (!isOwn && !isConstant) touchForeign(writes || (!table && !isNoted), !isNoted, base);
        if (isOwn && writes) assign(own->text(), own);
        (isForeign && analysis::elementOf(base)) ? part(base, true) : visit(base);
        visitChildren(subscripts);
    }

    size_t arrayOf(NodePtr base) {
        const auto [place, isNew] = places_.emplace(ast::print(base), nest_.arrays.size());
        if (isNew) nest_.arrays.push_back({place->first, base});
        return place->second;
    }

    const Surroundings& surroundings_;
    NodePtr foreignCall_ = nullptr;
    Nest nest_;
    std::vector<Loop*> loops_;
    Loop* loop_ = nullptr;
    VisibleNames visible_;  // declared in the nest, and known at this place
    Assignments outer_;     // of variables that are known round the nest
    std::unordered_map<std::string, size_t> places_;  // of arrays, by their text
    std::optional<Obstacle> obstacle_;
};

}  // namespace

std::variant<Nest, Obstacle> analyse(NodePtr overall, const Surroundings& surroundings) {
    return Analysis(surroundings).run(overall);
}

}  // namespace hpcc::nests
