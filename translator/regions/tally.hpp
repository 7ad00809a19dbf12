// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "regions/body.hpp"

namespace hpcc::regions {

// How the body of a loop mentions the variables that `reduce` names.
class Tally {
public:
    explicit Tally(const Operations& operations) : operations_(operations) {}

    // Null if `reduce` does not name it.
    const Operation* operation(const Symbol* symbol) const;

    void mention(NodePtr node, const Symbol* symbol);
    // An assignment, ++ or -- of the variable, of an element or a member of it.
    void change(NodePtr changing, const Symbol* symbol);
    // if (e > v) v = e;
    void branch(NodePtr ifStatement);

    // Tells the body what is combined, and what is misused: a function of the program that is
    // named before the whole method may find anything in its variable.
    void finish(Body& body) const;

private:
    struct Count {
        int mentions = 0, combined = 0;
        NodePtr first = nullptr;
        bool isChanged = false;
        std::vector<Combined::Taken> taken;
    };
    const Operations& operations_;
    std::map<const Symbol*, Count> counts_;
};

}  // namespace hpcc::regions
