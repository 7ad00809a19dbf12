// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "analysis/numbers.hpp"
#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "ast/symbol.hpp"
#include "nests/kernel_arrays.hpp"
#include "nests/names.hpp"
#include "nests/normalize/fixed_handles.hpp"

namespace hpcc::nests {

/// The statements and expressions of a kernel.
class KernelBody : public KernelArrays {
public:
    KernelBody(Context& context, KernelFunctions& functions, const Nest& nest,
               const DeviceForm& form, Reaches& reaches, const RunNames& runs,
               const std::vector<NodePtr>& checked)
        : KernelArrays(context, functions, nest, form, runs, checked), reaches(reaches) {}

protected:
    std::string global(const Loop& loop) const { return std::string(loop.variable) + "_global"; }
    std::string globalOf(const Loop& loop) {
        return usesGlobal.contains(&loop)
                   ? "const Index " + global(loop) + " = " + variable(loop) + " * " + runOf(loop) +
                         ".scale + " + runOf(loop) + ".origin; "
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

    NodePtr special(NodePtr node) override {
        if (const auto access = nest.accessOf.find(node); access != nest.accessOf.end())
            return element(nest.accesses[access->second]);
        if (const auto loop = nest.loopOf.find(node); loop != nest.loopOf.end())
            return loop->second->kind == Loop::Kind::Overall ? lane(*loop->second)
                                                             : endingLoop(*loop->second);
        if (ast::is<ast::GlobalIndex>(node)) return globalIndex(node);
        if (ast::is<ast::Member>(node) && isGiven(node)) return given(node);
        const bool isInquiry = ast::is<ast::Call>(node) && ast::inquiryOf(node) &&
                               analysis::isInteger(node) && reaches.isFixed(node);
        return isInquiry ? inquiry(node) : nullptr;
    }

    /// A loop of C++. It also ends where a subscript has been beyond its dimension, as the elements
    /// that are read instead may never let it end.
    NodePtr endingLoop(const Loop& loop) {
        const size_t before = checks.size();
        const NodePtr made = withCopiedChildren(loop.statement);
        const bool isCounted = loop.kind == Loop::Kind::Counting && !loop.endsPerRow;
        if (obstacle.place || checks.size() == before || isCounted) return made;
        const NodePtr condition = conditionOf(made);
        std::vector<NodePtr> children(made->children().begin(), made->children().end());
        if (condition) {
            children[conditionSlot(made)] = context.identifier(
                "FITTED(" + beyond + ") && (" + ast::print(condition) + ")", loop.statement);
            return context.arena.rebuilt(made, made, children);
        }
        const NodePtr step = children[ast::For::step];
        return context.identifier("for (" + ast::print(children[ast::For::initializer]) +
                                      " FITTED(" + beyond + "); " + (step ? ast::print(step) : "") +
                                      ") " + ast::print(children[ast::For::body]),
                                  loop.statement);
    }

    NodePtr identifier(NodePtr node) override {
        const std::string_view text = node->text();
        if (const Loop* loop = loopRound(node, text)) {
            usesIndex.insert(loop);
            return context.identifier(named(text), node);
        }
        const ast::Symbol* symbol = node->symbol;
        if (nest.declared.contains(text))
            return isOuterVariable(symbol) ? fail(node, "uses one of two variables " + quoted(text))
                                           : context.identifier(named(text), node);
        const bool isValue = symbol && (symbol->kind == ast::SymbolKind::Variable ||
                                        symbol->kind == ast::SymbolKind::Parameter ||
                                        symbol->kind == ast::SymbolKind::TemplateParameter ||
                                        symbol->kind == ast::SymbolKind::Field);
        const std::string word = isValue ? functions.records.numberOf(typeOfName(node)) : "";
        if (word.empty())
            return fail(node, "uses " + quoted(text) + ", which is no number that a kernel knows");
        if (const NodePtr value = constantOf(*symbol); value && isNumber(value))
            return writtenOut(node, value);  // compilers of kernels compute with it
        numbers[std::string(text)] = word;
        return context.identifier(named(text), node);
    }

    NodePtr unknownEnumerator(NodePtr node) override {
        return context.identifier(captured({"hpspmd::Index(" + ast::print(node) + ")", "Index"}),
                                  node);
    }

    std::string membersOf(NodePtr on) const override {
        return !on ? "this->" : isOuter(on) ? ast::print(on) + "." : "";
    }
    /// An object outside of the nest, or a member of one: `p`, `this->p`.
    bool isOuter(NodePtr object) const {
        const NodePtr root = rootOf(object);
        return isPlainBase(object) &&
               !(ast::is<ast::Identifier>(root) &&
                 (nest.declared.contains(root->text()) || nest.loopNamed(root->text())));
    }

    std::string captured(const Captured& number) override {
        std::string_view root = number.name;
        if (root.starts_with("this->")) root.remove_prefix(6);
        root = root.substr(0, root.find('.'));
        if (nest.assigned.contains(root))
            fail(outermost().statement, "assigns " + quoted(root) + ", which a function reads");
        numbers[number.name] = number.word;
        return named(number.name);
    }

    bool isOuterVariable(const ast::Symbol* symbol) {
        if (!symbol || !symbol->declaration) return false;
        if (own_.empty()) own_ = variablesDeclaredIn(outermost().statement);
        return !own_.contains(symbol);
    }

    /// A number of an object outside of the nest: `p.x`.
    bool isGiven(NodePtr member) const {
        return isOuter(member) && !functions.records.numberOf(member->type).empty();
    }
    NodePtr given(NodePtr member) {
        const std::string text = ast::print(member);
        numbers[text] = functions.records.numberOf(member->type);
        return context.identifier(named(text), member);
    }

    static bool isNumber(NodePtr value) {
        if (ast::is<ast::Unary>(value)) value = value->child(ast::Unary::operand);
        return ast::is<ast::NumberLiteral>(value);
    }

    /// Several loops, one after the other, may have variables of one name.
    const Loop* loopRound(NodePtr node, std::string_view name) const {
        const auto found = std::ranges::find_if(nest.loops, [&](const Loop& loop) {
            return loop.variable == name && isInside(loop.statement, node);
        });
        return found == nest.loops.end() ? nullptr : &*found;
    }

    NodePtr globalIndex(NodePtr node) {
        const NodePtr index = ast::withoutParentheses(node->child(ast::GlobalIndex::operand));
        const Loop* loop = loopRound(node, index->text());
        if (!loop || loop->kind != Loop::Kind::Overall)
            return fail(node, "uses an index of a construct round it");
        usesGlobal.insert(loop);
        return context.identifier(global(*loop), node);
    }

    /// `a.size(1)`, a number that the host gives to the kernel.
    NodePtr inquiry(NodePtr node) {
        return context.identifier(askedAtHome(ast::print(node)), node);
    }

    Reaches& reaches;
    std::map<std::string, std::string> numbers;  // given by the host: their types
    std::set<const Loop*> usesGlobal;

private:
    std::set<const ast::Symbol*> own_;  // variables that the nest declares, once asked for
};

}  // namespace hpcc::nests
