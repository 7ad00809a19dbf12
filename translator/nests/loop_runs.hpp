// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/device.hpp"
#include "nests/entry_test.hpp"

namespace hpcc::nests {

/// What the loops of `overall` in a fast form go over, by names: what each range holds of the
/// triplet if that is fixed, else of the whole range, from which every iteration round the loop
/// takes its part.
class LoopRuns {
public:
    struct Names {
        std::string run, global;
        bool atEntry = false;   // the run is the same in every iteration round the loop
        bool mayRaise = false;  // it is asked for inside, and may lie outside of its range
    };

    LoopRuns(Context& context, const Nest& nest, Reaches& reaches, EntryTest& test)
        : context_(context), nest_(nest), reaches_(reaches), test_(test) {}

    /// Gives the names, and has the entry test ask what the loops need.
    void prepare(bool wantsDevices);

    Names& operator[](const Loop& overall) { return names_[&overall]; }
    const std::string& held(const Loop& overall) const { return held_.at(&overall); }
    /// By the loops.
    const std::unordered_map<const Loop*, std::string>& held() const { return held_; }
    RunNames all() const;
    /// In the order of the text.
    std::vector<std::string> inOrder() const;

    bool mayRaise() const;
    /// True if the bounds of the loop are the same in every iteration of those round it, or known
    /// by expressions.
    bool areKnown(const Loop& loop) const;

    const std::vector<ast::NodePtr>& declarations() const { return declarations_; }

private:
    void declare(const Loop& loop, const Names& names);
    void require(const Loop& loop, const char* property);
    void requireOtherDimensions(const Loop& loop);

    Context& context_;
    const Nest& nest_;
    Reaches& reaches_;
    EntryTest& test_;
    std::unordered_map<const Loop*, Names> names_;
    std::unordered_map<const Loop*, std::string> held_;
    std::vector<ast::NodePtr> declarations_;
};

/// The declaration of what a loop goes over in this iteration of those round it.
ast::NodePtr runOfIteration(Context& context, const Loop& loop, const LoopRuns::Names& names,
                            const std::string& held,
                            const std::function<ast::NodePtr(ast::NodePtr)>& fast);

}  // namespace hpcc::nests
