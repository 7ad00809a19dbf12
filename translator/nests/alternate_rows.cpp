// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/alternate_rows.hpp"

#include <algorithm>

#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "nests/wide_values.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

class AlternateRows {
public:
    AlternateRows(Context& context, const Nest& nest, const Loop& loop, Elements& elements)
        : context_(context),
          nest_(nest),
          loop_(loop),
          elements_(elements),
          operands_(context.fresh(std::string(loop.variable) + "_row")),
          values_(context, elements, loop.variable, [this](NodePtr e) { return access(e); }) {}

    NodePtr write(const std::string& run) {
        const NodePtr assign = soleAssignment(bodyOf(loop_));
        if (!assign || assign->child(ast::Assign::op)->text() != "=" || loop_.usesGlobal)
            return nullptr;
        target_ = accessAt(nest_, assign->child(ast::Assign::target));
        if (!target_ || !runsAlongRow(*target_, loop_, values_) || target_->slots.back().shift != 0)
            return nullptr;
        const NodePtr value = values_.of(assign->child(ast::Assign::value));
        if (!value || !varies_) return nullptr;
        const NodePtr origin = loop_.statement->child(ast::Overall::headers);
        return context_.statement(
            "hpspmd::detail::everySecond<" + std::to_string(left_) + ", " + std::to_string(right_) +
                ">($row, $run.first, $run2.last, [&](const auto &$operands) {\n"
                "    return $value;\n"
                "});",
            {{"$row", elements_.row(*target_)},
             {"$run", context_.identifier(run, origin)},
             {"$run2", context_.identifier(run, origin)},
             {"$operands", context_.identifier(operands_, origin)},
             {"$value", value}},
            origin);
    }

private:
    NodePtr access(NodePtr e) {
        const Access* access = accessAt(nest_, e);
        if (!access || !runsAlongRow(*access, loop_, values_)) return nullptr;
        varies_ = true;
        const NodePtr operands = context_.identifier(operands_, e);
        if (!isOwnRow(*access))
            return context_.expression(isFirst(*access) ? "$o.ahead($row)" : "$o.at($row)",
                                       {{"$o", operands}, {"$row", elements_.row(*access)}}, e);
        const long shift = access->slots.back().shift;
        if (shift < -1 || shift > 1) return nullptr;
        if (shift < 0) left_ = 1;
        if (shift > 0) right_ = 1;
        return context_.expression(shift < 0   ? "$o.left()"
                                   : shift > 0 ? "$o.right()"
                                               : "$o.own()",
                                   {{"$o", operands}}, e);
    }

    /// Does no other access reach the row earlier, while the loops go upwards?
    bool isFirst(const Access& access) const {
        const auto isAhead = [&](const Access& other) {
            return other.array == access.array && other.slots.size() == access.slots.size() &&
                   other.slots.front().shift >= access.slots.front().shift && &other != &access;
        };
        return access.slots.size() > 1 && access.slots.front().index &&
               std::ranges::none_of(nest_.accesses, isAhead);
    }

    bool isOwnRow(const Access& access) const {
        if (access.array != target_->array) return false;
        for (size_t r = 0; r + 1 < access.slots.size(); ++r) {
            const Slot &a = access.slots[r], &b = target_->slots[r];
            const bool same = a.index ? b.index && a.index->text() == b.index->text() &&
                                            a.shift == b.shift && !a.distance && !b.distance
                                      : ast::print(a.subscript) == ast::print(b.subscript);
            if (!same) return false;
        }
        return true;
    }

    Context& context_;
    const Nest& nest_;
    const Loop& loop_;
    Elements& elements_;
    std::string operands_;
    WideValues values_;
    const Access* target_ = nullptr;
    bool varies_ = false;
    int left_ = 0, right_ = 0;  // is the neighbour in the row read?
};

}  // namespace

NodePtr alternateRows(Context& context, const Nest& nest, const Loop& loop, Elements& elements,
                      const std::string& run) {
    if (loop.step != 2) return nullptr;
    return AlternateRows(context, nest, loop, elements).write(run);
}

}  // namespace hpcc::nests
