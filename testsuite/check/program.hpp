// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/unit.hpp"
#include "check/annotate.hpp"
#include "diagnostics/engine.hpp"
#include "source/text.hpp"
#include "syntax/parse.hpp"

#include <string>
#include <utility>
#include <vector>

namespace hpcc::testing {

/// A program with the type of each expression. Keeps what its tree needs: must outlive it.
class Program {
public:
    /// The code stands behind `#include <hpspmd>` and the directive for its namespace.
    explicit Program(const std::string& code, std::vector<const ast::Unit*> imports = {})
        : text_("test.hpcpp", "#include <hpspmd>\nusing namespace hpspmd;\n" + code),
          unit_(syntax::parse(text_, engine_, std::move(imports))) {
        check::annotate(unit_);
    }

    const ast::Unit& unit() const { return unit_; }
    bool parsed() const { return !engine_.hasErrors(); }

    /// The last node for which `isWanted`, or nullptr.
    template <class Predicate>
    ast::NodePtr findLast(Predicate isWanted) const {
        return findLast(unit_.root, isWanted);
    }

private:
    template <class Predicate>
    static ast::NodePtr findLast(ast::NodePtr node, Predicate isWanted) {
        if (!node) return nullptr;
        const auto children = node->children();
        for (auto child = children.rbegin(); child != children.rend(); ++child)
            if (const ast::NodePtr found = findLast(*child, isWanted)) return found;
        return isWanted(node) ? node : nullptr;
    }

    source::Text text_;
    diagnostics::Engine engine_;
    ast::Unit unit_;
};

}  // namespace hpcc::testing
