// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "source/span.hpp"

namespace hpcc::regions {

// What is written differently in a text. Lines keep their numbers: a newline that goes is put at
// the end of what takes its place.
class Edits {
public:
    void replace(source::Span span, std::string text);
    void remove(source::Span span) { replace(span, ""); }

    // Before what begins at, or behind what ends at this place; there the earlier one comes first.
    void before(uint32_t place, std::string text);
    void behind(uint32_t place, std::string text);

    bool isEmpty() const { return edits_.empty(); }
    std::string appliedTo(const source::Text& text) const;
    std::string appliedTo(source::Span span) const;  // what becomes of this piece

private:
    enum class Order { Behind, Before, Instead };
    struct Edit {
        uint32_t begin, end;
        Order order;
        std::string text;
    };
    std::vector<Edit> edits_;
};

}  // namespace hpcc::regions
