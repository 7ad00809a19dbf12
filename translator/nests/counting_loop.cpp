#include "nests/counting_loop.hpp"

#include "ast/subscripts.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// By how much `step` advances the variable; 0 if it does something else.
long advance(NodePtr step, std::string_view name) {
    if (ast::is<ast::Unary>(step))
        return step->child(ast::Unary::op)->text() == "++" &&
               isNamed(step->child(ast::Unary::operand), name);
    if (ast::is<ast::Postfix>(step))
        return step->child(ast::Postfix::op)->text() == "++" &&
               isNamed(step->child(ast::Postfix::operand), name);
    if (!ast::is<ast::Assign>(step) || step->child(ast::Assign::op)->text() != "+=" ||
        !isNamed(step->child(ast::Assign::target), name))
        return 0;
    return ast::asConstant(step->child(ast::Assign::value)).value_or(0);
}

/// The one variable declared with `= value`, null if there is none.
NodePtr soleDeclarator(NodePtr initializer) {
    if (!ast::is<ast::Declaration>(initializer)) return nullptr;
    const NodePtr declarators = initializer->child(ast::Declaration::declarators);
    if (!declarators || declarators->children().size() != 1) return nullptr;
    const NodePtr declared = declarators->child(0);
    const bool plain =
        ast::is<ast::Identifier>(declared->child(ast::InitDeclarator::declarator)) &&
        ast::is<ast::EqualInitializer>(declared->child(ast::InitDeclarator::initializer));
    return plain ? declared : nullptr;
}

/// Values between two values of such a type are values of it.
bool isInteger(NodePtr initializer) {
    const NodePtr specifiers = initializer->child(ast::Declaration::specifiers);
    const NodePtr core =
        ast::is<ast::Specifiers>(specifiers) ? specifiers->child(ast::Specifiers::core) : nullptr;
    if (!core) return false;
    const std::string_view name = core->text();
    for (const std::string_view known :
         {"int", "long", "long long", "long int", "auto", "Index", "hpspmd::Index", "unsigned",
          "unsigned int", "unsigned long", "std::size_t", "size_t", "std::ptrdiff_t", "ptrdiff_t"})
        if (name == known) return true;
    return false;
}

}  // namespace

void recogniseCounting(Loop& loop) {
    const NodePtr statement = loop.statement;
    const NodePtr initializer = statement->child(ast::For::initializer);
    const NodePtr condition = statement->child(ast::For::condition);
    const NodePtr step = statement->child(ast::For::step);
    const NodePtr declared = soleDeclarator(initializer);
    if (!declared || !isInteger(initializer) || !ast::is<ast::Binary>(condition) || !step) return;
    const std::string_view name = declared->child(ast::InitDeclarator::declarator)->text();
    const std::string_view op = condition->child(ast::Binary::op)->text();
    const long by = advance(step, name);
    if (!isNamed(condition->child(ast::Binary::left), name) || (op != "<" && op != "<=") || by <= 0)
        return;
    loop.kind = Loop::Kind::Counting;
    loop.variable = name;
    loop.first =
        declared->child(ast::InitDeclarator::initializer)->child(ast::EqualInitializer::value);
    loop.end = condition->child(ast::Binary::right);
    loop.reachesEnd = op == "<=";
    loop.step = by;
}

}  // namespace hpcc::nests
