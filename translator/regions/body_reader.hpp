// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What readBody() does: statements in body.cpp, names in body_names.cpp, calls in body_calls.cpp.
#pragma once

#include <unordered_set>

#include "regions/body.hpp"
#include "regions/plain_objects.hpp"
#include "regions/tally.hpp"

namespace hpcc::regions {

class BodyReader {
public:
    BodyReader(Body& body, const Wanted& wanted)
        : body_(body),
          arrays_(wanted.arrays),
          tally_(wanted.operations),
          function_(wanted.function),
          mayScatter_(wanted.mayScatter),
          isMarked_(wanted.isMarked) {}

    void loop(NodePtr loop);
    bool isPlainCall(NodePtr call);

private:
    void fail(NodePtr node, std::string reason);

    void declareIn(NodePtr declaration);
    void readChildren(NodePtr node);
    void read(NodePtr node);
    void readOperands(NodePtr node);
    void declaration(NodePtr node);
    void branch(NodePtr node);
    void innerLoop(NodePtr node);
    void unary(NodePtr node);
    void change(NodePtr node);

    void access(NodePtr node, bool isWrite);
    void otherElement(NodePtr node);
    bool isOwnElement(NodePtr element) const;
    void part(NodePtr read);
    void member(NodePtr node);
    void name(NodePtr node);
    // Of the object whose function is being read.
    bool isOwnNumber(NodePtr place) const;

    bool isPlainFunction(const Symbol* function);
    bool isPlainMember(const CalledMember& called);
    bool computes(NodePtr definition, BodyReader& inside);
    // An operator of a class changes nothing but, perhaps, an object that the loop has made.
    void operated(NodePtr node);
    void object(NodePtr call, NodePtr object);
    void call(NodePtr node);

    Body& body_;
    const Arrays& arrays_;
    Tally tally_;
    const NodePtr function_;
    const bool mayScatter_, isMarked_;
    std::unordered_set<const Symbol*> declared_;
    const Symbol* class_ = nullptr;  // of the object
    bool mayChangeObject_ = false;
    std::set<std::pair<NodePtr, bool>> seen_;  // functions, and whether they may change an object
    std::map<const Symbol*, std::vector<NodePtr>> elements_;  // of what has no dist
    static constexpr int inFunction = -1000;
    int depth_ = 0;  // of loops inside; less than 0 in a function
    bool isPartOfMember_ = false;
};

}  // namespace hpcc::regions
