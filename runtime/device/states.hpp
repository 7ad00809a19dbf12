// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Which of the two copies of an array is valid, and what must be copied before one is used. Pure.

#include <hpspmd/storage.hpp>

namespace hpspmd::detail {

enum class State : unsigned char {
    Fresh,   ///< all zero, and nobody has written an element; the device's copy is not valid
    Home,    ///< the one on the host
    Device,  ///< the one on the device
    Both
};

enum class Side : unsigned char { Home, Device };

/// What makes the copy valid that is used next.
enum class Copying : unsigned char { None, Clear, ToDevice, ToHome };

struct Step {
    State next;
    Copying first;
};

/// The elements are used on one side. Who writes them perhaps writes some only, so that the copy
/// must be valid before.
constexpr Step stepOf(State state, Side side, Use use) {
    const bool isRead = use == Use::Reads;
    if (side == Side::Home) {
        if (!isRead) return {State::Home, state == State::Device ? Copying::ToHome : Copying::None};
        if (state == State::Device) return {State::Both, Copying::ToHome};
        return {state, Copying::None};
    }
    const State next = isRead && state != State::Device ? State::Both : State::Device;
    if (state == State::Fresh) return {next, Copying::Clear};
    return {next, state == State::Home ? Copying::ToDevice : Copying::None};
}

}  // namespace hpspmd::detail
