// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA by hand, for devices.hpcpp, transfers.hpcpp and fits.hpcpp: each function gives milliseconds per sweep, the median of several runs by the clock of the host.
//
// nvcc -O3 -arch=native -std=c++17 --compiler-options -fPIC -shared rivals.cu -o librivals.so -lcublas
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

using Index = long long;

void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

__global__ void jacobiSweep(const double* __restrict__ a, double* __restrict__ b, int n) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x + 1, i = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (i >= n - 1 || j >= n - 1) return;
    const Index k = Index(i) * n + j;
    b[k] = 0.25 * (a[k - n] + a[k + n] + a[k - 1] + a[k + 1]);
}

// The bits of numbers that are not negative are ordered as the numbers are.
__global__ void jacobiChangeSweep(const double* __restrict__ a, double* __restrict__ b, int n, unsigned long long* worst) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x + 1, i = blockIdx.y * blockDim.y + threadIdx.y + 1;
    double change = 0;
    if (i < n - 1 && j < n - 1) {
        const Index k = Index(i) * n + j;
        const double v = 0.25 * (a[k - n] + a[k + n] + a[k - 1] + a[k + 1]);
        change = fabs(v - a[k]);
        b[k] = v;
    }
    for (int half = 16; half > 0; half /= 2) change = fmax(change, __shfl_down_sync(0xFFFFFFFF, change, half));
    __shared__ double ofWarps[8];
    const int lane = threadIdx.y * blockDim.x + threadIdx.x;
    if (lane % 32 == 0) ofWarps[lane / 32] = change;
    __syncthreads();
    if (lane >= 8) return;
    change = ofWarps[lane];
    for (int half = 4; half > 0; half /= 2) change = fmax(change, __shfl_down_sync(0xFF, change, half));
    if (lane == 0 && __double_as_longlong(change) > *(volatile long long*)worst)
        atomicMax(worst, (unsigned long long)__double_as_longlong(change));
}

__global__ void redBlackSweep(double* a, int n, int parity) {
    const int i = blockIdx.y * blockDim.y + threadIdx.y + 1;
    const int j = 1 + ((i + parity) & 1) + 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n - 1 || j >= n - 1) return;
    const Index k = Index(i) * n + j;
    a[k] = 0.25 * (a[k - n] + a[k + n] + a[k - 1] + a[k + 1]);
}

__global__ void diffusionSweep(const double* __restrict__ a, double* __restrict__ b, int n, double c) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    const Index plane = Index(n) * n;
    if (x >= n - 1 || y >= n - 1) return;
    const int first = 1 + blockIdx.z * 64, end = min(first + 64, n - 1);
    Index k = first * plane + Index(y) * n + x;
    double low = a[k - plane], own = a[k];
    for (int z = first; z < end; ++z, k += plane) {
        const double high = a[k + plane];
        b[k] = own + c * (low + high + a[k - 1] + a[k + 1] + a[k - n] + a[k + n] - 6.0 * own);
        low = own;
        own = high;
    }
}

__device__ float below(float d) { return 0.5f * erfcf(-d * 0.70710678f); }
__global__ void blackScholesSweep(const float* price, float* call, float* put, Index n) {
    const Index i = blockIdx.x * Index(blockDim.x) + threadIdx.x;
    if (i >= n) return;
    const float s = price[i], strike = 100, years = 1, rate = 0.05f, volatility = 0.2f, root = sqrtf(years);
    const float d = (logf(s / strike) + (rate + 0.5f * volatility * volatility) * years) / (volatility * root);
    const float other = d - volatility * root, later = strike * expf(-rate * years);
    call[i] = s * below(d) - later * below(other);
    put[i] = later * below(-other) - s * below(-d);
}

__global__ void gatherSweep(double* __restrict__ b, const double* __restrict__ a, const int* __restrict__ index, Index n) {
    const Index i = blockIdx.x * Index(blockDim.x) + threadIdx.x;
    if (i < n) b[i] = a[index[i]];
}

__global__ void pairsSweep(double* __restrict__ force, const double* __restrict__ own, const double* __restrict__ place,
                           const double* __restrict__ mass, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double sum = 0;
    for (int k = 0; k < n; ++k) {
        const double distance = place[k] - own[i], square = distance * distance + 0.01;
        sum += mass[k] * distance / (square * sqrt(square));
    }
    force[i] = sum;
}

template <class Sweep>
double timed(int sweeps, int repetitions, Sweep sweep) {
    using Clock = std::chrono::steady_clock;
    std::vector<double> times;
    for (int run = 0; run <= repetitions; ++run) {
        check(cudaDeviceSynchronize());
        const auto start = Clock::now();
        for (int k = 0; k < sweeps; ++k) sweep();
        check(cudaDeviceSynchronize());
        const std::chrono::duration<double, std::milli> time = Clock::now() - start;
        if (run > 0) times.push_back(time.count() / sweeps);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

template <class T>
struct Array {
    T* data;
    explicit Array(Index n) {
        check(cudaMalloc(&data, n * sizeof(T)));
        check(cudaMemset(data, 0, n * sizeof(T)));
    }
    ~Array() { cudaFree(data); }
};

dim3 groups(Index columns, Index rows, Index planes = 1) { return dim3(columns, rows, planes); }

}  // namespace

extern "C" {

double jacobi(long n, int sweeps, int repetitions) {
    Array<double> a(n * n), b(n * n);
    return timed(sweeps, repetitions, [&] {
        jacobiSweep<<<groups((n + 63) / 64, (n + 3) / 4), dim3(64, 4)>>>(a.data, b.data, int(n));
        std::swap(a.data, b.data);
    });
}

double jacobiChange(long n, int sweeps, int repetitions) {
    Array<double> a(n * n), b(n * n), worst(1);
    return timed(sweeps, repetitions, [&] {
        double home = 0;
        check(cudaMemsetAsync(worst.data, 0, sizeof home));
        jacobiChangeSweep<<<groups((n + 63) / 64, (n + 3) / 4), dim3(64, 4)>>>(a.data, b.data, int(n),
                                                                              (unsigned long long*)worst.data);
        check(cudaMemcpy(&home, worst.data, sizeof home, cudaMemcpyDeviceToHost));
        std::swap(a.data, b.data);
    });
}

double redBlack(long n, int sweeps, int repetitions) {
    Array<double> a(n * n);
    return timed(sweeps, repetitions, [&] {
        for (int parity = 0; parity < 2; ++parity)
            redBlackSweep<<<groups((n / 2 + 63) / 64, (n + 3) / 4), dim3(64, 4)>>>(a.data, int(n), parity);
    });
}

double diffusion(long n, int sweeps, int repetitions) {
    Array<double> a(n * n * n), b(n * n * n);
    return timed(sweeps, repetitions, [&] {
        diffusionSweep<<<groups((n + 63) / 64, (n + 7) / 8, (n + 63) / 64), dim3(64, 8)>>>(a.data, b.data, int(n), 0.1);
        std::swap(a.data, b.data);
    });
}

double blackScholes(long n, int sweeps, int repetitions) {
    Array<float> price(n), call(n), put(n);
    std::vector<float> home(n);
    for (long i = 0; i < n; ++i) home[i] = float(50 + i % 100);
    check(cudaMemcpy(price.data, home.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    return timed(sweeps, repetitions,
                 [&] { blackScholesSweep<<<(n + 255) / 256, 256>>>(price.data, call.data, put.data, n); });
}

double matrixProduct(long n, int sweeps, int repetitions) {
    Array<double> a(n * n), b(n * n), c(n * n);
    for (const Array<double>* each : {&a, &b})  // products of zeros take less power, so less time
        check(cudaMemset(each->data, 0x3F, n * n * sizeof(double)));
    cublasHandle_t handle;
    if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 0;
    const double one = 1, zero = 0;
    const int m = int(n);
    const double time = timed(sweeps, repetitions, [&] {
        cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, m, m, &one, b.data, m, a.data, m, &zero, c.data, m);
    });
    cublasDestroy(handle);
    return time;
}

// Beside bench/q3: the sums of products of 75 residuals of each student by cuBLAS, for which the host waits; it then adds them to
// numbers of its own. `how`: 0 they are copied home, 1 cuBLAS stores them there, 2 as 1 and nothing is added.
double q3(long students, int how, int sweeps, int repetitions) {
    const int items = 75;
    Array<double> residuals(students * items), there(items * items);
    check(cudaMemset(residuals.data, 0x3F, students * items * sizeof(double)));
    double *home = nullptr, *seen = nullptr;
    check(cudaHostAlloc(&home, items * items * sizeof(double), cudaHostAllocMapped));
    check(cudaHostGetDevicePointer(&seen, home, 0));
    std::vector<double> sums(items * items);
    cublasHandle_t handle;
    if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 0;
    const double one = 1, zero = 0;
    const double time = timed(sweeps, repetitions, [&] {
        cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, items, items, int(students), &one, residuals.data, items, residuals.data, items, &zero,
                    how == 0 ? there.data : seen, items);
        if (how == 0) check(cudaMemcpyAsync(home, there.data, items * items * sizeof(double), cudaMemcpyDeviceToHost));
        check(cudaStreamSynchronize(0));
        if (how == 2) return;
        std::fill(sums.begin(), sums.end(), 0.0);
        for (int k = 0; k < items * items; ++k) sums[k] += home[k];
    });
    cublasDestroy(handle);
    check(cudaFreeHost(home));
    return time;
}

// For fits.hpcpp.
double gather(long n, int isFar, int sweeps, int repetitions) {
    Array<double> a(n), b(n);
    Array<int> index(n);
    std::vector<int> places(n);
    for (long i = 0; i < n; ++i) places[i] = int(isFar ? i * 40503 % n : (i + 17) % n);
    check(cudaMemcpy(index.data, places.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    return timed(sweeps, repetitions, [&] { gatherSweep<<<(n + 255) / 256, 256>>>(b.data, a.data, index.data, n); });
}

double pairs(long n, int, int sweeps, int repetitions) {
    Array<double> force(n), own(n), place(n), mass(n);
    std::vector<double> home(n);
    for (long i = 0; i < n; ++i) home[i] = double(i * 37 % n);
    for (const Array<double>* each : {&own, &place, &mass})
        check(cudaMemcpy(each->data, home.data(), n * sizeof(double), cudaMemcpyHostToDevice));
    return timed(sweeps, repetitions, [&] {
        pairsSweep<<<(n + 255) / 256, 256>>>(force.data, own.data, place.data, mass.data, int(n));
    });
}

// Gigabytes per second of a copy, the median of several.
double copies(long bytes, int isHome, int isPinned, int repetitions) {
    Array<char> there(bytes);
    void* home = nullptr;
    if (isPinned)
        check(cudaMallocHost(&home, bytes));
    else
        home = std::malloc(bytes);
    std::memset(home, 1, bytes);
    const double milliseconds = timed(1, repetitions, [&] {
        if (isHome)
            check(cudaMemcpy(home, there.data, bytes, cudaMemcpyDeviceToHost));
        else
            check(cudaMemcpy(there.data, home, bytes, cudaMemcpyHostToDevice));
    });
    if (isPinned)
        check(cudaFreeHost(home));
    else
        std::free(home);
    return double(bytes) / milliseconds / 1e6;
}

}  // extern "C"
