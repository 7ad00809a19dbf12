// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "nests/function_code.hpp"

namespace hpcc::nests {

/// The function of a pattern: it knows the values of what it captures, numbers and arrays that it
/// reads, and may give a tuple.
///
///     [&centres](double x) { return x - centres[0].x; }                          // program
///     static double heat_22_9_each(double x, LIST(heat_22_9_Point, centres), EXTENT(centres_n0)) {
///         return x - centres[0].x; }                                             // kernel
class PatternCode : public FunctionCode {
public:
    /// A lambda that is not written where it is given to the pattern knows what is the same there.
    PatternCode(Context& context, KernelFunctions& functions, NodePtr definition,
                const ast::Type* result, bool isWrittenThere)
        : FunctionCode(context, functions, definition, result, nullptr),
          isWrittenThere_(isWrittenThere) {}

protected:
    std::string parameterFor(const Captured& each) override;
    std::string resultWord(std::vector<std::string>& parameters) override;
    NodePtr special(NodePtr node) override;
    bool isCaptured(const ast::Symbol& symbol) const override;

private:
    /// What the kernel calls a captured array, its extents, and its strides but the last one.
    struct ListNames {
        std::string list;
        std::vector<std::string> extents, strides;
    };
    /// Null if it is the name of no array that is captured.
    const ListNames* listNamed(NodePtr name);

    NodePtr element(NodePtr node);
    NodePtr extent(NodePtr call);
    NodePtr overElements(NodePtr loop);
    NodePtr unrolled(NodePtr loop);
    NodePtr requireOwn(NodePtr node, NodePtr target);
    NodePtr tuple(NodePtr node, std::span<const NodePtr> parts);
    NodePtr returned(NodePtr node, NodePtr value);
    std::string result(size_t k);

    const bool isWrittenThere_;
    std::map<std::string, ListNames> lists_;   // by their names in the program
    std::set<const ast::Symbol*> references_;  // to elements of them
    std::set<NodePtr> unrolled_;               // loops that have been told so
    std::vector<std::string> results_;         // words of the parts of a tuple
    std::vector<std::string> resultNames_;
};

}  // namespace hpcc::nests
