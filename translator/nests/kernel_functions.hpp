// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "ast/scope.hpp"
#include "nests/kernel_records.hpp"

namespace hpcc::nests {

class Plans;

/// A number that a lambda has of the function round it, or an array: then the word is that of its
/// elements, in the kernel.
struct Captured {
    std::string name, word;
    bool isReferredTo = false;  // else a copy of it
    size_t rank = 0;            // of an array
    std::string own = "";       // the kernel's own class of elements; "" if they are numbers
};

/// What a pattern does with elements: `float saxpy_4_26_each(float x, float y, float alpha)`, where
/// alpha is captured. Of a tuple the parts go to pointers behind that.
struct PatternFunction {
    std::string name;
    std::vector<Captured> captured;
    bool isInstance;  // of a generic lambda: it takes elements of its types only
};

/// The functions of the program that a kernel calls, each as a function of the kernel's own: those
/// of namespaces, members of plain structs, and lambdas with a name, of numbers and plain structs.
///
///     double square(const double& x) { return x * x; }  // program
///     static double heat_22_9_square(double x) { return x * x; }  // kernel
///
///     struct Pair { double a, b; double sum() const { return a + b; } };  // program
///     static double heat_22_9_sum(heat_22_9_Pair self) { return self.a + self.b; }  // kernel
///
///     const auto scaled = [&](double x) { return s * x; };  // program
///     static double heat_22_9_scaled(double x, double s) { return s * x; }  // kernel
class KernelFunctions {
public:
    KernelFunctions(Context& context, const Plans& plans, ast::NodePtr nest, std::string kernel)
        : records(context, kernel),
          context_(context),
          plans_(plans),
          nest_(nest),
          kernel_(std::move(kernel)) {}

    KernelRecords records;  // that they and the kernel use

    /// What the kernel calls it, or the first thing of it that no kernel knows.
    /// `object` is the class of the object whose member function it is; null if it is none, or one
    /// outside of the nest, which names its members by `outer`.
    std::variant<std::string, Obstacle> called(ast::NodePtr callee, const ast::Type* object,
                                               const std::string& outer);
    /// True if it is a member function that no derived class overrides.
    bool isOfOneClass(const ast::Symbol* function) const;
    /// True if it is a member function, which has an object, of a class that kernels know.
    bool isMemberOf(const ast::Type* object, const ast::Symbol* function);

    /// What one that has been called takes behind its parameters: numbers round a lambda, each by
    /// the name that it has at the nest, too.
    const std::vector<Captured>& capturedBy(ast::NodePtr callee, const std::string& outer) const;
    /// True if it is a variable of the function round the nest, whose name means nothing else
    /// there.
    bool isKnownAtNest(const ast::Symbol& variable) const;

    bool isLocal(const ast::Symbol& variable) const;

    /// A lambda, or the name of a function or of a lambda, that is given to a pattern.
    std::variant<PatternFunction, Obstacle> ofPattern(ast::NodePtr function);

    /// All that have been called, each behind those that it calls itself, on one line.
    const std::string& text() const { return text_; }
    const std::vector<ast::NodePtr>& definitions() const { return definitions_; }

private:
    /// Those among which the instance of a template chooses, all by one name.
    std::variant<std::string, Obstacle> overloads(ast::NodePtr callee,
                                                  const std::vector<const ast::Symbol*>& choices);
    bool isOneFunction(ast::NodePtr definition) const;

    Context& context_;
    const Plans& plans_;
    const ast::NodePtr nest_;
    const std::string kernel_;
    using Known = std::pair<ast::NodePtr, std::string>;  // a definition, and `outer`
    std::map<Known, std::string> names_;                 // "" while it is being written
    std::map<Known, std::vector<Captured>> captured_;
    std::vector<ast::NodePtr> definitions_;
    std::string text_;
};

}  // namespace hpcc::nests
