// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "ast/independent.hpp"
#include "ast/rewriter.hpp"
#include "ast/writer.hpp"
#include "lower/observed_functions.hpp"

namespace hpcc::lower {

/// Makes of a nest, or of a function that it calls, one that tells what it accesses.
class Observer : public ast::Rewriter {
    using NodePtr = ast::NodePtr;

public:
    /// `name`: of the Independence that is told.
    Observer(ast::Writer& writer, const ObservedFunctions& functions, CodePlace place,
             std::string name)
        : Rewriter(writer.arena),
          writer_(writer),
          functions_(functions),
          place_(std::move(place)),
          name_(std::move(name)) {}

    /// These arrays are known.
    Observer& with(const std::vector<ast::Promise>& promises) {
        for (const ast::Promise& each : promises) containers_.insert(each.array);
        return *this;
    }

    ObservedCalls calls;

    NodePtr rewriteOverall(NodePtr overall) override;
    NodePtr rewriteAssign(NodePtr node) override { return writing(node); }
    NodePtr rewritePostfix(NodePtr node) override { return writing(node); }
    NodePtr rewriteBinary(NodePtr node) override;
    NodePtr rewriteUnary(NodePtr node) override;
    NodePtr rewriteCall(NodePtr node) override;
    NodePtr rewriteIdentifier(NodePtr node) override;
    NodePtr rewriteMember(NodePtr node) override;
    NodePtr rewritePointerMember(NodePtr node) override;
    NodePtr rewriteSubscript(NodePtr node) override;
    NodePtr rewriteLambda(NodePtr node) override;

    NodePtr rewriteLabel(NodePtr node) override { return renamed(node, ast::Label::name); }
    NodePtr rewriteGoto(NodePtr node) override { return renamed(node, ast::Goto::target); }

    // What runs constructors.
    NodePtr rewriteFunctionalCast(NodePtr node) override;
    NodePtr rewriteNew(NodePtr node) override;
    NodePtr rewriteMemberInitializer(NodePtr node) override;

    // What declares names, and what is not evaluated here.
    NodePtr rewriteInitDeclarator(NodePtr node) override;
    NodePtr rewriteConditionDeclaration(NodePtr node) override {
        return onlyChild(node, ast::ConditionDeclaration::initializer);
    }
    NodePtr rewriteDesignatedInitializer(NodePtr node) override {
        return onlyChild(node, ast::DesignatedInitializer::value);
    }
    NodePtr rewriteRangeFor(NodePtr node) override;
    NodePtr rewriteParameter(NodePtr node) override { return node; }
    NodePtr rewriteSpecifiers(NodePtr node) override { return node; }
    NodePtr rewriteTypeName(NodePtr node) override { return node; }
    NodePtr rewriteMultiarrayType(NodePtr node) override { return node; }
    NodePtr rewriteQualifiedName(NodePtr node) override { return node; }
    NodePtr rewriteTemplateName(NodePtr node) override { return node; }
    NodePtr rewriteClass(NodePtr node) override { return node; }
    NodePtr rewriteSizeof(NodePtr node) override { return node; }
    NodePtr rewriteNoexcept(NodePtr node) override { return node; }
    NodePtr rewriteDecltypeType(NodePtr node) override { return node; }
    NodePtr rewriteOverallExpression(NodePtr node) override { return node; }

private:
    /// What is done to an element, or to the object inside of it that an expression names.
    struct Reach {
        bool isKnown = false;
        bool writes = false;
        std::string part;  // the members behind: `pos.x` of a[i].pos.x
    };

    Reach& reach(NodePtr expression);
    NodePtr baseOf(NodePtr node) const;
    bool isOwnMember(NodePtr name) const;
    NodePtr writing(NodePtr node);
    NodePtr noted(NodePtr node, NodePtr element, NodePtr base, const Reach& reached);
    NodePtr notedMember(NodePtr node, const std::string& object, NodePtr pointer, NodePtr name);
    NodePtr withoutObserving(NodePtr node);
    NodePtr calledFrom(NodePtr node);
    std::vector<NodePtr> given(NodePtr call);
    NodePtr observedCallee(NodePtr callee, const std::string& form);
    NodePtr operated(NodePtr node);
    std::vector<NodePtr> observedBy(const Operated& operated);
    NodePtr constructed(const ast::Type* type, NodePtr initializer);
    NodePtr constructedVariable(NodePtr node);
    std::vector<NodePtr> passed(const Operated& to, std::span<const NodePtr> operands);
    NodePtr onlyChild(NodePtr node, uint32_t slot);
    NodePtr renamed(NodePtr node, uint32_t slot);
    NodePtr valueOf(NodePtr header);
    NodePtr named(const std::string& name, NodePtr origin) {
        return ast::identifier(arena(), name, origin);
    }
    NodePtr quoted(std::string_view text, NodePtr origin);

    ast::Writer& writer_;
    const ObservedFunctions& functions_;
    CodePlace place_;
    const std::string name_;
    std::unordered_set<std::string_view> containers_;
    std::unordered_set<const ast::Symbol*> ownLambdas_;
    std::map<ast::NodePtr, Reach> reached_;
};

}  // namespace hpcc::lower
