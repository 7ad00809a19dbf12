// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/meeting_iteration.hpp"

#include <algorithm>

#include "analysis/numbers.hpp"
#include "ast/copy.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/search.hpp"
#include "nests/loop_ends.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// The iterations in which writes of a loop reach what others read.
class MeetingSearch {
public:
    MeetingSearch(Context& context, const Loop& loop, const Reaches& reaches)
        : context_(context), loop_(loop), reaches_(reaches) {}

    NodePtr meets = nullptr;

    /// True if the element that `other` reads is one and the same, which `write` reaches in that
    /// iteration only.
    bool isExcused(const Access& write, const Access& other) {
        if (other.writes || !isSame(other.node)) return false;
        for (size_t r = 0; r < write.slots.size(); ++r)
            if (const Slot& slot = write.slots[r];
                slot.loop == &loop_ && !slot.index && !slot.distance)
                return note(other.slots[r].subscript, slot.shift);
        return false;
    }

private:
    bool isSame(NodePtr access) const { return !mayChangeIn(loop_, access); }

    bool note(NodePtr subscript, long shift) {
        if (!analysis::isInteger(subscript) || !reaches_.isFixedIn(subscript, loop_) ||
            !ast::allOf<ast::Subscript>(subscript).empty())
            return false;
        const NodePtr found = context_.expression(
            shift == 0 ? "$e" : "hpspmd::Index($e) - (" + std::to_string(shift) + ")",
            {{"$e", ast::copy(context_.arena, subscript)}}, loop_.statement);
        if (!meets) meets = found;
        return ast::print(meets) == ast::print(found);
    }

    Context& context_;
    const Loop& loop_;
    const Reaches& reaches_;
};

}  // namespace

NodePtr meetingIteration(Context& context, const Nest& nest, const Loop& loop,
                         const Reaches& reaches, ArrayPairs& apart) {
    if (isShort(loop) || !hasEndsAtStart(loop, reaches)) return nullptr;
    MeetingSearch search(context, loop, reaches);
    const bool isFound = isIndependent(
        nest, loop, apart,
        [&](const Access& write, const Access& other) { return search.isExcused(write, other); });
    return isFound ? search.meets : nullptr;
}

NodePtr partLoop(Context& context, const Loop& loop, const std::string& part, NodePtr body) {
    const std::string variable(loop.variable), type(counterType(loop)->text());
    const NodePtr origin = loop.statement;
    return context.statement("for (" + type + " " + variable + " = static_cast<" + type + ">(" +
                                 part + ".first); " + variable + " <= static_cast<" + type + ">(" +
                                 part + ".last); ++" + variable + ")" +
                                 (body->is<ast::Compound>() ? " " : "\n    ") + "$body;",
                             {{"$body", body}}, origin);
}

NodePtr inParts(Context& context, const Loop& loop, const PartLoops& loops) {
    const NodePtr origin = loop.statement;
    const auto made = [&](NodePtr e) { return context.made(loops.fast(e), origin); };
    const std::string head = "for (const hpspmd::detail::Part &" + loops.part + " : ";
    ast::Bindings bindings{{"$meets", made(loops.meets)},
                           {"$first", made(loop.first)},
                           {"$last", lastOf(context, loop, made(loop.end))},
                           {"$independent", loops.independent}};
    if (loops.isPacked && soleAssignment(bodyOf(loop)))
        return context.statement(
            head + "hpspmd::detail::Parts::through($meets, $first, $last)) {\n    $independent;\n}",
            bindings, origin);
    bindings.emplace_back("$alone", partLoop(context, loop, loops.part, loops.alone));
    return context.statement(head +
                                 "hpspmd::detail::Parts($meets, $first, $last)) {\n"
                                 "    if (" +
                                 loops.part +
                                 ".meets) {\n"
                                 "        $alone;\n"
                                 "    } else {\n"
                                 "        $independent;\n"
                                 "    }\n"
                                 "}",
                             bindings, origin);
}

}  // namespace hpcc::nests
