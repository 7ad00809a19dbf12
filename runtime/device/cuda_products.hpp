// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Products of matrices by cuBLAS, which is opened when it is first asked: CudaProducts, and
/// CudaSumsAtHome for those that the host wants.

#include "device/cuda_driver.hpp"

#include <hpspmd/device/launch.hpp>

#include <optional>

namespace hpspmd::detail {

/// The functions of libcublas that the back end calls. Their names and numbers are those of
/// cublas_v2.h. A matrix lies in columns, one after the other, `stride` elements apart.
struct CudaBlas {
    explicit CudaBlas(const devices::Library& library) : library(library) {}

    template <class T>
    using Multiply = int(CudaHandle, int, int, int, int, int, const T*, CudaAddress, int,
                         CudaAddress, int, const T*, CudaAddress, int);

    devices::Library library;

    devices::Function<int(CudaHandle*)> create{library, "cublasCreate_v2"};
    devices::Function<int(CudaHandle, CudaHandle)> useStream{library, "cublasSetStream_v2"};
    devices::Function<Multiply<float>> multiplyFloats{library, "cublasSgemm_v2"};
    devices::Function<Multiply<double>> multiplyDoubles{library, "cublasDgemm_v2"};
};

/// Those of one stream, whose context must be the current one.
class CudaProducts {
public:
    explicit CudaProducts(CudaHandle stream) : stream_(stream) {}

    /// True if there is a library. The first call opens it.
    bool areThere();
    /// False if there is none, or if it has not started it.
    bool start(const MatrixProduct& product);

private:
    CudaHandle stream_, handle_ = nullptr;
    std::optional<CudaBlas> blas_;
    bool isTried_ = false;
};

/// Where sums of products that the host wants are stored: in memory of the host that the device
/// reaches, or, large ones, in memory of the device, beside such of the host for the copy. It stays
/// for the next product; what was too small does, too: all of that is no more than what is there.
class CudaSumsAtHome {
public:
    CudaSumsAtHome(const CudaDriver& driver, CudaHandle stream)
        : driver_(driver), stream_(stream) {}

    /// The product, whose c has no memory of its own. False if it has not been started.
    bool start(const MatrixProduct& product, CudaProducts& products);
    /// In the stream, behind start(). False if the sums do not come.
    bool comeHome();
    /// Once the stream is done.
    const double* numbers() const { return static_cast<const double*>(room_.home); }

private:
    struct Room {
        CudaAddress onDevice = 0;
        void* home = nullptr;
        std::size_t bytes = 0;
        bool isAtHome = false;
    };

    bool makeRoom(std::size_t bytes);

    const CudaDriver& driver_;
    CudaHandle stream_;
    Room room_;
    std::size_t bytes_ = 0;  // of the sums
};

}  // namespace hpspmd::detail
