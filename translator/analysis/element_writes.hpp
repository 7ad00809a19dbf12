// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which elements of arrays an expression changes: by itself, by names that stand for them, or by
// functions that it gives them to.
#pragma once

#include <unordered_map>

#include "analysis/named_objects.hpp"

namespace hpcc::analysis {

enum class Writing : std::uint8_t {
    OutOfSight,  // code of which no declaration is in sight gets it: perhaps as a value
    Perhaps,     // by a reference or pointer that need not be used so, or under a condition
    Surely       // whenever the expression, and what stands round the access, runs
};

struct ElementWrite {
    NodePtr access;           // a[i]
    std::vector<Step> steps;  // to the part that is changed
    NodePtr place;            // what names it there: a[i], or `e` of `auto &e = a[i]; e = 3;`
    Writing writing;
    NodePtr site;  // the expression or declaration that changes it
};

// What functions, lambdas and nests change, each looked into once.
//
//     set(a[i])              of void set(double &e) { e = 3; }                  Surely
//                            of void add(double &e) { if (e > 0) ++e; }         Perhaps
//                            of double get(double &e) { return e; }             nothing
//                            of void set(const double &); void set(double);     nothing
//                            of void set(double &);                             Perhaps
//                            without a declaration                              OutOfSight
//     double *p = &a[i]; *p = 3;   a[i].add(3);   std::swap(a[i], b[i]);        Surely
//     Cell c{a[i]};          of struct Cell { double &e; .. }                   Perhaps
class ObjectWrites;

class ElementWrites {
public:
    // `root`: a nest, or the body of a function; `functions`: what is known of those it calls.
    ElementWrites(NodePtr root, ObjectWrites& functions);
    explicit ElementWrites(NodePtr root);

    // What the node itself, not its parts, changes.
    const std::vector<ElementWrite>& at(NodePtr node) const;

private:
    std::unordered_map<NodePtr, std::vector<ElementWrite>> writes_;
};

}  // namespace hpcc::analysis
