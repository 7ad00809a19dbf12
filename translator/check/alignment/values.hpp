// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variables that differ between processes, at one place of a function.
#pragma once

#include "check/alignment/source.hpp"

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

#include <compare>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace hpcc::check::alignment {

// A variable (part ""), its member of that name, its element "0", "1" .., all its other elements
// ("[]"), or what it points to ("*").
struct Variable {
    const Symbol* symbol = nullptr;
    std::string_view part;
    auto operator<=>(const Variable&) const = default;
};

// An object whose parts are told apart: each of them, and what is not told apart.
struct Composed {
    Coherence whole;
    std::map<std::string_view, Coherence> parts;  // by Variable::part

    Coherence of(std::string_view part) const;
    Composed& operator|=(const Coherence& more);
};

// What a function returns on one path or on another.
Composed meet(const Composed& one, const Composed& other);

// A treap (a search tree whose form follows from the variables in it alone, see Seidel and Aragon,
// "Randomized search trees", 1996) of which copies share what they have in common: a copy costs
// nothing, a change the logarithm of the number of variables, joining two of them or comparing
// them what they differ in. So a function may have many variables and many branches.
//
// A part that is not there is like the whole: it may be what makes the whole differ.
class Values {
public:
    Coherence of(const Variable& variable) const;
    Coherence anyElementOf(const Symbol* symbol) const;
    std::vector<std::string_view> partsOf(const Symbol* symbol) const;
    void set(const Variable& variable, const Coherence& value);
    void erase(const Symbol* symbol);  // the variable, its elements and members
    template <class Condition>
    void eraseIf(const Condition& condition) {
        root_ = without(root_, condition);
    }
    // Where two paths meet (source.hpp).
    void join(const Values& other, const SourceSet& divided);
    void clear() { root_.reset(); }
    bool operator==(const Values& other) const { return areEqual(root_, other.root_); }

private:
    struct Entry;
    using Tree = boost::intrusive_ptr<const Entry>;
    struct Entry : boost::intrusive_ref_counter<Entry, boost::thread_unsafe_counter> {
        Entry(const Variable& variable, const Coherence& value, Tree less, Tree greater)
            : variable(variable),
              value(value),
              less(std::move(less)),
              greater(std::move(greater)) {}
        Variable variable;
        Coherence value;  // of a whole variable not empty
        Tree less, greater;
    };
    struct Parts {
        Tree less;
        std::optional<Coherence> value;
        Tree greater;
    };
    // Makes one value of those of two trees.
    struct Meeting {
        const Values& one;
        const Values& other;
        std::function<Coherence(const Coherence& one, const Coherence& other)> meet;
    };

    static bool isAbove(const Variable& one, const Variable& other);
    static Tree with(const Tree& entry, Tree less, const Coherence& value, Tree greater);
    static Parts split(const Tree& tree, const Variable& variable);
    static Tree set(const Tree& tree, const Variable& variable, const Coherence& value);
    static Tree unite(const Tree& less, const Tree& greater);
    static Tree join(const Tree& one, const Tree& other, const Meeting& meeting);
    static Tree joinWithNothing(const Tree& tree, bool isOne, const Meeting& meeting);
    const Entry* find(const Variable& variable) const;
    static bool areEqual(const Tree& one, const Tree& other);

    template <class Condition>
    static Tree without(const Tree& tree, const Condition& condition) {
        if (!tree) return tree;
        Tree less = without(tree->less, condition), greater = without(tree->greater, condition);
        if (condition(tree->variable)) return unite(less, greater);
        return with(tree, std::move(less), tree->value, std::move(greater));
    }

    Tree root_;
};

}  // namespace hpcc::check::alignment
