#include "nests/packed_rows.hpp"

#include <algorithm>

#include "ast/purity.hpp"
#include "ast/subscripts.hpp"
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

    NodePtr write(const std::string& run) {
        const NodePtr assign = soleAssignment();
        if (!assign || loop_.step != 1 || nest_.callsForeign) return nullptr;
        target_ = accessAt(assign->child(ast::Assign::target));
        if (!target_ || !runsAlongRow(*target_)) return nullptr;
        const NodePtr value = valueOf(assign);
        if (!value || !varies_) return nullptr;
        const NodePtr origin = loop_.statement;
        const NodePtr first = run.empty() ? start() : member(run, "first"),
                      last = run.empty() ? end() : member(run, "last");
        if (!first || !last) return nullptr;
        const std::string schema = "hpspmd::detail::eachOfRow<" +
                                   std::string(isInPlace() ? "true" : "false") +
                                   ">($row, $first, $last, [&](const auto &$operands) {\n"
                                   "    return $value;\n"
                                   "});";
        return context_.statement(schema,
                                  {{"$row", context_.made(elements_.row(*target_), origin)},
                                   {"$first", first},
                                   {"$last", last},
                                   {"$operands", context_.identifier(operands_, origin)},
                                   {"$value", value}},
                                  origin);
    }

private:
    /// Of an element alone, the C++ compiler knows how to copy rows.
    NodePtr soleAssignment() const {
        NodePtr body = loop_.statement->child(
            loop_.kind == Loop::Kind::Overall ? +ast::Overall::body : +ast::For::body);
        while (body->is<ast::Compound>() && body->children().size() == 1) body = body->child(0);
        if (!body->is<ast::ExpressionStatement>()) return nullptr;
        const NodePtr assign = body->child(ast::ExpressionStatement::expression);
        const bool isCopy =
            ast::is<ast::Assign>(assign) && assign->child(ast::Assign::op)->text() == "=" &&
            ast::is<ast::Subscript>(ast::withoutParentheses(assign->child(ast::Assign::value)));
        return ast::is<ast::Assign>(assign) && !isCopy ? assign : nullptr;
    }

    /// What is assigned; of `a[i, j] += e` it is a[i, j] + (e).
    NodePtr valueOf(NodePtr assign) {
        const std::string op(assign->child(ast::Assign::op)->text());
        const NodePtr value = values_.of(assign->child(ast::Assign::value));
        if (!value || op == "=") return value;
        if (op != "+=" && op != "-=" && op != "*=" && op != "/=") return nullptr;
        isUpdate_ = true;
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
        return context_.expression("$o.at($row)",
                                   {{"$o", context_.identifier(operands_, e)},
                                    {"$row", context_.made(elements_.row(*access), e)}},
                                   e);
    }

    /// Does the loop read the array that it changes?
    bool isInPlace() const {
        return std::ranges::any_of(nest_.accesses, [&](const Access& access) {
            return access.loop == &loop_ && access.array == target_->array &&
                   (&access != target_ || isUpdate_);
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

    NodePtr end() {
        if (!ast::isPure(loop_.end) || (loop_.reachesEnd && !isInteger(loop_.end))) return nullptr;
        const NodePtr end = context_.made(elements_.fast(loop_.end), loop_.end);
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
    std::string operands_;
    WideValues values_;
    const Access* target_ = nullptr;
    bool varies_ = false;    // does the value change from iteration to iteration?
    bool isUpdate_ = false;  // is the old value part of the new one?
};

}  // namespace

NodePtr packedRows(Context& context, const Nest& nest, const Loop& loop, Elements& elements,
                   const EntryTest& test, const std::string& run) {
    return PackedRows(context, nest, loop, elements, test).write(run);
}

}  // namespace hpcc::nests
