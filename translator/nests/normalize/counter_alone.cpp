// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/counter_alone.hpp"

#include <string>

#include "analysis/loop.hpp"
#include "analysis/operators.hpp"
#include "ast/copy.hpp"
#include "nests/normalize/repeatable.hpp"

namespace hpcc::nests {
namespace {

using analysis::CountingLoop;
using ast::NodePtr;

/// Where `k + c < e` is a comparison of numbers with a sign.
bool isOfSigned(const CountingLoop& loop) {
    return loop.number().isSigned && analysis::numberOf(loop.bound).isSigned;
}

/// True where it is one of numbers without a sign, and the bound is not negative.
bool isOfUnsigned(const CountingLoop& loop) {
    const ast::NumberType own = loop.number(), bound = analysis::numberOf(loop.bound);
    const bool isBoundKnown = bound.bits > 0 && bound.bits <= own.bits;
    return analysis::isUnsigned(own) && isBoundKnown && analysis::isNeverNegative(loop.bound) &&
           (own.bits == 64 || loop.step == 1);
}

/// The bound of the counter alone, by `<`; null if it is not known.
NodePtr boundOf(Context& context, const CountingLoop& loop, long distance) {
    if (distance == 0) return ast::copy(context.arena, loop.bound);
    const auto constant = analysis::constantValue(loop.bound);
    if (constant && *constant >= distance)
        return ast::literal(context.arena, std::to_string(*constant - distance), loop.bound);
    const auto end = [&] { return context.operand(ast::copy(context.arena, loop.bound)); };
    // Of the least `int`, too, less c is a number.
    const bool isWider = isOfSigned(loop) && analysis::numberOf(loop.bound).bits < 64 &&
                         !analysis::isNeverNegative(loop.bound);
    const auto number = [&] {
        return ast::literal(context.arena, std::to_string(distance) + (isWider ? "L" : ""),
                            loop.bound);
    };
    const NodePtr less =
        context.expression("$e - $c", {{"$e", end()}, {"$c", number()}}, loop.bound);
    less->type = loop.bound->type;
    if (isOfSigned(loop)) return less;
    const NodePtr result = context.expression(
        "$e > $c ? $less : 0", {{"$e", end()}, {"$c", number()}, {"$less", less}}, loop.bound);
    result->type = loop.bound->type;
    return context.operand(result);
}

}  // namespace

NodePtr withCounterAlone(Context& context, NodePtr loop) {
    const auto ahead = analysis::countingAhead(loop);
    if (!ahead || ahead->ahead == 0 || !isRepeatable(ahead->bound) ||
        (!isOfSigned(*ahead) && !isOfUnsigned(*ahead)))
        return loop;
    const NodePtr bound = boundOf(context, *ahead, ahead->ahead - ahead->includesBound());
    const NodePtr condition = context.expression(
        "$k < $bound", {{"$k", ast::copy(context.arena, ahead->name)}, {"$bound", bound}},
        loop->child(ast::For::condition));
    return ast::withChild(context.arena, loop, ast::For::condition, condition);
}

}  // namespace hpcc::nests
