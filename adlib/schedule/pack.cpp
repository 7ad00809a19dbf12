#include "schedule/pack.hpp"

#include <cstring>

namespace hpspmd::detail {
namespace {

/// An element size that the compiler knows, so that one element is one load and one store.
template <std::size_t bytes>
struct Known {
    constexpr operator std::size_t() const { return bytes; }
};

/// Calls f with the element size, as a constant for the usual sizes.
template <class Function>
auto withSize(std::size_t size, Function f) {
    switch (size) {
    case 1:
        return f(Known<1>());
    case 2:
        return f(Known<2>());
    case 4:
        return f(Known<4>());
    case 8:
        return f(Known<8>());
    case 16:
        return f(Known<16>());
    default:
        return f(size);
    }
}

/// One row: `count` elements, from `from` with a step to `to` with a step (in elements).
template <class Size>
void copyRow(char* to, Index toStep, const char* from, Index fromStep, Index count, Size size) {
    const auto bytes = static_cast<Index>(std::size_t{size});
    if (toStep == 1 && fromStep == 1) {
        std::memcpy(to, from, static_cast<std::size_t>(count * bytes));
        return;
    }
    for (Index t = 0; t < count; ++t)
        std::memcpy(to + t * toStep * bytes, from + t * fromStep * bytes, size);
}

}  // namespace

char* pack(char* out, const void* data, const plan::Region& region, std::size_t size) {
    const char* base = static_cast<const char*>(data);
    return withSize(size, [&](auto known) {
        const auto bytes = static_cast<Index>(std::size_t{known});
        plan::forEachRow(region, [&](const auto& start, Index count, const auto& step) {
            copyRow(out, 1, base + start[0] * bytes, step[0], count, known);
            out += count * bytes;
        });
        return out;
    });
}

const char* unpack(void* data, const char* in, const plan::Region& region, std::size_t size) {
    char* base = static_cast<char*>(data);
    return withSize(size, [&](auto known) {
        const auto bytes = static_cast<Index>(std::size_t{known});
        plan::forEachRow(region, [&](const auto& start, Index count, const auto& step) {
            copyRow(base + start[0] * bytes, step[0], in, 1, count, known);
            in += count * bytes;
        });
        return in;
    });
}

void copyProduct(void* to, const void* from, const plan::Copy& copy, std::size_t size) {
    char* target = static_cast<char*>(to);
    const char* source = static_cast<const char*>(from);
    withSize(size, [&](auto known) {
        const auto bytes = static_cast<Index>(std::size_t{known});
        plan::forEachRow(copy, [&](const auto& start, Index count, const auto& step) {
            copyRow(target + start[0] * bytes, step[0], source + start[1] * bytes, step[1], count,
                    known);
        });
    });
}

}  // namespace hpspmd::detail
