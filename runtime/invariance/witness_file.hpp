// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace hpspmd::invariance {

/// A nest, or a call of a collective.
struct Site {
    int line = 0;
    std::string name, file;

    friend auto operator<=>(const Site&, const Site&) = default;
    std::string place() const { return file + ":" + std::to_string(line); }
};

/// One of the arrays that an execution of a site writes, or its result.
struct Event {
    static constexpr int result = -1;

    Site site;
    long execution = 0;
    int array = 0;  ///< or `result`

    friend auto operator<=>(const Event&, const Event&) = default;
};

/// What the processes have told of an event. Each copy of a replicated array, and the result in
/// each process, is one part.
struct Told {
    /// Whole numbers that are to be equal, and a real one that may be near.
    struct Sum {
        std::uint64_t first = 0, second = 0;
        double near = 0, magnitude = 0;

        void operator+=(const Sum& other);
        bool isLike(const Sum& other, double tolerance) const;
    };

    char kind = '?';
    unsigned bytes = 0;
    std::vector<std::int64_t> extents;
    std::map<long, Sum> parts;
    std::string value;  ///< of a result, in hexadecimal digits

    bool isCoherent(double tolerance) const;
    bool isLike(const Told& other, double tolerance) const;
    std::string type() const;  ///< "double"
};

/// All that the processes of a run have told.
class Witness {
public:
    /// Of the files <path>.0, <path>.1, ... Results that are floating-point numbers may be near.
    Witness(const std::string& path, int processes, bool isNear);

    /// In the order of process 0, those that others alone have seen behind them.
    const std::vector<Event>& events() const { return order_; }
    /// Null if there is none.
    const Told* told(const Event& event) const;
    /// How often the process that executed it most often has executed a site.
    long executions(const Site& site) const;

private:
    void read(const std::string& path, int process);

    const bool isNear_;
    std::vector<Event> order_;
    std::map<Event, Told> told_;
    std::map<Site, long> executions_;
};

}  // namespace hpspmd::invariance
