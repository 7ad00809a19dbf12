// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Which arrays elements are under way into and out of, while nests run: who moves one between host
/// and devices, or makes a copy of it invalid, has that finished before.

namespace hpspmd::detail {

struct Storage;

/// What is under way within some storages.
class UnderWay {
public:
    virtual ~UnderWay() = default;
    /// Nothing if it is not under way any more.
    virtual void finish() = 0;
};

/// The storages have one thing under way at a time.
void noteUnderWay(const Storage& storage, UnderWay& one);
void forgetUnderWay(const UnderWay& one) noexcept;
/// True if anything is: costs one comparison where nothing ever is.
bool isAnyUnderWay() noexcept;
/// Finishes what is under way within the storage.
void finishUnderWay(const Storage& storage);

}  // namespace hpspmd::detail
