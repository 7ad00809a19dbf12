// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/formats.hpp"

#include "ast/search.hpp"

namespace hpcc::regions {
namespace {

using diagnostics::Id;

// The variable subscripts the divided dimensions of both.
bool runsOver(const Method& method, NodePtr loop, const Symbol* variable, const DividedArray& a,
              const DividedArray& b) {
    ArraySet along;
    const Body body = readBody(loop, {method.function, method.arrays, {}});
    for (const Access& access : body.accesses)
        if (shiftOf(access.subscript(), variable)) along.insert(access.array);
    return along.contains(&a) && along.contains(&b);
}

void refuse(const Method& method, const DividedArray& a, const DividedArray& b,
            diagnostics::Engine& engine) {
    for (const NodePtr loop : ast::allOf<ast::For>(method.function)) {
        const auto counting = analysis::countingAhead(loop);
        const Symbol* variable = counting ? counting->name->symbol : nullptr;
        if (!variable || !runsOver(method, loop, variable, a, b)) continue;
        engine.report(Id::DifferentlyDivided, headOf(loop), variable->name, a.symbol->name,
                      b.symbol->name);
        return;
    }
    engine.report(Id::AttributeArgument, b.declaration->span(), "dist", b.format,
                  "the arrays of a method have one format");
}

}  // namespace

void takeFormats(Method& method, diagnostics::Engine& engine) {
    const DividedArray* other = nullptr;
    for (const auto& [symbol, array] : method.arrays) {
        if (array.format.empty()) continue;
        if (other && array.format != other->format) refuse(method, *other, array, engine);
        other = &array;
        method.format = array.format;
        method.isStrategy |= array.isStrategy;
    }
    if (method.format == "BlockRange") method.format.clear();
    for (const auto& [symbol, array] : method.arrays) {
        method.further = method.arrays.begin()->second.further.size();
        if (array.further.size() != method.further)
            engine.report(Id::AttributeArgument, array.declaration->span(), "dist", "dim(..)",
                          "the arrays of a method have as many divided dimensions");
    }
}

}  // namespace hpcc::regions
