#include "nests/packed_rows.hpp"

#include <algorithm>

#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/subscripts.hpp"
#include "ast/symbol.hpp"
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
        target_ = accessAt(assign->child(ast::Assign::target));
        if (!target_ || !runsAlongRow(*target_)) return nullptr;
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
                                     {"$value", value}};
        if (kept_) return keeping(bindings);
        return context_.statement("hpspmd::detail::eachOfRow<" +
                                      std::string(isInPlace() ? "true" : "false") +
                                      ">($row, $first, $last, [&](const auto &$operands) {\n"
                                      "    return $value;\n"
                                      "});",
                                  bindings, loop_.statement);
    }

private:
    /// The assignment that is all of the body, or all but what keeps the largest or least number.
    /// Of an element alone: the C++ compiler knows how to copy rows.
    NodePtr assignment() {
        NodePtr body = loop_.statement->child(
            loop_.kind == Loop::Kind::Overall ? +ast::Overall::body : +ast::For::body);
        while (body->is<ast::Compound>() && body->children().size() == 1) body = body->child(0);
        if (body->is<ast::Compound>() && body->children().size() == 2) {
            if (!keeps(body->child(1))) return nullptr;
            body = body->child(0);
        }
        if (!body->is<ast::ExpressionStatement>()) return nullptr;
        const NodePtr assign = body->child(ast::ExpressionStatement::expression);
        if (!ast::is<ast::Assign>(assign)) return nullptr;
        const bool isPlain = assign->child(ast::Assign::op)->text() == "=";
        const bool isCopy =
            ast::is<ast::Subscript>(ast::withoutParentheses(assign->child(ast::Assign::value)));
        return (kept_ && !isPlain) || (!kept_ && isPlain && isCopy) ? nullptr : assign;
    }

    bool keeps(NodePtr statement) {
        Names names;
        for (const std::string_view name : loop_.assigned)
            if (!loop_.declared.contains(name)) names.insert(name);
        const auto found = reductionsOf(statement, names);
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
        if (!value || op == "=") return value;
        if (op != "+=" && op != "-=" && op != "*=" && op != "/=") return nullptr;
        const NodePtr own = access(target_->node);
        const bool binds = isPrimary(value->kind());
        return own ? context_.expression(binds ? "$own " + op.substr(0, 1) + " $e"
                                               : "$own " + op.substr(0, 1) + " ($e)",
                                         {{"$own", own}, {"$e", value}}, assign)
                   : nullptr;
    }

    const Access* accessAt(NodePtr node) const {
        const auto found = nest_.accessOf.find(ast::withoutParentheses(node));
        return found == nest_.accessOf.end() ? nullptr : &nest_.accesses[found->second];
    }

    /// Neighbouring iterations reach neighbouring elements, of type double, without a check.
    bool runsAlongRow(const Access& access) const {
        if (access.slots.empty() || access.slots.back().loop != &loop_ ||
            access.slots.back().distance || !isOfDoubles(access) ||
            test_.unchecked().contains({access.node, access.slots.size() - 1}))
            return false;
        return std::ranges::count_if(access.slots, [&](const Slot& slot) {
                   return values_.isReached(slot.subscript);
               }) == 1;
    }

    NodePtr access(NodePtr e) {
        const Access* access = accessAt(e);
        if (!access || !runsAlongRow(*access)) return nullptr;
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

    static bool isInteger(NodePtr e) {
        return ast::asConstant(e) || (e->type && e->type->kind == ast::TypeKind::Integer);
    }

    NodePtr start() {
        if (!ast::isPure(loop_.first) || !isInteger(loop_.first)) return nullptr;
        return context_.made(elements_.fast(loop_.first), loop_.first);
    }

    NodePtr end(const std::string& known) {
        if (!ast::isPure(loop_.end) || (loop_.reachesEnd && !isInteger(loop_.end))) return nullptr;
        const NodePtr end = known.empty() ? context_.made(elements_.fast(loop_.end), loop_.end)
                                          : context_.identifier(known, loop_.end);
        if (loop_.reachesEnd) return end;
        return context_.expression(
            isInteger(loop_.end) ? "hpspmd::Index($end) - 1" : "hpspmd::detail::ceiling($end) - 1",
            {{"$end", end}}, loop_.end);
    }

    Context& context_;
    const Nest& nest_;
    const Loop& loop_;
    Elements& elements_;
    const EntryTest& test_;
    std::string operands_, stored_;  // names
    std::optional<Reduction> kept_;
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
