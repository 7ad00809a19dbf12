// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// black_scholes.hpcpp as loops over vectors, in each process: what the patterns must give.
//
// usage: black_scholes [prices]
#include <hpspmd/plain.hpp>
#include <hpspmd>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <string>
#include <vector>

using namespace hpspmd;

const double strike = 20, years = 1.5, rate = 0.05, volatility = 0.3;

double below(double d) { return 0.5 * std::erfc(-d * std::sqrt(0.5)); }

int main(int argc, char** argv) {
    const Index n = argc > 1 ? std::stoll(argv[1]) : 20'000;
    const Procs1 p;
    std::vector<double> price;
    for (Index i = 0; i < n; ++i) price.push_back(5 + 35 * double(i * 7919 % n) / double(n));

    const double root = volatility * std::sqrt(years), later = strike * std::exp(-rate * years);
    double calls = 0, puts = 0, call = 0, put = 0;
    for (const double now : price) {
        const double d =
            (std::log(now / strike) + (rate + 0.5 * volatility * volatility) * years) / root;
        const double buy = now * below(d) - later * below(d - root), sell = buy - now + later;
        calls += buy;
        puts += sell;
        call = std::max(call, buy);
        put = std::max(put, sell);
    }
    if (On active{p})
        Adlib::gprintln(std::setprecision(10), n, " prices, call ", calls / double(n), ", put ",
                        puts / double(n), ", dearest call ", call, ", dearest put ", put);
}
