// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A piece of a source text.
#pragma once

#include "source/text.hpp"

namespace hpcc::source {

// Bytes [begin, end) of `text`; a default-constructed span stands nowhere.
struct Span {
    const Text* text = nullptr;
    uint32_t begin = 0;
    uint32_t end = 0;

    std::string_view str() const { return text ? text->slice(begin, end) : std::string_view(); }
    Position position() const { return text ? text->position(begin) : Position{0, 0}; }
    bool contains(const Span& other) const {
        return text == other.text && begin <= other.begin && other.end <= end;
    }
    friend bool operator==(const Span&, const Span&) = default;
};

// The empty span just behind `span`: where a missing token would stand.
inline Span behind(const Span& span) { return {span.text, span.end, span.end}; }

// The empty span just before it.
inline Span before(const Span& span) { return {span.text, span.begin, span.begin}; }

}  // namespace hpcc::source
