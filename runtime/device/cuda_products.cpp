// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/cuda_products.hpp"

#include "compose.hpp"
#include "device/cuda.hpp"

#include <algorithm>
#include <limits>

namespace hpspmd::detail {
namespace {

constexpr int asIs = 0, transposed = 1;

/// Products of fewer elements take the kernel less time than opening the library takes.
constexpr double fewest = 128. * 128 * 128;

bool areInts(std::initializer_list<Index> numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](Index each) {
        return each >= 0 && each <= std::numeric_limits<int>::max();
    });
}

CudaAddress addressOf(const Matrix& matrix) {
    return static_cast<CudaAddress>(reinterpret_cast<std::uintptr_t>(matrix.first));
}

/// Up to so many bytes a library stores sums into memory of the host itself: 45 KB take 6
/// microseconds less than a copy behind it.
constexpr std::size_t mostSumsStoredAtHome = std::size_t(256) << 10;

/// At least as many elements as a row has, also where there is but one.
Index strideOf(const Matrix& matrix) { return std::max<Index>({matrix.stride, matrix.columns, 1}); }

/// What lies in rows is, to the library, the transposed matrix in columns: c' = b' a'.
template <class T>
bool start(const devices::Function<CudaBlas::Multiply<T>>& multiply, CudaHandle handle,
           const MatrixProduct& product) {
    const auto& [c, a, b, adds, size] = product;
    const Index steps = a.isTransposed ? a.rows : a.columns;
    const auto asInt = [](Index number) { return static_cast<int>(number); };
    const auto way = [](const Matrix& matrix) { return matrix.isTransposed ? transposed : asIs; };
    const T one = 1, factor = adds ? T(1) : T(0);
    return multiply(handle, way(b), way(a), asInt(c.columns), asInt(c.rows), asInt(steps), &one,
                    addressOf(b), asInt(strideOf(b)), addressOf(a), asInt(strideOf(a)), &factor,
                    addressOf(c), asInt(strideOf(c))) == 0;
}

}  // namespace

bool CudaProducts::areThere() {
    if (isTried_) return handle_ != nullptr;
    isTried_ = true;
    try {
        blas_.emplace(devices::cudaBlas());
    } catch (const devices::Unusable&) {
        return false;
    }
    if (blas_->create(&handle_) != 0 || blas_->useStream(handle_, stream_) != 0) handle_ = nullptr;
    return handle_ != nullptr;
}

bool CudaProducts::start(const MatrixProduct& product) {
    const auto& [c, a, b, adds, size] = product;
    if (!areInts({c.rows, c.columns, a.rows, a.columns, strideOf(c), strideOf(a), strideOf(b)}))
        return false;
    const double steps = static_cast<double>(a.isTransposed ? a.rows : a.columns);
    const double products = static_cast<double>(c.rows) * static_cast<double>(c.columns) * steps;
    if (products < fewest || !areThere()) return false;
    return size == sizeof(float) ? detail::start<float>(blas_->multiplyFloats, handle_, product)
                                 : detail::start<double>(blas_->multiplyDoubles, handle_, product);
}

bool CudaSumsAtHome::makeRoom(std::size_t bytes) {
    if (bytes <= room_.bytes) return true;
    Room larger;
    larger.bytes = std::max(bytes, 2 * room_.bytes);
    larger.isAtHome = larger.bytes <= mostSumsStoredAtHome;
    if (driver_.allocateAtHome(&larger.home, larger.bytes, cudaHostDeviceMap) != 0) return false;
    const int status = larger.isAtHome ? driver_.addressOnDevice(&larger.onDevice, larger.home, 0)
                                       : driver_.allocate(&larger.onDevice, larger.bytes);
    if (status != 0 || larger.onDevice == 0) return false;
    room_ = larger;
    return true;
}

bool CudaSumsAtHome::start(const MatrixProduct& product, CudaProducts& products) {
    bytes_ = static_cast<std::size_t>(product.c.rows * product.c.columns) * sizeof(double);
    if (bytes_ == 0 || !makeRoom(bytes_)) return false;
    MatrixProduct ours = product;
    ours.c.first = reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(room_.onDevice));
    return products.start(ours);
}

bool CudaSumsAtHome::comeHome() {
    return room_.isAtHome || driver_.copyOut(room_.home, room_.onDevice, bytes_, stream_) == 0;
}

const double* CudaDevice::productHome(const MatrixProduct& product, Where where) {
    const std::lock_guard lock(mutex_);
    if (hasFailed_ || driver_.useContext(context_) != 0 || !sums_.start(product, products_))
        return nullptr;
    const bool areComing = sums_.comeHome();
    if (!wait() || !areComing) throw DeviceError(compose("the nest has failed on ", name_), where);
    return sums_.numbers();
}

}  // namespace hpspmd::detail
