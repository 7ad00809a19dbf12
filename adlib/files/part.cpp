// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/part.hpp"

#include <algorithm>

#include "files/values.hpp"

namespace hpspmd::detail::files {
namespace {

std::string textOf(const Part& part) {
    std::string text = "{";
    for (const FileRange& each : part)
        text += (text.size() > 1 ? ", {" : "{") + std::to_string(each.first) + ", " +
                std::to_string(each.count) + "}";
    return text + "}";
}

/// Where the elements of a part lie, counted in the whole array.
class Places {
public:
    Places(const FileArray& whole, const Part& part) : whole_(whole.shape), part_(part) {
        outer_ = part.size();
        while (outer_ > 0) {
            const FileRange& each = part[--outer_];
            run_ *= each.count;
            if (each.count != whole_[outer_]) break;
        }
    }

    /// Of so many elements of the part each lies behind the one before.
    Index run() const { return run_; }

    /// Of element k of the part, in row-major order.
    Index operator()(Index k) const {
        Index place = 0, stride = 1;
        for (std::size_t r = part_.size(); r-- > 0;) {
            place += (part_[r].first + k % part_[r].count) * stride;
            k /= part_[r].count;
            stride *= whole_[r];
        }
        return place;
    }

private:
    const std::vector<Index>& whole_;
    const Part& part_;
    std::size_t outer_ = 0;
    Index run_ = 1;
};

}  // namespace

FileArray partOf(const FileArray& whole, const Part& part) {
    FileArray result = whole;
    bool isInside = part.size() == whole.shape.size();
    for (std::size_t r = 0; isInside && r < part.size(); ++r) {
        const auto [first, count] = part[r];
        isInside =
            first >= 0 && count >= 0 && count <= whole.shape[r] && first <= whole.shape[r] - count;
        result.shape[r] = count;
    }
    if (!isInside) throw Failure("it has " + describe(whole) + ", not the part " + textOf(part));
    return result;
}

void readPart(DiskFile& file, const FileArray& whole, const Part& part, const Piece& piece,
              char* elements) {
    const Places places(whole, part);
    const Index bytes = whole.number->bytes, end = piece.first + piece.count;
    for (Index k = piece.first; k < end;) {
        const Index count = std::min(places.run() - k % places.run(), end - k);
        file.read(elements, count * bytes, whole.offset + places(k) * bytes);
        elements += count * bytes;
        k += count;
    }
    elements -= piece.count * bytes;
    if (whole.isSwapped) swapBytes(elements, piece.count, *whole.number);
}

}  // namespace hpspmd::detail::files
