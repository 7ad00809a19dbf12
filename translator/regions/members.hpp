// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "ast/node.hpp"
#include "ast/type.hpp"
#include "regions/attributes.hpp"

namespace hpcc::regions {

// s.a, p->a
bool isMember(NodePtr node);

// s of s.t.a; what is no member itself.
NodePtr objectOf(NodePtr member);

// s.t.a, this->a: no pointer says of which object, so that it is one as long as s is in sight.
bool isPartOfObject(NodePtr member);

// Why `p->a` is not divided, and what to write instead.
std::string nameless(NodePtr array, bool isMarked);

// The same of an array that a loop changes, which may have a name.
std::string whyNotDivided(NodePtr array, bool isMarked);

// The same of a marked loop without arrays.
std::string whyNoArrays(NodePtr loop, NodePtr unit);

// Of a variable, or of a member of it, that a loop changes; `reduced` is what reduce makes of it.
std::string whyNotOwn(NodePtr changed, NodePtr object, const Operation* reduced);

// A container or C array, which is no view of the elements of another one.
bool hasOwnElements(const ast::Type* type);

// Whose memory it is that a loop of the function reads, by a name or as a part of an object.
enum class Memory {
    Own,     // no array's: that of a local object, or of a number that each process has
    Handle,  // a local name of what may be memory of an array
    Shared   // it may be memory of an array
};
Memory memoryOf(NodePtr read, NodePtr function);

}  // namespace hpcc::regions
