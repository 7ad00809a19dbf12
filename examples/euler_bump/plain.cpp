// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// euler_bump.hpcpp as loops over vectors in one process: what it must print, and how fast it should
// be.
//
// usage: euler_bump.plain [rows [steps]]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "gas.hph"

class Channel {
public:
    template <class Floor>
    Channel(long rows, double mach, Floor floorAt)
        : n(3 * rows + 4),
          m(rows + 2),
          gas(n * m, stream(mach)),
          dx_(1.0 / double(rows)),
          half_(gas),
          next_(gas),
          across_(n * m),
          up_(n * m) {
        for (long i = 0; i < n; ++i) floor_.push_back(floorAt(dx_ * double(i - 2)));
        lowest_ = dx_ * (1 - *std::max_element(floor_.begin(), floor_.end()));
    }

    std::size_t at(long i, long j) const { return i * m + j; }

    double step() {
        double speed = 0, change = 0;
        for (const Gas& w : gas) speed = std::max(speed, fastest(w));
        const double dt = 0.4 * lowest_ / speed;
        euler(half_, gas, dt);
        euler(next_, half_, dt);
        for (long i = 2; i < n - 2; ++i)
            for (long j = 1; j < m - 1; ++j) {
                Gas& next = next_[at(i, j)];
                next = sum(gas[at(i, j)], 0.5, sum(next, -1, gas[at(i, j)]));
                change = std::max(change, std::abs(next.rho - gas[at(i, j)].rho));
            }
        std::swap(gas, next_);
        return change / dt;
    }

    double gain() const {
        double mass = 0;
        for (long j = 1; j < m - 1; ++j) mass += across_[at(2, j)].rho - across_[at(n - 2, j)].rho;
        return mass;
    }

    long n, m;
    std::vector<Gas> gas;

private:
    void euler(std::vector<Gas>& next, std::vector<Gas>& w, double dt) {
        for (long j = 0; j < m; ++j) w[at(n - 2, j)] = w[at(n - 3, j)];
        for (long i = 0; i < n; ++i) {
            w[at(i, 0)] = w[at(i, 1)];
            w[at(i, m - 1)] = w[at(i, m - 2)];
        }
        for (long i = 2; i < n - 1; ++i)
            for (long j = 1; j < m - 1; ++j)
                across_[at(i, j)] = crossing(atFace(w[at(i - 2, j)], w[at(i - 1, j)], w[at(i, j)]),
                                             atFace(w[at(i + 1, j)], w[at(i, j)], w[at(i - 1, j)]),
                                             dx_ * (1 - floor_[i]), 0);
        for (long i = 2; i < n - 2; ++i) {
            for (long j = 2; j < m - 1; ++j)
                up_[at(i, j)] =
                    crossing(atFace(w[at(i, j - 2)], w[at(i, j - 1)], w[at(i, j)]),
                             atFace(w[at(i, j + 1)], w[at(i, j)], w[at(i, j - 1)]),
                             (floor_[i] - floor_[i + 1]) * (1 - dx_ * double(j - 1)), dx_);
            up_[at(i, 1)] = wall(w[at(i, 1)], floor_[i] - floor_[i + 1], dx_);
            up_[at(i, m - 1)] = wall(w[at(i, m - 2)], 0, dx_);
        }
        for (long i = 2; i < n - 2; ++i)
            for (long j = 1; j < m - 1; ++j) {
                const double area = dx_ * dx_ * (1 - 0.5 * (floor_[i] + floor_[i + 1]));
                const Gas out = sum(sum(across_[at(i + 1, j)], -1, across_[at(i, j)]), 1,
                                    sum(up_[at(i, j + 1)], -1, up_[at(i, j)]));
                next[at(i, j)] = sum(w[at(i, j)], -dt / area, out);
            }
    }

    double dx_, lowest_ = 0;
    std::vector<double> floor_;
    std::vector<Gas> half_, next_, across_, up_;
};

int main(int argc, char** argv) {
    const long rows = argc > 1 ? std::stol(argv[1]) : 8;
    const int steps = argc > 2 ? std::stoi(argv[2]) : 1000;

    Channel flat(rows, 1.4, [](double) { return 0.0; });
    for (int k = 0; k < 10; ++k) flat.step();
    double moved = 0;
    for (const Gas& w : flat.gas) moved = std::max(moved, std::abs(w.rho - 1) + std::abs(w.my));
    std::printf("flat floor: the flow %s\n", moved < 1e-12 ? "stays" : "changes");

    const double angle = std::acos(-1.0) / 18;
    const auto floorAt = [=](double x) {
        return std::min(std::max(0.0, x - 0.5), 0.75) * std::tan(angle);
    };
    Channel ramp(rows, 2, floorAt);
    for (long k = 0; k < 25 * rows; ++k) ramp.step();
    std::printf("ramp: pressure %.3f behind the shock, exactly %.3f\n",
                kappa * pressure(ramp.gas[ramp.at(2 + rows * 9 / 8, 1 + rows / 8)]),
                behindShock(2, angle));
    const long row = 1 + rows / 2;
    const double middle = 0.5 * (1 + behindShock(2, angle));
    const auto along = [&](long i) { return kappa * pressure(ramp.gas[ramp.at(i, row)]); };
    double place = 3;
    for (long i = 3 * rows; i >= 2; --i)
        if (along(i) < middle && along(i + 1) >= middle)
            place =
                (double(i) - 1.5 + (middle - along(i)) / (along(i + 1) - along(i))) / double(rows);
    const double part = (double(row) - 0.5) / double(rows);
    const double height = part + (1 - part) * floorAt(place);
    std::printf("ramp: at height %.3f the shock stands at %.3f, exactly %.3f\n", height, place,
                0.5 + height / std::tan(shockAngle(2, angle)));

    Channel bump(rows, 1.4,
                 [](double x) { return x < 1 || x > 2 ? 0.0 : 0.16 * (x - 1) * (2 - x); });
    const double first = bump.step();
    int step = 1;
    for (double change = first; step < steps && change > 1e-2 * first; ++step) change = bump.step();
    double least = 10, most = 0;
    for (const Gas& w : bump.gas) {
        least = std::min(least, machNumber(w));
        most = std::max(most, machNumber(w));
    }
    std::printf(
        "bump: %s after %d steps, Mach %.3f to %.3f, %s\n", step < steps ? "steady" : "not steady",
        step, least, most,
        std::abs(bump.gain()) < 1e-2 * 1.4 ? "as much gas goes as comes" : "gas still gathers");
}
