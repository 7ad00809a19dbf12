// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/whole_objects.hpp"

#include "analysis/plain_fields.hpp"
#include "ast/purity.hpp"
#include "ast/rewriter.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;
using ast::Symbol;

class Whole : public ast::Rewriter {
public:
    Whole(Context& context, NamesMade names, NodePtr nest)
        : Rewriter(context.arena, 0), context_(context), names_(names), nest_(nest) {}

    NodePtr rewriteLambda(NodePtr lambda) override { return lambda; }
    NodePtr rewriteExpressionStatement(NodePtr statement) override {
        const NodePtr e = statement->child(ast::ExpressionStatement::expression);
        const NodePtr object = ast::is<ast::Assign>(e) && e->child(ast::Assign::op)->text() == "="
                                   ? ast::withoutParentheses(e->child(ast::Assign::target))
                                   : nullptr;
        if (!ast::is<ast::Identifier>(object) || !isOutside(object->symbol)) return statement;
        const ast::Type* const type = object->symbol->type;
        const auto values =
            type ? analysis::valuesFor(e->child(ast::Assign::value), *type) : std::nullopt;
        return values ? byMembers(object, *type, *values) : statement;
    }

private:
    bool isOutside(const Symbol* variable) const {
        return variable && variable->declaration &&
               !nest_->origin()->span().contains(variable->declaration->span());
    }

    NodePtr byMembers(NodePtr object, const ast::Type& type, const std::vector<NodePtr>& values) {
        std::vector<NodePtr> computed, assigned;
        for (const analysis::PlainField& field : analysis::numbersOf(type)) {
            const size_t k = computed.size();
            const NodePtr initial =
                field.symbol ? analysis::initialValueOf(*field.symbol) : nullptr;
            const NodePtr value = k < values.size() ? values[k]
                                  : initial         ? ast::copy(context_.arena, initial)
                                                    : context_.number(0, object);
            const NodePtr name = context_.variable(
                context_.names.next(std::string(object->text()) + "_" + field.name + "_next",
                                    names_.counts),
                field.type, object);
            names_.all.insert(name->text());
            computed.push_back(context_.statement("const " + field.type->spelled + " $v = $e;",
                                                  {{"$v", name}, {"$e", value}}, object));
            assigned.push_back(context_.statement(
                "$m = $v;",
                {{"$m", member(object, field)}, {"$v", ast::copy(context_.arena, name)}}, object));
        }
        computed.insert(computed.end(), assigned.begin(), assigned.end());
        return context_.statement("{\n    $s;\n}", {{"$s", computed}}, object);
    }

    NodePtr member(NodePtr object, const analysis::PlainField& field) {
        const NodePtr made = context_.expression("$o.$f",
                                                 {{"$o", ast::copy(context_.arena, object)},
                                                  {"$f", context_.identifier(field.name, object)}},
                                                 object);
        made->type = made->children().back()->type = field.type;
        made->symbol = made->children().back()->symbol = field.symbol;
        return made;
    }

    Context& context_;
    NamesMade names_;
    NodePtr nest_;
};

}  // namespace

NodePtr withoutWholeObjects(Context& context, NamesMade names, NodePtr nest) {
    return Whole(context, names, nest).rewrite(nest);
}

}  // namespace hpcc::nests
