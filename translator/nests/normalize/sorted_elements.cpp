// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/sorted_elements.hpp"

#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "nests/names.hpp"
#include "nests/normalize/fixed_handles.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// Pairs of places that are compared, one after the other (Knuth, The Art of Computer Programming
/// 3, 5.2.2, algorithm M).
std::vector<std::pair<long, long>> comparisonsOf(long length) {
    std::vector<std::pair<long, long>> pairs;
    const long most = static_cast<long>(std::bit_ceil(static_cast<unsigned long>(length))) / 2;
    for (long p = most; p > 0; p /= 2) {
        long q = most, rest = 0;
        for (long distance = p;; distance = q - p, q /= 2, rest = p) {
            for (long k = 0; k < length - distance; ++k)
                if ((k & p) == rest) pairs.emplace_back(k, k + distance);
            if (q == p) break;
        }
    }
    return pairs;
}

class Exchanges {
public:
    Exchanges(Context& context, ast::FreshNames::Counts& counts, NodePtr container,
              const ast::Type* number)
        : context_(context), container_(container), number_(number) {
        const std::string name(rootOf(container)->text());
        a_ = context.variable(context.names.next(name + "_a", counts), number, container);
        b_ = context.variable(context.names.next(name + "_b", counts), number, container);
    }

    /// The one that comes first at `first`.
    NodePtr exchange(long first, long second, bool fromLargest) {
        return context_.statement(
            "{\n"
            "    const " +
                number_->spelled +
                " $a = $v, $b = $w;\n"
                "    $v2 = $chosen;\n"
                "    $w2 = $other;\n"
                "}",
            {{"$a", again(a_)},
             {"$v", element(first)},
             {"$b", again(b_)},
             {"$w", element(second)},
             {"$v2", element(first)},
             {"$chosen", choice(fromLargest, b_, a_)},
             {"$w2", element(second)},
             {"$other", choice(fromLargest, a_, b_)}},
            container_);
    }

private:
    NodePtr again(NodePtr e) { return ast::copy(context_.arena, e); }
    NodePtr element(long k) {
        const NodePtr place = ast::literal(context_.arena, std::to_string(k), container_);
        place->type = context_.integerType("int", {32, true});
        const NodePtr made =
            context_.expression("$c[$k]", {{"$c", again(container_)}, {"$k", place}}, container_);
        made->type = number_;
        return made;
    }
    /// b < a ? then : otherwise
    NodePtr choice(bool fromLargest, NodePtr then, NodePtr otherwise) {
        const NodePtr condition =
            context_.expression(fromLargest ? "$a < $b" : "$b < $a",
                                {{"$a", again(a_)}, {"$b", again(b_)}}, container_);
        condition->type = context_.boolType();
        const NodePtr made = context_.expression(
            "$c ? $t : $o", {{"$c", condition}, {"$t", again(then)}, {"$o", again(otherwise)}},
            container_);
        made->type = number_;
        return made;
    }

    Context& context_;
    NodePtr container_;
    const ast::Type* number_;
    NodePtr a_ = nullptr, b_ = nullptr;
};

}  // namespace

NodePtr sortedElements(Context& context, ast::FreshNames::Counts& counts, NodePtr container,
                       const ast::Type* number, long long length, bool fromLargest) {
    Exchanges exchanges(context, counts, container, number);
    std::vector<NodePtr> statements;
    for (const auto& [first, second] : comparisonsOf(static_cast<long>(length)))
        statements.push_back(exchanges.exchange(first, second, fromLargest));
    return context.statement("{\n    $s;\n}", {{"$s", statements}}, container);
}

}  // namespace hpcc::nests
