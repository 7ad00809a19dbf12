// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/home.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "analysis/harmless_calls.hpp"
#include "analysis/numbers.hpp"
#include "analysis/plain_values.hpp"
#include "ast/comments.hpp"
#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "ast/subscripts.hpp"
#include "ast/type.hpp"
#include "ast/visitor.hpp"
#include "nests/nest_rewriter.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// An access to an element of a multiarray.
bool isElement(NodePtr node) {
    return ast::is<ast::Subscript>(node) && ast::multiarrayType(node->child(ast::Subscript::base));
}

/// `a.data()`
bool isData(NodePtr call) {
    const NodePtr callee = call->child(ast::Call::callee);
    return ast::is<ast::Member>(callee) && callee->child(ast::Member::name)->text() == "data" &&
           ast::multiarrayType(callee->child(ast::Member::base));
}

/// An element or a part of one.
bool isPart(NodePtr expression) { return expression && analysis::elementOf(expression); }

/// An array in an element, which becomes an address: `a[i].n`, but for `a[i].n[k]`.
bool decays(NodePtr node) {
    return node && node->type && node->type->kind == ast::TypeKind::CArray &&
           analysis::elementOf(node);
}

/// True if a function of an element perhaps gives an address of it, or of a part: `a[i].begin()`.
bool givesAddress(NodePtr call) {
    const NodePtr callee = call->child(ast::Call::callee);
    return ast::is<ast::Member>(callee) && analysis::elementOf(callee->child(ast::Member::base)) &&
           !analysis::isNumber(call->type) && !analysis::isPlainValue(call->type) &&
           !(call->type && call->type->kind == ast::TypeKind::Void);
}

/// True if a function or lambda gives a number or a plain object, not a reference.
bool givesValue(NodePtr function) {
    const ast::Type* const type = function->type ? function->type->result : nullptr;
    if (analysis::isPlainValue(type)) return true;
    const auto trails = [](NodePtr qualifiers) {
        return qualifiers &&
               std::ranges::any_of(qualifiers->children(), ast::is<ast::TrailingReturn>);
    };
    if (ast::is<ast::Lambda>(function)) return !trails(function->child(ast::Lambda::qualifiers));
    const NodePtr specifiers = function->child(ast::FunctionDefinition::specifiers),
                  declarator = function->child(ast::FunctionDefinition::declarator);
    const NodePtr core =
        ast::is<ast::Specifiers>(specifiers) ? specifiers->child(ast::Specifiers::core) : nullptr;
    return ast::is<ast::AutoType>(core) && core->text() == "auto" &&
           ast::is<ast::FunctionDeclarator>(declarator) &&
           !trails(declarator->child(ast::FunctionDeclarator::qualifiers));
}

/// What a statement does with elements, and whether that can be asked before it.
class Accesses : public ast::Visitor {
public:
    std::map<std::string, bool> arrays;  // by their text: true if perhaps written
    bool isClosed = true;  // it calls nothing that may run a nest, and names mean the same before
    bool isKept = false;   // perhaps an address outlives the statement

    /// `isNest` tells of an `overall` whether it will ask by itself; `mayReturnPart`: the function
    /// round it perhaps gives a reference.
    Accesses(NodePtr statement, const std::function<bool(NodePtr)>& isNest, bool mayReturnPart)
        : isNest_(isNest), mayReturnPart_(mayReturnPart) {
        visit(statement);
        for (const std::string& root : roots_)
            if (changed_.contains(root)) isClosed = false;
    }

    void visitMember(NodePtr node) override {
        if (decays(node)) isKept = true;
        visitChildren(node);
    }
    void visitSubscript(NodePtr node) override {
        if (decays(node)) isKept = true;
        subscript(node);
    }
    void subscript(NodePtr node) {
        visit(node->child(ast::Subscript::subscripts));
        baseOf(node->child(ast::Subscript::base));
        if (!isElement(node)) return;
        const NodePtr base = node->child(ast::Subscript::base);
        if (!ast::isSimple(base)) isClosed = false;
        for (const std::string_view name : ast::namesIn(base)) roots_.emplace(name);
        arrays[ast::print(base)] |= !isRead_;
    }
    void visitCall(NodePtr call) override {
        if (!analysis::isHarmlessCall(call)) isClosed = false;
        if (isData(call)) isKept = true, isClosed = false;
        if (givesAddress(call)) isKept = true;
        visitChildren(call);
    }
    /// Of other operands, as of a stream, an operator may do anything.
    void visitBinary(NodePtr node) override {
        const bool areNumbers = analysis::isNumber(node->child(ast::Binary::left)->type) &&
                                analysis::isNumber(node->child(ast::Binary::right)->type);
        areNumbers ? reading(node) : changing(node);
    }
    void visitPostfix(NodePtr node) override { changing(node); }
    void visitConditional(NodePtr node) override {
        reading(node->child(ast::Conditional::condition));
        visit(node->child(ast::Conditional::then));
        visit(node->child(ast::Conditional::otherwise));
    }
    void visitAssign(NodePtr node) override {
        const NodePtr target = ast::withoutParentheses(node->child(ast::Assign::target));
        if (ast::is<ast::Identifier>(target)) changed_.emplace(target->text());
        const bool isRead = std::exchange(isRead_, false);
        visit(target);
        isRead_ = isRead;
        if (analysis::isNumber(target->type))
            reading(node->child(ast::Assign::value));
        else
            visit(node->child(ast::Assign::value));
    }
    void visitUnary(NodePtr node) override {
        if (node->child(ast::Unary::op)->text() == "&") isKept = true;
        changing(node);
    }
    void visitInitDeclarator(NodePtr node) override {
        const NodePtr declarator = node->child(ast::InitDeclarator::declarator);
        const NodePtr name = ast::declaredName(declarator);
        if (name) changed_.emplace(name->text());
        if (!ast::is<ast::Identifier>(declarator)) isKept = true;
        const NodePtr value = node->child(ast::InitDeclarator::initializer);
        if (ast::is<ast::Identifier>(declarator) && ast::is<ast::EqualInitializer>(value))
            reading(value);
        else
            visit(value);
    }
    void visitReturn(NodePtr node) override {
        if (mayReturnPart_ && isPart(node->child(ast::Return::value))) isKept = true;
        visitChildren(node);
    }
    void visitDeclaration(NodePtr node) override {
        const NodePtr specifiers = node->child(ast::Declaration::specifiers);
        if (ast::print(specifiers).find("decltype(auto)") != std::string::npos) isKept = true;
        visitChildren(node);
    }
    void visitRangeFor(NodePtr node) override {
        isKept = true;
        isClosed = false;
        visitChildren(node);
    }
    void visitParameter(NodePtr node) override {
        if (const NodePtr name = ast::declaredName(node->child(ast::Parameter::declarator)))
            changed_.emplace(name->text());
        visitChildren(node);
    }
    void visitOverall(NodePtr node) override {
        if (isNest_(node)) isClosed = false;
        visitChildren(node);
    }
    void visitOverallExpression(NodePtr node) override { open(node); }
    void visitLambda(NodePtr node) override { open(node); }
    void visitNewMultiarray(NodePtr node) override { open(node); }
    void visitSection(NodePtr node) override { open(node); }
    void visitCase(NodePtr node) override { open(node); }
    void visitDefault(NodePtr node) override { open(node); }
    void visitLabel(NodePtr node) override { open(node); }
    void visitMacroStatement(NodePtr node) override { open(node); }
    void visitOpaqueStatement(NodePtr node) override { open(node); }
    void visitOpaqueExpression(NodePtr node) override { open(node); }
    void visitClass(NodePtr node) override { open(node); }
    void visitTry(NodePtr node) override { open(node); }

private:
    /// `a[i].n` of `a[i].n[k]`, which becomes no address.
    void baseOf(NodePtr base) {
        if (!decays(base)) return visit(base);
        ast::is<ast::Subscript>(base) ? subscript(base) : visitChildren(base);
    }
    void open(NodePtr node) {
        isClosed = false;
        visitChildren(node);
    }
    void reading(NodePtr node) {
        if (!node) return;
        const bool isRead = std::exchange(isRead_, true);
        if (ast::is<ast::Binary>(node) || ast::is<ast::EqualInitializer>(node))
            visitChildren(node);
        else
            visit(node);
        isRead_ = isRead;
    }

    void changing(NodePtr node) {
        const bool isRead = std::exchange(isRead_, false);
        visitChildren(node);
        isRead_ = isRead;
    }

    const std::function<bool(NodePtr)>& isNest_;
    const bool mayReturnPart_;
    bool isRead_ = false;
    std::set<std::string> roots_, changed_;
};

class Home : public NestRewriter {
public:
    Home(Context& context, ast::Unit& unit) : NestRewriter(context, unit, 0) {}

    NodePtr rewriteCompound(NodePtr block) override {
        // Its lines would get lost between other statements; each access asks by itself.
        if (ast::holdsDirective(block->origin()->text())) return rewriteChildren(block);
        std::vector<NodePtr> result;
        const auto children = block->children();
        for (size_t k = 0; k < children.size(); ++k) {
            if (const Fused* group = lookUp(plans.groups, children[k])) {
                const auto nests = children.subspan(k, group->length);
                result.insert(result.end(), nests.begin(), nests.end());
                k += group->length - 1;
            } else if (const NodePtr question = questionBefore(children[k])) {
                result.push_back(question);
                result.push_back(children[k]);
            } else {
                result.push_back(rewrite(children[k]));
            }
        }
        return std::ranges::equal(result, children) ? block
                                                    : context.arena.rebuilt(block, block, result);
    }

    NodePtr rewriteTry(NodePtr node) override {
        const NodePtr asking = rewriteChildren(node), body = asking->child(ast::Try::body);
        if (ast::holdsDirective(body->origin()->text())) return asking;
        std::vector<NodePtr> statements(body->children().begin(), body->children().end());
        statements.insert(statements.begin(), context.statement("const hpspmd::detail::Tried " +
                                                                    context.fresh("tried") + ";",
                                                                {}, body));
        const NodePtr own = context.arena.rebuilt(body, body, statements);
        return context.arena.rebuilt(asking, asking,
                                     std::vector<NodePtr>{own, asking->child(ast::Try::handlers)});
    }

    /// Those that get a fast form ask themselves.
    NodePtr rewriteOverall(NodePtr overall) override {
        if (analysed(overall)) return overall;
        const NodePtr asking = NestRewriter::rewriteOverall(overall);
        // Remarks tell of the nest as it was.
        const Plans::Analysed& known = analysedInGeneral(overall);
        const Nest* const nest = std::get_if<Nest>(&known);
        plans.analysed.emplace(asking, nest ? nest->general : std::get<Obstacle>(known));
        return asking;
    }

    NodePtr rewriteMember(NodePtr node) override {
        const bool isIndexed = std::exchange(isIndexed_, false);
        return decays(node) && !isIndexed ? keeping(node) : rewriteChildren(node);
    }
    NodePtr rewriteSubscript(NodePtr node) override {
        const bool isIndexed = std::exchange(isIndexed_, false);
        if (!isElement(node) && analysis::elementOf(node))
            return part(node, keeps_ || (decays(node) && !isIndexed));
        const bool keeps = std::exchange(keeps_, false);  // not of the subscripts
        const NodePtr access = rewriteChildren(node);
        keeps_ = keeps;
        if (!isElement(node)) return access;
        const NodePtr base = ast::copy(context.arena, node->child(ast::Subscript::base));
        return keeps_
                   ? kept(base, access)
                   : context.expression("(hpspmd::detail::atHome({hpspmd::detail::uses($a)}), $e)",
                                        {{"$a", base}, {"$e", access}}, node);
    }
    NodePtr rewriteCall(NodePtr call) override {
        if (givesAddress(call)) return keeping(call);
        const bool keeps = std::exchange(keeps_, false);
        const NodePtr result = rewriteChildren(call);
        keeps_ = keeps;
        if (!isData(call)) return result;
        return kept(
            ast::copy(context.arena, call->child(ast::Call::callee)->child(ast::Member::base)),
            result);
    }
    NodePtr rewriteUnary(NodePtr node) override {
        return node->child(ast::Unary::op)->text() == "&" ? keeping(node) : rewriteChildren(node);
    }
    NodePtr rewriteInitDeclarator(NodePtr node) override {
        const NodePtr declarator = node->child(ast::InitDeclarator::declarator);
        return ast::is<ast::Identifier>(declarator) ? rewriteChildren(node) : keeping(node);
    }
    NodePtr rewriteRangeFor(NodePtr node) override { return keeping(node); }
    NodePtr rewriteReturn(NodePtr node) override {
        return mayReturnPart_ && isPart(node->child(ast::Return::value)) ? keeping(node)
                                                                         : rewriteChildren(node);
    }
    NodePtr rewriteFunctionDefinition(NodePtr node) override {
        return within(node, [&] { return NestRewriter::rewriteFunctionDefinition(node); });
    }
    NodePtr rewriteLambda(NodePtr node) override {
        return within(node, [&] { return NestRewriter::rewriteLambda(node); });
    }
    // Not evaluated.
    NodePtr rewriteSizeof(NodePtr node) override { return node; }
    NodePtr rewriteDecltypeType(NodePtr node) override { return node; }
    NodePtr rewriteNoexcept(NodePtr node) override { return node; }
    NodePtr rewriteTypeid(NodePtr node) override { return node; }

private:
    template <class Rewriting>
    NodePtr within(NodePtr function, const Rewriting& rewriting) {
        const bool mayReturnPart = std::exchange(mayReturnPart_, !givesValue(function));
        const NodePtr result = rewriting();
        mayReturnPart_ = mayReturnPart;
        return result;
    }

    /// `a[i].n[k]`
    NodePtr part(NodePtr node, bool keeps) {
        const bool keptBefore = std::exchange(keeps_, keeps);
        const NodePtr base = node->child(ast::Subscript::base);
        isIndexed_ = true;
        const NodePtr own = rewrite(base);
        isIndexed_ = keeps_ = false;
        const NodePtr subscripts = rewrite(node->child(ast::Subscript::subscripts));
        keeps_ = keptBefore;
        return context.arena.rebuilt(node, node, std::vector<NodePtr>{own, subscripts});
    }

    /// Null if the statement accesses nothing, or cannot be asked about as a whole.
    NodePtr questionBefore(NodePtr statement) {
        if (!statement) return nullptr;
        const std::function<bool(NodePtr)> isNest = [&](NodePtr overall) {
            return analysed(overall) != nullptr;
        };
        const Accesses accesses(statement, isNest, mayReturnPart_);
        if (!accesses.isClosed || accesses.isKept || accesses.arrays.empty()) return nullptr;
        return question(accesses, statement);
    }

    NodePtr question(const Accesses& accesses, NodePtr statement) {
        std::vector<std::string> taken;
        for (const auto& [array, isWritten] : accesses.arrays)
            taken.push_back(std::string("hpspmd::detail::") + (isWritten ? "uses(" : "reads(") +
                            array + ")");
        return context.statement("hpspmd::detail::atHome({" + listed(taken) + "});", {}, statement);
    }

    /// Its accesses perhaps become addresses.
    NodePtr keeping(NodePtr node) {
        const bool keeps = std::exchange(keeps_, true);
        const NodePtr result = rewriteChildren(node);
        keeps_ = keeps;
        return result;
    }
    NodePtr kept(NodePtr base, NodePtr expression) {
        return context.expression(
            "(hpspmd::detail::keepHome($a, hpspmd::detail::Where::here()), $e)",
            {{"$a", base}, {"$e", expression}}, expression);
    }

    bool keeps_ = false;
    bool mayReturnPart_ = true;  // the function round this place perhaps gives a reference
    bool isIndexed_ = false;     // what is rewritten is the base of a subscript
};

}  // namespace

ast::Unit askAtHome(ast::Unit unit, ast::Quoter& quote) {
    if (!Plans::of(unit).wantsDevices) return unit;
    return rewritten<Home>(std::move(unit), quote);
}

}  // namespace hpcc::nests
