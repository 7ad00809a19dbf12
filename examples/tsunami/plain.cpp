// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tsunami.hpcpp as loops over vectors in one process: what it must print, and how fast it should
// be.
//
// usage: tsunami.plain [cells [minutes]]
//        tsunami.plain BED.asc CELL [minutes]
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "shallow_water.hph"

class Sea {
public:
    template <class Bed, class Surface>
    Sea(long rows, long columns, double cell, Bed bedAt, Surface surfaceAt)
        : rows_(rows), columns_(columns), cell_(cell), bed(rows * columns), water(rows * columns) {
        for (long i = 0; i < rows; ++i)
            for (long j = 0; j < columns; ++j) {
                bed[at(i, j)] = bedAt(i, j);
                water[at(i, j)].h = std::max(0.0, surfaceAt(i, j) - bed[at(i, j)]);
            }
        next_ = water;
    }

    std::size_t at(long i, long j) const { return i * columns_ + j; }

    double step(double longest) {
        double fastest = 0;
        for (const Water& w : water)
            fastest = std::max(fastest,
                               std::sqrt(gravity * w.h) + std::max(std::abs(velocity(w.hu, w.h)),
                                                                   std::abs(velocity(w.hv, w.h))));
        const double dt = std::min(longest, 0.25 * cell_ / fastest), share = dt / cell_;
        for (long i = 1; i < rows_ - 1; ++i)
            for (long j = 1; j < columns_ - 1; ++j) update(i, j, share);
        std::swap(water, next_);
        return dt;
    }

    void run(double seconds) {
        for (double time = 0; time < seconds;) time += step(seconds - time);
    }

    double volume() const {
        double sum = 0;
        for (const Water& w : water) sum += w.h;
        return cell_ * cell_ * sum;
    }

private:
    void update(long i, long j, double share) {
        const Water here = water[at(i, j)];
        const double z = bed[at(i, j)];
        const Crossing north = crossing(water[at(i - 1, j)], bed[at(i - 1, j)], here, z);
        const Crossing south = crossing(here, z, water[at(i + 1, j)], bed[at(i + 1, j)]);
        const Crossing west =
            crossing(turned(water[at(i, j - 1)]), bed[at(i, j - 1)], turned(here), z);
        const Crossing east =
            crossing(turned(here), z, turned(water[at(i, j + 1)]), bed[at(i, j + 1)]);
        Water& next = next_[at(i, j)];
        next.h = here.h - share * (south.water - north.water + east.water - west.water);
        next.hu = here.hu - share * (south.before - north.behind + east.along - west.along);
        next.hv = here.hv - share * (south.along - north.along + east.before - west.behind);
    }

    long rows_, columns_;
    double cell_;

public:
    std::vector<double> bed;
    std::vector<Water> water;

private:
    std::vector<Water> next_;
};

double damBreak(long n, double low) {
    const double length = 1000, high = 10, seconds = 20, cell = length / double(n);
    const auto place = [=](long i) { return (double(i) + 0.5) * cell - 0.5 * length; };
    Sea sea(
        n, 4, cell, [](long, long j) { return j == 0 || j == 3 ? 100.0 : 0.0; },
        [&](long i, long) { return place(i) < 0 ? high : low; });
    sea.run(seconds);
    double error = 0;
    for (long i = 0; i < n; ++i)
        for (long j = 1; j <= 2; ++j)
            error += std::abs(sea.water[sea.at(i, j)].h - brokenDam(place(i), seconds, high, low));
    return error / (2 * double(n) * high);
}

/// Water in a bowl after half a period, when it has come to rest on the other side.
void swing(long n) {
    const double cell = 3 * bowlRadius / double(n), seconds = swingPeriod() / 2;
    const auto place = [=](long i) { return (double(i) + 0.5) * cell - 1.5 * bowlRadius; };
    Sea sea(
        n, n, cell, [=](long i, long j) { return bowlBed(place(i), place(j)); },
        [=](long i, long j) { return swingSurface(place(i), place(j), 0); });
    const double volume = sea.volume();
    sea.run(seconds);
    double error = 0, highest = -bowlDepth;
    for (long i = 0; i < n; ++i)
        for (long j = 0; j < n; ++j) {
            const std::size_t k = sea.at(i, j);
            const double surface = swingSurface(place(i), place(j), seconds);
            error += std::abs(sea.water[k].h - std::max(0.0, surface - sea.bed[k]));
            if (sea.water[k].h > 0.05) highest = std::max(highest, sea.bed[k]);
        }
    std::printf(
        "water swings in a bowl, %ld cells across, error of the depth: %.3f %%, run-up %.3f m of "
        "%.3f m\n",
        n, 100 * error * cell * cell / volume, highest, bowlRunUp);
}

/// A wave on a beach when it is at its highest, half a period behind its lowest.
void beach(long n) {
    const double cell = 3 * beachLength / double(n);
    const auto place = [=](long i) { return (double(i) + 0.5) * cell - 2.5 * beachLength; };
    Sea sea(
        n, 4, cell,
        [=](long i, long j) { return i == 0 || j == 0 || j == 3 ? 100.0 : beachBed(place(i)); },
        [=](long i, long) { return beachSurface(place(i), -1); });
    sea.run(beachTime());
    double error = 0, mean = 0, highest = -beachRunUp;
    for (long i = 0; i < n; ++i) {
        const double h = sea.water[sea.at(i, 1)].h;
        if (h > 0.05) highest = std::max(highest, beachBed(place(i)));
        if (i < n * 2 / 3) continue;
        const double depth = beachSurface(place(i), 1) - beachBed(place(i));
        error += std::abs(h - depth);
        mean += depth;
    }
    std::printf(
        "a wave on a beach, %ld cells, error of the depth: %.3f %%, run-up %.3f m of %.3f m\n", n,
        100 * error / mean, highest, beachRunUp);
}

template <class Bed>
void ocean(long rows, long columns, double cell, int minutes, Bed bed) {
    Sea lake(rows, columns, cell, bed, [](long, long) { return 0.0; });
    lake.run(600);
    double flow = 0;
    for (const Water& w : lake.water) flow = std::max(flow, std::abs(w.hu) + std::abs(w.hv));
    std::printf("a lake at rest %s\n", flow == 0 ? "stays at rest" : "moves");

    Sea sea(rows, columns, cell, bed, [=](long i, long j) { return heave(i, j, rows, columns); });
    const double before = sea.volume();
    const std::size_t gauge = sea.at(rows * 45 / 100, columns * 3 / 4);
    double highest = 0;
    int arrival = 0;
    for (int minute = 1; minute <= minutes; ++minute) {
        sea.run(60);
        const double surface = sea.water[gauge].h + sea.bed[gauge];
        highest = std::max(highest, surface);
        if (arrival == 0 && surface > 0.05) arrival = minute;
    }
    std::printf("behind the island: the sea rises after %d minutes, by %.3f m\n", arrival, highest);
    std::printf("volume of water %s\n",
                std::abs(sea.volume() - before) < 1e-12 * before ? "conserved" : "changed");
}

void ownBed(const std::string& name, double cell, int minutes) {
    std::ifstream file(name);
    std::string word;
    long rows = 0, columns = 0;
    double skipped = 0;
    file >> word >> columns >> word >> rows;
    for (int k = 0; k < 4; ++k) file >> word >> skipped;
    std::vector<double> heights(rows * columns);
    long wet = 0;
    for (long i = 0; i < rows; ++i)
        for (long j = 0; j < columns; ++j) {
            double& height = heights[i * columns + j];
            file >> height;
            if (i == 0 || i == rows - 1 || j == 0 || j == columns - 1)
                height = std::max(height, 100.0);
            wet += height < 0;
        }
    std::printf("%ld x %ld cells, %ld of them under water\n", rows, columns, wet);
    ocean(rows, columns, cell, minutes, [&](long i, long j) { return heights[i * columns + j]; });
}

int main(int argc, char** argv) {
    const auto number = [&](int k, int usual) { return k < argc ? std::stoi(argv[k]) : usual; };
    if (argc > 2 && std::string(argv[1]).find('.') != std::string::npos) {
        ownBed(argv[1], std::stod(argv[2]), number(3, 30));
        return 0;
    }
    const long n = number(1, 40);
    for (const long cells : {50, 100})
        std::printf(
            "a dam breaks, %ld cells, error of the depth: %.3f %% on dry ground, %.3f %% in "
            "water\n",
            cells, 100 * damBreak(cells, 0), 100 * damBreak(cells, 1));
    for (const long cells : {30, 60}) swing(cells);
    for (const long cells : {150, 300}) beach(cells);
    ocean(n, n, 600e3 / double(n), number(2, 30),
          [=](long i, long j) { return oceanBed(i, j, n); });
}
