// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nbody_patterns.hpcpp as loops over vectors, in each process: what the patterns must give.
//
// usage: nbody_patterns [bodies] [steps]
#include <hpspmd/plain.hpp>
#include <hpspmd>

#include <cmath>
#include <iomanip>
#include <string>
#include <vector>

using namespace hpspmd;

struct Body {
    double x, y, z, u, v, w, mass;
};

const double timeStep = 0.01;

int main(int argc, char** argv) {
    const Index n = argc > 1 ? std::stoll(argv[1]) : 101;
    const int steps = argc > 2 ? std::stoi(argv[2]) : 10;
    const Procs1 p;
    std::vector<Body> bodies;
    for (Index i = 0; i < n; ++i)
        bodies.push_back({double(i * 37 % n), double(i * 59 % n) / 2, double(i * 83 % n) / 4, 0, 0,
                          0, 1.0 + double(i % 4)});

    for (int step = 0; step < steps; ++step) {
        const std::vector<Body> before = bodies;
        for (Body& body : bodies) {
            const double x = body.x, y = body.y, z = body.z;
            for (const Body& other : before) {
                const double dx = other.x - x, dy = other.y - y, dz = other.z - z;
                const double square = dx * dx + dy * dy + dz * dz + 0.01;
                const double pull = timeStep * other.mass / (square * std::sqrt(square));
                body.u += pull * dx;
                body.v += pull * dy;
                body.w += pull * dz;
            }
            body.x += timeStep * body.u;
            body.y += timeStep * body.v;
            body.z += timeStep * body.w;
        }
    }

    double energy = 0, momentum = 0;
    for (const Body& b : bodies) {
        energy += b.mass / 2 * (b.u * b.u + b.v * b.v + b.w * b.w);
        momentum += b.mass * b.u;
    }
    if (On active{p})
        Adlib::gprintln(std::setprecision(10), n, " bodies, ", steps, " steps, kinetic energy ",
                        energy, std::abs(momentum) < 1e-9 ? ", at rest" : ", moving");
}
