// What passes tell the user about his program: -Rpass, -Rpass-missed.
#pragma once

#include <string>
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

    // A pass changed what stands at `place`: "the fast form of this nest ..".
    void fired(std::string_view pass, NodePtr place, const std::string& text);
    // It did not, because of what stands at `cause`.
    void missed(std::string_view pass, NodePtr place, const std::string& text, NodePtr cause,
                const std::string& reason);

private:
    diagnostics::Engine* engine_;
    const WantedRemarks* wanted_;
};

}  // namespace hpcc::ast
