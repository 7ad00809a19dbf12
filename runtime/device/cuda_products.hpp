// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Products of matrices by cuBLAS, which is opened when it is first asked.

#include "device/cuda_driver.hpp"

#include <hpspmd/device/launch.hpp>

#include <optional>

namespace hpspmd::detail {

/// The functions of libcublas that the back end calls. Their names and numbers are those of
/// cublas_v2.h. A matrix lies in columns, one after the other, `stride` elements apart.
struct CudaBlas {
    explicit CudaBlas(const devices::Library& library) : library(library) {}

    template <class F>
    F* function(const char* name) const {
        return library.function<F>(name);
    }

    template <class T>
    using Multiply = int(CudaHandle, int, int, int, int, int, const T*, CudaAddress, int,
                         CudaAddress, int, const T*, CudaAddress, int);

    devices::Library library;

    int (*create)(CudaHandle*) = function<int(CudaHandle*)>("cublasCreate_v2");
    int (*useStream)(CudaHandle,
                     CudaHandle) = function<int(CudaHandle, CudaHandle)>("cublasSetStream_v2");
    Multiply<float>* multiplyFloats = function<Multiply<float>>("cublasSgemm_v2");
    Multiply<double>* multiplyDoubles = function<Multiply<double>>("cublasDgemm_v2");
};

/// Those of one stream, whose context must be the current one.
class CudaProducts {
public:
    explicit CudaProducts(CudaHandle stream) : stream_(stream) {}

    /// Is there a library? Asked for the first time, it opens it.
    bool areThere();
    /// False if there is none, or if it has not started it.
    bool start(const MatrixProduct& product);

private:
    CudaHandle stream_, handle_ = nullptr;
    std::optional<CudaBlas> blas_;
    bool isTried_ = false;
};

}  // namespace hpspmd::detail
