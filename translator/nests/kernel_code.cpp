// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/kernel_code.hpp"

#include <algorithm>
#include <cctype>

#include "analysis/constant.hpp"
#include "analysis/harmless_calls.hpp"
#include "analysis/numbers.hpp"
#include "ast/declarators.hpp"
#include "ast/known_calls.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "nests/kernel_complex.hpp"
#include "nests/kernel_functions.hpp"
#include "nests/kernel_templates.hpp"
#include "nests/kernel_words.hpp"
#include "source/name.hpp"
#include "source/text.hpp"

namespace hpcc::nests {

using ast::Kind;
using ast::NodePtr;

bool KernelCode::isConversion(NodePtr call) const {
    const ast::Symbol* symbol = call->child(ast::Call::callee)->symbol;
    const bool isType = symbol && (symbol->kind == ast::SymbolKind::Alias ||
                                   symbol->kind == ast::SymbolKind::TemplateParameter);
    return isType && !functions.records.numberOf(convertedType(call)).empty();
}

std::string KernelCode::named(std::string_view name) {
    if (!isReservedInKernels(name) && source::isName(name)) return std::string(name);
    std::string& given = renamed_[std::string(name)];
    if (given.empty()) {
        std::string wanted = std::string(name) + "_";
        std::ranges::replace_if(
            wanted, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
        given = context.fresh(wanted.substr(wanted.find_first_not_of('_')));
    }
    return given;
}

NodePtr KernelCode::constantOf(const ast::Symbol& symbol) {
    const bool isConstant = symbol.kind == ast::SymbolKind::Variable && symbol.type->isConst &&
                            !symbol.type->isReference &&
                            ast::is<ast::EqualInitializer>(symbol.initializer);
    return isConstant ? symbol.initializer->child(ast::EqualInitializer::value) : nullptr;
}

NodePtr KernelCode::writtenOut(NodePtr constant, NodePtr value) {
    const std::string word = localWord(functions.records.numberOf(constant->symbol->type));
    return context.identifier("((" + word + ")(" + ast::print(copied(value)) + "))", constant);
}

NodePtr KernelCode::copied(NodePtr node) {
    if (!node || obstacle.place) return node;
    if (const NodePtr made = special(node)) return made;
    if (const NodePtr made = complexCode(node)) return made;
    if (runsOperator(node)) return operated(node);
    switch (node->kind()) {
    case Kind::Identifier:
    case Kind::QualifiedName:
        if (!node->symbol || node->symbol->kind != ast::SymbolKind::Enumerator)
            return identifier(node);
        if (const auto value = analysis::constantValue(node))
            return context.identifier("(" + std::to_string(*value) + ")", node);
        return unknownEnumerator(node);
    case Kind::Call:
        return call(node);
    case Kind::Declaration:
        return declaration(node);
    case Kind::FunctionalCast:
    case Kind::Cast:
    case Kind::NamedCast:
        return cast(node);
    case Kind::Unary: {
        const std::string_view op = node->child(ast::Unary::op)->text();
        if (op == "&" || op == "*") return fail(node, "uses a pointer");
        break;
    }
    case Kind::Member:
        return member(node);
    case Kind::Subscript:
        return partOfArray(node);
    case Kind::Assign:
        return assignment(node);
    case Kind::NumberLiteral:
        return literal(node);
    case Kind::KeywordLiteral:
        if (node->text() != "true" && node->text() != "false")
            return fail(node, "uses " + quoted(node->text()));
        break;
    case Kind::Conditional:
        return choice(node);
    case Kind::If:
        if (node->child(ast::If::initializer)) return fail(node, "declares a variable in an 'if'");
        if (const auto branch = analysis::compiledBranch(node))
            return *branch ? copied(*branch) : context.identifier("{ }", node);
        if (analysis::isConstexprIf(node))
            return fail(node, "holds an 'if constexpr' whose condition is not known");
        break;
    case Kind::InitDeclarator:
        return initialized(node);
    case Kind::Compound:
    case Kind::ExpressionStatement:
    case Kind::EmptyStatement:
    case Kind::While:
    case Kind::DoWhile:
    case Kind::For:
    case Kind::Break:
    case Kind::Continue:
    case Kind::Return:
    case Kind::InitDeclarators:
    case Kind::EqualInitializer:
    case Kind::CharacterLiteral:
    case Kind::Parenthesized:
    case Kind::Comma:
    case Kind::Binary:
    case Kind::Postfix:
    case Kind::Operator:
    case Kind::Arguments:
        break;
    default:
        return fail(node, "holds " + quoted(compact(ast::print(node)).substr(0, 40)) +
                              ", which has no form in a kernel");
    }
    return withCopiedChildren(node);
}

NodePtr KernelCode::choice(NodePtr node) {
    const NodePtr other = node->child(ast::Conditional::otherwise);
    std::vector<NodePtr> children(node->children().begin(), node->children().end());
    children[ast::Conditional::condition] = copied(node->child(ast::Conditional::condition));
    children[ast::Conditional::then] =
        fitting(node->child(ast::Conditional::then), other ? other->type : nullptr);
    children[ast::Conditional::otherwise] = copied(other);
    return obstacle.place ? node : context.arena.rebuilt(node, node, children);
}

/// `c.n[k]`
NodePtr KernelCode::partOfArray(NodePtr node) {
    const NodePtr base = node->child(ast::Subscript::base);
    const NodePtr subscripts = node->child(ast::Subscript::subscripts);
    const bool isPart = base->type && base->type->kind == ast::TypeKind::CArray &&
                        ast::isAny<ast::Member, ast::Subscript>(base) &&
                        subscripts->children().size() == 1;
    if (!isPart)
        return fail(node, "reaches " + quoted(compact(ast::print(node))) +
                              ", which is no element that a kernel knows");
    return context.identifier(
        ast::print(copied(base)) + "[" + ast::print(copied(subscripts->child(0))) + "]", node);
}

NodePtr KernelCode::fitting(NodePtr value, const ast::Type* type) {
    if (!value) return value;
    if (const std::string word = functions.records.complexWord(complexPart(type)); !word.empty())
        return context.identifier(asComplex(value, word), value);
    if (ast::is<ast::BracedInitializer>(value)) return made(value, type, value);
    const ast::Type* const given = ast::withoutParentheses(value)->type;
    const std::string wanted = functions.records.classOf(type);
    if (wanted != functions.records.classOf(given) || (wanted.empty() && ast::isObject(given)))
        return fail(value, "converts " + quoted(compact(ast::print(value))) + " to another type");
    return copied(value);
}

NodePtr KernelCode::assignment(NodePtr node) {
    const NodePtr target = node->child(ast::Assign::target);
    const NodePtr value = fitting(node->child(ast::Assign::value), target->type);
    std::vector<NodePtr> children(node->children().begin(), node->children().end());
    children[ast::Assign::target] = copied(target);
    children[ast::Assign::value] = value;
    return obstacle.place ? node : context.arena.rebuilt(node, node, children);
}

/// `MADE(heat_22_9_Pair, (double)(1), (int)(k))` of `{1, k}`, with a value for each member; or one
/// object of `{c}`; or `ZERO(heat_22_9_Pair)` of `{}`.
NodePtr KernelCode::made(NodePtr node, const ast::Type* type, NodePtr values) {
    const std::string name = functions.records.classOf(type);
    const auto known = recordOf(type);
    const Record* const record = name.empty() ? nullptr : std::get_if<Record>(&known);
    const auto given = values->children();
    if (record && given.size() == 1 && functions.records.classOf(given[0]->type) == name)
        return copied(given[0]);
    if (record && given.empty() && !record->hasValues)
        return context.identifier("ZERO(" + name + ")", node);
    if (!record || record->hasValues || given.size() != record->fields.size() ||
        !ast::is<ast::BracedInitializer>(values))
        return fail(node, "makes " + quoted(compact(ast::print(node))) +
                              " other than by a value for each member");
    std::string text = "MADE(" + name;
    for (size_t k = 0; k < given.size(); ++k) {
        const Record::Field& field = record->fields[k];
        if (!field.sizes.empty())
            return fail(node, "makes an object with the array " + quoted(field.name));
        const std::string value = ast::print(fitting(given[k], field.type));
        const bool isNumber = functions.records.classOf(field.type).empty();
        text += isNumber ? ", (" + functions.records.wordOf(field.type) + ")(" + value + ")"
                         : ", " + value;
    }
    return obstacle.place ? node : context.identifier(text + ")", node);
}

/// `a = 3` also for `a{3}` and `a(3)`, which C has not.
NodePtr KernelCode::initialized(NodePtr node) {
    const NodePtr initializer = node->child(ast::InitDeclarator::initializer);
    const NodePtr name = node->child(ast::InitDeclarator::declarator);
    if (name->symbol && !functions.records.classOf(name->symbol->type).empty())
        return initializedObject(node, name->symbol->type);
    const bool isOther =
        ast::is<ast::BracedInitializer>(initializer) || ast::is<ast::Arguments>(initializer);
    if (!isOther || initializer->children().size() > 1) return withCopiedChildren(node);
    const NodePtr value = initializer->children().empty() ? nullptr : copied(initializer->child(0));
    if (obstacle.place) return node;
    return context.identifier(ast::print(copied(node->child(ast::InitDeclarator::declarator))) +
                                  " = " + (value ? ast::print(value) : "0"),
                              node);
}

NodePtr KernelCode::initializedObject(NodePtr node, const ast::Type* type) {
    NodePtr initializer = node->child(ast::InitDeclarator::initializer);
    const NodePtr name = copied(node->child(ast::InitDeclarator::declarator));
    if (const std::string word = functions.records.complexWord(complexPart(type)); !word.empty()) {
        if (ast::is<ast::EqualInitializer>(initializer))
            initializer = initializer->child(ast::EqualInitializer::value);
        const std::string value = initializer ? asComplex(initializer, word)
                                              : "ZERO(" + functions.records.complexOf(word) + ")";
        return context.identifier(ast::print(name) + " = " + value, node);
    }
    if (!initializer && !std::get<Record>(recordOf(type)).hasValues) return name;
    if (!initializer) return fail(node, "makes an object whose members have values of their own");
    const NodePtr value = ast::is<ast::EqualInitializer>(initializer)
                              ? fitting(initializer->child(ast::EqualInitializer::value), type)
                              : made(node, type, initializer);
    if (obstacle.place) return node;
    return context.identifier(ast::print(name) + " = " + ast::print(value), node);
}

NodePtr KernelCode::withCopiedChildren(NodePtr node) {
    std::vector<NodePtr> children;
    for (const NodePtr child : node->children()) children.push_back(copied(child));
    return obstacle.place ? node : context.arena.rebuilt(node, node, children);
}

/// Without the marks between digits and the second `l` of `long long`, which C has not.
NodePtr KernelCode::literal(NodePtr node) {
    if (node->text().find('_') != std::string_view::npos)
        return fail(node, "uses " + quoted(node->text()) + ", a literal of the program's");
    std::string text(node->text());
    const bool isFloating = node->type && node->type->kind == ast::TypeKind::Floating;
    if (isFloating && (text.ends_with('l') || text.ends_with('L')))
        return fail(node, "uses the number " + quoted(text) + " of type 'long double'");
    std::erase(text, '\'');
    for (const char* const longer : {"ll", "LL"})
        if (const size_t at = text.find(longer); at != std::string::npos) text.erase(at, 1);
    return context.identifier(text, node);
}

/// Those of a call, and behind them the defaults of the parameters that it leaves out: fewer if one
/// of these holds a name.
std::vector<NodePtr> KernelCode::argumentsOf(NodePtr call, size_t count) {
    const auto given = call->child(ast::Call::arguments)->children();
    std::vector<NodePtr> all(given.begin(), given.end());
    const NodePtr definition = analysis::definitionOf(call->child(ast::Call::callee));
    const NodePtr parameters = definition ? ast::parametersOf(definition) : nullptr;
    const auto isVariable = [](NodePtr each) {
        return ast::isAny<ast::Identifier, ast::QualifiedName>(each) &&
               !(each->symbol && each->symbol->kind == ast::SymbolKind::Alias);
    };
    while (parameters && all.size() < count) {
        const NodePtr parameter = parameters->child(static_cast<uint32_t>(all.size()));
        const NodePtr value = ast::is<ast::Parameter>(parameter)
                                  ? parameter->child(ast::Parameter::defaultValue)
                                  : nullptr;
        if (!ast::is<ast::EqualInitializer>(value) || ast::anywhere(value, isVariable)) break;
        all.push_back(value->child(ast::EqualInitializer::value));
    }
    return all;
}

NodePtr KernelCode::call(NodePtr node) {
    if (isConversion(node)) return cast(node);
    const NodePtr callee = node->child(ast::Call::callee);
    const std::string function = ast::isMathematicalCall(node) || isMathematicalOfTemplate(node)
                                     ? kernelFunction(ast::print(callee))
                                     : "";
    if (!function.empty()) return mathematical(node, function);
    const std::string outer = outerMembersFor(callee);
    const ast::Type* const callees = outer.empty() ? objectOf(callee) : nullptr;
    const auto called = functions.called(callee, callees, outer);
    if (const Obstacle* found = std::get_if<Obstacle>(&called))
        return fail(found->place, found->reason);
    if (callee->type && callee->type->called)  // types of arguments have told which
        for (const NodePtr each : node->child(ast::Call::arguments)->children())
            if (isOfTemplate(each)) numberType(each);
    const auto choices = analysis::choicesOf(callee);
    if (!choices.empty()) requireOne(node, choices);
    const auto& parameters = choices.empty() ? analysis::calledType(callee)->parameters
                                             : choices.front()->type->parameters;
    const std::vector<NodePtr> arguments = argumentsOf(node, parameters.size());
    if (arguments.size() != parameters.size())
        return fail(node, "calls " + quoted(ast::print(callee)) + " without all its arguments");
    std::string text = !callees                         ? ""
                       : analysis::calledObject(callee) ? ast::print(copied(callee))
                       : !ast::is<ast::Member>(callee)  ? self
                                                        : ast::print(copied(callee->child(0)));
    for (size_t k = 0; k < parameters.size(); ++k)
        text += (text.empty() ? "" : ", ") + ast::print(fitting(arguments[k], parameters[k]));
    for (const Captured& each : functions.capturedBy(callee, outer))
        text += (text.empty() ? "" : ", ") + captured(each);
    return context.identifier(std::get<std::string>(called) + "(" + text + ")", node);
}

NodePtr KernelCode::mathematical(NodePtr node, const std::string& function) {
    if (isMathematicalOfTemplate(node)) return mathematicalOfTemplate(node, function);
    const auto arguments = node->child(ast::Call::arguments)->children();
    const bool isChoice = function == "larger" || function == "smaller";
    const bool isNarrow = std::ranges::all_of(
        arguments, [](NodePtr each) { return numberWord(each->type) == "float"; });
    if (function == "abs" && !numberWord(arguments.front()->type).empty())
        return context.identifier(
            (analysis::isInteger(arguments.front()) ? "magnitude(" : "fabs(") +
                ast::print(copied(arguments.front())) + ")",
            node);
    std::string text;
    for (const NodePtr argument : arguments)
        text += (text.empty() ? "" : ", ") +
                (isChoice || isNarrow ? ast::print(copied(argument)) : asDouble(argument));
    return context.identifier(function + "(" + text + ")", node);
}

/// C++ takes an integer or a float beside a double as one, too.
std::string KernelCode::asDouble(NodePtr number) {
    const std::string word = numberWord(number->type), text = ast::print(copied(number));
    return word.empty() || word == "double" ? text : "(double)(" + text + ")";
}

NodePtr KernelCode::declaration(NodePtr node) {
    const NodePtr specifiers = node->child(ast::Declaration::specifiers);
    const NodePtr declarators = node->child(ast::Declaration::declarators);
    if (!ast::is<ast::Specifiers>(specifiers) || !declarators)
        return fail(node, "declares what is no number");
    std::string word;
    for (const NodePtr each : declarators->children()) {
        const NodePtr declared = each->child(ast::InitDeclarator::declarator);
        const bool isVariable = ast::is<ast::Identifier>(declared) && declared->symbol;
        word = isVariable ? functions.records.wordOf(typeOfName(declared)) : "";
        if (word.empty() && isVariable &&
            isOfTemplate(each->child(ast::InitDeclarator::initializer)) &&
            ast::is<ast::AutoType>(specifiers->child(ast::Specifiers::core)))
            return fail(node, "declares " + quoted(declared->text()) +
                                  ", whose type the template's instances tell, as 'auto'");
        if (word.empty()) return fail(node, "declares what is no number that a kernel knows");
    }
    const std::string words = ast::print(specifiers);
    if (words.find("static") != words.npos || words.find("thread_local") != words.npos)
        return fail(node, "declares a static variable");
    std::vector<NodePtr> children(node->children().begin(), node->children().end());
    children[ast::Declaration::declarators] = copied(declarators);
    const bool isConstant = words.starts_with("const") || words.find(" const") < words.size();
    children[ast::Declaration::specifiers] =
        context.identifier((isConstant ? "const " : "") + word, specifiers);
    return obstacle.place ? node : context.arena.rebuilt(node, node, children);
}

}  // namespace hpcc::nests
