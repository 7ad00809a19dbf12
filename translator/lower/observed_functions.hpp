// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ast/quote.hpp"
#include "ast/unit.hpp"
#include "lower/operations.hpp"
#include "lower/unnamed_functions.hpp"

namespace hpcc::lower {

/// Where code stands that calls functions.
struct CodePlace {
    std::vector<std::string> namespaces;  ///< round it
    std::size_t begin = 0;                ///< of the function round it
    bool capturesAll = true;              ///< lambdas round it refer to all variables
    bool hasObject = false;               ///< it stands in a member function that has one
    const ast::Symbol* object = nullptr;  ///< its class, where that is round it
};

/// What code calls that has a second form, and what it calls, perhaps to reach elements, that has
/// none.
struct ObservedCalls {
    std::vector<ast::NodePtr> observed;
    std::vector<ast::NodePtr> ends;  ///< destructors of variables that ask for the nest
    std::set<std::string> unseen;
};

/// The functions and lambdas of a unit that can have a second form, which notes what it accesses:
///
///     void add(double& sum, double e) { sum += e; }
///     void add_asserted(hpspmd::detail::Independence& nest_asserted, double& sum, double e) {
///         hpspmd::detail::mayWrite(nest_asserted, sum, "sum") += e;
///     }
///
/// So have operators, which get names, and constructors: `Cell(hpspmd::detail::Independence&
/// nest_asserted, double& e)`. They are known by the nodes that declare them: FunctionDefinitions,
/// and InitDeclarators of lambdas. What stages see is one outermost declaration; this is known of
/// all of them.
class ObservedFunctions {
public:
    /// `unit`: all of it, checked.
    ObservedFunctions(const ast::Unit& unit, ast::Quoter& quote);

    /// What the second form is called.
    std::string nameOf(ast::NodePtr declaration) const;
    /// Of a function, or a lambda with a name.
    const CodePlace& placeOf(ast::NodePtr function) const;
    /// The declaration of what the call runs, if code at `from` can call its second form; else
    /// null.
    ast::NodePtr observedBy(ast::NodePtr call, const CodePlace& from) const;
    /// All that perhaps run, if code at `from` can run the second form of each; else none.
    std::vector<ast::NodePtr> observedBy(const Operated& operated, const CodePlace& from) const;
    /// What runs without being named.
    const Operations& operations() const { return *operations_; }
    /// What runs where nobody can name it.
    const UnnamedFunctions& unnamed() const { return unnamed_; }
    /// True if what the call does may concern elements, besides those that are arguments.
    bool mayReachElements(ast::NodePtr call) const;
    /// True if a nest that is checked calls it, itself or by others.
    bool isWanted(ast::NodePtr declaration) const { return calls_.contains(declaration); }
    /// "f, std::sort": what these calls run, itself or by functions, that has no second form.
    std::string unseenBy(const ObservedCalls& calls) const;

private:
    class Collector;
    struct Known {
        ast::NodePtr definition;  // or the Lambda
        CodePlace place;
        bool isMember, isLambda;
    };
    void findCalled(const ast::Unit& unit, ast::Quoter& quote);
    bool isInSight(const Known& known, const CodePlace& from) const;
    bool isFoundByOperands(ast::NodePtr function, const Known& known) const;

    const ast::MacroNames& macros_;
    std::unordered_set<std::string_view> identifiers_;
    std::map<ast::NodePtr, Known> known_;
    std::optional<Operations> operations_;                            // if nests are checked
    std::map<const ast::Symbol*, std::vector<std::string>> classes_;  // namespaces round them
    std::map<std::size_t, CodePlace> places_;  // of functions, by where they begin
    std::vector<std::pair<ast::NodePtr, CodePlace>> nests_;
    std::map<ast::NodePtr, ObservedCalls> calls_;  // of functions that nests call
    UnnamedFunctions unnamed_;
    std::map<ast::NodePtr, ObservedCalls> callsOfUnnamed_;
    bool isComplete_ = false;
};

/// True if the lambda refers to every variable of the code round it.
bool capturesAll(ast::NodePtr lambda);

}  // namespace hpcc::lower
