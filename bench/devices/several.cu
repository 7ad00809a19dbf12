// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several GPUs by hand, beside devices.hpcpp on as many processes: one process with all GPUs, each of which has a block of rows and ghost rows above and
// below it. `plain`: all rows, then ghost rows by copies from GPU to GPU; `overlap`: the outer rows first, and the copies beside the others; `put`: the
// kernel of the outer rows stores them in the neighbour's memory, too. Microseconds per sweep, the median of several runs.
//
// nvcc -O3 -arch=native -std=c++17 several.cu -o several && ./several
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

/// Rows first .. end - 1. Those of `above` and `below`, if there is any, get what row `first` and `end - 1` are.
__global__ void jacobiRows(const double* __restrict__ a, double* __restrict__ b, int n, int first, int end, double* above, double* below) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x + 1, i = blockIdx.y * blockDim.y + threadIdx.y + first;
    if (i >= end || j >= n - 1) return;
    const long k = long(i) * n + j;
    const double v = 0.25 * (a[k - n] + a[k + n] + a[k - 1] + a[k + 1]);
    b[k] = v;
    if (above && i == first) above[j] = v;
    if (below && i == end - 1) below[j] = v;
}

enum class Way { Plain, Overlap, Put };
const char* const names[] = {"plain", "overlap", "put"};

struct Gpu {
    double *a = nullptr, *b = nullptr;
    cudaStream_t work, copies;
    cudaEvent_t computed, arrived;
};

class Jacobi {
public:
    Jacobi(int gpus, int n) : n_(n), rows_(n / gpus), gpus_(gpus) {
        for (int g = 0; g < gpus; ++g) {
            Gpu& own = use(g);
            const size_t bytes = sizeof(double) * n * (rows_ + 2);
            for (double** each : {&own.a, &own.b}) {
                check(cudaMalloc(each, bytes));
                check(cudaMemset(*each, 0, bytes));
            }
            for (cudaStream_t* each : {&own.work, &own.copies}) check(cudaStreamCreateWithFlags(each, cudaStreamNonBlocking));
            for (cudaEvent_t* each : {&own.computed, &own.arrived}) {
                check(cudaEventCreateWithFlags(each, cudaEventDisableTiming));
                check(cudaEventRecord(*each, own.work));
            }
        }
        wait();
    }
    ~Jacobi() {
        wait();
        for (size_t g = 0; g < gpus_.size(); ++g) {
            Gpu& own = use(g);
            for (double* each : {own.a, own.b}) cudaFree(each);
            for (cudaStream_t each : {own.work, own.copies}) cudaStreamDestroy(each);
            for (cudaEvent_t each : {own.computed, own.arrived}) cudaEventDestroy(each);
        }
    }
    void sweep(Way way) {
        for (size_t g = 0; g < gpus_.size(); ++g) compute(way, g);
        if (way != Way::Put)
            for (size_t g = 0; g < gpus_.size(); ++g) copyGhosts(g);
        for (size_t g = 0; g < gpus_.size(); ++g) finish(way, use(g));
    }
    void wait() {
        for (size_t g = 0; g < gpus_.size(); ++g) {
            use(g);
            check(cudaDeviceSynchronize());
        }
    }

private:
    Gpu& use(size_t g) {
        check(cudaSetDevice(int(g)));
        return gpus_[g];
    }
    void compute(Way way, size_t g) {
        Gpu& own = use(g);
        for (const size_t h : {g - 1, g, g + 1})
            if (h < gpus_.size()) check(cudaStreamWaitEvent(own.work, gpus_[h].arrived, 0));
        double *const above = way == Way::Put && g > 0 ? gpus_[g - 1].b + long(rows_ + 1) * n_ : nullptr,
                     *const below = way == Way::Put && g + 1 < gpus_.size() ? gpus_[g + 1].b : nullptr;
        if (way == Way::Plain) {
            rows(own, 1, rows_ + 1);
        } else {
            rows(own, 1, 2, above);
            rows(own, rows_, rows_ + 1, nullptr, below);
        }
        check(cudaEventRecord(own.computed, own.work));
        if (way != Way::Plain) rows(own, 2, rows_);
    }
    void rows(Gpu& own, int first, int end, double* above = nullptr, double* below = nullptr) {
        if (first < end)
            jacobiRows<<<dim3((n_ + 63) / 64, (end - first + 3) / 4), dim3(64, 4), 0, own.work>>>(own.a, own.b, n_, first, end, above, below);
    }
    void copyGhosts(size_t g) {
        Gpu& own = use(g);
        const size_t bytes = sizeof(double) * n_;
        check(cudaStreamWaitEvent(own.copies, own.computed, 0));
        for (const size_t h : {g - 1, g + 1}) {
            if (h >= gpus_.size()) continue;
            check(cudaStreamWaitEvent(own.copies, gpus_[h].computed, 0));
            if (h < g)
                check(cudaMemcpyPeerAsync(gpus_[h].b + long(rows_ + 1) * n_, int(h), own.b + n_, int(g), bytes, own.copies));
            else
                check(cudaMemcpyPeerAsync(gpus_[h].b, int(h), own.b + long(rows_) * n_, int(g), bytes, own.copies));
        }
    }
    /// `arrived`: this GPU has done all of the sweep.
    void finish(Way way, Gpu& own) {
        if (way == Way::Put) {
            check(cudaEventRecord(own.arrived, own.work));
        } else {
            check(cudaEventRecord(own.computed, own.work));
            check(cudaStreamWaitEvent(own.copies, own.computed, 0));
            check(cudaEventRecord(own.arrived, own.copies));
        }
        std::swap(own.a, own.b);
    }

    int n_, rows_;
    std::vector<Gpu> gpus_;
};

double microseconds(int gpus, int n, Way way) {
    using Clock = std::chrono::steady_clock;
    Jacobi jacobi(gpus, n);
    const int sweeps = n > 10000 ? 40 : 400;
    std::vector<double> times;
    for (int run = 0; run < 12; ++run) {
        const auto start = Clock::now();
        for (int k = 0; k < sweeps; ++k) jacobi.sweep(way);
        jacobi.wait();
        const std::chrono::duration<double, std::micro> time = Clock::now() - start;
        if (run > 0) times.push_back(time.count() / sweeps);
    }
    check(cudaGetLastError());
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

}  // namespace

int main() {
    int all = 0;
    check(cudaGetDeviceCount(&all));
    for (int g = 0; g < all; ++g) {
        check(cudaSetDevice(g));
        for (int h = 0; h < all; ++h)
            if (h != g) check(cudaDeviceEnablePeerAccess(h, 0));
    }
    for (const int n : {4096, 16384, 32768})
        for (int gpus = 1; gpus <= all; gpus *= 2)
            for (const Way way : {Way::Plain, Way::Overlap, Way::Put}) {
                if (gpus == 1 && way != Way::Plain) continue;
                std::printf("Jacobi %5d  by hand on %d GPUs, %-8s %9.1f us\n", n, gpus, names[int(way)], microseconds(gpus, n, way));
                std::fflush(stdout);
            }
}
