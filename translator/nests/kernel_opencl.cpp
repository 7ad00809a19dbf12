// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/kernel_opencl.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "analysis/numbers.hpp"
#include "ast/known_calls.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/subscripts.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "ast/visitor.hpp"
#include "nests/device.hpp"
#include "nests/kernel_complex.hpp"
#include "nests/kernel_templates.hpp"
#include "nests/kernel_words.hpp"
#include "source/text.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

class Finder : public ast::Visitor {
public:
    Finder(const Nest& nest, const std::vector<NodePtr>& functions,
           const std::vector<Reduction>& joined)
        : joined_(joined) {
        for (const NestArray& array : nest.arrays)
            requireWord(array.base, numberWord(ast::multiarrayType(array.base)->element),
                        "reaches elements of type ");
        visit(nest.loops.front().statement);
        joined_.clear();  // names of the nest
        for (const NodePtr each : functions) visit(each);
    }
    explicit Finder(const std::vector<NodePtr>& functions) {
        for (const NodePtr each : functions) visit(each);
    }

    void visitIdentifier(NodePtr node) override {
        if (!node->symbol || !isNumber(node->symbol->type)) return;
        const std::string word = numberWord(node->symbol->type);
        if (word == "char") fail(node, "uses a number of type 'char'");
        if (std::ranges::find(joined_, node->text(), &Reduction::name) != joined_.end())
            requireWord(node, word, "joins numbers of type ");
    }
    void visitCharacterLiteral(NodePtr node) override {
        if (!node->text().starts_with("'"))
            fail(node, "uses the character " + std::string(node->text()));
    }
    void visitFunctionalCast(NodePtr node) override { cast(node); }
    void visitCast(NodePtr node) override { cast(node); }
    void visitNamedCast(NodePtr node) override { cast(node); }
    void visitCall(NodePtr node) override {
        if (numberWord(node->type) == "char")
            fail(node, "calls " + quoted(ast::print(node->child(ast::Call::callee))) +
                           ", which gives a 'char'");
        const bool isKnown = ast::isMathematicalCall(node) || isMathematicalOfTemplate(node);
        if (isKnown && complexCall(node).name.empty())
            for (const NodePtr argument : node->child(ast::Call::arguments)->children())
                requireArgument(node, argument);
        visitChildren(node);
    }

    Obstacle found;

private:
    void fail(NodePtr place, std::string reason) {
        if (!found.place) found = {place, std::move(reason)};
    }

    void requireWord(NodePtr place, const std::string& word, const char* what) {
        if (!isOpenClElement(word)) fail(place, what + quoted(word));
    }
    void requireArgument(NodePtr call, NodePtr argument) {
        const std::string name = ast::print(call->child(ast::Call::callee));
        if (numberWord(argument->type).empty() && !isOfTemplate(argument))
            return fail(argument,
                        "calls " + quoted(name) + " for a number whose type is not known");
        const std::string function = kernelFunction(name);
        const bool isWrittenTwice = function == "larger" || function == "smaller" ||
                                    (function == "abs" && analysis::isInteger(argument));
        if (isWrittenTwice && hasEffect(argument))
            fail(argument, "calls " + quoted(name) + " for a value with an effect");
    }
    static bool hasEffect(NodePtr expression) {
        class Effects : public ast::Visitor {
        public:
            bool areFound = false;
            void visitAssign(NodePtr) override { areFound = true; }
            void visitPostfix(NodePtr) override { areFound = true; }
            void visitUnary(NodePtr node) override {
                const std::string_view op = node->child(ast::Unary::op)->text();
                if (op == "++" || op == "--") areFound = true;
                visitChildren(node);
            }
        } effects;
        effects.visit(expression);
        return effects.areFound;
    }
    void cast(NodePtr node) {
        if (numberWord(node->type) == "char") fail(node, "converts to 'char'");
        visitChildren(node);
    }

    std::vector<Reduction> joined_;
};

}  // namespace

Obstacle notOpenCl(const Nest& nest, const std::vector<NodePtr>& functions,
                   const std::vector<Reduction>& joined) {
    return Finder(nest, functions, joined).found;
}

Obstacle notOpenCl(const std::vector<NodePtr>& functions) { return Finder(functions).found; }

}  // namespace hpcc::nests
