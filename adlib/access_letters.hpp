// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The letters by which get, put, accumulate and fetchAdd tell a holder what it is asked for.

#include <adlib/one_sided.hpp>
#include <cstring>
#include <utility>
#include <vector>

#include "plan/product.hpp"

namespace hpspmd::detail {

/// What an access tells a holder: this, then the rows of elements, then the values if it brings
/// some. Offsets count from the beginning of the array's storage, the same on all processes.
struct AccessHeader {
    Access access;
    Adlib::By by;
    Index rows, elements;
};
struct RemoteRow {
    Index start, count, step;
};

/// Not so for get.
inline bool bringsValues(Access access) { return access != Access::Get; }

/// The holder answers when the epoch is closed.
inline bool isAnswered(Access access) {
    return access == Access::Get || access == Access::FetchAdd;
}

template <class T>
void append(std::vector<char>& letter, const T& value) {
    const char* bytes = reinterpret_cast<const char*>(&value);
    letter.insert(letter.end(), bytes, bytes + sizeof value);
}

/// Writes to a holder.
inline void append(std::vector<char>& letter, const AccessHeader& header,
                   const plan::Region& theirs, Index offset) {
    append(letter, header);
    plan::forEachRow(theirs, [&](const auto& start, Index count, const auto& step) {
        append(letter, RemoteRow{offset + start[0], count, step[0]});
    });
}

/// Calls take(header, rows, values) for each access of a letter.
template <class Take>
void forEachAccess(const std::vector<char>& letter, std::size_t elementSize, const Take& take) {
    const char* at = letter.data();
    const char* const end = at + letter.size();
    const auto read = [&](auto& value) {
        std::memcpy(&value, at, sizeof value);
        at += sizeof value;
    };
    while (at != end) {
        AccessHeader header;
        read(header);
        plan::Region rows{{0}, {{}}};
        for (Index k = 0; k < header.rows; ++k) {
            RemoteRow row;
            read(row);
            rows.dims[0].push_back({row.count, {row.start}, {row.step}});
        }
        const std::size_t bytes = static_cast<std::size_t>(header.elements) * elementSize;
        take(header, rows, std::exchange(at, at + (bringsValues(header.access) ? bytes : 0)));
    }
}

}  // namespace hpspmd::detail
