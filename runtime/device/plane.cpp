// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/plane.hpp"

#include "device/backend.hpp"

namespace hpspmd::detail {
namespace {

/// An element consists of so many words.
constexpr char body[] =
    "COLUMNS(j, j_run, 1) EVERY_ROW_OF(i, i_run, 1, 1) for (Index w = 0; w < words; ++w) "
    "to_at[(i * to_outer + j * to_inner) * words + w] = "
    "from_at[(i * from_outer + j * from_inner) * words + w];";

#define HPSPMD_MOVE(Word)                                                                          \
    "(Run i_run, Run j_run, OUT(" Word ", to), IN(" Word                                           \
    ", from), Index to_outer, Index to_inner, Index from_outer, Index from_inner, Index words) { " \
    "AT(" Word ", to, 0) AT(const " Word ", from, 0) "

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

/// Only devices run it: there is no form for the host.
template <std::size_t wordSize>
KernelText kernelOfWords(const char* parametersText) {
    static const std::string text = std::string(parametersText) + body + " }";
    return {"ghosts", {"()", text.c_str()},        {"the exchange of ghost cells", 0}, 2, nullptr,
            nullptr,  parameters<wordSize>.data(), parameters<wordSize>.size()};
}

constexpr std::size_t wide = 8, narrow = 4;

std::size_t wordSizeOf(std::size_t elementSize) {
    if (elementSize % wide == 0) return wide;
    return elementSize % narrow == 0 ? narrow : 1;
}

const KernelText& kernelFor(std::size_t elementSize) {
    static const KernelText longs = kernelOfWords<wide>(HPSPMD_MOVE("long"));
    static const KernelText ints = kernelOfWords<narrow>(HPSPMD_MOVE("int"));
    static const KernelText bytes = kernelOfWords<1>(HPSPMD_MOVE("char"));
    const std::size_t size = wordSizeOf(elementSize);
    return size == wide ? longs : size == narrow ? ints : bytes;
}

kernels::Run runOf(Index count) { return {0, count - 1, 0, 0, count - 1}; }

}  // namespace

std::string prepareMoves(Backend& device, std::size_t elementSize) {
    return device.prepare(kernelFor(elementSize), Strides::Wide);
}

bool move(Backend& device, std::byte* to, const std::byte* from, const MovedPlane& plane,
          std::size_t elementSize) {
    kernels::Run rows = runOf(plane.counts[0]), columns = runOf(plane.counts[1]);
    auto words = static_cast<Index>(elementSize / wordSizeOf(elementSize));
    MovedPlane steps = plane;
    void* arguments[] = {&rows,
                         &columns,
                         static_cast<void*>(&to),
                         static_cast<void*>(&from),
                         &steps.toSteps[0],
                         &steps.toSteps[1],
                         &steps.fromSteps[0],
                         &steps.fromSteps[1],
                         &words};
    return device.launch(kernelFor(elementSize), Strides::Wide, arguments, nullptr);
}

}  // namespace hpspmd::detail
