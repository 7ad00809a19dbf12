// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of a libcublas.so.13 in the library of fake_cuda.cpp.
#include "fake_calls.hpp"

#include <cstddef>

namespace {

using Handle = void*;
using Address = unsigned long long;

/// c = a b * one + c * factor; all lie in columns.
template <class T>
int multiply(bool swapsA, bool swapsB, int rows, int columns, int steps, const T* one, Address a,
             int aStride, Address b, int bStride, const T* factor, Address c, int cStride) {
    if (const int error = fake::beginCall()) return error;
    const auto at = [](Address matrix, std::ptrdiff_t row, std::ptrdiff_t column, int stride) {
        return reinterpret_cast<T*>(matrix) + column * stride + row;
    };
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            T sum = 0;
            for (int k = 0; k < steps; ++k)
                sum += *(swapsA ? at(a, k, i, aStride) : at(a, i, k, aStride)) *
                       *(swapsB ? at(b, j, k, bStride) : at(b, k, j, bStride));
            T& element = *at(c, i, j, cStride);
            element = *one * sum + (*factor == 0 ? 0 : *factor * element);
        }
    return 0;
}

}  // namespace

extern "C" {

int cublasCreate_v2(Handle* handle) {
    static int library;
    *handle = &library;
    return fake::beginCall();
}
int cublasSetStream_v2(Handle, Handle) { return fake::beginCall(); }
int cublasSgemm_v2(Handle, int wayOfA, int wayOfB, int rows, int columns, int steps,
                   const float* one, Address a, int aStride, Address b, int bStride,
                   const float* factor, Address c, int cStride) {
    return multiply(wayOfA == 1, wayOfB == 1, rows, columns, steps, one, a, aStride, b, bStride,
                    factor, c, cStride);
}
int cublasDgemm_v2(Handle, int wayOfA, int wayOfB, int rows, int columns, int steps,
                   const double* one, Address a, int aStride, Address b, int bStride,
                   const double* factor, Address c, int cStride) {
    return multiply(wayOfA == 1, wayOfB == 1, rows, columns, steps, one, a, aStride, b, bStride,
                    factor, c, cStride);
}

}  // extern "C"
