// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "places.hpp"

#include "syntax/parse.hpp"

namespace hpcc::fuzz {
namespace {

int sortOf(ast::NodePtr node) {
    switch (node->category()) {
    case ast::Category::Expression:
        return 0;
    case ast::Category::Statement:
    case ast::Category::Declaration:
        return 1;
    case ast::Category::Declarator:
        return 2;
    default:
        return 3 + static_cast<int>(node->kind());
    }
}

}  // namespace

int Program::sortCount() { return 3 + ast::kindCount(); }

Program::Program(const std::string& content)
    : content_(content), text_("input.hpcpp", content), unit_(syntax::parse(text_, engine_)) {
    gather(unit_.root);
}

void Program::gather(ast::NodePtr node) {
    int slot = 0;
    for (const ast::NodePtr child : node->children()) {
        if (child) {
            const source::Span span = child->span();
            places_.push_back({span.begin, span.end, child, node, slot, sortOf(child)});
            gather(child);
        }
        ++slot;
    }
}

}  // namespace hpcc::fuzz
