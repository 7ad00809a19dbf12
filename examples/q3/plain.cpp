// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// q3.hpcpp in plain C++17, without hpcc.
//
// The idea: arrays are values of ordinary classes, so a struct of arrays needs no extension of the
// language, and loops over sequential dimensions are those of C++ anyway. Only the loop over
// examinees is ours, and sumDim communicates. `&products(k, 0)` is the start of a row, whose
// elements lie side by side: an inner loop over a sequential dimension needs no checks of ours.
//
// usage: q3 [examinees] [items]                         simulated answers
//        q3 responses.csv items.csv abilities.csv       one line per examinee, item, examinee
#include <hpspmd/plain.hpp>
#include <hpspmd>

#include <cmath>
#include <cstdint>
#include <iomanip>
#include <string>

#include "model.hpp"
#include "table.hpp"

using namespace hpspmd;

using Rows = Array<double, Dist, Seq>;   // double [[-,*]]
using Matrix = Array<double, Seq, Seq>;  // double [[*,*]]
using Vector = Array<double, Seq>;       // double [[*]]

struct Test {
    Rows answers;  // examinees x items, 1 where the answer is right, else 0
    Rows ability;  // examinees x 1
    Matrix item;   // items x 3: discrimination, difficulty, guessing
};

Test simulate(Dimension d, Index examinees, Index items) {
    Range x = BlockRange(examinees, d);
    Test test{create<double>(apg(), x, items), create<double>(apg(), x, 1),
              create<double>(apg(), items, 3)};
    for (Index j = 0; j < items; ++j) {
        test.item(j, 0) = 0.8 + 0.8 * uniform(3 * j);
        test.item(j, 1) = -2.0 + 4.0 * uniform(3 * j + 1);
        test.item(j, 2) = 0.1 + 0.15 * uniform(3 * j + 2);
    }
    for (auto k : overall(x)) {
        const std::uint64_t stream = (std::uint64_t(k.global) + 1) << 32;
        double ability = -6.0;  // the sum of twelve uniform numbers is nearly normal
        for (int draw = 0; draw < 12; ++draw) ability += uniform(stream + draw);
        test.ability(k, 0) = ability;
        for (Index j = 0; j < items; ++j) {
            const double right =
                probability(test.item(j, 0), test.item(j, 1), test.item(j, 2), ability);
            test.answers(k, j) = uniform(stream + 12 + j) < right ? 1.0 : 0.0;
        }
    }
    return test;
}

// Deals out a table that only the process of `reader` has read.
void deal(Array<double, Dist, Dist> destination, const Table& table, Procs0 reader) {
    const Matrix whole = create<double>(reader, destination.size(0), destination.size(1));
    if (On active{reader})
        for (Index r = 0; r < whole.size(0); ++r)
            for (Index c = 0; c < whole.size(1); ++c)
                whole(r, c) = table.values[r * table.columns + c];
    Adlib::remap(destination, whole);
}

void demand(bool holds, const std::string& text) {
    if (!holds) throw IoError(text);
}

Test readTest(Dimension d, char** path) {
    Procs0 reader;  // the first process reads, and an error of its own ends the whole job
    Table answers, item, ability;
    if (On active{reader}) {
        answers = readTable(path[0]);
        item = readTable(path[1]);
        ability = readTable(path[2]);
        for (double answer : answers.values)
            demand(answer == 0.0 || answer == 1.0,
                   std::string(path[0]) + ": an answer is 0 or 1, not " + std::to_string(answer));
        demand(item.columns == 3, std::string(path[1]) + ": an item has three parameters");
        demand(item.rows == answers.columns, std::string(path[1]) + ": one line per item, please");
        demand(ability.rows == answers.rows && ability.columns == 1,
               std::string(path[2]) + ": one ability per examinee, please");
    }
    const Index examinees = Adlib::broadcast(answers.rows, reader);
    const Index items = Adlib::broadcast(answers.columns, reader);

    Range x = BlockRange(examinees, d);
    Test test{create<double>(apg(), x, items), create<double>(apg(), x, 1),
              create<double>(apg(), items, 3)};
    deal(test.answers, answers, reader);
    deal(test.ability, ability, reader);
    deal(test.item, item, reader);
    return test;
}

// Q3 of items i and j at [i, j], the same in every process; the diagonal stays zero.
Matrix q3(Test test) {
    Range x = test.answers.rng(0);
    const Index items = test.answers.size(1);
    const double students = double(x.size());

    const Rows diff = create<double>(apg(), x, items);  // residuals
    // Products of the residuals of two items.
    const Rows products = create<double>(apg(), x, items * items);
    for (auto k : overall(x)) {
        for (Index j = 0; j < items; ++j)
            diff(k, j) = test.answers(k, j) - probability(test.item(j, 0), test.item(j, 1),
                                                          test.item(j, 2), test.ability(k, 0));
        const double* const residual = &diff(k, 0);
        double* product = &products(k, 0);
        for (Index i = 0; i < items; ++i)
            for (Index j = 0; j < items; ++j) *product++ = residual[i] * residual[j];
    }

    const Vector sum = create<double>(apg(), items);
    const Vector productSum = create<double>(apg(), items * items);
    Adlib::sumDim(sum, diff, 0);
    Adlib::sumDim(productSum, products, 0);

    auto covariance = [&](Index i, Index j) {
        return productSum(i * items + j) / students - sum(i) / students * (sum(j) / students);
    };
    const Matrix index = create<double>(apg(), items, items);
    for (Index i = 0; i < items; ++i)
        for (Index j = 0; j < items; ++j)
            if (i != j)
                index(i, j) = covariance(i, j) / std::sqrt(covariance(i, i) * covariance(j, j));
    return index;
}

int main(int argc, char** argv) {
    const Index examinees = argc > 1 && argc < 4 ? std::stoll(argv[1]) : 2551;
    const Index items = argc == 3 ? std::stoll(argv[2]) : 75;
    Procs1 p;
    if (On active{p}) {
        Test test = argc == 4 ? readTest(p.dim(0), argv + 1) : simulate(p.dim(0), examinees, items);
        const Matrix index = q3(test);
        const double n = double(index.size(0));
        auto [largest, pair] = Adlib::maxloc(index);
        Adlib::gprintln(test.answers.size(0), " examinees, ", n, " items");
        Adlib::gprintln("average Q3 ", std::setprecision(10), Adlib::sum(index) / (n * (n - 1)));
        Adlib::gprintln("largest Q3 ", std::setprecision(10), largest, " for items ", pair[0],
                        " and ", pair[1]);
    }
}
