// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA by hand: what the publications on methods, parallel loops and patterns run on GPUs, as bench/javagrande/gpu,
// bench/marked/cluster.hpcpp and patterns.hpcpp have it. Prints what those print; `--pinned` takes memory that the driver copies
// from without a copy in between.
//
// nvcc -O3 -arch=native -std=c++17 -I../javagrande seeds.cu -o seeds -lcublas
// usage: seeds [--pinned] crypt|series|sor|sparsematmult A|B|C, seeds [--pinned] edge|matmul|nest|black_scholes|sfe, seeds [--pinned] patterns [divisor]
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstring>
#include <functional>
#include <string>

#include "again.hpp"
#include "crypt.hpp"
#include "sparse.hpp"

namespace {

using Index = long long;
bool isPinned = false;

void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

// Memory at home, and on the device from the first time it is needed.
template <class T>
struct Array {
    T *home = nullptr, *there = nullptr;
    Index size;

    explicit Array(Index n)
        : size(n) {
        if (isPinned)
            check(cudaMallocHost(&home, n * sizeof(T)));
        else
            home = static_cast<T*>(std::malloc(n * sizeof(T)));
        std::memset(static_cast<void*>(home), 0, n * sizeof(T));
    }
    Array(const Array&) = delete;
    ~Array() {
        if (there != nullptr) check(cudaFree(there));
        if (isPinned)
            check(cudaFreeHost(home));
        else
            std::free(home);
    }
    void need() {
        if (there == nullptr) check(cudaMalloc(&there, size * sizeof(T)));
    }
    void toThere() {
        need();
        check(cudaMemcpyAsync(there, home, size * sizeof(T), cudaMemcpyHostToDevice));
    }
    void toHome() { check(cudaMemcpy(home, there, size * sizeof(T), cudaMemcpyDeviceToHost)); }
};

void wait() { check(cudaDeviceSynchronize()); }
unsigned blocks(Index n, Index size = 256) { return static_cast<unsigned>((n + size - 1) / size); }

// Crypt
struct DeviceKeys {
    int key[52];
};
__device__ int multiply(int a, int b) {
    if (a == 0) return (0x10001 - b) & 0xffff;
    if (b == 0) return (0x10001 - a) & 0xffff;
    const unsigned product = static_cast<unsigned>(a) * static_cast<unsigned>(b);
    const int low = static_cast<int>(product & 0xffff), high = static_cast<int>(product >> 16);
    return (low - high + (low < high ? 1 : 0)) & 0xffff;
}
__global__ void cipher(const ushort4* __restrict__ text, ushort4* __restrict__ result, DeviceKeys keys, Index n) {
    const Index i = blockIdx.x * Index(blockDim.x) + threadIdx.x;
    if (i >= n) return;
    const ushort4 word = text[i];
    const int* const key = keys.key;
    int x1 = word.x, x2 = word.y, x3 = word.z, x4 = word.w, k = 0;
#pragma unroll
    for (int round = 0; round < 8; ++round, k += 6) {
        x1 = multiply(x1, key[k]);
        x2 = (x2 + key[k + 1]) & 0xffff;
        x3 = (x3 + key[k + 2]) & 0xffff;
        x4 = multiply(x4, key[k + 3]);
        int t2 = multiply(x1 ^ x3, key[k + 4]);
        const int t1 = multiply((t2 + (x2 ^ x4)) & 0xffff, key[k + 5]);
        t2 = (t1 + t2) & 0xffff;
        x1 ^= t1;
        x4 ^= t2;
        t2 ^= x2;
        x2 = x3 ^ t1;
        x3 = t2;
    }
    x1 = multiply(x1, key[48]);
    x3 = (x3 + key[49]) & 0xffff;
    x2 = (x2 + key[50]) & 0xffff;
    x4 = multiply(x4, key[51]);
    result[i] = make_ushort4(x1, x3, x2, x4);
}

// What `run` takes, by the clock of the first time, then as again.hpp measures it.
template <class Fill, class Run, class Home>
void measure(const char* what, Fill fill, Run run, Home home, const std::function<void()>& answer, const std::function<void()>& in) {
    const auto whole = [&] {
        in();
        run();
        home();
    };
    javagrande::Watch watch;
    whole();
    watch.stop();
    answer();
    std::fprintf(stderr, "%s took %.7f s, %.4f s of a processor\n", what, watch.seconds, watch.busy);
    bool isThere = false;
    again::time(
        what, fill,
        [&] {
            if (!isThere) in();
            run();
        },
        home, [&] {
            wait();
            isThere = true;
        });
}

void crypt(int count, char** words) {
    const Index n = javagrande::sizeOf(count, words, 4000, 3000000, 20000000, 50000000) / 8;
    javagrande::Random random(136506717);
    std::array<int, 8> user{};
    for (int& each : user) each = random.nextInt() & 0xffff;
    Array<ushort4> plain(n), secret(n), other(n);
    const auto fill = [&] {
        for (Index k = 0; k < 4 * n; ++k)
            reinterpret_cast<unsigned short*>(plain.home)[k] = static_cast<unsigned short>((2 * k & 0xff) | ((2 * k + 1) & 0xff) << 8);
    };
    fill();
    Array<ushort4> few(64);
    few.toThere();
    cipher<<<1, 64>>>(few.there, few.there, DeviceKeys(), 64);  // what starts once is not measured
    few.toHome();
    const auto run = [&] {
        DeviceKeys there, back;
        const javagrande::Keys keys = javagrande::encryptionKeys(user), others = javagrande::decryptionKeys(keys);
        std::copy(keys.begin(), keys.end(), there.key);
        std::copy(others.begin(), others.end(), back.key);
        secret.need();
        other.need();
        cipher<<<blocks(n), 256>>>(plain.there, secret.there, there, n);
        cipher<<<blocks(n), 256>>>(secret.there, other.there, back, n);
    };
    const auto answer = [&] {
        const auto bytes = [](const Array<ushort4>& a) { return reinterpret_cast<const unsigned char*>(a.home); };
        double sum = 0;
        for (Index i = 0; i < 8 * n; ++i) sum += bytes(secret)[i] * double(i % 5 + 1);
        javagrande::validate("plain text restored", std::memcmp(plain.home, other.home, 8 * n) == 0, 1, 0);
        javagrande::answer("crypt", sum);
    };
    measure("crypt", fill, run, [&] { secret.toHome(), other.toHome(); }, answer, [&] { plain.toThere(); });
}

// Series
__device__ double value(double x, double omega, int which) {
    if (which == 0) return pow(x + 1.0, x);
    if (which == 1) return pow(x + 1.0, x) * cos(omega * x);
    return pow(x + 1.0, x) * sin(omega * x);
}
__device__ double integral(double from, double to, int steps, double omega, int which) {
    const double width = (to - from) / steps;
    double x = from, sum = value(from, omega, which) / 2.0;
    for (int k = 2; k < steps; ++k) {
        x += width;
        sum += value(x, omega, which);
    }
    return (sum + value(to, omega, which) / 2.0) * width;
}
__global__ void coefficients(double* __restrict__ a, double* __restrict__ b, Index n) {
    const Index i = blockIdx.x * Index(blockDim.x) + threadIdx.x;
    const double omega = 3.1415926535897932;
    if (i >= n) return;
    if (i == 0) {
        a[0] = integral(0.0, 2.0, 1000, 0.0, 0) / 2.0;
        b[0] = 0;
    } else {
        a[i] = integral(0.0, 2.0, 1000, omega * double(i), 1);
        b[i] = integral(0.0, 2.0, 1000, omega * double(i), 2);
    }
}
void series(int count, char** words) {
    const Index n = javagrande::sizeOf(count, words, 40, 10000, 100000, 1000000);
    Array<double> a(n), b(n), few(64);
    few.need();
    coefficients<<<1, 64>>>(few.there, few.there, 64);
    few.toHome();
    const auto run = [&] {
        a.need();
        b.need();
        coefficients<<<blocks(n, 64), 64>>>(a.there, b.there, n);
    };
    const auto answer = [&] {
        double sum = 0;
        for (Index i = 0; i < n; ++i) sum += a.home[i] - b.home[i];
        javagrande::answer("series", sum);
    };
    measure("series", [] {}, run, [&] { a.toHome(), b.toHome(); }, answer, [] {});
}

// SOR
__global__ void relax(double* __restrict__ g, int n, int half, double quarter, double rest) {
    const int i = blockIdx.y * blockDim.y + threadIdx.y + 1;
    const int j = 1 + (i + 1 + half) % 2 + 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n - 1 || j >= n - 1) return;
    const Index k = Index(i) * n + j;
    g[k] = quarter * (g[k - n] + g[k + n] + g[k - 1] + g[k + 1]) + rest * g[k];
}
void sor(int count, char** words) {
    const int n = javagrande::sizeOf(count, words, 100, 1000, 1500, 2000);
    javagrande::Random random(10101010);
    std::vector<double> given(static_cast<std::size_t>(n) * n);
    for (double& each : given) each = random.nextDouble() * 1e-6;
    Array<double> g(Index(n) * n), few(64);
    few.toThere();
    relax<<<1, dim3(64, 4)>>>(few.there, 8, 0, 1, 0);
    few.toHome();
    const auto fill = [&] { std::copy(given.begin(), given.end(), g.home); };
    fill();
    const auto run = [&] {
        for (int half = 0; half < 200; ++half)
            relax<<<dim3(blocks(n / 2, 64), blocks(n, 4)), dim3(64, 4)>>>(g.there, n, half, 1.25 * 0.25, 1.0 - 1.25);
    };
    const auto answer = [&] {
        double total = 0;
        for (int i = 1; i < n - 1; ++i)
            for (int j = 1; j < n - 1; ++j) total += g.home[Index(i) * n + j];
        javagrande::answer("sor", total);
    };
    measure("sor", fill, run, [&] { g.toHome(); }, answer, [&] { g.toThere(); });
}

// SparseMatMult
__global__ void product(double* __restrict__ y, const int* __restrict__ begin, const double* __restrict__ value,
                        const int* __restrict__ column, const double* __restrict__ x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double sum = y[i];
    for (int k = begin[i]; k < begin[i + 1]; ++k) sum += x[column[k]] * value[k];
    y[i] = sum;
}
void sparsematmult(int count, char** words) {
    const int n = javagrande::sizeOf(count, words, 100, 50000, 100000, 500000);
    const javagrande::Sparse matrix(n, 5 * n);
    Array<int> begin(n + 1), column(5 * Index(n));
    Array<double> y(n), value(5 * Index(n)), x(n), few(64);
    Array<int> none(64);
    few.toThere();
    none.toThere();
    product<<<1, 64>>>(few.there, none.there, few.there, none.there, few.there, 63);
    few.toHome();
    const auto fill = [&] {
        std::fill(begin.home, begin.home + n + 1, 0);
        for (const int row : matrix.row) ++begin.home[row + 1];
        for (int row = 0; row < n; ++row) begin.home[row + 1] += begin.home[row];
        std::copy(matrix.column.begin(), matrix.column.end(), column.home);
        std::copy(matrix.value.begin(), matrix.value.end(), value.home);
        std::copy(matrix.x.begin(), matrix.x.end(), x.home);
        std::fill(y.home, y.home + n, 0.0);
    };
    fill();
    const auto in = [&] {
        begin.toThere(), column.toThere(), value.toThere(), x.toThere(), y.toThere();
    };
    const auto run = [&] {
        for (int time = 0; time < 200; ++time)
            product<<<blocks(n), 256>>>(y.there, begin.there, value.there, column.there, x.there, n);
    };
    const auto answer = [&] { javagrande::validateProduct(matrix, std::vector<double>(y.home, y.home + n)); };
    measure("sparsematmult", fill, run, [&] { y.toHome(); }, answer, in);
}

// The programs of parallel loops.
template <class T>
double total(const Array<T>& a) {
    double sum = 0;
    for (Index i = 0; i < a.size; ++i) sum += static_cast<double>(a.home[i]) * static_cast<double>(i % 7 + 1);
    return sum;
}
void answer(const char* what, double value) { std::printf("%s %.17g\n", what, value); }

__global__ void edges(unsigned char* __restrict__ found, const unsigned char* __restrict__ picture, int n) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x + 1, i = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (i >= n - 1 || j >= n - 1) return;
    const unsigned char* const p = picture + Index(i) * n + j;
    const int across = p[1 - n] + 2 * p[1] + p[n + 1] - p[-n - 1] - 2 * p[-1] - p[n - 1];
    const int down = p[n - 1] + 2 * p[n] + p[n + 1] - p[-n - 1] - 2 * p[-n] - p[1 - n];
    const int all = abs(across) + abs(down);
    found[Index(i) * n + j] = static_cast<unsigned char>(all < 255 ? all : 255);
}
void edge() {
    const int n = 4000;
    Array<unsigned char> picture(Index(n) * n), found(Index(n) * n);
    const auto fill = [&] {
        for (Index k = 0; k < picture.size; ++k) picture.home[k] = static_cast<unsigned char>(k % 997 * (k % 313) % 251);
    };
    fill();
    const auto run = [&] { edges<<<dim3(blocks(n, 64), blocks(n, 4)), dim3(64, 4)>>>(found.there, picture.there, n); };
    found.toThere(), picture.need();
    run();
    found.toHome();
    measure("edge", fill, run, [&] { found.toHome(); }, [&] { answer("edge", total(found)); }, [&] { picture.toThere(); });
}

__global__ void reciprocals(double* __restrict__ b, const double* __restrict__ c, Index n) {
    const Index i = blockIdx.x * Index(blockDim.x) + threadIdx.x;
    if (i < n) b[i] = 1 / (1 + c[i] * c[i]);
}
void products(bool isNest) {
    const int n = isNest ? 320 : 500;
    const Index size = Index(n) * n;
    Array<double> a(size), b(size), c(size);
    cublasHandle_t handle;
    if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) std::exit(1);
    const auto fill = [&] {
        for (Index k = 0; k < size; ++k) a.home[k] = k % 17 * 0.125, b.home[k] = k % 13 * 0.25;
    };
    fill();
    const double one = 1, zero = 0;
    const auto run = [&] {
        c.need();
        for (int time = 0; time < (isNest ? 8 : 1); ++time) {
            cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b.there, n, a.there, n, &zero, c.there, n);
            if (isNest) reciprocals<<<blocks(size), 256>>>(b.there, c.there, size);
        }
    };
    const auto in = [&] { a.toThere(), b.toThere(); };
    const auto home = [&] {
        c.toHome();
        if (isNest) b.toHome();
    };
    in();
    run();
    home();
    fill();
    const char* const name = isNest ? "nest" : "matmul";
    measure(name, fill, run, home, [&] { answer(name, total(c) + total(b)); }, in);
    cublasDestroy(handle);
}

__device__ double normal(double x) { return 0.5 * erfc(-x * sqrt(0.5)); }
__global__ void prices(const double* __restrict__ price, double* __restrict__ call, double* __restrict__ put, Index n) {
    const Index i = blockIdx.x * Index(blockDim.x) + threadIdx.x;
    if (i >= n) return;
    const double strike = 50, rate = 0.03, deviation = 0.3, years = 2, spread = deviation * sqrt(years);
    const double d = (log(price[i] / strike) + (rate + deviation * deviation / 2) * years) / spread;
    const double later = strike * exp(-rate * years);
    const double value = price[i] * normal(d) - later * normal(d - spread);
    call[i] = value;
    put[i] = value - price[i] + later;
}
void blackScholes() {
    const Index n = 1000000;
    Array<double> price(n), call(n), put(n);
    const auto fill = [&] {
        for (Index i = 0; i < n; ++i) price.home[i] = double(20 + i % 97);
    };
    fill();
    const auto run = [&] {
        call.need(), put.need();
        prices<<<blocks(n), 256>>>(price.there, call.there, put.there, n);
    };
    const auto home = [&] { call.toHome(), put.toHome(); };
    price.toThere();
    run();
    home();
    measure("black_scholes", fill, run, home, [&] { answer("black_scholes", total(call) + total(put)); }, [&] { price.toThere(); });
}

__global__ void layer(unsigned* __restrict__ keys, const int* __restrict__ left, const int* __restrict__ right, int begin, int end) {
    const int gate = begin + blockIdx.x * blockDim.x + threadIdx.x;
    if (gate >= end) return;
    unsigned a = keys[left[gate]], b = keys[right[gate]];
    for (int round = 0; round < 200; ++round) {
        a = (a ^ (a >> 15)) * 2654435761u + b;
        b = (b ^ (b << 7)) + static_cast<unsigned>(gate) * 2246822519u;
    }
    keys[gate] = a ^ b;
}
void circuit() {
    const int width = 20000, depth = 12;
    Array<int> left(width * depth), right(width * depth);
    Array<unsigned> keys(width * depth);
    const auto fill = [&] {
        for (int g = 0; g < width * depth; ++g) {
            const int layer = g / width, before = layer > 0 ? layer * width : 1;
            left.home[g] = layer > 0 ? (layer - 1) * width + (g * 7 + layer) % width : 0;
            right.home[g] = static_cast<int>(g * 31L % before);
            keys.home[g] = 977u * static_cast<unsigned>(g) + 5;
        }
    };
    fill();
    const auto in = [&] { left.toThere(), right.toThere(), keys.toThere(); };
    const auto run = [&] {
        for (int k = 1; k < depth; ++k)
            layer<<<blocks(width), 256>>>(keys.there, left.there, right.there, k * width, (k + 1) * width);
    };
    in();
    run();
    keys.toHome();
    fill();
    measure("sfe", fill, run, [&] { keys.toHome(); }, [&] { answer("sfe", total(keys)); }, in);
}

// Patterns.
__global__ void saxpyOf(float alpha, const float* __restrict__ x, const float* __restrict__ y, float* __restrict__ r, Index n) {
    const Index i = blockIdx.x * Index(blockDim.x) + threadIdx.x;
    if (i < n) r[i] = alpha * x[i] + y[i];
}
struct Centres {
    float x[8], y[8];
};
__global__ void nearest(const float* __restrict__ x, const float* __restrict__ y, int* __restrict__ r, Centres centres, Index n) {
    const Index i = blockIdx.x * Index(blockDim.x) + threadIdx.x;
    if (i >= n) return;
    const float v = x[i], w = y[i];
    int best = 0;
    float least = 1e30f;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        const float square = (v - centres.x[k]) * (v - centres.x[k]) + (w - centres.y[k]) * (w - centres.y[k]);
        if (square < least) least = square, best = k;
    }
    r[i] = best;
}
__device__ float below(float d) { return 0.5f * erfcf(-d * 0.70710678f); }
__global__ void options(const float* __restrict__ prices, float* __restrict__ calls, float* __restrict__ puts, Index n) {
    const Index i = blockIdx.x * Index(blockDim.x) + threadIdx.x;
    if (i >= n) return;
    const float price = prices[i], strike = 20, years = 1.5f, rate = 0.05f, volatility = 0.3f;
    const float root = volatility * sqrtf(years);
    const float d1 = (logf(price / strike) + (rate + 0.5f * volatility * volatility) * years) / root;
    const float later = strike * expf(-rate * years);
    const float call = price * below(d1) - later * below(d1 - root);
    calls[i] = call;
    puts[i] = call - price + later;
}
// Tiles of bodies in the memory that a block shares.
__global__ void bodies(const float* __restrict__ x, const float* __restrict__ y, const float* __restrict__ mass, const float* __restrict__ still,
                       float* __restrict__ r, float* __restrict__ vy, int n) {
    __shared__ float3 tile[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x, own = min(i, n - 1);
    const float v = x[own], w = y[own];
    float fx = 0, fy = 0;
    for (int begin = 0; begin < n; begin += 256) {
        const int from = min(begin + int(threadIdx.x), n - 1);
        __syncthreads();
        tile[threadIdx.x] = make_float3(x[from], y[from], mass[from]);
        __syncthreads();
        const int count = min(256, n - begin);
        for (int j = 0; j < count; ++j) {
            const float dx = tile[j].x - v, dy = tile[j].y - w, square = dx * dx + dy * dy + 0.01f;
            const float pull = tile[j].z / (square * sqrtf(square));
            fx += pull * dx;
            fy += pull * dy;
        }
    }
    if (i >= n) return;
    r[i] = still[i] + 0.01f * fx;
    vy[i] = 0.01f * fy;
}
__global__ void monteCarlo(const unsigned* __restrict__ seeds, float* __restrict__ r, Index n) {
    const Index i = blockIdx.x * Index(blockDim.x) + threadIdx.x;
    if (i >= n) return;
    unsigned seed = seeds[i];
    int hits = 0;
    for (int k = 0; k < 200; ++k) {
        seed = seed * 1664525u + 1013904223u;
        const float v = float(seed >> 8) * 0x1p-24f;
        seed = seed * 1664525u + 1013904223u;
        const float w = float(seed >> 8) * 0x1p-24f;
        if (v * v + w * w < 1) ++hits;
    }
    r[i] = float(hits) / 200;
}

template <class In, class Run, class Home>
void pattern(const char* name, Index n, In in, Run run, Home home) {
    const auto whole = [&] {
        in();
        run();
        home();
    };
    whole();
    const auto nothing = [] {};
    const double copied = again::median(21, nothing, whole);
    const double there = again::median(11, nothing, [&] {
        for (int k = 0; k < 40; ++k) run();
        wait();
    });
    std::printf("%-16s %10lld copied %10.3f staying %10.4f ms\n", name, n, copied * 1000, there * 1000 / 40);
}
void fillNumbers(Array<float>& a, float least, float most) {
    unsigned seed = 17;
    for (Index k = 0; k < a.size; ++k) {
        seed = seed * 1664525u + 1013904223u;
        a.home[k] = least + (most - least) * static_cast<float>(seed >> 8) * 0x1p-24f;
    }
}
void patterns(int divisor) {
    {
        const Index n = (Index(16) << 20) / divisor;
        Array<float> a(n), b(n), r(n);
        fillNumbers(a, 0, 1), fillNumbers(b, 1, 2);
        pattern("saxpy", n, [&] { a.toThere(), b.toThere(), r.need(); },
                [&] { saxpyOf<<<blocks(n), 256>>>(2.5f, a.there, b.there, r.there, n); }, [&] { r.toHome(); });
    }
    {
        const Index n = 8'000'000 / divisor;
        Array<float> a(n), b(n);
        Array<int> r(n);
        fillNumbers(a, 0, 1), fillNumbers(b, 1, 2);
        Centres centres;
        for (int k = 0; k < 8; ++k) centres.x[k] = 0.1f * float(k), centres.y[k] = 1 + 0.3f * float(k % 3);
        pattern("k-means", n, [&] { a.toThere(), b.toThere(), r.need(); },
                [&] { nearest<<<blocks(n), 256>>>(a.there, b.there, r.there, centres, n); }, [&] { r.toHome(); });
    }
    {
        const Index n = 6'000'000 / divisor;
        Array<float> price(n), call(n), put(n);
        fillNumbers(price, 5, 40);
        pattern("Black-Scholes", n, [&] { price.toThere(), call.need(), put.need(); },
                [&] { options<<<blocks(n), 256>>>(price.there, call.there, put.there, n); }, [&] { call.toHome(), put.toHome(); });
    }
    {
        const Index n = 65'536 / divisor;
        Array<float> a(n), b(n), m(n), still(n), r(n), vy(n);
        fillNumbers(a, 0, 100), fillNumbers(b, 50, 150), fillNumbers(m, 1, 4);
        pattern("N-body", n, [&] { a.toThere(), b.toThere(), m.toThere(), still.toThere(), r.need(), vy.need(); },
                [&] { bodies<<<blocks(n), 256>>>(a.there, b.there, m.there, still.there, r.there, vy.there, int(n)); },
                [&] { r.toHome(), vy.toHome(); });
    }
    {
        const Index n = 1'000'000 / divisor;
        Array<unsigned> seeds(n);
        Array<float> r(n);
        for (Index k = 0; k < n; ++k) seeds.home[k] = static_cast<unsigned>(k) * 2654435761u;
        pattern("Monte Carlo", n, [&] { seeds.toThere(), r.need(); }, [&] { monteCarlo<<<blocks(n), 256>>>(seeds.there, r.there, n); },
                [&] { r.toHome(); });
    }
}

}  // namespace

int main(int count, char** words) {
    if (count > 1 && std::strcmp(words[1], "--pinned") == 0) {
        isPinned = true;
        --count, ++words;
    }
    const std::string which = count > 1 ? words[1] : "";
    if (which == "crypt")
        crypt(count - 1, words + 1);
    else if (which == "series")
        series(count - 1, words + 1);
    else if (which == "sor")
        sor(count - 1, words + 1);
    else if (which == "sparsematmult")
        sparsematmult(count - 1, words + 1);
    else if (which == "edge")
        edge();
    else if (which == "matmul" || which == "nest")
        products(which == "nest");
    else if (which == "black_scholes")
        blackScholes();
    else if (which == "sfe")
        circuit();
    else if (which == "patterns")
        patterns(count > 2 ? std::atoi(words[2]) : 1);
    else
        return 2;
    check(cudaDeviceSynchronize());
}
