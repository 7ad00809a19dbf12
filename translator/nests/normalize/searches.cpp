// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/searches.hpp"

#include <algorithm>

#include "ast/declarators.hpp"
#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "ast/rewriter.hpp"
#include "ast/search.hpp"
#include "nests/names.hpp"
#include "nests/normalize/sorted_elements.hpp"
#include "nests/normalize/standard_loops.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;
using Position = StandardLoops::Position;

/// `std::min_element(d, d + 4)`, where these are all elements.
struct Search {
    NodePtr container = nullptr;  // null: none
    long long length = 0;
    bool isLeast = false;
};

Search searchOf(NodePtr call) {
    call = ast::withoutParentheses(call);
    if (!ast::is<ast::Call>(call)) return {};
    const std::string_view name = call->child(ast::Call::callee)->text();
    const auto given = call->child(ast::Call::arguments)->children();
    const bool isLeast = name == "std::min_element";
    if ((!isLeast && name != "std::max_element") || given.size() != 2) return {};
    const Position begin = StandardLoops::positionOf(given[0]);
    const long long length = StandardLoops::wholeLength(begin, StandardLoops::positionOf(given[1]));
    const bool isShort = length >= 2 && length <= longestSorted;
    if (!isShort || StandardLoops::numberIn(begin.container)->spelled.empty()) return {};
    return {begin.container, length, isLeast};
}

/// What asks for the place, counted from the first element, or for the value.
struct Question {
    Search search;
    bool isPlace = false;
};

Question questionOf(NodePtr e) {
    const auto counted = [](NodePtr call, NodePtr from) -> Question {
        const Search search = searchOf(call);
        const Position begin = search.container ? StandardLoops::positionOf(from) : Position();
        const bool isFromFirst =
            begin.isBegin() && ast::print(begin.container) == ast::print(search.container);
        return isFromFirst ? Question{search, true} : Question();
    };
    if (ast::is<ast::Unary>(e) && e->child(ast::Unary::op)->text() == "*")
        return {searchOf(e->child(ast::Unary::operand)), false};
    if (ast::is<ast::Binary>(e) && e->child(ast::Binary::op)->text() == "-")
        return counted(e->child(ast::Binary::left), e->child(ast::Binary::right));
    if (!ast::is<ast::Call>(e) || e->child(ast::Call::callee)->text() != "std::distance") return {};
    const auto given = e->child(ast::Call::arguments)->children();
    return given.size() == 2 ? counted(given[1], given[0]) : Question();
}

/// True if an expression changes nothing, and names no element but by its value.
bool onlyAsks(NodePtr e) {
    if (!e || questionOf(e).search.container) return true;
    if (ast::isAny<ast::Lambda, ast::Postfix, ast::Assign>(e)) return false;
    if (ast::is<ast::Call>(e) && !ast::isMathematicalCall(e)) return false;
    if (ast::is<ast::Unary>(e)) {
        const std::string_view op = e->child(ast::Unary::op)->text();
        if (op == "++" || op == "--" || op == "&") return false;
    }
    return std::ranges::all_of(e->children(), onlyAsks);
}

/// The value of a statement that does nothing but declare one variable, or assign one value.
NodePtr valueOfStatement(NodePtr statement) {
    if (ast::is<ast::ExpressionStatement>(statement)) {
        const NodePtr e = statement->child(0);
        if (!ast::is<ast::Assign>(e) || !onlyAsks(e->child(ast::Assign::target))) return nullptr;
        NodePtr root = e->child(ast::Assign::target);
        while (ast::isAny<ast::Subscript, ast::Member>(root)) root = root->child(0);
        return ast::is<ast::Identifier>(root) ? e->child(ast::Assign::value) : nullptr;
    }
    if (!ast::is<ast::Declaration>(statement)) return nullptr;
    const auto declarators = ast::declaratorsOf(statement);
    const bool isOne =
        declarators.size() == 1 &&
        ast::is<ast::Identifier>(declarators[0]->child(ast::InitDeclarator::declarator));
    return isOne ? declarators[0]->child(ast::InitDeclarator::initializer) : nullptr;
}

class Answers : public ast::Rewriter {
public:
    Answers(Context& context, ast::FreshNames::Counts& counts)
        : Rewriter(context.arena, 0), context_(context), counts_(counts) {}

    std::vector<NodePtr> before;

    NodePtr rewriteUnary(NodePtr e) override { return answered(e); }
    NodePtr rewriteBinary(NodePtr e) override { return answered(e); }
    NodePtr rewriteCall(NodePtr e) override { return answered(e); }

private:
    NodePtr answered(NodePtr e) {
        const Question question = questionOf(e);
        return question.search.container ? answer(question, e) : rewriteChildren(e);
    }

    NodePtr again(NodePtr name) { return ast::copy(context_.arena, name); }
    NodePtr element(NodePtr container, NodePtr subscript) {
        const NodePtr result =
            context_.expression("$c[$k]", {{"$c", again(container)}, {"$k", subscript}}, container);
        result->type = StandardLoops::numberIn(container);
        return result;
    }

    NodePtr answer(const Question& question, NodePtr e) {
        const NodePtr container = question.search.container;
        ast::Type type = *StandardLoops::numberIn(container);
        type.isConst = type.isReference = false;
        const auto made = [&](const char* end, const ast::Type* of) {
            const std::string root(rootOf(container)->text());
            return context_.variable(context_.names.next(root + end, counts_), of, e);
        };
        const NodePtr found = made("_found", context_.arena.makeType(type)),
                      k = made("_k", context_.indexType()),
                      at = question.isPlace ? made("_at", context_.indexType()) : nullptr;
        if (at) before.push_back(context_.statement("hpspmd::Index $at = 0;", {{"$at", at}}, e));
        before.push_back(context_.statement(
            type.spelled + " $f = $e;",
            {{"$f", found}, {"$e", element(container, context_.number(0, e))}}, e));
        std::vector<NodePtr> taken = {context_.statement(
            "$f = $e;", {{"$f", again(found)}, {"$e", element(container, again(k))}}, e)};
        if (at)
            taken.push_back(
                context_.statement("$at = $k;", {{"$at", again(at)}, {"$k", again(k)}}, e));
        const NodePtr isBetter =
            context_.expression(question.search.isLeast ? "$e < $f" : "$f < $e",
                                {{"$e", element(container, again(k))}, {"$f", again(found)}}, e);
        isBetter->type = context_.boolType();
        before.push_back(context_.statement("for (hpspmd::Index $k = 1; $l < " +
                                                std::to_string(question.search.length) +
                                                "; ++$s)\n"
                                                "    if ($better) {\n"
                                                "        $taken;\n"
                                                "    }",
                                            {{"$k", k},
                                             {"$l", again(k)},
                                             {"$s", again(k)},
                                             {"$better", isBetter},
                                             {"$taken", taken}},
                                            e));
        return again(at ? at : found);
    }

    Context& context_;
    ast::FreshNames::Counts& counts_;
};

}  // namespace

NodePtr withoutSearches(Context& context, ast::FreshNames::Counts& counts, NodePtr block) {
    if (!ast::is<ast::Compound>(block)) return block;
    std::vector<NodePtr> statements;
    bool isChanged = false;
    for (const NodePtr statement : block->children()) {
        const NodePtr value = valueOfStatement(statement);
        Answers answers(context, counts);
        const NodePtr result = value && onlyAsks(value) ? answers.rewrite(statement) : statement;
        isChanged |= result != statement;
        statements.insert(statements.end(), answers.before.begin(), answers.before.end());
        statements.push_back(result);
    }
    return isChanged ? context.arena.rebuilt(block, block, statements) : block;
}

}  // namespace hpcc::nests
