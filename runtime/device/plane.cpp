// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/plane.hpp"

#include "device/backend.hpp"

#include <cstring>

namespace hpspmd::detail {
namespace {

/// An element consists of so many words.
constexpr char planeBody[] =
    "COLUMNS(j, j_run, 1) EVERY_ROW_OF(i, i_run, 1, 1) for (Index w = 0; w < words; ++w) "
    "to_at[(i * to_outer + j * to_inner) * words + w] = "
    "from_at[(i * from_outer + j * from_inner) * words + w];";

constexpr char listBody[] =
    "AT(const long, places, 0) COLUMNS(i, i_run, 1) for (Index w = 0; w < words; ++w) "
    "to_at[places_at[2 * i] * words + w] = from_at[places_at[2 * i + 1] * words + w];";

#define HPSPMD_MOVE(Word)                                                                          \
    "(Run i_run, Run j_run, OUT(" Word ", to), IN(" Word                                           \
    ", from), Index to_outer, Index to_inner, Index from_outer, Index from_inner, Index words) { " \
    "AT(" Word ", to, 0) AT(const " Word ", from, 0) "

#define HPSPMD_MOVE_LISTED(Word)                                                                   \
    "(Run i_run, OUT(" Word ", to), IN(" Word ", from), IN(long, places), Index words) { AT(" Word \
    ", to, 0) AT(const " Word ", from, 0) "

using Kind = KernelParameter::Kind;
template <std::size_t wordSize>
constexpr std::array<KernelParameter, 9> parameters{{{Kind::Run, sizeof(kernels::Run)},
                                                     {Kind::Run, sizeof(kernels::Run)},
                                                     {Kind::Array, wordSize},
                                                     {Kind::Array, wordSize},
                                                     {Kind::Number, sizeof(Index)},
                                                     {Kind::Number, sizeof(Index)},
                                                     {Kind::Number, sizeof(Index)},
                                                     {Kind::Number, sizeof(Index)},
                                                     {Kind::Number, sizeof(Index)}}};

template <std::size_t wordSize>
constexpr std::array<KernelParameter, 5> listParameters{{{Kind::Run, sizeof(kernels::Run)},
                                                         {Kind::Array, wordSize},
                                                         {Kind::Array, wordSize},
                                                         {Kind::Array, sizeof(Index)},
                                                         {Kind::Number, sizeof(Index)}}};

template <class T>
const T& argument(void** arguments, std::size_t number) {
    return *static_cast<const T*>(arguments[number]);
}

/// For the check device.
template <std::size_t wordSize>
void moveAtHome(void** arguments) {
    const auto number = [&](std::size_t k) { return argument<Index>(arguments, k); };
    const Index bytes = number(8) * static_cast<Index>(wordSize);
    auto* const to = argument<std::byte*>(arguments, 2);
    const auto* const from = argument<const std::byte*>(arguments, 3);
    const Index rows = argument<kernels::Run>(arguments, 0).last,
                columns = argument<kernels::Run>(arguments, 1).last;
    for (Index i = 0; i <= rows; ++i)
        for (Index j = 0; j <= columns; ++j)
            std::memcpy(to + (i * number(4) + j * number(5)) * bytes,
                        from + (i * number(6) + j * number(7)) * bytes,
                        static_cast<std::size_t>(bytes));
}

template <std::size_t wordSize>
void moveListedAtHome(void** arguments) {
    const Index last = argument<kernels::Run>(arguments, 0).last;
    auto* const to = argument<std::byte*>(arguments, 1);
    const auto* const from = argument<const std::byte*>(arguments, 2);
    const auto* const places = argument<const Index*>(arguments, 3);
    const Index bytes = argument<Index>(arguments, 4) * static_cast<Index>(wordSize);
    for (Index i = 0; i <= last; ++i)
        std::memcpy(to + places[2 * i] * bytes, from + places[2 * i + 1] * bytes,
                    static_cast<std::size_t>(bytes));
}

/// Of planes, and of lists.
template <std::size_t wordSize>
struct MoveKernels {
    MoveKernels(const char* planeParameters, const char* listParametersText)
        : planeText(std::string(planeParameters) + planeBody + " }"),
          listText(std::string(listParametersText) + listBody + " }") {}

    KernelText made(const std::string& text, int loops, void (*atHome)(void**),
                    const KernelParameter* parameters, std::size_t count) const {
        return {"moves",
                {"()", text.c_str()},
                {"the communication of arrays", 0},
                loops,
                nullptr,
                atHome,
                parameters,
                count};
    }

    std::string planeText, listText;
    KernelText plane = made(planeText, 2, moveAtHome<wordSize>, parameters<wordSize>.data(),
                            parameters<wordSize>.size());
    KernelText list = made(listText, 1, moveListedAtHome<wordSize>, listParameters<wordSize>.data(),
                           listParameters<wordSize>.size());
};

constexpr std::size_t eight = 8, four = 4;

constexpr std::size_t wordSizes[] = {eight, four, 1};

}  // namespace

std::size_t wordSizeOf(std::size_t elementSize) {
    if (elementSize % eight == 0) return eight;
    return elementSize % four == 0 ? four : 1;
}

const KernelText& moveKernel(std::size_t elementSize, Moves moves) {
    static const MoveKernels<eight> longs(HPSPMD_MOVE("long"), HPSPMD_MOVE_LISTED("long"));
    static const MoveKernels<four> ints(HPSPMD_MOVE("int"), HPSPMD_MOVE_LISTED("int"));
    static const MoveKernels<1> bytes(HPSPMD_MOVE("char"), HPSPMD_MOVE_LISTED("char"));
    const auto chosen = [&](const auto& kernels) -> const KernelText& {
        return moves == Moves::Planes ? kernels.plane : kernels.list;
    };
    const std::size_t size = wordSizeOf(elementSize);
    return size == eight ? chosen(longs) : size == four ? chosen(ints) : chosen(bytes);
}

std::vector<const KernelText*> moveKernels() {
    std::vector<const KernelText*> all;
    for (const std::size_t size : wordSizes)
        for (const Moves moves : {Moves::Planes, Moves::Lists})
            all.push_back(&moveKernel(size, moves));
    return all;
}

}  // namespace hpspmd::detail
