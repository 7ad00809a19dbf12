// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/part.hpp"

#include <algorithm>

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
    std::vector<Index> whole_;
    Part part_;
    std::size_t outer_ = 0;
    Index run_ = 1;
};

class PlacedElements final : public Elements {
public:
    PlacedElements(DiskFile& file, const FileArray& whole, const Part& part)
        : file_(file), places_(whole, part), offset_(whole.offset), bytes_(whole.number->bytes) {}

    void read(char* to, Index first, Index count) override {
        const Index end = first + count;
        for (Index k = first; k < end;) {
            const Index run = std::min(places_.run() - k % places_.run(), end - k);
            file_.read(to, run * bytes_, offset_ + places_(k) * bytes_);
            to += run * bytes_;
            k += run;
        }
    }

private:
    DiskFile& file_;
    Places places_;
    Index offset_, bytes_;
};

}  // namespace

Part allOf(const FileArray& whole) {
    Part part;
    for (const Index extent : whole.shape) part.push_back({0, extent});
    return part;
}

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

void forEachBox(const std::vector<Index>& shape, Index first, Index count,
                const std::function<void(const Box&)>& action) {
    while (count > 0) {
        // Dimensions from `whole` on are in it with all of their elements.
        std::size_t whole = shape.size();
        Index inner = 1;
        while (whole > 0 && first % (inner * shape[whole - 1]) == 0 &&
               count >= inner * shape[whole - 1])
            inner *= shape[--whole];
        Box box{std::vector<Index>(shape.size()), shape, inner};
        Index place = first / inner;
        for (std::size_t r = whole; r-- > 0; place /= shape[r]) {
            box.first[r] = place % shape[r];
            box.extent[r] = 1;
        }
        if (whole > 0) {
            const std::size_t cut = whole - 1;
            box.extent[cut] = std::min(count / inner, shape[cut] - box.first[cut]);
            box.count *= box.extent[cut];
        }
        action(box);
        first += box.count;
        count -= box.count;
    }
}

std::unique_ptr<Elements> placedElements(DiskFile& file, const FileArray& whole, const Part& part) {
    return std::make_unique<PlacedElements>(file, whole, part);
}

}  // namespace hpspmd::detail::files
