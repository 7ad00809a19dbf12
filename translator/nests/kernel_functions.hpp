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

/// The functions of the program that a kernel calls, each as a function of the kernel's own: those
/// of namespaces, static members, and lambdas with a name, of numbers and plain structs.
///
///     double square(const double& x) { return x * x; }  // program
///     static double heat_22_9_square(double x) { return x * x; }  // kernel
class KernelFunctions {
public:
    /// `scope`: the names of the file.
    KernelFunctions(Context& context, const ast::Scope* scope, std::string kernel)
        : records(context, kernel), context_(context), scope_(scope), kernel_(std::move(kernel)) {}

    KernelRecords records;  // that they and the kernel use

    /// What the kernel calls it, or the first thing of it that no kernel knows.
    std::variant<std::string, Obstacle> called(ast::NodePtr callee);

    /// All that have been called, each behind those that it calls itself, on one line.
    const std::string& text() const { return text_; }
    const std::vector<ast::NodePtr>& definitions() const { return definitions_; }

private:
    bool isOneFunction(ast::NodePtr definition) const;

    Context& context_;
    const ast::Scope* scope_;
    const std::string kernel_;
    std::map<ast::NodePtr, std::string> names_;  // "" while it is being written
    std::vector<ast::NodePtr> definitions_;
    std::string text_;
};

}  // namespace hpcc::nests
