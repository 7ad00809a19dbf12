// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/creation.hpp"

namespace hpcc::lower {

using ast::NodePtr;

NodePtr lowerCreation(Context& context, NodePtr creation) {
    NodePtr group = creation->child(ast::NewMultiarray::group);
    if (!group) group = context.expression("hpspmd::apg()", {}, creation);
    std::vector<NodePtr> arguments{group};
    const auto extents = creation->child(ast::NewMultiarray::extents)->children();
    arguments.insert(arguments.end(), extents.begin(), extents.end());
    return context.expression(
        "hpspmd::create<$T>($arguments)",
        {{"$T", creation->child(ast::NewMultiarray::elementType)}, {"$arguments", arguments}},
        creation);
}

}  // namespace hpcc::lower
