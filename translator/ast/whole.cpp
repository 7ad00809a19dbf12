// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/whole.hpp"

#include "ast/attributes.hpp"
#include "ast/effects.hpp"
#include "ast/visitor.hpp"

namespace hpcc::ast {
namespace {

class Refreshing : public Visitor {
public:
    std::unordered_set<std::string_view> names;

    void visitAttributed(NodePtr node) override {
        if (hasAttribute(node, "refreshes")) declared_.visit(node->child(Attributed::declaration));
        visitChildren(node);
    }
    void visitOther(NodePtr node) override {
        if (node->contains(extension)) visitChildren(node);
    }
    void visitCompound(NodePtr) override {}

private:
    /// The names of the functions that a declaration declares.
    struct Declared : Visitor {
        explicit Declared(Refreshing& all) : all(all) {}
        Refreshing& all;

        void visitFunctionDeclarator(NodePtr node) override {
            const auto inName = namesIn(node->child(FunctionDeclarator::declarator));
            all.names.insert(inName.begin(), inName.end());
        }
        void visitCompound(NodePtr) override {}
    };
    Declared declared_{*this};
};

class Hiding : public Visitor {
public:
    bool isFound = false;

    void visitNamespace(NodePtr node) override {
        const NodePtr name = node->child(Namespace::name);
        isFound |= name && (name->text().ends_with("::hpspmd") || (depth_ > 0 && isOurs(name)));
        ++depth_;
        visitChildren(node);
        --depth_;
    }
    void visitNamespaceAlias(NodePtr node) override {
        isFound |= isOurs(node->child(NamespaceAlias::name));
    }
    void visitAliasDeclaration(NodePtr node) override {
        isFound |= isOurs(node->child(AliasDeclaration::name));
    }
    void visitClass(NodePtr node) override {
        isFound |= isOurs(node->child(Class::name));
        visitChildren(node);
    }
    void visitEnum(NodePtr node) override { isFound |= isOurs(node->child(Enum::name)); }

private:
    static bool isOurs(NodePtr name) { return name && name->text() == "hpspmd"; }
    int depth_ = 0;
};

}  // namespace

bool Whole::hidesLibraryIn(NodePtr root) {
    Hiding hiding;
    hiding.visit(root);
    return hiding.isFound;
}

std::unordered_set<std::string_view> Whole::refreshingIn(NodePtr root) {
    Refreshing refreshing;
    refreshing.visit(root);
    return std::move(refreshing.names);
}

}  // namespace hpcc::ast
