// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A kernel of the pretended GPU, and how one group of its lanes runs.
#undef _FORTIFY_SOURCE  // it forbids jumps from stack to stack
#include <setjmp.h>
#include <ucontext.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace fake {

struct Place {
    unsigned x, y, z;
};

/// A kernel in a library made by nvrtcCompileProgram.
struct Function {
    void (*run)(void** arguments);
    Place *group, *lane, *groups;
    void (**barrier)();
    bool waits;  // at barriers
    std::size_t (*sizeOf)(unsigned argument);
};

/// The arguments of a launch, as they were.
class Values {
public:
    Values(const Function& function, void** arguments) {
        std::size_t size = 0;
        for (unsigned k = 0; (size = function.sizeOf(k)) > 0; ++k) {
            const auto* const begin = static_cast<const char*>(arguments[k]);
            all_.emplace_back(begin, begin + size);
        }
    }
    void** addresses() {
        addresses_.clear();
        for (std::vector<char>& each : all_) addresses_.push_back(each.data());
        return addresses_.data();
    }

private:
    std::vector<std::vector<char>> all_;
    std::vector<void*> addresses_;
};

/// The lanes of a group, each with a stack of its own.
class Group {
public:
    Group(const Function& function, void** arguments, const Place& size)
        : function_(function), arguments_(arguments), size_(size) {
        current = this;
        *function.barrier = [] { current->pause(); };
    }

    void run() {
        if (!function_.waits) {
            for (unsigned k = 0; k < count(); ++k) {
                *function_.lane = placeOf(k);
                function_.run(arguments_);
            }
            return;
        }
        lanes_.resize(count());
        for (Lane& lane : lanes_) lane.hasEnded = false;
        for (std::size_t ended = 0; ended < lanes_.size();)
            for (next_ = 0; next_ < lanes_.size(); ++next_) {
                if (lanes_[next_].hasEnded) continue;
                *function_.lane = placeOf(static_cast<unsigned>(next_));
                resume(lanes_[next_]);
                ended += lanes_[next_].hasEnded ? 1 : 0;
            }
    }

private:
    static constexpr std::size_t stackBytes = 64 << 10;
    static inline Group* current = nullptr;

    struct Lane {
        std::unique_ptr<char[]> stack;  // with the first resume
        jmp_buf place;
        bool hasEnded = false;
    };

    unsigned count() const { return size_.x * size_.y * size_.z; }
    Place placeOf(unsigned k) const {
        return {k % size_.x, k / size_.x % size_.y, k / size_.x / size_.y};
    }
    // swapcontext would ask the system for the mask of signals at each change of lanes: ten times
    // the time.
    void resume(Lane& lane) {
        if (_setjmp(scheduler_) != 0) return;
        if (lane.stack) _longjmp(lane.place, 1);
        lane.stack.reset(new char[stackBytes]);
        ucontext_t context{};
        getcontext(&context);
        context.uc_stack.ss_sp = lane.stack.get();
        context.uc_stack.ss_size = stackBytes;
        makecontext(
            &context, [] { current->runLane(); }, 0);
        setcontext(&context);
    }
    // In each group of the grid once more.
    void runLane() {
        Lane& lane = lanes_[next_];
        for (;;) {
            function_.run(arguments_);
            lane.hasEnded = true;
            pause();
        }
    }
    void pause() {
        if (_setjmp(lanes_[next_].place) == 0) _longjmp(scheduler_, 1);
    }

    const Function& function_;
    void** arguments_;
    Place size_;
    std::vector<Lane> lanes_;
    std::size_t next_ = 0;
    jmp_buf scheduler_;
};

}  // namespace fake
