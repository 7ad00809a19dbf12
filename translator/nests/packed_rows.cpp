// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/packed_rows.hpp"

#include <algorithm>
#include <span>

#include "analysis/numbers.hpp"
#include "ast/copy.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/subscripts.hpp"
#include "ast/symbol.hpp"
#include "nests/loop_ends.hpp"
#include "nests/reductions.hpp"
#include "nests/wide_values.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

class PackedRows {
public:
    PackedRows(Context& context, const Nest& nest, const Loop& loop, Elements& elements,
               const EntryTest& test)
        : context_(context),
          nest_(nest),
          loop_(loop),
          elements_(elements),
          test_(test),
          operands_(context.fresh(std::string(loop.variable) + "_row")),
          values_(context, elements, loop.variable, [this](NodePtr e) { return access(e); }) {}

    NodePtr write(const Bounds& bounds) {
        const NodePtr assign = assignment();
        if (!assign || loop_.step != 1 || nest_.callsForeign) return nullptr;
        target_ = accessAt(nest_, assign->child(ast::Assign::target));
        if (!target_ || !isInRow(*target_)) return nullptr;
        if (!takeNumbers()) return nullptr;
        const NodePtr value = valueOf(assign);
        if (!value || !varies_) return nullptr;
        const bool isRun = loop_.kind == Loop::Kind::Overall;
        const NodePtr first = isRun ? member(bounds.run, "first") : start(),
                      last = isRun ? member(bounds.run, "last") : end(bounds.end);
        if (!first || !last) return nullptr;
        const ast::Bindings bindings{{"$row", context_.made(elements_.row(*target_), assign)},
                                     {"$first", first},
                                     {"$last", last},
                                     {"$operands", context_.identifier(operands_, assign)},
                                     {"$numbers", numbers_},
                                     {"$value", value}};
        if (kept_) return keeping(bindings);
        return context_.statement("hpspmd::detail::eachOfRow<" +
                                      std::string(isInPlace() ? "true" : "false") +
                                      ">($row, $first, $last, [&](const auto &$operands) {\n"
                                      "    $numbers;\n"
                                      "    return $value;\n"
                                      "});",
                                  bindings, loop_.statement);
    }

private:
    /// The assignment that is all of the body, or all but what keeps the largest or least number,
    /// or but numbers that are declared in front of it.
    /// Of an element alone: the C++ compiler knows how to copy rows.
    NodePtr assignment() {
        NodePtr body = soleStatement(bodyOf(loop_));
        if (behindDeclarations(body) != body) {
            declared_ = body->children().first(body->children().size() - 1);
            body = body->children().back();
            if (body->is<ast::Compound>()) return nullptr;
        }
        if (body->is<ast::Compound>() && body->children().size() == 2) {
            if (!keeps(body->child(1))) return nullptr;
            body = body->child(0);
        }
        const NodePtr assign = soleAssignment(body);
        if (!assign) return nullptr;
        const bool isPlain = assign->child(ast::Assign::op)->text() == "=";
        const bool isCopy =
            ast::is<ast::Subscript>(ast::withoutParentheses(assign->child(ast::Assign::value)));
        return (kept_ && !isPlain) || (!kept_ && isPlain && isCopy) ? nullptr : assign;
    }

    /// Those of type double that are declared in front, for several iterations.
    bool takeNumbers() {
        return std::ranges::all_of(declared_, [&](NodePtr declaration) {
            const std::string_view type = declaration->child(ast::Declaration::specifiers)->text();
            const NodePtr list = declaration->child(ast::Declaration::declarators);
            return list && (type == "double" || type == "const double") &&
                   std::ranges::all_of(list->children(), [&](NodePtr each) { return take(each); });
        });
    }

    bool take(NodePtr declared) {
        if (!ast::is<ast::InitDeclarator>(declared)) return false;
        const NodePtr name = declared->child(ast::InitDeclarator::declarator);
        const NodePtr initializer = declared->child(ast::InitDeclarator::initializer);
        if (!ast::is<ast::Identifier>(name) || !ast::is<ast::EqualInitializer>(initializer))
            return false;
        const NodePtr start = initializer->child(ast::EqualInitializer::value);
        const NodePtr value = values_.of(start);
        if (!value) return false;
        if (values_.isReached(start)) values_.declare(name->text());
        numbers_.push_back(context_.statement(
            "const auto $name = $value;",
            {{"$name", ast::copy(context_.arena, name)}, {"$value", value}}, declared));
        return true;
    }

    bool keeps(NodePtr statement) {
        const auto found = reductionsOf(statement, lastingIn(loop_));
        if (!found || found->size() != 1 || !found->front().value) return false;
        const ast::Symbol* symbol = ast::withoutParentheses(found->front().target)->symbol;
        kept_ = found->front();
        return symbol && symbol->type && symbol->type->spelled == "double";
    }

    NodePtr keeping(ast::Bindings bindings) {
        stored_ = context_.fresh(std::string(loop_.variable) + "_value");
        const NodePtr offer = values_.of(kept_->value);
        if (!offer || isInPlace()) return nullptr;
        const NodePtr origin = loop_.statement;
        for (const char* place : {"$kept", "$kept2"})
            bindings.emplace_back(place, ast::copy(context_.arena, kept_->target));
        const bool isStored = ast::namesIn(offer).contains(stored_);
        bindings.emplace_back("$offer", offer);
        return context_.statement(
            "$kept = hpspmd::detail::keptOfRow<hpspmd::detail::" +
                std::string(kept_->op == "max" ? "Larger" : "Smaller") +
                ">($row, $first, $last, $kept2, [&](const auto &$operands) {\n"
                "    $numbers;\n"
                "    return $value;\n"
                "}, [&](const auto &" +
                (isOffered_ ? operands_ : "") + ", const auto &" + (isStored ? stored_ : "") +
                ") {\n"
                "    return $offer;\n"
                "});",
            bindings, origin);
    }

    /// What is assigned; of `a[i, j] += e` it is a[i, j] + (e).
    NodePtr valueOf(NodePtr assign) {
        const std::string op(assign->child(ast::Assign::op)->text());
        const NodePtr value = values_.of(assign->child(ast::Assign::value));
        if (!value || op == "=")
            return values_.isReached(assign->child(ast::Assign::value)) ? value : nullptr;
        if (op != "+=" && op != "-=" && op != "*=" && op != "/=") return nullptr;
        const NodePtr own = access(target_->node);
        return own ? context_.expression(
                         "$own " + op.substr(0, 1) + (bindsTighter(value, op[0]) ? " $e" : " ($e)"),
                         {{"$own", own}, {"$e", value}}, assign)
                   : nullptr;
    }

    /// Can it be the right operand of `op` without parentheses?
    static bool bindsTighter(NodePtr value, char op) {
        if (isPrimary(value->kind()) || value->is<ast::FunctionalCast>()) return true;
        if (!value->is<ast::Binary>() || (op != '+' && op != '-')) return false;
        const std::string_view own = value->child(ast::Binary::op)->text();
        return own == "*" || own == "/";
    }

    /// Without a check, too.
    bool isInRow(const Access& access) const {
        return runsAlongRow(access, loop_, values_) &&
               !test_.unchecked().contains({access.node, access.slots.size() - 1});
    }

    NodePtr access(NodePtr e) {
        const Access* access = accessAt(nest_, e);
        if (!access || !isInRow(*access)) return nullptr;
        varies_ = true;
        if (!stored_.empty() && isTarget(*access)) return context_.identifier(stored_, e);
        isUpdate_ |= isTarget(*access);
        isOffered_ |= !stored_.empty();
        return context_.expression("$o.at($row)",
                                   {{"$o", context_.identifier(operands_, e)},
                                    {"$row", context_.made(elements_.row(*access), e)}},
                                   e);
    }

    bool isTarget(const Access& access) const {
        return ast::print(access.node) == ast::print(target_->node);
    }

    /// Does the loop read the array that it changes, but for the element that it has just stored?
    bool isInPlace() const {
        return std::ranges::any_of(nest_.accesses, [&](const Access& access) {
            if (access.loop != &loop_ || access.array != target_->array) return false;
            return isUpdate_ || !isTarget(access);
        });
    }

    NodePtr member(const std::string& run, const char* name) {
        return context_.identifier(run + "." + name, loop_.statement);
    }

    NodePtr start() {
        if (!ast::isPure(loop_.first) || !analysis::isInteger(loop_.first)) return nullptr;
        return context_.made(elements_.fast(loop_.first), loop_.first);
    }

    NodePtr end(const std::string& known) {
        if (!ast::isPure(loop_.end) || (loop_.reachesEnd && !analysis::isInteger(loop_.end)))
            return nullptr;
        return lastOf(context_, loop_,
                      known.empty() ? context_.made(elements_.fast(loop_.end), loop_.end)
                                    : context_.identifier(known, loop_.end));
    }

    Context& context_;
    const Nest& nest_;
    const Loop& loop_;
    Elements& elements_;
    const EntryTest& test_;
    std::string operands_, stored_;  // names
    std::optional<Reduction> kept_;
    std::span<const NodePtr> declared_;
    std::vector<NodePtr> numbers_;  // the same of several iterations
    WideValues values_;
    const Access* target_ = nullptr;
    bool varies_ = false;     // does the value change from iteration to iteration?
    bool isUpdate_ = false;   // is the old value part of the new one?
    bool isOffered_ = false;  // does a row without that value count for the largest or least?
};

}  // namespace

NodePtr packedRows(Context& context, const Nest& nest, const Loop& loop, Elements& elements,
                   const EntryTest& test, const Bounds& bounds) {
    return PackedRows(context, nest, loop, elements, test).write(bounds);
}

}  // namespace hpcc::nests
