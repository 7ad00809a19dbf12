#include "nests/threads.hpp"

#include <algorithm>
#include <variant>

#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/symbol.hpp"
#include "ast/visitor.hpp"
#include "nests/harmless_calls.hpp"
#include "nests/numbers.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// What may not run in several threads at once: calls that might change something, and questions
/// whose answer is a range or group, which is perhaps made then.
class Calls : public ast::EvaluationVisitor {
public:
    NodePtr unfit = nullptr;

    void visitCall(NodePtr call) override {
        if (!unfit &&
            (!isHarmlessCall(call) || ast::isHandleType(call->type) || asksForHandle(call)))
            unfit = call;
        visitChildren(call);
    }

private:
    static bool asksForHandle(NodePtr call) {
        const NodePtr callee = call->child(ast::Call::callee);
        if (!ast::is<ast::Member>(callee)) return false;
        const std::string_view name = callee->child(ast::Member::name)->text();
        return name == "rng" || name == "grp" || name == "dim" || name == "subrange" ||
               name == "members";
    }
};

bool isJoinable(const Reduction& each) {
    const ast::Symbol* symbol = ast::withoutParentheses(each.target)->symbol;
    return symbol && isNumber(symbol->type) && symbol->type->kind != ast::TypeKind::Bool;
}

struct Threads {
    std::vector<Reduction> joined;
    ArrayPairs apart;
};

/// Finds the first thing that keeps a nest in one thread.
class Decision {
public:
    Decision(const Nest& nest, const Reaches& reaches)
        : nest_(nest), rows_(nest.loops.front()), reaches_(reaches) {}

    std::variant<Threads, Obstacle> take() {
        calls();
        triplet();
        memory();
        numbers();
        if (!obstacle_.place) elements();
        if (obstacle_.place) return obstacle_;
        return threads_;
    }

private:
    void fail(NodePtr place, std::string reason) {
        if (!obstacle_.place) obstacle_ = {place, std::move(reason)};
    }

    void calls() {
        Calls calls;
        calls.visit(bodyOf(rows_));
        if (calls.unfit)
            fail(calls.unfit, "calls " + quoted(ast::print(calls.unfit->child(ast::Call::callee))) +
                                  ", which is not known to be fit for several threads at once");
    }

    void triplet() {
        for (const NodePtr part : tripletOf(rows_)->children())
            if (!reaches_.isFixed(part)) fail(part, "has bounds that may change in the nest");
    }

    void memory() {
        if (rows_.touchesForeign)
            fail(rows_.statement, "reaches memory that is no element of a multiarray");
        if (rows_.jumps) fail(rows_.statement, "leaves its outermost loop");
    }

    void numbers() {
        const Names lasting = lastingIn(nest_);
        if (lasting.empty()) return;
        const auto found = reductionsOf(bodyOf(rows_), lasting);
        if (!found || !std::ranges::all_of(*found, isJoinable)) return failFor(lasting);
        threads_.joined = *found;
    }

    /// Tells of the first number that is no sum, largest or least one by itself.
    void failFor(const Names& lasting) {
        for (const auto& [name, place] : nest_.assigned) {
            if (!lasting.contains(name)) continue;
            const auto alone = reductionsOf(bodyOf(rows_), {name});
            if (alone && isJoinable(alone->front())) continue;
            fail(place, "assigns " + quoted(name) +
                            " other than by adding or keeping the largest or least number");
        }
        fail(rows_.statement, "assigns numbers that depend on one another");
    }

    void elements() {
        const Meeting meeting = meetingIn(nest_, rows_, reaches_, threads_.apart);
        if (threads_.apart.size() > mostArrayPairs)
            fail(rows_.statement, "reaches very many arrays");
        if (!meeting.write) return;
        fail(meeting.other->node, meeting.reason());
    }

    const Nest& nest_;
    const Loop& rows_;
    const Reaches& reaches_;
    Threads threads_;
    Obstacle obstacle_;
};

/// The lengths of the loops round the innermost one that lies deepest, itself included.
std::string lengths(const Nest& nest, const Reaches& reaches,
                    const std::unordered_map<const Loop*, std::string>& runs) {
    std::vector<std::string> deepest;
    for (const Loop& loop : nest.loops) {
        std::vector<std::string> known;
        for (const Loop* at = &loop; at; at = at->outer) {
            if (const auto run = runs.find(at); run != runs.end())
                known.insert(known.begin(), run->second);
            else if (at->kind == Loop::Kind::Counting && reaches.isFixed(at->end) &&
                     !at->end->contains(ast::extension))
                known.insert(known.begin(), ast::print(at->end));
        }
        if (known.size() > deepest.size()) deepest = known;
    }
    std::string text;
    for (const std::string& length : deepest) text += (text.empty() ? "" : ", ") + length;
    return text;
}

/// Is the nest nothing but sums of products, with rows outside and columns inside?
bool isGrid(const Nest& nest, const Reaches& reaches, const ProductLoops& sums) {
    const auto found = sums.find(&nest.loops.front());
    if (found == sums.end() || found->second.columns->outer != &nest.loops.front()) return false;
    return std::ranges::all_of(tripletOf(*found->second.columns)->children(),
                               [&](NodePtr part) { return reaches.isFixed(part); });
}

/// `.onlyIf(hpspmd::detail::disjoint(a, b))`
std::string condition(const Nest& nest, const ArrayPairs& apart, const ArrayPairs& proven) {
    std::string text;
    for (const auto& pair : apart)
        if (!proven.contains(pair))
            text += (text.empty() ? "" : " && ") +
                    ("hpspmd::detail::disjoint(" + ast::print(nest.arrays[pair.first].base) + ", " +
                     ast::print(nest.arrays[pair.second].base) + ")");
    return text.empty() ? "" : ".onlyIf(" + text + ")";
}

}  // namespace

std::string ThreadCall::argument(const std::string& value) const {
    const auto found = std::ranges::find(joined, value, &Reduction::name);
    if (found == joined.end()) return value;
    const char* way = found->op == "+" ? "bySum" : found->op == "max" ? "byMax" : "byMin";
    return std::string("hpspmd::detail::") + way + "(" + value + ")";
}

std::optional<ThreadCall> callInThreads(Context& context, const Nest& nest, const Reaches& reaches,
                                        const std::unordered_map<const Loop*, std::string>& runs,
                                        const ArrayPairs& proven, const ProductLoops& sums) {
    if (!context.wantsThreads) return std::nullopt;
    const auto decision = Decision(nest, reaches).take();
    if (const Obstacle* obstacle = std::get_if<Obstacle>(&decision)) {
        context.unthreaded = *obstacle;
        return std::nullopt;
    }
    const Threads& threads = std::get<Threads>(decision);
    const long step = nest.loops.front().step;
    return ThreadCall{(isGrid(nest, reaches, sums) ? "hpspmd::detail::inThreadGrid"
                                                   : "hpspmd::detail::inThreads") +
                          (step == 1 ? "" : "<" + std::to_string(step) + ">") +
                          "(hpspmd::detail::Work(" + lengths(nest, reaches, runs) + ")" +
                          condition(nest, threads.apart, proven) + ", ",
                      threads.joined};
}

}  // namespace hpcc::nests
