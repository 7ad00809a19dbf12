// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/scratch_values.hpp"

#include <algorithm>
#include <set>

#include "analysis/lengths.hpp"
#include "analysis/loop.hpp"
#include "ast/comments.hpp"
#include "ast/copy.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/search.hpp"
#include "ast/specifiers.hpp"
#include "ast/subscripts.hpp"
#include "nests/container_elements.hpp"
#include "nests/long_rows.hpp"
#include "nests/nest_rewriter.hpp"
#include "nests/normalize/in_place_of.hpp"
#include "nests/normalize/same_words.hpp"
#include "nests/reductions.hpp"
#include "nests/wide_values.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// An array, and what the loop that fills it gives its elements.
struct FilledArray {
    const ast::Symbol* symbol = nullptr;
    NodePtr counter = nullptr, value = nullptr;
};

NodePtr soleSubscript(NodePtr e) {
    const NodePtr all = e->child(ast::Subscript::subscripts);
    return all->children().size() == 1 ? all->child(0) : nullptr;
}

/// The declarator of an array of doubles, or of a vector.
NodePtr declaredArray(NodePtr statement) {
    const NodePtr declared = analysis::soleDeclarator(statement);
    const NodePtr name =
        declared ? ast::declaredName(declared->child(ast::InitDeclarator::declarator)) : nullptr;
    const bool isOwn = name && ownContainer(name) &&
                       !ast::isSpecifiedAsStatic(statement->child(ast::Declaration::specifiers));
    return isOwn ? declared : nullptr;
}

/// The array has no values of its own, or the loop gives all of them others.
bool isFilled(NodePtr declared, const analysis::CountingLoop& loop) {
    const NodePtr start = declared->child(ast::InitDeclarator::initializer);
    if (!start) return true;
    if (analysis::constantValue(loop.first) != 0 || loop.op != "<" || loop.step != 1) return false;
    const NodePtr name = ast::declaredName(declared->child(ast::InitDeclarator::declarator));
    if (isVector(name))
        return ast::is<ast::Arguments>(start) && start->children().size() == 1 &&
               ast::print(start->child(0)) == ast::print(loop.bound);
    const auto length = analysis::lengthOf(name);
    return length && length == analysis::constantValue(loop.bound);
}

/// Reads nothing but numbers and elements of multiarrays and of containers with memory of their
/// own, and takes hardly longer than to read what was stored.
bool isCheap(NodePtr e) {
    constexpr long most = 2;
    return isDouble(e->type) && operationsIn(e) <= most && !ast::anywhere(e, [](NodePtr each) {
               if (!each->is<ast::Subscript>())
                   return ast::isAny<ast::Call, ast::Lambda>(each) || ast::changedOperand(each);
               const NodePtr base = each->child(ast::Subscript::base);
               return !ast::multiarrayType(base) && !ownContainer(base);
           });
}

/// `for (int j = 0; j < n; ++j) from[j] = e;`
std::optional<FilledArray> filledBy(NodePtr statement, NodePtr declared) {
    const NodePtr name = ast::declaredName(declared->child(ast::InitDeclarator::declarator));
    const auto loop =
        ast::is<ast::For>(statement) ? analysis::countingLoop(statement) : std::nullopt;
    const NodePtr assign = loop ? soleAssignment(statement->child(ast::For::body)) : nullptr;
    if (!assign || !loop->isOwn || !isFilled(declared, *loop) ||
        assign->child(ast::Assign::op)->text() != "=")
        return std::nullopt;
    const NodePtr target = assign->child(ast::Assign::target);
    const NodePtr value = assign->child(ast::Assign::value);
    const bool isElement = ast::is<ast::Subscript>(target) && isDouble(target->type) &&
                           ast::is<ast::Identifier>(target->child(ast::Subscript::base)) &&
                           target->child(ast::Subscript::base)->symbol == name->symbol &&
                           isNamed(soleSubscript(target), loop->name->text());
    if (!isElement || !isCheap(value) || mentions(value, name->text())) return std::nullopt;
    return FilledArray{name->symbol, loop->name, value};
}

/// What two loops in one another, which do nothing else, add to: an element that outlives the nest.
NodePtr sumOf(NodePtr statement) {
    for (int depth = 0; depth < 2; ++depth) {
        if (!ast::is<ast::For>(statement) || !analysis::countingLoop(statement)) return nullptr;
        statement = soleStatement(statement->child(ast::For::body));
    }
    const NodePtr assign = soleAssignment(statement);
    const NodePtr target = assign ? assign->child(ast::Assign::target) : nullptr;
    if (!ast::is<ast::Subscript>(target)) return nullptr;
    const auto isTarget = [&](NodePtr e) { return ast::print(e) == ast::print(target); };
    return addendOf(assign, isTarget) ? ownContainer(target->child(ast::Subscript::base)) : nullptr;
}

/// Puts the values in the place of the elements.
class InPlaceOfElements : public ast::Rewriter {
public:
    InPlaceOfElements(Context& context, const FilledArray& array)
        : Rewriter(context.arena, 0), context_(context), array_(array) {}

    NodePtr rewriteSubscript(NodePtr node) override {
        const NodePtr base = node->child(ast::Subscript::base);
        if (!ast::is<ast::Identifier>(base) || base->symbol != array_.symbol)
            return rewriteChildren(node);
        const NodePtr at = soleSubscript(node);
        InPlaceOf counter(context_.arena, array_.counter, [&](NodePtr place) {
            const NodePtr name = context_.identifier(std::string(at->text()), place);
            name->symbol = at->symbol;
            name->type = at->type;
            return name;
        });
        const NodePtr known = counter.rewrite(array_.value);
        const NodePtr made = context_.expression(ast::print(known), {}, node);
        const NodePtr value = context_.expression(
            "($value)",
            {{"$value", areAlike(made, known) ? copyAt(context_.arena, node, made, known) : known}},
            node);
        value->type = array_.value->type;
        return value;
    }

private:
    Context& context_;
    const FilledArray& array_;
};

class ScratchValues : public NestRewriter {
public:
    ScratchValues(Context& context, ast::Unit& unit) : NestRewriter(context, unit) {}

    NodePtr rewriteOverall(NodePtr overall) override {
        const NodePtr body = overall->child(ast::Overall::body);
        const auto parts =
            ast::is<ast::Compound>(body) ? body->children() : std::span<const NodePtr>();
        const NodePtr declared = parts.size() == 3 ? declaredArray(parts[0]) : nullptr;
        const auto array = declared ? filledBy(parts[1], declared) : std::nullopt;
        const NodePtr sums = array ? sumOf(parts[2]) : nullptr;
        if (!sums || nests::mentions(array->value, sums->text()) || sums->symbol == array->symbol ||
            !isRead(parts[2], *array) || ast::holdsDirective(overall->origin()->text()))
            return overall;
        const NodePtr sum =
            ast::copy(context.arena, InPlaceOfElements(context, *array).rewrite(parts[2]));
        std::vector<NodePtr> children;
        for (const NodePtr child : overall->children())
            children.push_back(child == body ? sum : ast::copy(context.arena, child));
        return context.statement("if ($apart)\n    $nest;\nelse\n    $overall;",
                                 {{"$apart", apart(array->value, sums)},
                                  {"$nest", context.arena.rebuilt(overall, overall, children)},
                                  {"$overall", overall}},
                                 overall);
    }

private:
    /// Nothing of the array is mentioned but elements at names.
    static bool isRead(NodePtr statement, const FilledArray& array) {
        const auto isArray = [&](NodePtr e) {
            return e->is<ast::Identifier>() && e->symbol == array.symbol;
        };
        const auto isElement = [&](NodePtr e) {
            return isArray(e->child(ast::Subscript::base)) &&
                   ast::is<ast::Identifier>(soleSubscript(e));
        };
        return std::ranges::count_if(ast::allOf<ast::Identifier>(statement), isArray) ==
               std::ranges::count_if(ast::allOf<ast::Subscript>(statement), isElement);
    }

    /// The multiarrays that a value reads share no memory with the sums.
    NodePtr apart(NodePtr value, NodePtr sums) {
        NodePtr result = nullptr;
        std::set<std::string> asked;
        for (const NodePtr each : ast::allOf<ast::Subscript>(value)) {
            const NodePtr base = each->child(ast::Subscript::base);
            if (!ast::multiarrayType(base) || !asked.insert(ast::print(base)).second) continue;
            const NodePtr question = context.expression(
                "hpspmd::detail::disjointFrom($a, $sums)",
                {{"$a", context.made(base, value)}, {"$sums", context.made(sums, value)}}, value);
            result = result ? context.expression("$one && $other",
                                                 {{"$one", result}, {"$other", question}}, each)
                            : question;
        }
        return result ? result : context.identifier("true", value);
    }
};

}  // namespace

ast::Unit scratchValues(ast::Unit unit, ast::Quoter& quote) {
    if (Plans::of(unit).wantsDevices) return unit;
    return rewritten<ScratchValues>(std::move(unit), quote);
}

}  // namespace hpcc::nests
