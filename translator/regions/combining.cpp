// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/combining.hpp"

#include <algorithm>

#include "analysis/constant.hpp"
#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/known_calls.hpp"
#include "ast/search.hpp"

namespace hpcc::regions {
namespace {

using analysis::bare;
using ast::NodePtr;
using ast::Symbol;

bool names(NodePtr node, const Symbol* symbol) {
    return ast::is<ast::Identifier>(node) && node->symbol == symbol;
}

bool mentions(NodePtr node, const Symbol* symbol) {
    if (!node) return false;
    return names(node, symbol) || std::ranges::any_of(node->children(), [&](NodePtr child) {
               return mentions(child, symbol);
           });
}

// s, or s[k] where that is what is changed.
struct Target {
    NodePtr node;
    const Symbol* symbol;

    bool is(NodePtr other) const {
        other = bare(other);
        if (ast::is<ast::Identifier>(node)) return names(other, symbol);
        return ast::is<ast::Subscript>(other) && other->text() == node->text();
    }
    bool isOneOf(NodePtr a, NodePtr b) const {
        return (is(a) && !mentions(b, symbol)) || (is(b) && !mentions(a, symbol));
    }
};

// The operation that `op` without its `=` is: - subtracts from a sum.
bool combines(std::string_view op, std::string_view sign) {
    if (op == "and") op = "&&";
    if (op == "or") op = "||";
    return op == sign || (op == "-" && sign == "+");
}

// Which of two values a condition keeps, `a < b ? b : a`.
std::string_view keptBy(NodePtr condition, NodePtr then) {
    if (!ast::is<ast::Binary>(condition)) return "";
    const std::string_view op = condition->child(ast::Binary::op)->text();
    const bool isLess = op == "<" || op == "<=", isMore = op == ">" || op == ">=";
    if (!isLess && !isMore) return "";
    const bool isLeft = bare(condition->child(ast::Binary::left))->text() == bare(then)->text();
    return isLeft == isMore ? "max" : "min";
}

// m < e ? e : m, and the like
bool isExtremeChoice(NodePtr value, const Target& target, std::string_view sign) {
    const NodePtr condition = bare(value->child(ast::Conditional::condition)),
                  then = value->child(ast::Conditional::then),
                  otherwise = value->child(ast::Conditional::otherwise);
    if (!then || !target.isOneOf(then, otherwise) || keptBy(condition, then) != sign) return false;
    const NodePtr left = condition->child(ast::Binary::left),
                  right = condition->child(ast::Binary::right),
                  other = target.is(then) ? otherwise : then;
    return target.isOneOf(left, right) &&
           bare(target.is(left) ? right : left)->text() == bare(other)->text();
}

int assignedMentions(NodePtr value, const Target& target, std::string_view sign) {
    value = bare(value);
    if (ast::is<ast::Conditional>(value)) return isExtremeChoice(value, target, sign) ? 3 : 0;
    if (ast::is<ast::Binary>(value)) {
        const NodePtr left = value->child(ast::Binary::left),
                      right = value->child(ast::Binary::right);
        const std::string_view op = value->child(ast::Binary::op)->text();
        const bool isOrdered = op != "-" || target.is(left);
        return combines(op, sign) && isOrdered && target.isOneOf(left, right) ? 2 : 0;
    }
    if (!ast::is<ast::Call>(value) || !ast::isMathematicalCall(value)) return 0;
    const auto arguments = value->child(ast::Call::arguments)->children();
    const std::string_view callee = value->child(ast::Call::callee)->text();
    const bool isExtreme = (sign == "min" || sign == "max") && callee.ends_with(sign);
    return isExtreme && arguments.size() == 2 && target.isOneOf(arguments[0], arguments[1]) ? 2 : 0;
}

// The one statement of a branch, `m = e;`
NodePtr soleAssignment(NodePtr statement) {
    if (ast::is<ast::Compound>(statement) && statement->children().size() == 1)
        statement = statement->child(0);
    if (!ast::is<ast::ExpressionStatement>(statement)) return nullptr;
    const NodePtr assign = statement->child(ast::ExpressionStatement::expression);
    return ast::is<ast::Assign>(assign) && assign->child(ast::Assign::op)->text() == "=" ? assign
                                                                                         : nullptr;
}

// A member that neither makes, copies nor destroys objects of the class.
bool isPlainMember(NodePtr member, std::string_view className) {
    if (member->is<ast::AccessSpecifier>()) return true;
    const bool isFunction = member->is<ast::FunctionDefinition>();
    if (!isFunction && !member->is<ast::Declaration>()) return false;
    const NodePtr specifiers = member->child(0);
    if (!ast::is<ast::Specifiers>(specifiers)) return false;
    const NodePtr before = specifiers->child(ast::Specifiers::before);
    if (before && before->text().find("virtual") != std::string_view::npos) return false;
    const auto isPlain = [&](NodePtr declarator) {
        const NodePtr name = ast::declaredName(declarator);
        if (!name) return false;
        if (ast::functionDeclarator(declarator))
            return name->text() != className && name->text() != "operator=";
        return name->symbol && isNumber(name->symbol->type) && !name->symbol->type->isReference;
    };
    if (isFunction) return isPlain(member->child(ast::FunctionDefinition::declarator));
    const NodePtr list = member->child(ast::Declaration::declarators);
    return list && std::ranges::all_of(list->children(), [&](NodePtr each) {
               return isPlain(each->child(ast::InitDeclarator::declarator));
           });
}

}  // namespace

bool isRecord(const ast::Type* type) {
    const Symbol* symbol = type && type->kind == ast::TypeKind::Class ? type->classSymbol : nullptr;
    const NodePtr declaration = symbol ? symbol->declaration : nullptr;
    if (!ast::is<ast::Class>(declaration) || declaration->child(ast::Class::bases)) return false;
    const NodePtr members = declaration->child(ast::Class::members);
    return members && std::ranges::all_of(members->children(), [&](NodePtr each) {
               return isPlainMember(each, symbol->name);
           });
}

NodePtr takenBy(NodePtr changing, const Symbol* variable, std::string_view function) {
    if (!changing->is<ast::Assign>() || changing->child(ast::Assign::op)->text() != "=")
        return nullptr;
    const NodePtr call = changing->child(ast::Assign::value);
    if (!names(bare(changing->child(ast::Assign::target)), variable) || !ast::is<ast::Call>(call) ||
        call->child(ast::Call::callee)->text() != function)
        return nullptr;
    const auto arguments = call->child(ast::Call::arguments)->children();
    const bool isOwn = arguments.size() == 2 && names(bare(arguments[0]), variable) &&
                       !mentions(arguments[1], variable);
    return isOwn ? arguments[1] : nullptr;
}

int combinedMentions(NodePtr changing, const Symbol* variable, std::string_view sign) {
    if (!changing->is<ast::Assign>()) return sign == "+" ? 1 : 0;
    const NodePtr value = changing->child(ast::Assign::value);
    std::string_view op = changing->child(ast::Assign::op)->text();
    const Target target{bare(changing->child(ast::Assign::target)), variable};
    if (op == "=") return assignedMentions(value, target, sign);
    op.remove_suffix(1);
    return combines(op, sign) && !mentions(value, variable) ? 1 : 0;
}

bool isOnlyReplaced(NodePtr statement, const Symbol* variable) {
    return !ast::anywhere(statement, [variable](NodePtr each) {
        NodePtr target = ast::changedOperand(each);
        if (!target) return false;
        target = bare(target);
        while (ast::is<ast::Member>(target)) target = bare(target->child(ast::Member::base));
        return names(target, variable) &&
               (!each->is<ast::Assign>() || each->child(ast::Assign::op)->text() != "=" ||
                mentions(each->child(ast::Assign::value), variable));
    });
}

std::optional<KeptExtreme> keptExtreme(NodePtr statement) {
    const NodePtr assign = soleAssignment(statement->child(ast::If::then));
    const NodePtr condition = bare(statement->child(ast::If::condition));
    if (!assign || statement->child(ast::If::otherwise) || !ast::is<ast::Binary>(condition))
        return std::nullopt;
    const NodePtr target = bare(assign->child(ast::Assign::target)),
                  value = bare(assign->child(ast::Assign::value)),
                  left = bare(condition->child(ast::Binary::left)),
                  right = bare(condition->child(ast::Binary::right));
    if (!ast::is<ast::Identifier>(target) || !target->symbol || mentions(value, target->symbol))
        return std::nullopt;
    const std::string_view op = condition->child(ast::Binary::op)->text();
    const bool isLess = op == "<" || op == "<=", isMore = op == ">" || op == ">=";
    const bool isOnRight = names(right, target->symbol) && left->text() == value->text(),
               isOnLeft = names(left, target->symbol) && right->text() == value->text();
    if (isOnRight == isOnLeft || isLess == isMore) return std::nullopt;
    return KeptExtreme{target->symbol, isMore == isOnRight ? "max" : "min"};
}

}  // namespace hpcc::regions
