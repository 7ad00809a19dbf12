#include "check/flow/destructors.hpp"

#include "ast/declarators.hpp"
#include "ast/symbol.hpp"
#include "ast/visitor.hpp"

#include <algorithm>
#include <vector>

namespace hpcc::check::flow {
namespace {

NodePtr declaratorOf(NodePtr member) {
    return member->is<ast::FunctionDefinition>()
               ? member->child(ast::FunctionDefinition::declarator)
               : nullptr;
}

bool isDestructor(NodePtr declarator) {
    return declarator && ast::is<ast::DestructorName>(ast::declaredName(declarator));
}

// Classes that the search stands in; a class may hold static objects of its own.
using Path = std::vector<NodePtr>;

bool runsDestructor(NodePtr classNode, Path& path);

bool runsDestructor(const Type* type, Path& path) {
    const Symbol* symbol = type->isReference ? nullptr : type->classSymbol;
    const NodePtr node = symbol ? symbol->declaration : nullptr;
    return ast::is<ast::Class>(node) && runsDestructor(node, path);
}

bool runsDestructor(NodePtr classNode, Path& path) {
    if (std::find(path.begin(), path.end(), classNode) != path.end()) return false;
    if (classNode->child(ast::Class::bases)) return true;
    path.push_back(classNode);
    const auto runs = [&](NodePtr member) {
        if (!member) return false;
        if (isDestructor(declaratorOf(member))) return true;
        const NodePtr declarators =
            member->is<ast::Declaration>() ? member->child(ast::Declaration::declarators) : nullptr;
        if (!declarators) return false;
        return std::any_of(
            declarators->children().begin(), declarators->children().end(), [&](NodePtr each) {
                const NodePtr declarator = ast::is<ast::InitDeclarator>(each)
                                               ? each->child(ast::InitDeclarator::declarator)
                                               : each;
                return isDestructor(declarator) || runsDestructor(typeOf(each), path);
            });
    };
    const auto members = classNode->child(ast::Class::members)->children();
    const bool found = std::any_of(members.begin(), members.end(), runs);
    path.pop_back();
    return found;
}

bool holdsArray(NodePtr expression) {
    if (!expression) return false;
    if (isKind(expression, TypeKind::Multiarray)) return true;
    const auto children = expression->children();
    return std::any_of(children.begin(), children.end(), holdsArray);
}

}  // namespace

bool mayEndWithCode(NodePtr declarator) {
    const Type* type = typeOf(declarator);
    if (type->isReference || !ast::is<ast::InitDeclarator>(declarator)) return false;
    if (type->kind != TypeKind::Class && type->kind != TypeKind::Unknown) return false;
    Path path;
    if (type->classSymbol && ast::is<ast::Class>(type->classSymbol->declaration))
        return runsDestructor(type, path);
    return holdsArray(declarator->child(ast::InitDeclarator::initializer));
}

}  // namespace hpcc::check::flow
