// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/body.hpp"

#include <algorithm>

#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "regions/combining.hpp"
#include "regions/members.hpp"
#include "regions/scattered.hpp"
#include "regions/tally.hpp"

namespace hpcc::regions {
namespace {

using analysis::bare;
using ast::Kind;
using ast::SymbolKind;

bool isKind(const ast::Type* type, ast::TypeKind kind) { return type && type->kind == kind; }
bool isReference(const ast::Type* type) { return type && type->isReference; }

class BodyReader {
public:
    BodyReader(Body& body, const Wanted& wanted)
        : body_(body),
          arrays_(wanted.arrays),
          tally_(wanted.operations),
          function_(wanted.function),
          mayScatter_(wanted.mayScatter),
          isMarked_(wanted.isMarked) {}

    void loop(NodePtr loop) {
        const NodePtr variable = loop->child(ast::For::initializer);
        declareIn(variable);
        read(loop->child(ast::For::body));
        tally_.finish(body_);
        for (const auto& [symbol, place] : body_.scattered)
            for (const NodePtr each : elements_[symbol])
                if (each->text() != place->text())
                    fail(each, "iterations of other processes may change " + quoted(each->text()));
    }

    // Of a template, T is what the arguments are.
    bool isPlainCall(NodePtr call) {
        const NodePtr callee = call->child(ast::Call::callee);
        const bool isDeduced =
            ast::is<ast::Identifier>(callee) &&
            std::ranges::all_of(call->child(ast::Call::arguments)->children(),
                                [](NodePtr each) { return each && isNumber(each->type); });
        const Symbol* function = callee->symbol;
        return isPlainFunction(function) && (isDeduced || !function->isTemplate);
    }

    bool isPlainFunction(const Symbol* function) {
        if (!function || function->kind != SymbolKind::Function || function->previous ||
            !ast::is<ast::FunctionDefinition>(function->declaration))
            return false;
        const NodePtr definition = function->declaration;
        if (!seen_.insert(definition).second) return true;
        const NodePtr declarator =
            ast::functionDeclarator(definition->child(ast::FunctionDefinition::declarator));
        if (!declarator) return false;
        std::set<std::string> assumed = assumedNumbers(definition);
        Body body;
        const Arrays none;
        const Operations nothing;
        BodyReader inside(body, {definition, none, nothing});
        inside.depth_ = inFunction;
        inside.seen_ = seen_;
        for (const NodePtr each :
             declarator->child(ast::FunctionDeclarator::parameters)->children()) {
            if (!ast::is<ast::Parameter>(each) || !each->symbol || !isValue(each->symbol->type))
                return false;
            inside.declared_.insert(each->symbol);
            if (each->symbol->type->classSymbol)
                assumed.erase(each->symbol->type->classSymbol->name);
        }
        if (!assumed.empty()) return false;
        inside.read(definition->child(ast::FunctionDefinition::body));
        return !body.obstacle && body.others.empty();
    }

private:
    void fail(NodePtr node, std::string reason) {
        if (body_.obstacle) return;
        body_.obstacle = node;
        body_.reason = std::move(reason);
    }

    void declareIn(NodePtr declaration) {
        if (!ast::is<ast::Declaration>(declaration)) return;
        const NodePtr list = declaration->child(ast::Declaration::declarators);
        for (const NodePtr each : list ? list->children() : std::span<const NodePtr>())
            if (each->symbol)
                declared_.insert(each->symbol);
            else if (const NodePtr name = ast::declaredName(each->child(0)); name && name->symbol)
                declared_.insert(name->symbol);
    }

    void readChildren(NodePtr node) {
        for (const NodePtr child : node->children()) read(child);
    }

    void read(NodePtr node) {
        if (!node) return;
        switch (node->kind()) {
        case Kind::Compound:
        case Kind::ExpressionStatement:
        case Kind::EmptyStatement:
        case Kind::Continue:
        case Kind::Case:
        case Kind::Default:
        case Kind::Parenthesized:
        case Kind::Conditional:
        case Kind::Comma:
        case Kind::Binary:
        case Kind::Operator:
        case Kind::Arguments:
        case Kind::Subscripts:
        case Kind::InitDeclarators:
        case Kind::EqualInitializer:
        case Kind::BracedInitializer:
        case Kind::NumberLiteral:
        case Kind::CharacterLiteral:
        case Kind::KeywordLiteral:
        case Kind::Specifiers:
        case Kind::TypeName:
            return readOperands(node);
        case Kind::If:
            return branch(node);
        case Kind::For:
            return innerLoop(node);
        case Kind::While:
        case Kind::DoWhile:
        case Kind::Switch:
            ++depth_;
            readChildren(node);
            --depth_;
            return;
        case Kind::Break:
            return depth_ == 0 ? fail(node, "'break' ends it early") : void();
        case Kind::Return:
            if (depth_ >= 0) fail(node, "'return' ends it early");
            return readChildren(node);
        case Kind::Attributed:
            if (attributeOf(node, "single")) return fail(node, "'single' stands in it");
            return read(attributedNode(node));
        case Kind::Declaration:
            return declaration(node);
        case Kind::InitDeclarator:
            return read(node->child(ast::InitDeclarator::initializer));
        case Kind::Assign:
        case Kind::Postfix:
            return change(node);
        case Kind::Unary:
            return unary(node);
        case Kind::Subscript:
            return access(node, false);
        case Kind::Member:
        case Kind::PointerMember:
            return member(node);
        case Kind::Call:
            return call(node);
        case Kind::Identifier:
        case Kind::QualifiedName:
            return name(node);
        case Kind::Cast:
        case Kind::NamedCast:
        case Kind::FunctionalCast:
            if (!isNumber(node->type) && !isRecord(node->type))
                return fail(node, "it makes something else than a number");
            return read(node->children().back());
        default:
            fail(node, "it holds a statement or expression that is not looked into");
            return readChildren(node);
        }
    }

    // Types and operators are no operands.
    void readOperands(NodePtr node) {
        if (node->is<ast::Specifiers>() || node->is<ast::TypeName>()) return;
        readChildren(node);
    }

    void declaration(NodePtr node) {
        const NodePtr list = node->child(ast::Declaration::declarators);
        const NodePtr specifiers = node->child(ast::Declaration::specifiers);
        const NodePtr before = ast::is<ast::Specifiers>(specifiers)
                                   ? specifiers->child(ast::Specifiers::before)
                                   : nullptr;
        if (!list || (before && before->text() != "const" && before->text() != "constexpr"))
            return fail(node, "it declares something else than numbers");
        for (const NodePtr each : list->children()) {
            const NodePtr name = each->child(ast::InitDeclarator::declarator);
            if (!ast::is<ast::Identifier>(name) || !name->symbol || !isValue(name->symbol->type))
                return fail(each, "it declares something else than numbers");
            declared_.insert(name->symbol);
            read(each);
        }
    }

    static bool isValue(const ast::Type* type) {
        return (isNumber(type) || isRecord(type)) && !isReference(type);
    }

    // `if (e > most) most = e;` keeps the largest.
    void branch(NodePtr node) {
        if (node->child(ast::If::initializer)) fail(node, "an 'if' with a declaration");
        tally_.branch(node);
        readChildren(node);
    }

    void innerLoop(NodePtr node) {
        const NodePtr initializer = node->child(ast::For::initializer);
        const auto counting = analysis::countingLoop(node);
        ++depth_;
        if (ast::is<ast::Declaration>(initializer)) {
            declaration(initializer);
        } else if (counting && counting->name->symbol && isLocalNumber(counting->name->symbol)) {
            const Symbol* symbol = counting->name->symbol;
            if (!declared_.contains(symbol)) body_.counters.insert(symbol);
            declared_.insert(symbol);
            read(counting->first);
        } else {
            read(initializer);
        }
        read(node->child(ast::For::condition));
        read(node->child(ast::For::step));
        read(node->child(ast::For::body));
        --depth_;
    }

    static bool isLocalNumber(const Symbol* symbol) {
        return symbol->kind == SymbolKind::Variable && symbol->declaration &&
               isNumber(symbol->type) && !isReference(symbol->type);
    }

    void unary(NodePtr node) {
        const std::string_view op = node->child(ast::Unary::op)->text();
        if (op == "++" || op == "--") return change(node);
        const bool isPlain = op == "-" || op == "+" || op == "!" || op == "~" || op == "not";
        if (!isPlain) fail(node, "a pointer may reach any element");
        readChildren(node);
    }

    void change(NodePtr node) {
        const NodePtr target = bare(ast::changedOperand(node));
        NodePtr element = target, root = target;
        while (ast::is<ast::Member>(element)) element = bare(element->child(ast::Member::base));
        while (ast::is<ast::Member>(root) || ast::is<ast::Subscript>(root))
            root = bare(root->child(0));
        const Operation* const reduced = tally_.operation(root->symbol);
        if (!isNumber(target->type) &&
            !(root == target &&
              (reduced || (declared_.contains(root->symbol) && isRecord(root->type)))))
            fail(target, quoted(target->text()) + " is no number");
        const bool isFree = reduced && (reduced->mayBeFree || reduced->isChosen);
        if (reduced && (root == target || ast::is<ast::Subscript>(target) || isFree)) {
            tally_.change(node, root->symbol);
            if (isReference(root->symbol->type)) body_.others.emplace(root->symbol->name, root);
            if (ast::is<ast::Subscript>(target)) read(target->child(ast::Subscript::subscripts));
        } else if (element == target && mayScatter_ && isScattered(target, arrays_)) {
            body_.scattered.try_emplace(root->symbol, target);
            access(target, false);
        } else if (ast::is<ast::Subscript>(element)) {
            if (!accessOf(element, arrays_))
                fail(target, whyNotDivided(rootOf(element), isMarked_));
            isPartOfMember_ = element != target;
            access(element, true);
        } else if (!declared_.contains(root->symbol)) {
            fail(target, whyNotOwn(target, root, reduced));
        }
        if (!node->is<ast::Assign>()) return;
        const NodePtr value = node->child(ast::Assign::value);
        const NodePtr taken =
            reduced && !reduced->isSign() ? takenBy(node, root->symbol, reduced->sign) : nullptr;
        read(taken ? taken : value);
    }

    void access(NodePtr node, bool isWrite) {
        if (!isNumber(node->type) && !isPartOfMember_)
            fail(node, "the elements of " + quoted(rootOf(node)->text()) +
                           " are not known to be numbers");
        isPartOfMember_ = false;
        if (const auto found = accessOf(node, arrays_, isWrite)) {
            body_.accesses.push_back(*found);
            for (const NodePtr each : found->subscripts()) read(each);
            return;
        }
        otherElement(node);
        for (const NodePtr each : node->child(ast::Subscript::subscripts)->children()) read(each);
    }

    void otherElement(NodePtr node) {
        NodePtr base = node;
        while (ast::is<ast::Subscript>(base)) {
            if (base != node)
                for (const NodePtr each : base->child(ast::Subscript::subscripts)->children())
                    read(each);
            base = bare(base->child(ast::Subscript::base));
        }
        if (isPartOfObject(base) && hasOwnElements(base->type)) return part(base);
        const bool isName = ast::is<ast::Identifier>(base) && base->symbol;
        if (!isName) return fail(node, nameless(base, isMarked_));
        if (arrays_.contains(base->symbol))
            return fail(node, quoted(node->text()) + " is no element of " + quoted(base->text()));
        const ast::Type* type = base->symbol->type;
        if (isKind(type, ast::TypeKind::Pointer) ||
            (isKind(type, ast::TypeKind::CArray) && !isReference(type) &&
             base->symbol->kind == SymbolKind::Parameter))
            return fail(base, quoted(base->text()) + " is a pointer of unknown extent");
        tally_.mention(node, base->symbol);
        elements_[base->symbol].push_back(node);
        part(base);
    }

    void part(NodePtr read) {
        const Memory memory = memoryOf(read, function_);
        if (memory == Memory::Handle && !isMarked_)
            fail(read, quoted(read->text()) +
                           " may be another name of an array: write what it stands for, or " +
                           "[[hpspmd::dist]] before its declaration");
        else if (memory != Memory::Own)
            body_.others.emplace(read->text(), read);
    }

    void member(NodePtr node) {
        if (!isNumber(node->type))
            return fail(node, quoted(node->text()) + " is not known to be a number");
        NodePtr base = node;
        while (ast::is<ast::Member>(base)) base = bare(base->child(ast::Member::base));
        if (isPartOfObject(node)) {
            tally_.mention(node, base->symbol);
            return declared_.contains(base->symbol) ? void() : part(node);
        }
        if (!ast::is<ast::Subscript>(base))
            return fail(node, quoted(node->text()) + " is not looked into");
        isPartOfMember_ = true;
        access(base, false);
    }

    void name(NodePtr node) {
        const Symbol* symbol = node->symbol;
        if (symbol && arrays_.contains(symbol))
            return fail(node, quoted(node->text()) + " is used as a whole in it");
        if (!symbol || symbol->kind == SymbolKind::Enumerator) return;  // a constant from elsewhere
        const bool isKnown = declared_.contains(symbol) || tally_.operation(symbol);
        if (!isNumber(node->type) && !(isKnown && isRecord(symbol->type)))
            return fail(node, quoted(node->text()) + " is not known to be a number");
        tally_.mention(node, symbol);
        if (ast::is<ast::Identifier>(node) && !declared_.contains(symbol)) part(node);
    }

    void call(NodePtr node) {
        if (isSize(node)) {
            const NodePtr owner =
                bare(bare(node->child(ast::Call::callee))->child(ast::Member::base));
            if (ast::is<ast::Subscript>(owner)) read(owner->child(ast::Subscript::subscripts));
            return read(node->child(ast::Call::arguments));
        }
        const NodePtr callee = node->child(ast::Call::callee);
        if (!isConversion(node) && !isLimit(callee) && !ast::isMathematicalCall(node) &&
            !isPlainCall(node))
            fail(node, "it calls " + quoted(callee->text()) +
                           ", which is not known to do nothing but compute");
        read(node->child(ast::Call::arguments));
    }

    Body& body_;
    const Arrays& arrays_;
    Tally tally_;
    const NodePtr function_;
    const bool mayScatter_, isMarked_;
    std::unordered_set<const Symbol*> declared_;
    std::set<NodePtr> seen_;
    std::map<const Symbol*, std::vector<NodePtr>> elements_;  // of what has no dist
    static constexpr int inFunction = -1000;
    int depth_ = 0;  // of loops inside; less than 0 in a function
    bool isPartOfMember_ = false;
};

}  // namespace

Body readBody(NodePtr loop, const Wanted& wanted) {
    Body body;
    BodyReader(body, wanted).loop(loop);
    return body;
}

bool computesOnly(NodePtr call) {
    Body body;
    const Arrays none;
    const Operations nothing;
    return BodyReader(body, {nullptr, none, nothing}).isPlainCall(call);
}

}  // namespace hpcc::regions
