// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/operand.hpp>
#include <utility>
#include <vector>

namespace hpspmd::detail {

/// The elements that an operation under way reads and writes: they stay until it is complete, even
/// if the program drops its arrays. Those of an operation that has failed stay for ever, because a
/// message may still come.
class KeptArrays {
public:
    KeptArrays() = default;
    KeptArrays(KeptArrays&&) noexcept = default;
    KeptArrays& operator=(KeptArrays&&) = delete;
    ~KeptArrays() {
        if (!storages_.empty()) new std::vector<StorageHandle>(std::move(storages_));
    }

    void keep(const Operand& array) { storages_.push_back(StorageHandle::of(array.storage)); }
    void release() { storages_.clear(); }

private:
    std::vector<StorageHandle> storages_;
};

}  // namespace hpspmd::detail
