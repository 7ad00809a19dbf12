// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/code_of_program.hpp"

#include <algorithm>
#include <cctype>

#include "analysis/element_writes.hpp"
#include "analysis/harmless_calls.hpp"
#include "analysis/plain_values.hpp"
#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "ast/symbol.hpp"
#include "ast/visitor.hpp"
#include "nests/names.hpp"
#include "nests/normalize/fixed_handles.hpp"
#include "nests/references.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

class Code : public ast::EvaluationVisitor {
public:
    Code(const Assignments& assigned, const Names& declared)
        : assigned_(assigned), declared_(declared) {}

    Obstacle found;

    void visitBinary(NodePtr node) override { operation(node); }
    void visitUnary(NodePtr node) override { operation(node); }
    void visitPostfix(NodePtr node) override { operation(node); }
    void visitComma(NodePtr node) override { operation(node); }
    void visitAssign(NodePtr node) override { operation(node); }

    void visitConditional(NodePtr node) override {
        value(node->child(ast::Conditional::condition));
        visitChildren(node);
    }
    void visitIf(NodePtr node) override {
        value(node->child(ast::If::condition));
        visitChildren(node);
    }
    void visitFor(NodePtr node) override {
        value(node->child(ast::For::condition));
        visitChildren(node);
    }
    void visitWhile(NodePtr node) override {
        value(node->child(ast::While::condition));
        visitChildren(node);
    }
    void visitDoWhile(NodePtr node) override {
        value(node->child(ast::DoWhile::condition));
        visitChildren(node);
    }
    void visitEqualInitializer(NodePtr node) override {
        value(node->child(ast::EqualInitializer::value));
        visitChildren(node);
    }
    void visitCall(NodePtr call) override {
        if (analysis::isHarmlessCall(call)) harmless(call);
        visitChildren(call);
    }

private:
    void fail(NodePtr place, std::string reason) {
        if (!found.place) found = {place, std::move(reason)};
    }

    void visitSubscript(NodePtr node) override {
        if (node->symbol && !runsUnknownCode(node))
            reads(node, "applies an operator in " + quoted(ast::print(node)));
        visitChildren(node);
    }

    void operation(NodePtr node) {
        if (!analysis::operatesOnObjects(node)) return visitChildren(node);
        if (analysis::isHarmlessOperator(node))
            reads(node, "applies an operator in " + quoted(ast::print(node)));
        else
            fail(node,
                 "applies an operator to an object of a class in " + quoted(ast::print(node)));
        visitChildren(node);
    }

    void value(NodePtr e) {
        if (!e || !ast::isObject(e->type)) return;
        ast::Type object = *e->type;
        object.isReference = false;
        if (!analysis::isPlainValue(&object))
            fail(e, "converts " + quoted(ast::print(e)) + ", an object of a class");
    }

    void harmless(NodePtr call) {
        const NodePtr callee = call->child(ast::Call::callee);
        const bool isOfProgram = callee->symbol && callee->symbol->declaration;
        for (const NodePtr argument : call->child(ast::Call::arguments)->children()) {
            value(argument);
            if (!isOfProgram && ast::isObject(argument->type))  // `std::max(p, q)` compares them
                fail(argument, "gives " + quoted(ast::print(argument)) +
                                   ", an object of a class, to " + quoted(ast::print(callee)));
        }
        reads(call, "calls " + quoted(ast::print(callee)));
    }

    void reads(NodePtr call, const std::string& what) {
        for (const analysis::ReadVariable& read : readByCall(call, declared_)) {
            const std::string reads = what + ", which reads " + quoted(read.name);
            if (assigned_.contains(read.name) && !read.isMemory) fail(call, reads);
            if (read.isMemory && !assigned_.empty())
                fail(call, reads + ", perhaps the number that " + quoted(assigned_.begin()->first) +
                               " names");
            for (const auto& [name, place] : assigned_)
                if (!read.isMemory && mayName(place->symbol, read.number))
                    fail(call, reads + ", perhaps the number that " + quoted(name) + " names");
        }
    }

    /// True if it is a reference, perhaps to what may change and a function reads.
    static bool mayName(const ast::Symbol* reference, const ast::Symbol* number) {
        if (!reference || !reference->type || !reference->type->isReference) return false;
        if (!number || !number->type || !number->declaration) return true;
        return !(number->type->isConst && !number->type->isReference) &&
               !isSurelyOther(*reference, *number);
    }

    const Assignments& assigned_;
    const Names& declared_;
};

/// MAX: macros have such names, and functions rarely do.
bool looksLikeMacro(NodePtr callee) {
    return ast::is<ast::Identifier>(callee) && !callee->symbol &&
           std::ranges::none_of(callee->text(), [](char c) {
               return std::islower(static_cast<unsigned char>(c)) != 0;
           });
}

/// `decltype(a[i])`: the names in it mean something else in other forms of the nest.
NodePtr typeByExpression(NodePtr node) {
    if (!node || ast::is<ast::DecltypeType>(node)) return node;
    for (const NodePtr child : node->children())
        if (const NodePtr found = typeByExpression(child)) return found;
    return nullptr;
}

}  // namespace

std::vector<analysis::ReadVariable> readByCall(NodePtr call, const Names& declared) {
    auto read = analysis::readByFunctions(call);
    const NodePtr callee = ast::is<ast::Call>(call) ? call->child(ast::Call::callee) : nullptr;
    const NodePtr object =
        ast::is<ast::Member>(callee) ? callee->child(ast::Member::base) : nullptr;
    const NodePtr root = object ? rootOf(object) : nullptr;
    const bool isOwn = object && (analysis::elementOf(object) || (ast::is<ast::Identifier>(root) &&
                                                                  declared.contains(root->text())));
    if (isOwn) std::erase_if(read, analysis::isOwnMember);
    return read;
}

Names readIn(NodePtr node) {
    Names names = ast::namesIn(node);
    for (const NodePtr call : ast::allOf<ast::Call>(node))
        for (const analysis::ReadVariable& each : analysis::readByFunctions(call))
            names.insert(each.name);
    return names;
}

bool readsByReference(NodePtr node) {
    const auto mayBeOther = [](const analysis::ReadVariable& read) {
        const ast::Type* const type = read.number ? read.number->type : nullptr;
        return !read.isMemory && (!type || type->isReference);
    };
    return std::ranges::any_of(ast::allOf<ast::Call>(node), [&](NodePtr call) {
        return std::ranges::any_of(analysis::readByFunctions(call), mayBeOther);
    });
}

Obstacle codeOfProgram(NodePtr overall, const Assignments& assigned, const Names& declared) {
    if (const NodePtr type = typeByExpression(overall))
        return {type, "names a type by an expression"};
    Code code(assigned, declared);
    code.visit(overall);
    return code.found;
}

bool runsUnknownCode(NodePtr subscript) {
    const ast::Type* object = subscript->child(ast::Subscript::base)->type;
    return ast::isObject(object) && object->classSymbol->shape == ast::StandardShape::None &&
           !analysis::isHarmlessOperator(subscript);
}

Obstacle otherThanPlain(NodePtr declaration) {
    const NodePtr specifiers = declaration->child(ast::Declaration::specifiers);
    const NodePtr declarators = declaration->child(ast::Declaration::declarators);
    if (!ast::is<ast::Specifiers>(specifiers) || !declarators)
        return {declaration, "declares something else than plain values"};
    const NodePtr before = specifiers->child(ast::Specifiers::before);
    if (before && before->text() != "const" && before->text() != "constexpr")
        return {declaration, "declares a variable that is not the iteration's own"};
    for (const NodePtr each : declarators->children()) {
        const NodePtr name = analysis::variableOf(each->child(ast::InitDeclarator::declarator));
        if (!ast::is<ast::Identifier>(name) || !analysis::declaresPlainValue(specifiers, name))
            return {each, "declares a variable that is no plain value", cureOfVariable(each)};
    }
    return {};
}

const ast::Symbol* plainClassDeclaredBy(NodePtr declaration) {
    if (declaration->child(ast::Declaration::declarators)) return nullptr;
    const NodePtr specifiers = declaration->child(ast::Declaration::specifiers);
    const NodePtr core =
        ast::is<ast::Specifiers>(specifiers) ? specifiers->child(ast::Specifiers::core) : nullptr;
    const ast::Symbol* own = ast::is<ast::Class>(core) ? core->symbol : nullptr;
    return own && analysis::isPlainValue(own->type) ? own : nullptr;
}

Obstacle notUnderstood(NodePtr expression) {
    return {expression, "contains '" + ast::print(expression) + "', which is not understood"};
}

bool mayBeForeign(NodePtr call) {
    return analysis::isForeignFunction(call->child(ast::Call::callee)) && !isHandleType(call->type);
}

Obstacle unknownCall(NodePtr call) {
    const NodePtr callee = call->child(ast::Call::callee);
    return {call,
            "calls " + quoted(ast::print(callee)) +
                ", which is not known to compute a value and nothing else",
            cureOfCall(callee)};
}

Obstacle reachedBy(NodePtr callee, Nest& nest, const ast::Confined& confined) {
    const auto isInReach = [&](NodePtr base) {
        const NodePtr root = rootOf(base);
        return !ast::is<ast::Identifier>(root) || !confined.contains(root->text());
    };
    const auto obstacle = [&](NodePtr base) {
        return Obstacle{callee,
                        "calls " + quoted(ast::print(callee)) + ", which might change " +
                            quoted(ast::print(base)),
                        cureOfCall(callee)};
    };
    for (const NestArray& array : nest.arrays)
        if (isInReach(array.base)) return obstacle(array.base);
    for (const Loop& loop : nest.loops)
        if (loop.range && isInReach(loop.range)) return obstacle(loop.range);
    for (const std::string_view name : ast::namesIn(nest.loops.front().statement))
        if (!confined.contains(name) && !nest.declared.contains(name) && !nest.loopNamed(name))
            nest.changeable.insert(name);
    return {};
}

void noteForeignWrites(NodePtr overall, Nest& nest) {
    const analysis::ElementWrites writes(overall);
    for (const NodePtr call : ast::allOf<ast::Call>(overall))
        for (const analysis::ElementWrite& each : writes.at(call)) {
            const auto found = nest.accessOf.find(each.access);
            const NodePtr base = each.access->child(ast::Subscript::base);
            if (found != nest.accessOf.end() && !ast::multiarrayType(base)->elementConst)
                nest.accesses[found->second].writes = true;
        }
}

NodePtr caughtBy(NodePtr handler) {
    const NodePtr caught = handler->child(ast::Handler::parameters)->child(0);
    return ast::is<ast::Parameter>(caught)
               ? ast::declaredName(caught->child(ast::Parameter::declarator))
               : nullptr;
}

std::string cureOfVariable(NodePtr declared) {
    const NodePtr declarator = declared->child(ast::InitDeclarator::declarator);
    const NodePtr value = declared->child(ast::InitDeclarator::initializer);
    const bool isOfElement = ast::is<ast::EqualInitializer>(value) &&
                             analysis::elementOf(value->child(ast::EqualInitializer::value));
    if (ast::is<ast::PointerDeclarator>(declarator))
        return isOfElement ? "name the element itself; a reference is followed if the nest surely "
                             "uses the element and does not change which one it is"
                           : "let a variable have the value; what a nest changes must be elements "
                             "of multiarrays and variables";
    if (ast::is<ast::StructuredBinding>(declarator)) return "name the members of the object itself";
    const NodePtr name = ast::declaredName(declarator);
    if (!name || !name->symbol || !ast::isObject(name->symbol->type)) return "";
    return "a struct of numbers without constructors, conversions and operators '=' is one";
}

std::string cureOfMember() {
    return "let it be a member of a plain struct whose type is known here, or of an element of a "
           "table of such";
}

std::string cureOfCall(NodePtr callee) {
    if (ast::is<ast::TemplateName>(callee)) return "a function that is no template is looked into";
    if (!analysis::isForeignFunction(callee)) return "";
    if (looksLikeMacro(callee))
        return "a macro that does more than compute a number is not looked into: write an "
               "inline function in its place";
    if (ast::isAny<ast::Member, ast::PointerMember>(callee))
        return "a member function is looked into if its class stands in this file, in front of the "
               "nest, the class of the object is known, and it is neither virtual nor a template";
    if (!analysis::definitionOf(callee)) return "define it in this file, in front of the nest";
    const std::string which =
        callee->symbol && callee->symbol->isTemplate ? " that is no template" : "";
    return "a function" + which +
           " is looked into if it changes nothing but variables of its own, and calls no function "
           "or "
           "operator of a class that might change more";
}

std::string cureOfUnknownArray(NodePtr access) {
    const NodePtr base = access->child(ast::Subscript::base);
    std::string slots;
    for (const NodePtr each : access->child(ast::Subscript::subscripts)->children())
        slots += std::string(slots.empty() ? "" : ",") + (ast::isIndexValue(each) ? "-" : "*");
    slots = " [[" + slots + "]] ";
    if (!ast::is<ast::Identifier>(base))
        return "give it a name and a type in front of the nest, as in 'double" + slots +
               "u = " + ast::print(base) + ";'";
    const std::string name(base->text());
    return "give it a type of its own, as in 'double" + slots + name + "'; a template takes 'T" +
           slots + name + "' behind 'template <class T>'";
}

std::string cureOfChosenArray(NodePtr array, const Nest& nest) {
    if (askedAt(array))
        return "'at' raises an error of its own if there is no such element: name the array in "
               "front of the nest, or write '[..]', which the entry of the nest asks about";
    const auto names = ast::namesIn(array);
    const auto counter = std::ranges::find_if(
        names, [&](std::string_view name) { return nest.loopNamed(name) != nullptr; });
    if (counter != names.end())
        return "let the loop over " + quoted(*counter) +
               " stand round the nest, or run at most nine times from and to constants";
    const auto own = std::ranges::find_if(
        names, [&](std::string_view name) { return nest.declared.contains(name); });
    if (own != names.end())
        return "give " + quoted(*own) +
               " its value in front of the nest, or let it be the counter of a loop from and to "
               "constants, of at most nine iterations, that alone changes it";
    return "give it a name in front of the nest";
}

static bool goesOverArrays(NodePtr statement) {
    const NodePtr name = ast::is<ast::RangeFor>(statement)
                             ? ast::declaredName(statement->child(ast::RangeFor::declarator))
                             : nullptr;
    return name && ast::multiarrayType(name);
}

std::string otherStatement(NodePtr statement) {
    return goesOverArrays(statement)
               ? "goes over arrays, and the translator does not know how many there are"
               : "contains a statement other than assignments, conditions and loops";
}

std::string cureOfOtherStatement(NodePtr statement) {
    if (!goesOverArrays(statement)) return "";
    return "let a loop from and to constants, of at most nine iterations, choose them, or let this "
           "one stand round the nest";
}

std::string reachedInGeneral(NodePtr access) {
    return "reaches '" + ast::print(access) + "' in a general way";
}

}  // namespace hpcc::nests
