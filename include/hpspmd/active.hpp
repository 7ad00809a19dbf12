// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// apg(), the active process group, and the guards that change it (thesis, 3.4.2 and 3.4.4).

#include <hpspmd/environment.hpp>
#include <hpspmd/index.hpp>
#include <hpspmd/target.hpp>

namespace hpspmd {
namespace detail {

/// Null until first asked for: then the initial group. Each thread has its own.
inline thread_local const GroupRecord* activeGroup = nullptr;

const GroupRecord* startActive();
/// Slow part of Active: makes the restriction, or raises DimensionNotInGroup.
const GroupRecord* restrictActive(const GroupRecord* active, const DimensionRecord& d, Where where);
[[noreturn]] void raiseNotContained(const Group& g, const char* what, Where where);

}  // namespace detail

/// The active process group; at start, all processes.
inline Group apg() {
    return Group(detail::activeGroup ? detail::activeGroup : detail::startActive());
}

namespace detail {

/// While it lives, the APG is `group`. For the outlined bodies of threads, and for pretended worlds
/// in tests.
class Activate {
public:
    explicit Activate(const Group& group) : saved_(activeGroup) { activeGroup = group.record(); }
    ~Activate() { activeGroup = saved_; }
    Activate(const Activate&) = delete;
    Activate& operator=(const Activate&) = delete;

private:
    const GroupRecord* saved_;
};

/// The guard of `at` and `overall`: APG = APG restricted to the own coordinate in d. The
/// restricted group is cached, so that it costs a few loads.
class Active {
public:
    explicit Active(const Dimension& d, Where where = Where::here()) : saved_(activeGroup) {
        const DimensionRecord& dimension = *d.record(where)->dimension;
        if (dimension.grid == nullptr) return;
        if (saved_ != nullptr && saved_->grid == dimension.grid) {
            const GroupRecord* own = saved_->own[dimension.axis].load(std::memory_order_acquire);
            if (own != nullptr) {
                activeGroup = own;
                return;
            }
        }
        activeGroup = restrictActive(saved_, dimension, where);
    }
    ~Active() { activeGroup = saved_; }
    Active(const Active&) = delete;
    Active& operator=(const Active&) = delete;

private:
    const GroupRecord* saved_;
};

/// The guard of `on`. Of a group: true for its members, and then APG = g; GroupNotContained, on all
/// processes alike. Of a target: always true, and the APG stays as it is; TargetUnavailable.
class On {
public:
    explicit On(const Group& g, Where where = Where::here())
        : saved_(activeGroup), savedTarget_(activeTarget), member_(g.amMember(where)) {
        if (!apg().contains(g)) raiseNotContained(g, "on", where);
        if (member_) activeGroup = g.record();
    }
    explicit On(const Target& target, Where where = Where::here())
        : saved_(activeGroup), savedTarget_(activeTarget), member_(true) {
        if (target.kind() >= TargetKind::Threads) enterTarget(target, where);
        activeTarget = target;
    }
    ~On() {
        activeGroup = saved_;
        activeTarget = savedTarget_;
    }
    On(const On&) = delete;
    On& operator=(const On&) = delete;

    explicit operator bool() const { return member_; }

private:
    const GroupRecord* saved_;
    Target savedTarget_;
    bool member_;
};

}  // namespace detail

/// The user's assertion that e has the same value in all processes of the APG.
template <class T>
constexpr T coherent(T e) {
    return e;
}

}  // namespace hpspmd
