// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/matrix_product.hpp"

#include <algorithm>

#include "ast/copy.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/subscripts.hpp"
#include "nests/loop_ends.hpp"
#include "nests/plan.hpp"
#include "nests/sums_of_products.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

class Recognition {
public:
    Recognition(const Nest& nest, const Reaches& reaches) : nest_(nest), reaches_(reaches) {}

    bool isMatch() {
        if (!isOfPlainLoops()) return false;
        const NodePtr inner = descend();
        return (loops_ == 3 ? addsToElement(inner) : loops_ == 2 && sumsInVariable(inner)) &&
               subscripts() && areOfOneType();
    }

    bool isFolded(const Fold& fold) {
        if (!isOfPlainLoops()) return false;
        const NodePtr store = soleAssignment(descend());
        if (loops_ != 3 || !store || store->child(ast::Assign::op)->text() != "=") return false;
        result.target = accessAt(nest_, store->child(ast::Assign::target));
        result.steps = &nest_.loops.front();
        result.columns = fold.write->loop;
        result.rows = fold.write->loop->outer;
        return result.target == fold.write && factorsOf(store->child(ast::Assign::value)) &&
               factors() && areOfOneType() && typeOf(*result.target) == "double";
    }

    MatrixProduct result{};

private:
    bool isOfPlainLoops() const {
        return !nest_.callsForeign && nest_.loops.size() == 3 &&
               std::ranges::all_of(nest_.loops, [this](const Loop& each) { return isPlain(each); });
    }

    bool isPlain(const Loop& loop) const {
        if (loop.step != 1 || loop.touchesForeign || loop.jumps) return false;
        if (loop.kind == Loop::Kind::Counting)
            return reaches_.isFixed(loop.first) && reaches_.isFixed(loop.end);
        return loop.kind == Loop::Kind::Overall && !loop.usesGlobal &&
               std::ranges::all_of(tripletOf(loop)->children(),
                                   [this](NodePtr part) { return reaches_.isFixed(part); });
    }

    /// What loops that are all that an iteration does have in them.
    NodePtr descend() {
        NodePtr statement = nest_.loops.front().statement;
        while (const Loop* loop = loopAt(statement)) {
            ++loops_;
            statement = soleStatement(bodyOf(*loop));
        }
        return statement;
    }

    const Loop* loopAt(NodePtr statement) const {
        const auto found = nest_.loopOf.find(statement);
        return found == nest_.loopOf.end() ? nullptr : found->second;
    }

    /// c[i, j] += x;
    bool addsToElement(NodePtr statement) {
        const NodePtr assign = soleAssignment(statement);
        if (!assign) return false;
        const NodePtr target = assign->child(ast::Assign::target);
        result.target = accessAt(nest_, target);
        result.adds = true;
        return result.target && factorsOf(addendOf(assign, isTarget()));
    }

    std::function<bool(NodePtr)> isTarget() const {
        return [this](NodePtr e) {
            const Access* access = accessAt(nest_, e);
            return access && ast::print(access->node) == ast::print(result.target->node);
        };
    }

    /// double sum = 0; for (k ..) sum += x; c[i, j] = sum;
    bool sumsInVariable(NodePtr block) {
        if (!ast::is<ast::Compound>(block) || block->children().size() != 3) return false;
        const auto sum = numberDeclaredIn(block->child(0));
        if (!sum) return false;
        const NodePtr store = soleAssignment(block->child(2));
        if (!store) return false;
        result.target = accessAt(nest_, store->child(ast::Assign::target));
        if (!result.target) return false;
        const auto isSum = [&](NodePtr e) { return isNamed(e, sum->name); };
        const bool startsAtTarget = isTarget()(sum->start);
        const bool isStored =
            store->child(ast::Assign::op)->text() == "=" && isSum(store->child(ast::Assign::value));
        const NodePtr other = addendOf(store, isTarget());
        result.adds = startsAtTarget || !isStored;
        if (!(isStored ? startsAtTarget || isZero(sum->start)
                       : isZero(sum->start) && other && isSum(other)))
            return false;
        type_ = sum->type;
        const Loop* steps = loopAt(soleStatement(block->child(1)));
        const NodePtr assign = steps ? soleAssignment(bodyOf(*steps)) : nullptr;
        return assign && factorsOf(addendOf(assign, isSum));
    }

    static bool isZero(NodePtr e) {
        e = ast::withoutParentheses(e);
        return ast::is<ast::NumberLiteral>(e) && std::ranges::all_of(e->text(), [](char c) {
                   return c == '0' || c == '.' || c == 'f';
               });
    }

    bool factorsOf(NodePtr term) {
        term = term ? ast::withoutParentheses(term) : nullptr;
        if (!ast::is<ast::Binary>(term) || term->child(ast::Binary::op)->text() != "*")
            return false;
        result.left = accessAt(nest_, term->child(ast::Binary::left));
        result.right = accessAt(nest_, term->child(ast::Binary::right));
        return result.left && result.right;
    }

    /// True if it has these two indices, in any order.
    static bool has(const Access& access, const Loop& one, const Loop& other) {
        const auto isAt = [&](size_t slot, const Loop& loop) {
            return isIndex(access.slots[slot], loop);
        };
        return access.slots.size() == 2 &&
               ((isAt(0, one) && isAt(1, other)) || (isAt(0, other) && isAt(1, one)));
    }

    bool subscripts() {
        if (result.target->slots.size() != 2) return false;
        result.rows = result.target->slots[0].loop;
        result.columns = result.target->slots[1].loop;
        if (!result.rows || !result.columns || !has(*result.target, *result.rows, *result.columns))
            return false;
        for (const Loop& loop : nest_.loops)
            if (&loop != result.rows && &loop != result.columns) result.steps = &loop;
        return result.steps && factors() && result.left->array != result.target->array &&
               result.right->array != result.target->array;
    }

    bool factors() {
        if (has(*result.left, *result.steps, *result.columns)) std::swap(result.left, result.right);
        return has(*result.left, *result.rows, *result.steps) &&
               has(*result.right, *result.steps, *result.columns);
    }

    std::string typeOf(const Access& access) const {
        return numberWord(ast::multiarrayType(nest_.arrays[access.array].base)->element);
    }

    bool areOfOneType() const {
        std::string first(type_);
        for (const Access* each : {result.target, result.left, result.right}) {
            const std::string word = typeOf(*each);
            if (first.empty()) first = word;
            if (word != first) return false;
        }
        return first == "double" || first == "float";
    }

    const Nest& nest_;
    const Reaches& reaches_;
    size_t loops_ = 0;
    std::string_view type_;  // of the variable, if there is one
};

}  // namespace

std::optional<MatrixProduct> asMatrixProduct(const Nest& nest, const Reaches& reaches) {
    Recognition recognition(nest, reaches);
    if (!recognition.isMatch()) return std::nullopt;
    return recognition.result;
}

std::string valuesOf(Context& context, const Loop& counting) {
    const NodePtr end = ast::copy(context.arena, counting.end);
    const NodePtr last = counting.reachesEnd ? end : lastOf(context, counting, end);
    return "hpspmd::detail::Reach(" + ast::print(counting.first) + ", " + ast::print(last) + ")";
}

namespace {

class Calls {
public:
    Calls(Context& context, const Nest& nest, const RunNames& runs)
        : context_(context), nest_(nest), runs_(runs) {}

    std::string values(const Loop& loop) const {
        const auto found = runs_.find(&loop);
        return found == runs_.end() ? valuesOf(context_, loop) : found->second.held;
    }

    /// In whose rows the index of this loop does not change.
    std::string matrix(const Access& access, const Loop& loop) const {
        return "hpspmd::detail::matrix(" + ast::print(nest_.arrays[access.array].base) + ", " +
               values(*access.slots[0].loop) + ", " + values(*access.slots[1].loop) + ")" +
               (access.slots[0].loop == &loop ? "" : ".transposed()");
    }

    std::string factors(const MatrixProduct& product) const {
        return matrix(*product.left, *product.rows) + ", " +
               matrix(*product.right, *product.steps) + ")";
    }

private:
    Context& context_;
    const Nest& nest_;
    const RunNames& runs_;
};

}  // namespace

std::string productCall(Context& context, const Nest& nest, const MatrixProduct& product,
                        const RunNames& runs) {
    const Calls calls(context, nest, runs);
    return std::string("hpspmd::detail::") + (product.adds ? "addedProduct(" : "product(") +
           calls.matrix(*product.target, *product.rows) + ", " + calls.factors(product);
}

std::optional<MatrixProduct> asFoldedProduct(const Nest& nest, const Fold& fold,
                                             const Reaches& reaches) {
    Recognition recognition(nest, reaches);
    if (!recognition.isFolded(fold)) return std::nullopt;
    return recognition.result;
}

std::string foldedProductCall(Context& context, const Nest& nest, const Fold& fold,
                              const MatrixProduct& product, const RunNames& runs) {
    const Calls calls(context, nest, runs);
    std::string taken;
    for (const Access* each : {product.left, product.right}) {
        const std::string read =
            "hpspmd::detail::reads(" + ast::print(nest.arrays[each->array].base) + ")";
        if (taken != read) taken += (taken.empty() ? "" : ", ") + read;
    }
    const auto index = [&](const Loop& loop) {
        return ast::print(counterType(loop)) + " " + std::string(loop.variable);
    };
    const std::string to = context.fresh("to"), sum = context.fresh("sum");
    return "hpspmd::detail::foldedProduct({" + taken + "}, " + calls.values(*product.rows) + ", " +
           calls.values(*product.columns) + ", [&] { return hpspmd::detail::factors(" +
           calls.factors(product) + "; }, [&, " + to + " = " + fold.sums + ".data()](" +
           index(*product.rows) + ", " + index(*product.columns) + ", double " + sum + ") { " + to +
           "[" + ast::print(fold.write->slots.back().subscript) + "] = " + sum + "; })";
}

ast::Unit libraryProducts(ast::Unit unit, ast::Quoter&) {
    Plans::of(unit).callsLibraries = true;
    return unit;
}

}  // namespace hpcc::nests
