// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <string>

#include "ast/quote.hpp"
#include "ast/unit.hpp"
#include "diagnostics/engine.hpp"
#include "driver/observer.hpp"
#include "driver/options.hpp"
#include "regions/calls_in_nests.hpp"

namespace hpcc::lower {
class ObservedFunctions;
}

namespace hpcc::driver {

/// Calls of functions in nests that stay calls, of one text.
struct CallsLeft {
    std::shared_ptr<ast::Arena> arena;
    std::vector<regions::CallLeft> all;
};

/// What the stages of one translation share.
struct Pipeline {
    const Options& options;
    diagnostics::Engine& engine;
    ast::Quoter& quote;
    Observer& observer;
    std::deque<source::Text> texts = {};                 // with divided loops
    const lower::ObservedFunctions* observed = nullptr;  // of the checked unit
    CallsLeft callsLeft = {};
};

/// True if all nests ask where their elements are. Then they may run on devices. With --device, at
/// -O3.
bool asksForDevices(const Options& options);

/// The front half: what a header hands to the files that include it. Nothing if the engine holds
/// errors.
std::optional<ast::Unit> analyse(Pipeline& pipeline, const source::Text& text,
                                 std::vector<const ast::Unit*> imports,
                                 const std::string& last = "checked");

/// An outermost declaration (ast/pieces.hpp), with what stages make of it.
struct Piece {
    ast::NodePtr root = nullptr;
    std::shared_ptr<ast::Arena> arena = std::make_shared<ast::Arena>();
    std::shared_ptr<nests::Plans> plans = nullptr;

    void swapWith(ast::Unit& unit);
};

/// The back half: from pieces of a checked unit to such whose text is plain C++, or to the stage
/// named `last`. Each stage takes one piece after the other, so that its code, too, stays in the
/// processor's caches.
void transform(Pipeline& pipeline, ast::Unit& whole, std::span<Piece> pieces,
               const std::string& last);

/// The text that `transform` makes, for a unit that `analyse` has returned; large ones on several
/// threads.
std::string translated(Pipeline& pipeline, ast::Unit unit, const std::string& last,
                       bool lineDirectives);

/// What the passes on nests decide, as text (nests/plan.hpp).
std::string plansOf(Pipeline& pipeline, ast::Unit unit);

/// The texts of the nests that may run on devices.
std::string kernelsOf(Pipeline& pipeline, ast::Unit unit);

/// Failure(Usage) if --pass or --print-after names no stage or pass.
void requireKnownPasses(const Options& options);

}  // namespace hpcc::driver
