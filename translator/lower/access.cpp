// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/access.hpp"

#include "analysis/constant.hpp"
#include "ast/copy.hpp"
#include "ast/purity.hpp"
#include "ast/subscripts.hpp"

namespace hpcc::lower {
namespace {

using ast::NodePtr;

/// Known to be of a type whose negative values are its own: `-h` of an unsigned h is large.
bool isSigned(NodePtr e) { return ast::mayRearrange(e->type); }

class OffsetFormula {
public:
    OffsetFormula(Context& context, const Access& access)
        : context_(context),
          type_(multiarrayType(access.original->child(ast::Subscript::base))),
          base_(access.lowered->child(ast::Subscript::base)),
          originals_(access.original->child(ast::Subscript::subscripts)->children()),
          lowered_(access.lowered->child(ast::Subscript::subscripts)->children()),
          within_(access.within),
          origin_(access.original) {}

    NodePtr element() {
        const NodePtr offset = lowered_.empty() ? number(0) : sum();
        return context_.expression("$a.data()[$offset]", {{"$a", base_}, {"$offset", offset}},
                                   origin_);
    }

private:
    NodePtr sum() {
        NodePtr result = nullptr;
        for (size_t r = 0; r < lowered_.size(); ++r) {
            const NodePtr product = context_.expression(
                "$a.stride($r) * $s",
                {{"$a", base()}, {"$r", number(static_cast<long>(r))}, {"$s", slot(r)}}, origin_);
            result = result
                         ? context_.expression("$sum + $product",
                                               {{"$sum", result}, {"$product", product}}, origin_)
                         : product;
        }
        return result;
    }

    NodePtr slot(size_t r) {
        if (type_->slots[r] == ast::SlotKind::Distributed) return distributed(r);
        const NodePtr subscript = lowered_[r];
        if (!context_.options.boundsChecks || within_.contains(r)) return factor(subscript);
        return context_.expression(
            "hpspmd::detail::bounded($e, $a, $r)",
            {{"$e", subscript}, {"$a", base()}, {"$r", number(static_cast<long>(r))}}, origin_);
    }

    NodePtr distributed(size_t r) {
        const ast::IndexSubscript use = *asIndexSubscript(originals_[r]);
        const NodePtr index = ast::copy(context_.arena, use.index);
        if (!use.distance) return context_.expression("$i.sub", {{"$i", index}}, origin_);
        const NodePtr distance = ast::withoutParentheses(lowered_[r])->child(ast::Binary::right);
        if (analysis::constantDistance(use) || !context_.options.boundsChecks) {
            const bool isPlain = ast::asConstant(use.distance) || isSigned(use.distance);
            const NodePtr d =
                isPlain ? factor(distance)
                        : context_.expression("hpspmd::Index($d)", {{"$d", distance}}, origin_);
            return context_.expression(
                use.negative ? "($i.sub - $i2.shift * $d)" : "($i.sub + $i2.shift * $d)",
                {{"$i", index}, {"$i2", again(use.index)}, {"$d", d}}, origin_);
        }
        const char* backwards =
            isSigned(use.distance)
                ? "($i.sub + $i2.shift * hpspmd::detail::shifted(-$d, $a, $r, $i3))"
                : "($i.sub + $i2.shift * hpspmd::detail::shifted(-hpspmd::Index($d), $a, $r, $i3))";
        return context_.expression(
            use.negative ? backwards
                         : "($i.sub + $i2.shift * hpspmd::detail::shifted($d, $a, $r, $i3))",
            {{"$i", index},
             {"$i2", again(use.index)},
             {"$i3", again(use.index)},
             {"$d", use.negative && isSigned(use.distance) ? factor(distance) : distance},
             {"$a", base()},
             {"$r", number(static_cast<long>(r))}},
            origin_);
    }

    /// A further mention of the array: made text, so that it does not pull the line number back.
    NodePtr base() { return again(base_); }

    NodePtr again(NodePtr node) {
        if (!node->is<ast::Identifier>()) return ast::copy(context_.arena, node);
        const NodePtr result = context_.identifier(std::string(node->text()), origin_);
        result->type = node->type;
        result->symbol = node->symbol;
        return result;
    }

    /// `e`, in parentheses unless it may stand in a product as it is.
    NodePtr factor(NodePtr e) {
        return isPrimary(e->kind()) ? e : context_.expression("($e)", {{"$e", e}}, origin_);
    }

    NodePtr number(long value) { return context_.identifier(std::to_string(value), origin_); }

    Context& context_;
    const ast::Type* type_;
    NodePtr base_;
    std::span<const NodePtr> originals_;
    std::span<const NodePtr> lowered_;
    const std::set<size_t>& within_;
    NodePtr origin_;
};

NodePtr libraryAccess(Context& context, const Access& access) {
    const NodePtr base = access.lowered->child(ast::Subscript::base);
    std::vector<NodePtr> arguments{
        access.isMarked
            ? context.expression("hpspmd::detail::written($a)", {{"$a", base}}, access.original)
            : base};
    const auto subscripts = access.lowered->child(ast::Subscript::subscripts)->children();
    arguments.insert(arguments.end(), subscripts.begin(), subscripts.end());
    return context.expression("hpspmd::detail::Element()($arguments)", {{"$arguments", arguments}},
                              access.original);
}

/// `(hpspmd::detail::written(a), a)[i]`, which does nothing more if it is no multiarray.
NodePtr markedForeign(Context& context, const Access& access) {
    const NodePtr base = access.lowered->child(ast::Subscript::base);
    const NodePtr marked =
        context.expression("(hpspmd::detail::written($a), $b)",
                           {{"$a", ast::copy(context.arena, base)}, {"$b", base}}, access.original);
    return ast::withChild(context.arena, access.lowered, ast::Subscript::base, marked);
}

}  // namespace

NodePtr lowerAccess(Context& context, const Access& access) {
    if (!access.flag.empty()) {
        const NodePtr again = ast::copy(context.arena, access.lowered);
        return context.expression(
            "($flag ? $offset : $library)",
            {{"$flag", context.identifier(access.flag, access.original)},
             {"$offset", OffsetFormula(context, access).element()},
             {"$library", libraryAccess(context, {access.original, again, access.form, {}, ""})}},
            access.original);
    }
    switch (access.form) {
    case AccessForm::Offset:
        return OffsetFormula(context, access).element();
    case AccessForm::Library:
        return libraryAccess(context, access);
    default:
        return access.isMarked ? markedForeign(context, access) : access.lowered;
    }
}

NodePtr lowerGlobalIndex(Context& context, NodePtr globalIndex) {
    return context.expression("$i.global", {{"$i", globalIndex->child(ast::GlobalIndex::operand)}},
                              globalIndex);
}

}  // namespace hpcc::lower
