// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// deblur.hpcpp as loops over vectors in one process: what it must print, and how fast it should be.
//
// usage: deblur.plain sharp.pgm [iterations]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

using Picture = std::vector<double>;
long rows, columns;

Picture lens(const Picture& in) {
    const int reach = 5;
    const double width = 1.6;
    std::vector<double> weight;
    double total = 0;
    for (int k = -reach; k <= reach; ++k) {
        weight.push_back(std::exp(-k * k / (2 * width * width)));
        total += weight.back();
    }
    for (double& w : weight) w /= total;
    Picture along(in.size()), out(in.size());
    for (long i = 0; i < rows; ++i)
        for (long j = 0; j < columns; ++j) {
            double sum = 0;
            for (int k = -reach; k <= reach; ++k) {
                const long from = j + k < 0         ? j + k + columns
                                  : j + k < columns ? j + k
                                                    : j + k - columns;
                sum += weight[k + reach] * in[i * columns + from];
            }
            along[i * columns + j] = sum;
        }
    for (long i = 0; i < rows; ++i)
        for (int k = -reach; k <= reach; ++k) {
            const long from = (i + k + rows) % rows;
            for (long j = 0; j < columns; ++j)
                out[i * columns + j] += weight[k + reach] * along[from * columns + j];
        }
    return out;
}

double distance(const Picture& a, const Picture& b) {
    double squares = 0;
    for (std::size_t k = 0; k < a.size(); ++k) squares += (a[k] - b[k]) * (a[k] - b[k]);
    return std::sqrt(squares / double(a.size()));
}

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    const int iterations = argc > 2 ? std::stoi(argv[2]) : 30;
    std::ifstream file(argv[1], std::ios::binary);
    std::string kind;
    int most = 0;
    file >> kind >> columns >> rows >> most;
    file.get();
    Picture sharp;
    for (long k = 0; k < rows * columns; ++k) sharp.push_back(file.get());

    Picture seen = lens(sharp);
    for (double& grey : seen) grey = std::round(grey);
    Picture guess = seen, ratio(seen.size());
    for (int it = 0; it < iterations; ++it) {
        const Picture blurred = lens(guess);
        for (std::size_t k = 0; k < seen.size(); ++k)
            ratio[k] = seen[k] / std::max(blurred[k], 1e-6);
        const Picture correction = lens(ratio);
        for (std::size_t k = 0; k < seen.size(); ++k) guess[k] *= correction[k];
    }
    const double before = distance(seen, sharp), after = distance(guess, sharp);
    std::printf("%ld x %ld pixels, %d iterations: the error falls from %.2f to %.2f grey levels\n",
                rows, columns, iterations, before, after);
    std::printf("peak signal-to-noise ratio (PSNR): %.2f dB before, %.2f dB after\n",
                20 * std::log10(255 / before), 20 * std::log10(255 / after));
}
