// Which variable each name of a lowered function means.
#pragma once

#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ast/node_table.hpp"

namespace hpcc::optimize {

using ast::NodePtr;

/// One declared variable of a function or of a lambda inside it.
struct Variable {
    std::string_view name{};
    NodePtr declaration = nullptr;  // InitDeclarator, Parameter, RangeFor, ConditionDeclaration ..
    NodePtr specifiers = nullptr;   // its type as written; null for captures and bindings
    NodePtr initializer = nullptr;  // null if it has none
    int body = 0;                   // 0: the function; else the lambda that declares it
    int assignments = 0;            // besides the initialization
    bool isParameter = false;
    bool isReference = false;
    bool isPersistent = false;  // static, extern, thread_local
    bool escapes = false;       // code that does not name it may change it

    /// It has one value from its declaration on.
    bool isConstant() const { return assignments == 0 && !escapes; }
};

/// The names of one function with the lambdas in it, resolved by scope. What is not found is
/// declared outside of the function.
class Names {
public:
    explicit Names(NodePtr function);

    /// The variable that an Identifier means; -1 if it is declared outside or is no variable.
    int find(NodePtr identifier) const {
        const int* const variable = found_.find(identifier);
        return variable ? *variable : -1;
    }
    const Variable& operator[](int variable) const {
        return variables_[static_cast<size_t>(variable)];
    }
    int size() const { return static_cast<int>(variables_.size()); }

    /// The variable declared by a node, by its position among the names of that node.
    int declaredBy(NodePtr declaration) const {
        const auto place = declared_.find(declaration);
        return place == declared_.end() ? -1 : place->second;
    }

    /// The identifiers that mean it, its declaration not among them, in textual order.
    std::span<const NodePtr> usesOf(int variable) const {
        const auto begin = firstUses_[static_cast<size_t>(variable)];
        return std::span(uses_).subspan(begin,
                                        firstUses_[static_cast<size_t>(variable) + 1] - begin);
    }

    /// The variables named in a leaf of made text, as lowering writes into its checks:
    /// `x.size() - 1`.
    const std::vector<int>* namedIn(NodePtr leaf) const {
        const auto place = named_.find(leaf);
        return place == named_.end() ? nullptr : &place->second;
    }

    /// Number of a body: 0 for the function's own, k for the k-th lambda.
    int bodyOf(NodePtr body) const {
        const auto place = bodies_.find(body);
        return place == bodies_.end() ? -1 : place->second;
    }
    /// Does a body hold C++ that the translator does not look into; labels to jump to?
    bool isOpaque(int body) const { return isOpaque_[static_cast<size_t>(body)]; }
    bool hasLabels(int body) const { return hasLabels_[static_cast<size_t>(body)]; }
    /// `i.sub` for its i; null for an identifier that is no base of a member.
    NodePtr memberOf(NodePtr identifier) const {
        const NodePtr* const member = members_.find(identifier);
        return member ? *member : nullptr;
    }

    /// The bodies in textual order, the function's first.
    const std::vector<NodePtr>& bodies() const { return bodyList_; }

private:
    friend class NameResolver;

    std::vector<Variable> variables_;
    std::vector<NodePtr> uses_;      // of one variable after the other
    std::vector<size_t> firstUses_;  // where those of each variable begin, and the end
    ast::NodeTable<int> found_;
    std::unordered_map<NodePtr, std::vector<int>> named_;
    std::unordered_map<NodePtr, int> declared_;
    std::unordered_map<NodePtr, int> bodies_;
    std::vector<NodePtr> bodyList_;
    std::vector<bool> isOpaque_;
    std::vector<bool> hasLabels_;
    ast::NodeTable<NodePtr> members_;
};

}  // namespace hpcc::optimize
