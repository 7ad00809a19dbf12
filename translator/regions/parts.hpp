// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "regions/arrays.hpp"

namespace hpcc::regions {

std::string libraryCall(const std::string& function, const std::string& arguments);

// The texts that make the divided views of a method's arrays, and move their elements.
class Parts {
public:
    explicit Parts(std::string method = "") : method_(std::move(method)) {}

    void add(const DividedArray* array, std::string name) { names_[array] = std::move(name); }
    bool contains(const DividedArray* array) const { return names_.contains(array); }
    const std::string& name(const DividedArray* array) const { return names_.at(array); }

    // The last arguments of a method: how its range is dealt out.
    static std::string dealt(const std::string& format, bool isStrategy, long multiple,
                             std::size_t further);

    // What an array is made a part of: the elements of a pointer have no name of their own.
    static std::string source(const DividedArray& array);
    // Its memory, and how long it is, unless that is no matter.
    static std::string reached(const DividedArray& array, bool isOnlyRead);
    std::string made(const DividedArray& array) const;
    std::string declared(const DividedArray& array) const;

    std::string complete(const DividedArray* array) const;
    // The elements next to the own ones; also for loops that read the array by its name.
    std::string refresh(const DividedArray* array, std::pair<long, long> view,
                        bool isNamed = false) const;
    // Of several arrays in one exchange; all elements of `wholes`.
    std::string refreshTogether(const ArrayMap<std::pair<long, long>>& views,
                                const ArraySet& wholes) const;
    // In several dimensions; below and above by their numbers.
    using Views = std::map<int, std::pair<long, long>>;
    std::string refresh(const DividedArray* array, const Views& views, bool withCorners,
                        bool isNamed) const;
    std::string fetch(const DividedArray* array, const std::string& location) const;
    // A loop has changed own elements of these lines: in place, without the part.
    std::string changed(const DividedArray* array, bool isInPlace, const std::string& lines) const;
    // `single(a[k])`: the process of the line runs what follows, and tells numbers and the line; of
    // blocks the first one does, which has all elements.
    std::string heldBy(const std::string& location) const;
    std::string toldLine(const DividedArray* array, const std::string& location,
                         const std::string& numbers) const;
    std::string swapped(const DividedArray* a, const DividedArray* b) const;

private:
    std::string moved(const std::string& how, const DividedArray* array,
                      const std::string& arguments) const;

    std::string method_;
    ArrayMap<std::string> names_;
};

}  // namespace hpcc::regions
