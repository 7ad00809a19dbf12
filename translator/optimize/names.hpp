// Which variable each name of a lowered function means.
#pragma once

#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "ast/node_table.hpp"

namespace hpcc::optimize {

using ast::NodePtr;

/// Few of these come together: they need no memory of their own.
using Variables = boost::container::small_vector<int, 4>;

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
    int namesake = -1;          // the one declared before it with the same name

    /// It has one value from its declaration on.
    bool isConstant() const { return assignments == 0 && !escapes; }
};

/// The body of the function, or of a lambda inside it.
struct Body {
    NodePtr node = nullptr;
    bool isLambda = false;
    bool isOpaque = false;   // holds C++ that the translator does not look into
    bool hasLabels = false;  // to jump to
    bool hasLoops = false;
    bool hasRangeLoops = false;  // `for (x : r)`, as over blocks
    bool hasDeclarations = false;
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

    /// The variable declared last with this name; -1 if there is none.
    int lastNamed(std::string_view name) const {
        const auto place = meanings_.find(name);
        return place == meanings_.end() ? -1 : place->second.last;
    }

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
        const auto place = bodyNumbers_.find(body);
        return place == bodyNumbers_.end() ? -1 : place->second;
    }
    const Body& body(int number) const { return bodies_[static_cast<size_t>(number)]; }
    /// `i.sub` for its i; null for an identifier that is no base of a member.
    NodePtr memberOf(NodePtr identifier) const {
        const NodePtr* const member = members_.find(identifier);
        return member ? *member : nullptr;
    }

    /// The bodies in textual order, the function's first.
    const std::vector<Body>& bodies() const { return bodies_; }

private:
    friend class NameResolver;
    struct Meaning {
        int last = -1;     // declared with the name
        int current = -1;  // in scope at the present place of the resolver
    };

    std::vector<Variable> variables_;
    std::vector<NodePtr> uses_;      // of one variable after the other
    std::vector<size_t> firstUses_;  // where those of each variable begin, and the end
    ast::NodeTable<int> found_;
    std::unordered_map<std::string_view, Meaning> meanings_;
    std::unordered_map<NodePtr, std::vector<int>> named_;
    std::unordered_map<NodePtr, int> declared_;
    std::unordered_map<NodePtr, int> bodyNumbers_;
    std::vector<Body> bodies_;
    ast::NodeTable<NodePtr> members_;
};

}  // namespace hpcc::optimize
