// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "analysis/loop.hpp"
#include "nests/context.hpp"
#include "nests/mentions.hpp"
#include "nests/nest.hpp"

namespace hpcc::nests {

/// A loop that counts with an integer of its own.
std::optional<analysis::CountingLoop> ownLoop(ast::NodePtr statement);

/// The subscripts of an element of a C array or std::array that is one of `own`; null of others.
ast::NodePtr subscriptsOfOwn(ast::NodePtr node, const Names& own);

/// What a loop does with its variable that is a reason to write it out.
enum class LoopUse { None, ShiftsIndex, ChoosesArray, GoesOverOwn };

/// `own`: names that the nest declares.
LoopUse useOf(std::string_view variable, ast::NodePtr body, const Names& own);

/// All variables inside that might be used so.
Names shiftingNames(ast::NodePtr nest, const Names& own);

/// Writes out one loop, and those in it.
class WrittenOut {
public:
    WrittenOut(Context& context, const Names& own) : context_(context), own_(own) {}

    /// The statements of all iterations.
    std::vector<ast::NodePtr> iterations(const analysis::CountingLoop& loop,
                                         const std::vector<long>& values);

    /// The values of the variable, if the loop is a short one that can be written out.
    std::variant<std::vector<long>, Obstacle> valuesOf(const analysis::CountingLoop& loop);

    bool isTooMuch() const;

    /// As one statement; in braces wherever an `else` behind it might find another `if`, or a name
    /// declared in it is perhaps that of the statement around.
    ast::NodePtr block(std::vector<ast::NodePtr> statements, ast::NodePtr origin);

private:
    ast::NodePtr block(const analysis::CountingLoop& loop, long value,
                       std::vector<ast::NodePtr> statements);
    ast::NodePtr withoutGuards(ast::NodePtr body);
    std::vector<ast::NodePtr> copies(ast::NodePtr statement);
    std::vector<ast::NodePtr> inScope(ast::NodePtr statement);
    ast::NodePtr copy(ast::NodePtr node);
    ast::NodePtr rebuilt(ast::NodePtr node, const std::vector<ast::NodePtr>& children);
    ast::NodePtr valueOf(ast::NodePtr name);
    ast::NodePtr surelyThere(ast::NodePtr call);
    bool depends(ast::NodePtr e) const;
    ast::NodePtr knownValue(ast::NodePtr subscript);
    ast::NodePtr tabulated(ast::NodePtr element);
    ast::NodePtr shifted(ast::NodePtr node);

    Context& context_;
    const Names& own_;
    analysis::Bindings constants_;
    size_t written_ = 0;
};

}  // namespace hpcc::nests
