// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A kernel of the pretended GPU, and how one group of its lanes runs.
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
        for (Lane& lane : lanes_) begin(lane);
        for (std::size_t ended = 0; ended < lanes_.size();)
            for (next_ = 0; next_ < lanes_.size(); ++next_) {
                if (lanes_[next_].hasEnded) continue;
                *function_.lane = placeOf(static_cast<unsigned>(next_));
                swapcontext(&scheduler_, &lanes_[next_].context);
                ended += lanes_[next_].hasEnded ? 1 : 0;
            }
    }

private:
    static constexpr std::size_t stackBytes = 64 << 10;
    static inline Group* current = nullptr;

    struct Lane {
        ucontext_t context{};
        std::unique_ptr<char[]> stack;
        bool hasEnded = false;
    };

    unsigned count() const { return size_.x * size_.y * size_.z; }
    Place placeOf(unsigned k) const {
        return {k % size_.x, k / size_.x % size_.y, k / size_.x / size_.y};
    }
    void begin(Lane& lane) {
        lane.hasEnded = false;
        if (!lane.stack) lane.stack.reset(new char[stackBytes]);
        getcontext(&lane.context);
        lane.context.uc_stack.ss_sp = lane.stack.get();
        lane.context.uc_stack.ss_size = stackBytes;
        lane.context.uc_link = &scheduler_;
        makecontext(
            &lane.context, [] { current->runLane(); }, 0);
    }
    void runLane() {
        function_.run(arguments_);
        lanes_[next_].hasEnded = true;
    }
    void pause() { swapcontext(&lanes_[next_].context, &scheduler_); }

    const Function& function_;
    void** arguments_;
    Place size_;
    std::vector<Lane> lanes_;
    std::size_t next_ = 0;
    ucontext_t scheduler_{};
};

}  // namespace fake
