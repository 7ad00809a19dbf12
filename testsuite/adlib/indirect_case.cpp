// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "indirect_case.hpp"

#include <map>

#include "typed.hpp"

namespace hpspmd::test {
namespace {

/// Memory of one process with value(index) in the elements that it holds.
template <class T, class Value>
std::vector<T> filled(const TestArray& array, const Indices& shape, int process, T rest,
                      const Value& value) {
    std::vector<T> memory(static_cast<std::size_t>(array.slots), rest);
    forEachIndex(shape, [&](const Indices& index) {
        const Index slot = slotOf(array, index, process);
        if (slot >= 0) memory[static_cast<std::size_t>(slot)] = value(index);
    });
    return memory;
}

const Indices& shapeOf(const IndirectCase& c, const TestArray& array) {
    return &array == &c.walked ? c.shape : c.indexedShape;
}

/// The destination of a combining scatter begins with values of its own.
std::int64_t oldValue(const IndirectCase& c, const Indices& index) {
    return c.kind == IndirectCase::Combine ? 7 * valueOf(index, shapeOf(c, c.to())) : untouched;
}

/// All elements of the destination after a sequential loop over x.
std::map<Indices, std::int64_t> afterLoop(const IndirectCase& c) {
    std::map<Indices, std::int64_t> elements;
    forEachIndex(shapeOf(c, c.to()),
                 [&](const Indices& index) { elements[index] = oldValue(c, index); });
    forEachIndex(c.shape, [&](const Indices& x) {
        if (!c.takes(x)) return;
        Indices target;
        for (std::size_t r = 0; r < c.indexedShape.size(); ++r)
            target.push_back(c.subscriptAt(x, static_cast<int>(r)));
        if (c.isGather()) {
            elements[x] = valueOf(target, c.indexedShape);
            return;
        }
        const std::int64_t value = valueOf(x, c.shape);
        std::int64_t& element = elements.at(target);
        element = c.kind == IndirectCase::Combine ? IndirectCase::combine(element, value) : value;
    });
    return elements;
}

Noise noiseAt(const IndirectCase& c, const Indices& x, std::uint64_t salt) {
    return Noise(c.seed * 7919 + salt * 131 + static_cast<std::uint64_t>(valueOf(x, c.shape)));
}

}  // namespace

Index IndirectCase::subscriptAt(const Indices& x, int r) const {
    Noise noise = noiseAt(*this, x, static_cast<std::uint64_t>(r) + 1);
    const Index extent = indexedShape[static_cast<std::size_t>(r)];
    if (seed % 3 == 0) return (valueOf(x, shape) * (r + 1)) % extent;  // regular
    return noise.below(extent);
}

bool IndirectCase::takes(const Indices& x) const {
    return !isMasked || noiseAt(*this, x, 0).below(3) != 0;
}

Memory IndirectCase::subscriptsOn(int process, int r) const {
    return filled<std::int64_t>(subscripts, shape, process, poison, [&](const Indices& x) {
        return takes(x) ? subscriptAt(x, r) : poison;  // not read there
    });
}

std::vector<char> IndirectCase::maskOn(int process) const {
    return filled<char>(subscripts, shape, process, 1,
                        [&](const Indices& x) { return static_cast<char>(takes(x)); });
}

Memory IndirectCase::source(int process) const {
    const Indices& whole = shapeOf(*this, from());
    return filled<std::int64_t>(from(), whole, process, poison,
                                [&](const Indices& index) { return valueOf(index, whole); });
}

Memory IndirectCase::destination(int process) const {
    return filled<std::int64_t>(to(), shapeOf(*this, to()), process, untouched,
                                [&](const Indices& index) { return oldValue(*this, index); });
}

Memory IndirectCase::expected(int process) const {
    const auto elements = afterLoop(*this);
    return filled<std::int64_t>(to(), shapeOf(*this, to()), process, untouched,
                                [&](const Indices& index) { return elements.at(index); });
}

IndirectCase makeIndirectCase(Random& random, int processes) {
    IndirectCase c;
    c.seed = random.seed();
    c.kind = static_cast<IndirectCase::Kind>(random.below(3));
    c.shape = randomShape(random, static_cast<int>(random.below(4)));
    c.indexedShape = randomShape(random, static_cast<int>(random.between(1, 3)));
    for (Index& extent : c.indexedShape) extent = std::max<Index>(extent, 1);
    const Group grid = randomGrid(random, processes);
    c.walked = randomArray(random, grid, c.shape, false);
    c.indexed = randomArray(random, random.oneIn(2) ? grid : randomGrid(random, processes),
                            c.indexedShape, false);
    c.subscripts = alignedArray(c.walked);
    c.isMasked = random.oneIn(2);
    static const char* const names[] = {"gather", "scatter", "combining scatter"};
    c.text = std::to_string(processes) + " processes: " + names[c.kind] + " " + describe(c.to()) +
             " from " + describe(c.from()) + (c.isMasked ? " masked" : "");
    return c;
}

}  // namespace hpspmd::test
