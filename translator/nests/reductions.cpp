// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/reductions.hpp"

#include <algorithm>
#include <map>

#include "analysis/constant.hpp"
#include "analysis/loop.hpp"
#include "analysis/numbers.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/remarks.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "nests/extremes.hpp"
#include "nests/long_rows.hpp"
#include "nests/nest_rewriter.hpp"
#include "nests/sums_of_products.hpp"
#include "nests/upwards.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

long mentionsIn(NodePtr node, std::string_view name) {
    if (!node) return 0;
    long count = ast::is<ast::Identifier>(node) && node->text() == name;
    for (const NodePtr child : node->children()) count += mentionsIn(child, name);
    return count;
}

/// Of a value that keeps the largest or least number: what may be kept; null if that is several.
NodePtr offered(std::string_view name, NodePtr value) {
    value = ast::withoutParentheses(value);
    if (ast::is<ast::Conditional>(value)) return value->child(ast::Conditional::then);
    const auto among = offeredTo(value);
    if (among.size() != 2) return nullptr;
    return isNamed(among[0], name) ? among[1] : among[0];
}

/// Of `name = value`: the operation; "" if it is none.
std::string operationOf(std::string_view name, NodePtr value) {
    value = ast::withoutParentheses(value);
    if (ast::is<ast::Binary>(value)) {
        const std::string_view op = value->child(ast::Binary::op)->text();
        const bool left = isNamed(value->child(ast::Binary::left), name);
        const bool right = isNamed(value->child(ast::Binary::right), name);
        if (op == "*") return left != right ? "*" : "";
        return (op == "+" && left != right) || (op == "-" && left && !right) ? "+" : "";
    }
    if (ast::is<ast::Conditional>(value)) {
        const NodePtr condition = value->child(ast::Conditional::condition),
                      then = value->child(ast::Conditional::then),
                      otherwise = value->child(ast::Conditional::otherwise);
        return isNamed(otherwise, name) ? keptBy(condition, name, then) : "";
    }
    std::string_view extreme = extremeOf(value);
    if (extreme.starts_with('f')) extreme.remove_prefix(1);
    const auto among = extreme.empty() ? std::vector<NodePtr>() : offeredTo(value);
    const bool isOnce =
        std::ranges::count_if(among, [&](NodePtr e) { return isNamed(e, name); }) == 1;
    return among.size() > 1 && isOnce && extreme != "clamp" ? std::string(extreme) : "";
}

/// True if a number may lose a part of each value that is added to it: `count += 0.5` of an
/// integer. Where both are of types not known, as in templates, they are taken for the same one.
bool mayTruncate(NodePtr target, NodePtr value) {
    target = ast::withoutParentheses(target);
    const bool isKnown = target->type && ast::isNumber(target->type);
    if (isKnown && target->type->kind == ast::TypeKind::Floating) return false;
    return analysis::isFraction(value, isKnown);
}

/// Collects the reductions of a body, and counts how often they mention each name.
class Collector {
public:
    explicit Collector(const Names& names) : names_(names) {}

    void visit(NodePtr node) {
        if (!node) return;
        if (ast::is<ast::If>(node) && noteCondition(node)) return;
        if (const NodePtr assign =
                ast::is<ast::ExpressionStatement>(node) ? soleAssignment(node) : nullptr)
            noteAssign(assign);
        noteCount(node);
        if (ast::isStatement(node))
            for (const NodePtr child : node->children()) visit(child);
    }

    std::optional<std::vector<Reduction>> found(NodePtr body) const {
        std::vector<Reduction> result;
        for (const std::string_view name : names_) {
            const auto reduction = found_.find(name);
            if (reduction == found_.end() || reduction->second.op.empty() ||
                mentions_.at(name) != mentionsIn(body, name))
                return std::nullopt;
            result.push_back(reduction->second);
        }
        std::ranges::sort(result, {}, &Reduction::name);
        return result;
    }

private:
    void note(NodePtr target, const std::string& op, NodePtr statement, NodePtr value) {
        const std::string_view name = ast::withoutParentheses(target)->text();
        const auto [known, isNew] = found_.try_emplace(name, Reduction{op, name, target, value});
        if (!isNew && known->second.op != op) known->second.op.clear();
        if (!value && (op == "max" || op == "min")) known->second.skipsNaN = true;
        mentions_[name] += mentionsIn(statement, name);
    }

    bool isWanted(NodePtr target) const {
        target = ast::withoutParentheses(target);
        return ast::is<ast::Identifier>(target) && names_.contains(target->text());
    }

    void noteAssign(NodePtr assign) {
        const NodePtr target = assign->child(ast::Assign::target),
                      value = assign->child(ast::Assign::value);
        if (!isWanted(target)) return;
        const std::string_view op = assign->child(ast::Assign::op)->text();
        const std::string_view name = ast::withoutParentheses(target)->text();
        if (op == "+=" || op == "-=" || op == "*=")
            note(target,
                 mentionsIn(value, name) != 0 || mayTruncate(target, value) ? ""
                 : op == "*="                                               ? "*"
                                                                            : "+",
                 assign, nullptr);
        else if (op == "=")
            noteKept(target, limited(operation(target, value), assign, name), assign);
    }

    static std::string operation(NodePtr target, NodePtr value) {
        const std::string op = operationOf(ast::withoutParentheses(target)->text(), value);
        return (op == "+" || op == "*") && mayTruncate(target, value) ? "" : op;
    }

    void noteKept(NodePtr target, const std::string& op, NodePtr assign) {
        const NodePtr value = assign->child(ast::Assign::value);
        // Of a first number that is none, packs make another one.
        const bool isKept =
            (op == "max" || op == "min") && !isFmaxOrFmin(ast::withoutParentheses(value));
        note(target, op, assign,
             isKept ? offered(ast::withoutParentheses(target)->text(), value) : nullptr);
    }

    /// ++s; s--;
    void noteCount(NodePtr statement) {
        if (!ast::is<ast::ExpressionStatement>(statement)) return;
        const NodePtr e = statement->child(ast::ExpressionStatement::expression);
        if (ast::is<ast::Postfix>(e))
            noteStep(e, e->child(ast::Postfix::op), e->child(ast::Postfix::operand));
        if (ast::is<ast::Unary>(e))
            noteStep(e, e->child(ast::Unary::op), e->child(ast::Unary::operand));
    }
    void noteStep(NodePtr e, NodePtr op, NodePtr target) {
        if (isWanted(target) && (op->text() == "++" || op->text() == "--"))
            note(target, "+", e, nullptr);
    }

    /// Only if the number stands nowhere else in the statement.
    static std::string limited(std::string op, NodePtr statement, std::string_view name) {
        const bool isConditional =
            ast::is<ast::Conditional>(ast::withoutParentheses(statement->children().back()));
        return mentionsIn(statement, name) == (isConditional ? 3 : 2) ? op : "";
    }

    /// if (e > s) s = e;
    bool noteCondition(NodePtr node) {
        const NodePtr assign = soleAssignment(node->child(ast::If::then));
        if (!assign || node->child(ast::If::otherwise) || node->child(ast::If::initializer) ||
            assign->child(ast::Assign::op)->text() != "=" ||
            !isWanted(assign->child(ast::Assign::target)))
            return false;
        const NodePtr target = assign->child(ast::Assign::target);
        const std::string_view name = ast::withoutParentheses(target)->text();
        const std::string op =
            keptBy(node->child(ast::If::condition), name, assign->child(ast::Assign::value));
        if (op.empty() || mentionsIn(node, name) != 2) return false;
        note(target, op, node, assign->child(ast::Assign::value));
        return true;
    }

    const Names& names_;
    std::map<std::string_view, Reduction> found_;
    std::map<std::string_view, long> mentions_;
};

/// In fast forms, which hold nothing that other passes on nests look for.
class Marker : public ast::Rewriter {
public:
    Marker(Context& context, ast::Unit& unit)
        : Rewriter(context.arena),
          context_(context),
          plans_(Plans::of(unit)),
          remarks_(unit.remarks) {}

    NodePtr rewriteMacroStatement(NodePtr node) override {
        const Plans::Mark* mark = lookUp(plans_.marks, node);
        if (!mark || mark->form->joined.empty()) return node;
        NodePtr loop = node->child(ast::MacroStatement::body);
        if (mark->mayBeTurned) loop = turned(context_, loop);
        if (!hasPlainHead(loop)) return node;
        if (remarks_)
            remarks_->fired("reductions", loop,
                            "several iterations of this loop are computed at once, and what it "
                            "adds up is joined afterwards");
        const auto marked = [&](NodePtr each) {
            return context_.statement("HPSPMD_REDUCTION(" + std::string(mark->variable) +
                                          clauses(mark->form->joined) + ")\n$loop;",
                                      {{"$loop", each}}, node);
        };
        const NodePtr row =
            mark->mayBeLong ? asLongRow(context_, loop, mark->form->joined, marked) : nullptr;
        return row ? row : marked(loop);
    }

    /// Sums along rows as those of several terms at once.
    NodePtr rewriteCall(NodePtr node) override {
        const NodePtr callee = node->child(ast::Call::callee);
        if (callee->text() != sumsAlongRows) return rewriteChildren(node);
        if (remarks_)
            remarks_->fired("reductions", node,
                            "several terms of these sums are computed at once, and joined "
                            "afterwards");
        const auto arguments = node->child(ast::Call::arguments)->children();
        return context_.expression(
            std::string(joinedSumsAlongRows) + "($arguments)",
            {{"$arguments", std::vector(arguments.begin(), arguments.end())}}, node);
    }

private:
    /// `int k = 0`: C++ compilers refuse `omp simd` before `int k{0}`, and before `auto k = n`
    /// where the type hangs on that of a parameter; before `k <= W::r`, if that is no integer.
    static bool hasPlainHead(NodePtr loop) {
        if (ast::anywhere(loop->child(ast::For::condition), [](NodePtr each) {
                return ast::is<ast::QualifiedName>(each) && !each->symbol;
            }))
            return false;
        const NodePtr initializer = loop->child(ast::For::initializer),
                      declarator = analysis::soleDeclarator(initializer);
        return declarator && initializer->child(ast::Declaration::specifiers)->text() != "auto" &&
               ast::is<ast::EqualInitializer>(declarator->child(ast::InitDeclarator::initializer));
    }

    /// `, reduction(+ : s, t) reduction(max : w)`
    static std::string clauses(const std::vector<Reduction>& all) {
        std::map<std::string, std::string> names;
        for (const Reduction& each : all) {
            std::string& list = names[each.op];
            list += (list.empty() ? "" : ", ") + std::string(each.name);
        }
        std::string text = ",";
        for (const auto& [op, list] : names) text += " reduction(" + op + " : " + list + ")";
        return text;
    }

    Context& context_;
    const Plans& plans_;
    ast::Remarks* remarks_;
};

}  // namespace

std::optional<std::vector<Reduction>> reductionsOf(NodePtr body, const Names& names) {
    Collector collector(names);
    collector.visit(body);
    return collector.found(body);
}

/// True if a variable of the nest begins with no NaN: of what is outside the entry test asks that
/// (keptNumber).
static bool beginsWithNumber(const ast::Symbol& variable) {
    NodePtr value = analysis::singleInitializer(variable.initializer);
    if (ast::is<ast::Unary>(value)) value = value->child(ast::Unary::operand);
    return ast::is<ast::NumberLiteral>(value);
}

std::optional<std::vector<Reduction>> reductionsOf(const Nest& nest, const Loop& loop,
                                                   bool hasCopies) {
    const Names lasting = lastingIn(loop);
    if (lasting.empty()) return std::vector<Reduction>();
    if (!loop.isInnermost || loop.kind == Loop::Kind::Other) return std::nullopt;
    auto found = reductionsOf(bodyOf(loop), lasting);
    const bool areNumbers =
        found && std::ranges::all_of(*found, [&](const Reduction& each) {
            const ast::Symbol* symbol = ast::withoutParentheses(each.target)->symbol;
            const bool isOwn = nest.declared.contains(each.name);
            return (hasCopies || isOwn) && symbol &&
                   !(isOwn && each.skipsNaN && !beginsWithNumber(*symbol)) &&
                   analysis::isNumber(symbol->type) && symbol->type->kind != ast::TypeKind::Bool;
        });
    return areNumbers ? found : std::nullopt;
}

bool runsInOrder(const Nest& nest, const Loop& loop) {
    if (isShort(loop)) return true;
    const auto isCounting = [](const Loop* each) {
        return each && each->kind == Loop::Kind::Counting;
    };
    if (!isCounting(&loop) || !isCounting(loop.outer)) return false;
    const auto isApart = [&](const Access& read) {
        return std::any_of(read.slots.begin(), read.slots.end() - 1,
                           [&](const Slot& slot) { return slot.loop == &loop; });
    };
    return std::ranges::any_of(accessesIn(nest, loop), [&](const Access* read) {
        return !read->slots.empty() && isApart(*read) &&
               std::ranges::any_of(accessesIn(nest, *loop.outer), [&](const Access* other) {
                   return other->writes && other->array == read->array &&
                          !isInside(other->loop, loop);
               });
    });
}

ast::Unit reductions(ast::Unit unit, ast::Quoter& quote) {
    return rewritten<Marker>(std::move(unit), quote);
}

}  // namespace hpcc::nests
