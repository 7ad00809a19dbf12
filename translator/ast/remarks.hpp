// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What passes tell the user about his program: -Rpass, -Rpass-missed.
#pragma once

#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "ast/node.hpp"
#include "diagnostics/engine.hpp"

namespace hpcc::ast {

// The passes that the user wants to hear of; "" stands for all.
struct WantedRemarks {
    std::vector<std::string> fired, missed;
};

class Remarks {
public:
    Remarks(diagnostics::Engine& engine, const WantedRemarks& wanted)
        : engine_(&engine), wanted_(&wanted) {}

    // True if the user wants to hear of what this pass does, or does not.
    bool wants(std::string_view pass) const;

    // A pass changed what stands at `place`: "the fast form of this nest ..". Told once, also if
    // the place stands in several forms of one nest.
    void fired(std::string_view pass, NodePtr place, const std::string& text);
    // It did not, because of what stands at `cause`; `cure` is what the user can do about it, or
    // "".
    void missed(std::string_view pass, NodePtr place, const std::string& text, NodePtr cause,
                const std::string& reason, const std::string& cure = "");

    // What passes do to the code that stands at this place runs only where a fast form of it does
    // not: they say nothing of it.
    void cover(NodePtr place) { covered_.push_back(place->origin()->span()); }
    bool isCovered(NodePtr place) const;

private:
    // True if it is the first remark of that kind there.
    bool isNew(std::string_view pass, const source::Span& span, const std::string& text);

    diagnostics::Engine* engine_;
    const WantedRemarks* wanted_;
    std::set<std::tuple<std::string_view, uint32_t, std::string>> told_;
    std::vector<source::Span> covered_;
};

}  // namespace hpcc::ast
