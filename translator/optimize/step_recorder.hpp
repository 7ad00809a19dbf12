// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps while the names of a function are resolved.
#pragma once

#include <utility>

#include "optimize/names.hpp"

namespace hpcc::optimize {

/// Notes of each step what it names and may change. `before`: of the function before a pass changed
/// parts of it; null if nothing is known.
class StepRecorder {
public:
    StepRecorder(Names& names, const Names* before) : names_(names), before_(before) {}

    /// The step that is being walked; null between them.
    NodePtr step() const { return step_; }
    void begin(NodePtr step, int body);
    void end();
    /// Steps of the body of a lambda come in between.
    struct Outer {
        NodePtr step = nullptr;
        size_t effects = 0;
    };
    Outer pause() { return {std::exchange(step_, nullptr), open_}; }
    void resume(Outer outer);

    /// It declares names, or is not looked into: a later pass walks it again.
    void spoil() { isPlain_ = false; }
    /// What was named up to here does not count as named in it: it declares that.
    void declare() { effects().firstPlace = names_.places_.size(); }
    /// What the node, a part of it, changes itself.
    void add(NodePtr node);
    /// True if all is known from before, where each name in it meant what it does here.
    bool isTakenOver();

private:
    StepEffects& effects() { return names_.effects_[open_]; }
    int meaningOf(int earlier) const;
    bool isSame(const NamePlace& place) const;

    Names& names_;
    const Names* before_;
    NodePtr step_ = nullptr;
    size_t open_ = 0;  // its effects
    bool isPlain_ = true;
};

}  // namespace hpcc::optimize
