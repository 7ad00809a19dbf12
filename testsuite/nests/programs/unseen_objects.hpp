// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <vector>
// A class of another library: neither its operator[] nor its members are const.
class Ledger {
public:
    explicit Ledger(int n) : entries_(n) {}
    double& operator[](int k) { return entries_[k]; }
    double& at(int k) { return entries_[k]; }
    double total() {
        double s = 0;
        for (const double each : entries_) s += each;
        return s;
    }
    double weight = 2;

private:
    std::vector<double> entries_;
};
struct Library {
    Ledger ledger{3};
    Ledger& get() { return ledger; }
    Ledger* pointer() { return &ledger; }
};
inline Library& library() {
    static Library one;
    return one;
}
