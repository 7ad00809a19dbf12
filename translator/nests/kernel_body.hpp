// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "analysis/numbers.hpp"
#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "ast/symbol.hpp"
#include "nests/kernel_arrays.hpp"

namespace hpcc::nests {

/// The statements and expressions of a kernel.
class KernelBody : public KernelArrays {
public:
    KernelBody(Context& context, const Nest& nest, const DeviceForm& form, Reaches& reaches,
               const RunNames& runs)
        : KernelArrays(context, nest, form, runs), reaches(reaches) {}

protected:
    using Kind = ast::Kind;

    std::string global(const Loop& loop) const { return std::string(loop.variable) + "_global"; }
    std::string globalOf(const Loop& loop) {
        return usesGlobal.contains(&loop) ? "const Index " + global(loop) + " = " + variable(loop) +
                                                " + " + runOf(loop) + ".origin; "
                                          : "";
    }

    /// `const Run j_run = part(j_held, 1 + (i_global + it) % 2, n - 2, 2);` where it is not known
    /// at entry.
    std::string partOf(const Loop& loop) {
        const auto found = runs.find(&loop);
        if (found == runs.end() || found->second.isAtEntry()) return "";
        const NodePtr triplet = tripletOf(loop);
        const NodePtr low = triplet->child(ast::Triplet::low),
                      high = triplet->child(ast::Triplet::high);
        const std::string& held = found->second.held;
        return "const Run " + found->second.run + " = part(" + held + ", " +
               (low ? compact(ast::print(copied(low))) : std::string("0")) + ", " +
               (high ? compact(ast::print(copied(high))) : held + ".high") + ", " +
               std::to_string(loop.step) + "); ";
    }

    /// An overall that stays in a lane.
    NodePtr lane(const Loop& loop) {
        const std::string part = partOf(loop);
        const std::string i = variable(loop), run = runOf(loop);
        const std::string body = ast::print(copied(bodyOf(loop)));
        return context.identifier((part.empty() ? "" : "{ " + part) + "for (Index " + i + " = " +
                                      run + ".first; " + i + " <= " + run + ".last; " + i +
                                      " += " + std::to_string(loop.step) + ") { " + globalOf(loop) +
                                      body + " }" + (part.empty() ? "" : " }"),
                                  loop.statement);
    }

    NodePtr copied(NodePtr node) override {
        if (!node || obstacle.place) return node;
        if (const auto access = nest.accessOf.find(node); access != nest.accessOf.end())
            return element(nest.accesses[access->second]);
        if (const auto loop = nest.loopOf.find(node); loop != nest.loopOf.end())
            if (loop->second->kind == Loop::Kind::Overall) return lane(*loop->second);
        switch (node->kind()) {
        case Kind::Identifier:
            return identifier(node);
        case Kind::GlobalIndex:
            return globalIndex(node);
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
        case Kind::NumberLiteral:
            return literal(node);
        case Kind::KeywordLiteral:
            if (node->text() != "true" && node->text() != "false")
                return fail(node, "uses " + quoted(node->text()));
            break;
        case Kind::Compound:
        case Kind::ExpressionStatement:
        case Kind::EmptyStatement:
        case Kind::If:
        case Kind::While:
        case Kind::DoWhile:
        case Kind::For:
        case Kind::Break:
        case Kind::Continue:
        case Kind::InitDeclarators:
        case Kind::InitDeclarator:
        case Kind::EqualInitializer:
        case Kind::CharacterLiteral:
        case Kind::Parenthesized:
        case Kind::Comma:
        case Kind::Assign:
        case Kind::Conditional:
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

    NodePtr withCopiedChildren(NodePtr node) {
        std::vector<NodePtr> children;
        for (const NodePtr child : node->children()) children.push_back(copied(child));
        return obstacle.place ? node : context.arena.rebuilt(node, node, children);
    }

    /// Without the marks between digits and the second `l` of `long long`, which C has not.
    NodePtr literal(NodePtr node) {
        if (node->text().find('_') != std::string_view::npos)
            return fail(node, "uses " + quoted(node->text()) + ", a literal of the program's");
        std::string text(node->text());
        std::erase(text, '\'');
        for (const char* const longer : {"ll", "LL"})
            if (const size_t at = text.find(longer); at != std::string::npos) text.erase(at, 1);
        return context.identifier(text, node);
    }

    NodePtr identifier(NodePtr node) {
        const std::string_view text = node->text();
        if (const Loop* loop = nest.loopNamed(text)) {
            usesIndex.insert(loop);
            return context.identifier(named(text), node);
        }
        if (nest.declared.contains(text)) return context.identifier(named(text), node);
        const ast::Symbol* symbol = node->symbol;
        const bool isValue = symbol && (symbol->kind == ast::SymbolKind::Variable ||
                                        symbol->kind == ast::SymbolKind::Parameter ||
                                        symbol->kind == ast::SymbolKind::Field);
        const std::string word = isValue ? numberWord(symbol->type) : "";
        if (word.empty())
            return fail(node, "uses " + quoted(text) + ", which is no number that a kernel knows");
        numbers[std::string(text)] = word;
        return context.identifier(named(text), node);
    }

    NodePtr globalIndex(NodePtr node) {
        const NodePtr index = ast::withoutParentheses(node->child(ast::GlobalIndex::operand));
        const Loop* loop = nest.loopNamed(index->text());
        if (!loop || loop->kind != Loop::Kind::Overall)
            return fail(node, "uses an index of a construct round it");
        usesGlobal.insert(loop);
        return context.identifier(global(*loop), node);
    }

    NodePtr call(NodePtr node) {
        if (ast::inquiryOf(node) && analysis::isInteger(node) && reaches.isFixed(node))
            return inquiry(node);
        const NodePtr callee = node->child(ast::Call::callee);
        const std::string function =
            ast::isMathematicalCall(node) ? kernelFunction(ast::print(callee)) : "";
        if (function.empty())
            return fail(node,
                        "calls " + quoted(compact(ast::print(callee))) + ", which no kernel knows");
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
    std::string asDouble(NodePtr number) {
        const std::string word = numberWord(number->type), text = ast::print(copied(number));
        return word.empty() || word == "double" ? text : "(double)(" + text + ")";
    }

    /// `a.size(1)`, a number that the host gives to the kernel.
    NodePtr inquiry(NodePtr node) {
        std::string& name = inquiries[ast::print(node)];
        if (name.empty()) name = context.fresh("n");
        return context.identifier(name, node);
    }

    NodePtr declaration(NodePtr node) {
        const NodePtr specifiers = node->child(ast::Declaration::specifiers);
        const NodePtr declarators = node->child(ast::Declaration::declarators);
        if (!ast::is<ast::Specifiers>(specifiers) || !declarators)
            return fail(node, "declares what is no number");
        for (const NodePtr each : declarators->children()) {
            const NodePtr declared = each->child(ast::InitDeclarator::declarator);
            if (!ast::is<ast::Identifier>(declared) || !declared->symbol ||
                numberWord(declared->symbol->type).empty())
                return fail(node, "declares what is no number that a kernel knows");
        }
        if (ast::print(specifiers).find("static") != std::string::npos ||
            ast::print(specifiers).find("thread_local") != std::string::npos)
            return fail(node, "declares a static variable");
        std::vector<NodePtr> children(node->children().begin(), node->children().end());
        children[ast::Declaration::declarators] = copied(declarators);
        const std::string words = ast::print(specifiers);
        const bool isConstant = words.starts_with("const") || words.find(" const") < words.size();
        children[ast::Declaration::specifiers] = context.identifier(
            (isConstant ? "const " : "") +
                localWord(numberWord(
                    declarators->child(0)->child(ast::InitDeclarator::declarator)->symbol->type)),
            specifiers);
        return obstacle.place ? node : context.arena.rebuilt(node, node, children);
    }

    NodePtr cast(NodePtr node) {
        const std::string word = localWord(numberWord(node->type));
        if (word.empty()) return fail(node, "converts to what is no number that a kernel knows");
        const bool isFunctional = node->is<ast::FunctionalCast>();
        const NodePtr operand = isFunctional ? node->child(ast::FunctionalCast::arguments)
                                : node->is<ast::Cast>() ? node->child(ast::Cast::operand)
                                                        : node->child(ast::NamedCast::operand);
        if (isFunctional && operand->children().size() != 1)
            return fail(node, "converts other than one number");
        const std::string text =
            ast::print(copied(isFunctional ? operand->children().front() : operand));
        return context.identifier("(" + word + ")(" + text + ")", node);
    }

    Reaches& reaches;
    std::map<std::string, std::string> numbers;    // given by the host: their types,
    std::map<std::string, std::string> inquiries;  // and the names of what these give
    std::set<const Loop*> usesGlobal;
};

}  // namespace hpcc::nests
