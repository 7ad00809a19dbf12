// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What stands round the text of a kernel of the pretended GPU.

namespace fake {

/// What the text of a kernel finds in CUDA.
inline constexpr const char* words = R"--(
#include <cmath>
#include <utility>
using namespace std;
#define __global__
#define __shared__ static
#define __launch_bounds__(n)
struct Place { unsigned x, y, z; };
extern "C" { Place blockIdx, threadIdx, gridDim; void (*barrier)(); }
#define __syncthreads() barrier()
inline unsigned atomicCAS(unsigned* place, unsigned from, unsigned to) {
    const unsigned was = *place;
    if (was == from) *place = to;
    return was;
}
template <class T>
T __ldg(const T* place) { return *place; }
inline void atomicMax(unsigned* place, unsigned n) { *place = max(*place, n); }
)--";
/// Behind it.
inline constexpr const char* caller = R"--(
template <class... P, size_t... k>
void call(void (*f)(P...), void** arguments, index_sequence<k...>) { f(*static_cast<P*>(arguments[k])...); }
template <class... P>
void call(void (*f)(P...), void** arguments) { call(f, arguments, index_sequence_for<P...>()); }
extern "C" void run(void** arguments) { call(&nest, arguments); }
template <class... P>
size_t sizeOf(void (*)(P...), unsigned k) {
    const size_t all[] = {sizeof(P)..., 0};
    return all[k];
}
extern "C" size_t sizeOf(unsigned k) { return sizeOf(&nest, k); }
)--";

}  // namespace fake
