// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/confined.hpp"

#include <algorithm>
#include <vector>

#include "ast/comments.hpp"
#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "ast/subscripts.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "ast/visitor.hpp"

namespace hpcc::ast {
namespace {

bool isConstant(NodePtr specifiers) {
    if (is<MultiarrayType>(specifiers)) return false;  // there it belongs to the elements
    const NodePtr before =
        is<Specifiers>(specifiers) ? specifiers->child(Specifiers::before) : nullptr;
    if (!before) return false;
    return std::ranges::any_of(before->children(), [](NodePtr word) {
        return word->text() == "const" || word->text() == "constexpr";
    });
}

/// `static`, `extern`, `thread_local`.
bool outlivesCall(NodePtr specifiers) {
    if (is<MultiarrayType>(specifiers)) specifiers = elementSpecifiers(specifiers);
    const NodePtr before =
        is<Specifiers>(specifiers) ? specifiers->child(Specifiers::before) : nullptr;
    if (!before) return false;
    return !std::ranges::all_of(before->children(), [](NodePtr word) {
        return word->text() == "const" || word->text() == "constexpr";
    });
}

/// Walks a function. A name that is met is exposed, unless it stands where only its value, or an
/// element, is asked for.
class Exposure : public Visitor {
public:
    std::unordered_set<std::string_view> confined(NodePtr function) {
        visitChildren(function);
        if (isOpaque_) return {};
        std::unordered_set<std::string_view> result;
        for (const std::string_view name : own_)
            if (!exposed_.contains(name) || (constant_.contains(name) && !variable_.contains(name)))
                result.insert(name);
        for (const NodePtr name : mentioned_)
            if (name->symbol && !ownSymbols_.contains(name->symbol)) result.erase(name->text());
        return result;
    }

    void visitIdentifier(NodePtr node) override {
        mentioned_.push_back(node);
        exposed_.insert(node->text());
    }
    void visitQualifiedName(NodePtr) override {}
    void visitTypeName(NodePtr) override {}
    void visitSpecifiers(NodePtr) override {}
    void visitMultiarrayType(NodePtr) override {}
    void visitMember(NodePtr node) override { visit(node->child(Member::base)); }
    void visitPointerMember(NodePtr node) override { visit(node->child(PointerMember::base)); }
    void visitLambda(NodePtr node) override {
        const NodePtr computed = valueOfLambda(node);
        if (computed)
            value(computed);
        else
            exposeAll(node);
    }
    void visitOpaqueStatement(NodePtr) override { isOpaque_ = true; }
    void visitOpaqueExpression(NodePtr) override { isOpaque_ = true; }
    void visitOpaqueDeclaration(NodePtr) override { isOpaque_ = true; }

    void visitParameter(NodePtr node) override {
        declare(node->child(Parameter::declarator), node->child(Parameter::specifiers));
        value(node->child(Parameter::defaultValue));
    }
    void visitDeclaration(NodePtr node) override {
        const NodePtr declarators = node->child(Declaration::declarators);
        if (!declarators) return;
        for (const NodePtr each : declarators->children()) {
            const NodePtr declarator = each->child(InitDeclarator::declarator);
            declare(declarator, node->child(Declaration::specifiers));
            initializer(each->child(InitDeclarator::initializer), declarator,
                        node->child(Declaration::specifiers));
        }
    }
    void visitOverallHeader(NodePtr node) override {
        value(node->child(OverallHeader::range));
        values(node->child(OverallHeader::triplet));
    }
    void visitOn(NodePtr node) override {
        value(node->child(On::group));
        visit(node->child(On::body));
    }
    void visitSubscript(NodePtr node) override {
        const NodePtr base = node->child(Subscript::base);
        if (multiarrayType(base))
            value(base);
        else
            visit(base);
        values(node->child(Subscript::subscripts));
    }
    void visitSection(NodePtr node) override { values(node); }
    void visitNewMultiarray(NodePtr node) override {
        values(node->child(NewMultiarray::extents));
        value(node->child(NewMultiarray::group));
    }
    void visitGlobalIndex(NodePtr) override {}
    void visitReturn(NodePtr node) override { value(node->child(Return::value)); }
    void visitIf(NodePtr node) override {
        visit(node->child(If::initializer));
        value(node->child(If::condition));
        visit(node->child(If::then));
        visit(node->child(If::otherwise));
    }
    void visitFor(NodePtr node) override {
        visit(node->child(For::initializer));
        value(node->child(For::condition));
        value(node->child(For::step));
        visit(node->child(For::body));
    }
    void visitExpressionStatement(NodePtr node) override {
        value(node->child(ExpressionStatement::expression));
    }
    void visitAssign(NodePtr node) override { value(node); }
    void visitBinary(NodePtr node) override { value(node); }
    void visitUnary(NodePtr node) override { value(node); }
    void visitPostfix(NodePtr node) override { value(node); }
    void visitCall(NodePtr node) override { value(node); }
    void visitCast(NodePtr node) override { cast(node); }
    void visitNamedCast(NodePtr node) override { cast(node); }
    void visitFunctionalCast(NodePtr node) override { cast(node); }

private:
    /// double of `double w[3][3]`; null of what is no C array.
    static const Type* elementOfAll(const Type* type) {
        if (!type || type->kind != TypeKind::CArray) return nullptr;
        while (type && type->kind == TypeKind::CArray) type = type->element;
        return type;
    }
    /// w of `w[k]` and `w[k][l]` that are numbers of a C array; null of others.
    static NodePtr arrayOf(NodePtr element) {
        if (!isNumber(element->type)) return nullptr;
        while (is<Subscript>(element)) element = element->child(Subscript::base);
        return is<Identifier>(element) && isNumber(elementOfAll(element->type)) ? element : nullptr;
    }

    void exposeAll(NodePtr node) { exposed_.merge(namesIn(node)); }

    void declare(NodePtr declarator, NodePtr specifiers) {
        const NodePtr name = declaredName(declarator);
        if (!name) {
            if (declarator) exposeAll(declarator);  // a structured binding
            return;
        }
        const Type* type = name->symbol ? name->symbol->type : nullptr;
        const bool isArray = is<ArrayDeclarator>(declarator) && isNumber(elementOfAll(type));
        const bool isOwn = (is<Identifier>(declarator) || isArray) &&
                           !(type && type->isReference) && !outlivesCall(specifiers);
        (isOwn ? own_ : exposed_).insert(name->text());
        (isOwn && isConstant(specifiers) ? constant_ : variable_).insert(name->text());
        if (isOwn && name->symbol) ownSymbols_.insert(name->symbol);
    }

    /// What is copied into a new variable. A class of the user may keep a reference.
    void initializer(NodePtr node, NodePtr declarator, NodePtr specifiers) {
        if (!node) return;
        const Type* type = declarator->symbol ? declarator->symbol->type : nullptr;
        const NodePtr core =
            is<Specifiers>(specifiers) ? specifiers->child(Specifiers::core) : nullptr;
        const bool isOurs = core && core->text().starts_with("hpspmd::");
        const bool copies =
            is<Identifier>(declarator) &&
            (isOurs || (type && !type->isReference && (isNumber(type) || isHandleType(type))));
        if (copies)
            values(node);
        else
            visit(node);
    }

    void values(NodePtr list) {
        if (!list) return;
        for (const NodePtr child : list->children())
            if (child) value(child);
    }

    /// An expression of which only the value is used, if it is that of a number, a range, an array.
    void value(NodePtr e) {
        if (!e) return;
        switch (e->kind()) {
        case Kind::Identifier:
            if (e->type && e->type->kind == TypeKind::CArray) return visit(e);  // a pointer to it
            return mentioned_.push_back(e);
        case Kind::Subscript:
            return arrayOf(e) ? elementOfArray(e) : visit(e);
        case Kind::Member:
            return value(e->child(Member::base));
        case Kind::EqualInitializer:
        case Kind::Arguments:
        case Kind::BracedInitializer:
        case Kind::Parenthesized:
        case Kind::Conditional:
        case Kind::Triplet:
        case Kind::Slots:
        case Kind::Subscripts:
            return values(e);
        case Kind::Comma:
            return values(e);
        case Kind::Unary:
            return unary(e);
        case Kind::Postfix:
            return operand(e->child(Postfix::operand), nullptr);
        case Kind::Binary:
            operand(e->child(Binary::left), e->child(Binary::right));
            return operand(e->child(Binary::right), e->child(Binary::left));
        case Kind::Assign:
            operand(e->child(Assign::target), e->child(Assign::value));
            return operand(e->child(Assign::value), e->child(Assign::target));
        case Kind::Call:
            return call(e);
        case Kind::Operator:
            return;
        default:
            return visit(e);
        }
    }

    void elementOfArray(NodePtr e) {
        for (; is<Subscript>(e); e = e->child(Subscript::base))
            values(e->child(Subscript::subscripts));
        mentioned_.push_back(e);
    }

    /// An operator of the language reads its operands, or changes them as the function itself says;
    /// one of the user's might keep a reference.
    void operand(NodePtr e, NodePtr other) {
        const bool isBuiltin = !e->type || isOfLanguage(e->type);
        const bool isKnown =
            !other || is<NumberLiteral>(withoutParentheses(other)) || isOfLanguage(other->type);
        if (isBuiltin && isKnown)
            value(e);
        else
            visitOperand(e);
    }

    static bool isOfLanguage(const Type* type) {
        return isNumber(type) || isHandleType(type) || (type && type->kind == TypeKind::Pointer);
    }

    /// Its name is exposed, if it is one.
    void visitOperand(NodePtr e) {
        const NodePtr inner = withoutParentheses(e);
        if (isSimple(inner) || is<Subscript>(inner))
            visit(inner);
        else
            value(inner);
    }

    void unary(NodePtr e) {
        const std::string_view op = e->child(Unary::op)->text();
        const NodePtr inner = e->child(Unary::operand);
        const NodePtr element = op == "&" ? withoutParentheses(inner) : nullptr;
        if (is<Subscript>(element)) {
            exposeAll(element->child(Subscript::base));
            values(element->child(Subscript::subscripts));
        } else if (op == "&" || op.starts_with("co_"))
            exposeAll(inner);
        else
            operand(inner, nullptr);
    }

    void cast(NodePtr e) {
        for (const NodePtr child : e->children())
            if (child && isNumber(e->type) && !e->type->isReference &&
                child->category() != Category::Type && !is<Operator>(child))
                value(child);
            else
                visit(child);
    }

    void call(NodePtr e) {
        const NodePtr callee = e->child(Call::callee);
        const NodePtr arguments = e->child(Call::arguments);
        if (isPure(e)) {
            value(callee->child(0));
            return values(arguments);
        }
        if (is<Member>(callee)) visit(callee);
        if (isLibraryName(callee)) return values(arguments);
        for (size_t k = 0; k < arguments->children().size(); ++k) {
            const NodePtr argument = withoutParentheses(arguments->children()[k]);
            if (!mayAssign(callee, k))
                value(argument);
            else
                visitOperand(argument);
        }
    }

    std::unordered_set<std::string_view> own_, exposed_, constant_, variable_;
    std::vector<NodePtr> mentioned_;
    std::unordered_set<const Symbol*> ownSymbols_;
    bool isOpaque_ = false;
};

}  // namespace

Confined::Confined(NodePtr function) {
    if (!holdsDirective(function->text())) names_ = Exposure().confined(function);
}

}  // namespace hpcc::ast
