// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "ast/print.hpp"
#include "nests/elements.hpp"

namespace hpcc::nests {

/// Writes an expression of `+ - * /`, std::fabs, std::max and its like, functions of the program
/// that compute such a one, and choices by comparisons,
/// over elements of type double so that it gives the values of several neighbouring iterations of
/// one loop at once.
class WideValues {
public:
    /// `access` writes the elements that change from iteration to iteration; null if it cannot.
    WideValues(Context& context, Elements& elements, std::string_view variable,
               std::function<ast::NodePtr(ast::NodePtr)> access)
        : context_(context), elements_(elements), variable_(variable), access_(std::move(access)) {}

    /// Each iteration stores this element, which a choice may therefore read. If `mayBeWhole` and
    /// it is of type int, so is all that is computed: by + - * and choices only.
    void storeIn(const Access& target, bool mayBeWhole);
    bool areWhole() const { return isWhole_; }
    /// True if it has written square roots.
    bool hasRoots() const { return hasRoots_; }
    /// The type of the elements and of what is computed.
    std::string_view number() const { return isWhole_ ? "int" : "double"; }
    bool computes(std::string_view op) const {
        return op == "+" || op == "-" || op == "*" || (op == "/" && !isWhole_);
    }

    /// Null if the expression holds something else.
    ast::NodePtr of(ast::NodePtr expression);

    /// From here on it is the name of a number that may change from iteration to iteration.
    /// In what is written it is `written`.
    void declare(std::string_view name, const std::string& written) { declared_[name] = written; }

    /// From here on `written` stands for this expression.
    void replace(ast::NodePtr expression, const std::string& written) {
        replaced_[ast::print(expression)] = written;
    }

    /// All such names, to be given back behind a block.
    using Declared = std::map<std::string_view, std::string>;
    const Declared& declared() const { return declared_; }
    void forgetAllBut(const Declared& names) { declared_ = names; }

    /// One of two values, by comparisons, perhaps joined by && and ||; null if the condition is
    /// something else.
    ast::NodePtr chosen(ast::NodePtr condition, ast::NodePtr then, ast::NodePtr otherwise);

    /// True if the expression changes from iteration to iteration.
    bool isReached(ast::NodePtr expression) const;

private:
    ast::NodePtr binary(ast::NodePtr e);
    ast::NodePtr call(ast::NodePtr e);
    ast::NodePtr ofFunction(ast::NodePtr e);
    ast::NodePtr extreme(ast::NodePtr e);
    ast::NodePtr choice(ast::NodePtr e);
    ast::NodePtr truth(ast::NodePtr condition);
    ast::NodePtr scalar(ast::NodePtr e);
    ast::NodePtr wholeNumber(ast::NodePtr e);
    bool readsMore(ast::NodePtr e) const;

    Context& context_;
    Elements& elements_;
    std::string_view variable_;
    Declared declared_;
    std::map<std::string, std::string> replaced_;  // by their texts
    std::string stored_;                           // the text of the element
    bool isWhole_ = false, hasRoots_ = false;
    std::function<ast::NodePtr(ast::NodePtr)> access_;
};

bool isDouble(const ast::Type* type);
/// `number`: int or double.
bool isOfNumber(const ast::Type* type, std::string_view number);
/// A decimal literal that a double holds exactly: `2`.
bool isShortInteger(ast::NodePtr expression);
/// True if it is known as a number, not perhaps an object of a class with operators of its own.
bool isKnownNumber(ast::NodePtr expression);
/// One with elements of tables of template parameters, `2 * W::w[0]`, as the double that it becomes
/// beside `other`, if that is one: the nest asks whether they are numbers. Null of others.
ast::NodePtr presumedDouble(ast::Writer& writer, Elements& elements, ast::NodePtr expression,
                            ast::NodePtr other = nullptr);

/// The type of an access's elements, as it is written; "" if it is not known.
std::string_view elementOf(const Access& access);
/// True if that is double.
bool isOfDoubles(const Access& access);

/// True if neighbouring iterations of the loop of `values` reach neighbouring elements, of their
/// type.
bool runsAlongRow(const Access& access, const Loop& loop, const WideValues& values);

}  // namespace hpcc::nests
