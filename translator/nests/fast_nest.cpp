// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/fast_nest.hpp"

#include <algorithm>
#include <utility>

#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "nests/apart.hpp"
#include "nests/counted_places.hpp"
#include "nests/elements.hpp"
#include "nests/entry_test.hpp"
#include "nests/extremes.hpp"
#include "nests/fitting_loops.hpp"
#include "nests/fixed_elements.hpp"
#include "nests/fixed_skip.hpp"
#include "nests/lane_code.hpp"
#include "nests/lanes.hpp"
#include "nests/launch.hpp"
#include "nests/long_rows.hpp"
#include "nests/loop_ends.hpp"
#include "nests/loop_runs.hpp"
#include "nests/meeting_iteration.hpp"
#include "nests/packed_rounds.hpp"
#include "nests/packed_rows.hpp"
#include "nests/piece_loops.hpp"
#include "nests/records.hpp"
#include "nests/repeated_rows.hpp"
#include "nests/short_rows.hpp"
#include "nests/sums_of_products.hpp"
#include "nests/upwards.hpp"
#include "nests/vector_math.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

class FastNest {
public:
    FastNest(Context& context, Plans& plans, NestPlan& plan)
        : context_(context),
          plans_(plans),
          plan_(plan),
          fold_(plan.fold),
          nest_(*plan.nest),
          reaches_(context, nest_),
          test_(context, nest_, reaches_,
                plan.fused    ? Gathers::AtEntry
                : plan.device ? Gathers::AtAccess
                              : Gathers::InOrderAtAccess,
                plan.device.has_value()),
          runs_(context, nest_, reaches_, test_),
          elements_(context, nest_, test_, fold_, fast_),
          fitting_(context, nest_, test_, elements_, reaches_,
                   [this](const Loop& loop) { return fastLoop(loop); }),
          counted_(context, nest_, test_, elements_),
          constants_(context, plan, test_, elements_, reaches_),
          ends_(context, nest_, reaches_) {}

    NodePtr write(NodePtr otherwise) {
        const NodePtr whole = nest_.loops.front().statement;
        decide();
        const NodePtr written = withShortRows(context_, plan_, elements_, fast(whole));
        std::vector<NodePtr> loops = elements_.constants();
        append(loops, counted_.tables());
        append(loops, ends_.before(written));
        std::vector<NodePtr> entry = reaches_.takeDeclarations();
        append(entry, runs_.declarations());
        std::optional<ThreadCall> threads;
        if (plan_.threads)
            threads = callInThreads(nest_, reaches_, *plan_.threads, runs_.held(), apart_, sums_);
        plan_.written.runs = runs_.inOrder();
        NodePtr fastForm =
            apart(context_, plan_, std::move(loops), whole, threads ? &*threads : nullptr);
        if (!otherwise)
            otherwise = plan_.threads
                            ? markedForThreads(context_, nest_, reaches_, *plan_.threads, whole)
                            : whole;
        plan_.written.call = callOfApart(fastForm);
        if (plans_.wantsDevices) {
            fastForm = onDevice(context_, plans_, plan_, reaches_, runs_.all(), apart_, fastForm);
            fastForm = byLibrary(context_, plans_, plan_, reaches_, runs_.all(), fastForm);
            if (!plan_.fused) otherwise = atHome(context_, nest_, otherwise);
        }
        append(entry, reaches_.takeDeclarations());
        fastForm = context_.behind(plan_.stamps(), fastForm, whole);
        const NodePtr choice = context_.statement(
            fastForm->is<ast::Compound>() ? "if ($test) $fast; else $nest;"
                                          : "if ($test)\n    $fast;\nelse $nest;",
            {{"$test", test_.condition()}, {"$fast", fastForm}, {"$nest", otherwise}}, whole);
        plan_.atEntry = test_.conditions();
        plan_.written.choice = choice;
        plans_.at.emplace(choice, &plan_);
        return context_.behind(entry, choice, whole);
    }

private:
    /// What the fast form will be, and what the entry test asks.
    void decide() {
        if (plan_.worth) test_.require(plan_.worth);
        runs_.prepare(plans_.wantsDevices);
        test_.requireReady();
        elements_.nameExtents();
        fitting_.find(plan_, apart_);
        const bool hasCopies = !nest_.callsForeign && test_.unchecked().empty() &&
                               assignsNumbersOnly(nest_) && !runs_.mayRaise();
        for (const Loop& loop : nest_.loops) {
            if (const auto sums =
                    asSumsOfProducts(nest_, loop, fold_, reaches_, apart_, plan_.untiled))
                sums_.emplace(&loop, *sums);
            Form& form = plan_.forms[&loop];
            const auto joined = reductionsOf(nest_, loop, hasCopies);
            if (!joined && loop.isInnermost && loop.kind != Loop::Kind::Other)
                plan_.ordered.push_back(&loop);
            if (!joined) continue;
            const bool isApart = isIndependentOfContainers(nest_, loop, apart_);
            const NodePtr meets =
                isApart ? nullptr : meetingIteration(context_, nest_, loop, reaches_, apart_);
            if (!isApart && !meets) continue;
            if (!joined->empty() && (runsInOrder(nest_, loop) || test_.gathersIn(loop))) continue;
            form = {.kind = Form::Kind::Independent, .joined = *joined, .meets = meets};
        }
        const bool hasRounds = packRounds(context_, plan_, elements_, test_, apart_);
        const bool repeats = repeatRows(context_, plan_, elements_, test_, apart_,
                                        [this](const Loop& loop) { return runs_.areKnown(loop); });
        planRecords(context_, plan_, elements_, reaches_);
        isInLanes_ = true;
        const bool hasLanes = !plans_.wantsDevices && sums_.empty() &&
                              planLanes(context_, plan_, elements_, test_, runs_, apart_);
        isInLanes_ = false;
        if (!plans_.wantsDevices && !hasLanes) counted_.find(plan_, apart_);
        constants_.find(apart_);
        test_.requireContainersApart(hasRounds || repeats || hasLanes || plan_.kept);
        test_.requireApart(apart_);
        test_.requirePremises();
        for (const auto& [left, right] : apart_)
            plan_.apart.insert(std::minmax(nest_.arrays[left].text, nest_.arrays[right].text));
        if (plan_.turned) requireApart(plan_.turned->apart);
        if (plan_.order) requireApart(plan_.order->apart);
        for (const NodePtr condition : plan_.conditions()) test_.require(condition);
        if (plan_.kept) requireApart(plan_.kept->apart);
        if (plan_.fused) requireApart(plan_.fused->apart);
        if (plan_.fused && plan_.fused->condition) test_.require(plan_.fused->condition);
        if (!fold_) return;
        test_.require(beginningOf(context_, *fold_, nest_.loops.front().statement));
        plan_.notes.push_back("with the sums of '" + fold_->array +
                              "' added up instead of its elements stored");
    }

    void requireApart(const auto& pairs) {
        for (const auto& [a, b] : pairs)
            if (plan_.apart.insert(std::minmax(a, b)).second) test_.requireApart(a, b);
    }

    bool isIndependentLoop(const Loop& loop) const {
        return plan_.forms.at(&loop).kind == Form::Kind::Independent;
    }

    NodePtr name(const std::string& text, NodePtr at) { return context_.identifier(text, at); }

    /// A copy of the code with loops and accesses in their fast form.
    NodePtr fast(NodePtr node) {
        if (!node) return nullptr;
        if (const auto loop = nest_.loopOf.find(node); loop != nest_.loopOf.end()) {
            if (plan_.forms.at(loop->second).meets) return roundMeeting(*loop->second);
            const std::vector<NodePtr> constants = constants_.before(*loop->second);
            return context_.behind(constants, fitting_.written(*loop->second), node);
        }
        const std::string* constant = isInLanes_ ? nullptr : constants_.inPlaceOf(node);
        if (constant) return name(*constant, node);
        if (const auto access = nest_.accessOf.find(node); access != nest_.accessOf.end())
            return elements_.element(nest_.accesses[access->second]);
        if (const NodePtr element = elements_.elementOfVector(node)) return element;
        if (fold_ && node->is<ast::Assign>() &&
            node->child(ast::Assign::target) == fold_->write->node)
            return context_.expression("$t += $v",
                                       {{"$t", fast(node->child(ast::Assign::target))},
                                        {"$v", fast(node->child(ast::Assign::value))}},
                                       node);
        if (const NodePtr constant = ends_.inPlaceOfInquiry(node)) return constant;
        if (const NodePtr kept = keptNumber(context_, plan_, test_, node, fast_)) return kept;
        if (const NodePtr chosen = withoutReferences(context_, node, fast_)) return chosen;
        if (isOfMany(context_, node))
            return callOfMany(context_, node, fastChildren(node->child(ast::Call::arguments)));
        return node->is<ast::GlobalIndex>() ? globalIndex(node) : copied(node);
    }

    std::vector<NodePtr> fastChildren(NodePtr node) {
        std::vector<NodePtr> children;
        for (const NodePtr child : node->children()) children.push_back(fast(child));
        return children;
    }
    NodePtr copied(NodePtr node) {
        const NodePtr result = context_.arena.rebuilt(node, node, fastChildren(node));
        result->type = node->type;
        result->symbol = node->symbol;
        return result;
    }

    NodePtr globalIndex(NodePtr node) {
        const NodePtr index = ast::withoutParentheses(node->child(ast::GlobalIndex::operand));
        for (const Loop* loop : enclosing_)
            if (loop->kind == Loop::Kind::Overall && loop->variable == index->text())
                return name(runs_[*loop].global, node);
        return copied(node);
    }

    NodePtr fastLoop(const Loop& loop) {
        if (const NodePtr sums = sumsOfProducts(loop)) return sums;
        if (plan_.forms.at(&loop).repeatsRow) return repeated(loop);
        if (loop.kind == Loop::Kind::Overall) return overall(loop);
        if (plan_.forms.at(&loop).isOneCall())
            return whole(loop, fast(loop.first), lastOf(context_, loop, fast(loop.end)));
        if (const NodePtr rows = packed(loop, {"", ends_.nameOf(loop)})) return rows;
        enclosing_.push_back(&loop);
        const NodePtr copy = copied(loop.statement);
        enclosing_.pop_back();
        if (!isIndependentLoop(loop) && fitting_.isForFew(loop) && !plans_.wantsDevices && !fold_)
            ends_.copyForFew(loop, plan_);
        const bool mayMiss = loop.endsPerRow && !elements_.covers();
        return marked(loop, mayMiss ? copy : ends_.inPlaceOf(loop, copy));
    }

    /// What the loop reads in each iteration is read again behind the one that changes it.
    NodePtr roundMeeting(const Loop& loop) {
        const std::string part = context_.fresh(std::string(loop.variable) + "_part");
        const NodePtr alone = fast(bodyOf(loop));
        const std::vector<NodePtr> constants = constants_.before(loop);
        const NodePtr rows = packed(loop, {part, ""});
        const NodePtr each =
            rows ? rows : marked(loop, partLoop(context_, loop, part, fast(bodyOf(loop))));
        return inParts(context_, loop,
                       {part, plan_.forms.at(&loop).meets, fast_, alone,
                        context_.behind(constants, each, loop.statement), rows != nullptr});
    }

    /// Several iterations of a loop that change the same row.
    NodePtr repeated(const Loop& loop) {
        const RepeatedRow row = *repeatedRow(nest_, loop);
        const LoopRuns::Names& names = runs_[loop];
        Repetition repetition{&loop, boundsOf(loop)};
        enclosing_.push_back(&loop);
        if (loop.kind == Loop::Kind::Overall && loop.usesGlobal)
            repetition.before.push_back(globalIndexOf(context_, loop, names.global, names.run));
        for (const NodePtr number : row.before) repetition.before.push_back(fast(number));
        append(repetition.before, constants_.before(*row.inner));
        const NodePtr rows = packedRows(context_, nest_, *row.inner, elements_, test_,
                                        boundsOf(*row.inner), &repetition);
        enclosing_.pop_back();
        notePacked(plan_, *row.inner);
        return row.stamp ? behindStamp(context_, elements_, repetition, row.stamp, rows) : rows;
    }
    Bounds boundsOf(const Loop& loop) {
        return loop.kind == Loop::Kind::Overall ? Bounds{runs_[loop].run, ""}
                                                : Bounds{"", ends_.nameOf(loop)};
    }

    NodePtr packed(const Loop& loop, const Bounds& bounds) {
        if (!isIndependentLoop(loop) || fold_) return nullptr;
        const NodePtr rows = packedRows(context_, nest_, loop, elements_, test_, bounds);
        if (rows) notePacked(plan_, loop);
        return rows;
    }

    NodePtr marked(const Loop& loop, NodePtr statement) {
        // The C++ compiler takes marks before simple conditions only.
        if (loop.kind == Loop::Kind::Counting && holdsCall(loop.end) && !ends_.has(loop))
            return statement;
        if (!isIndependentLoop(loop)) return fitting_.unrolled(loop, statement);
        return markedIndependent(context_, plans_, plan_, loop, statement);
    }

    NodePtr overall(const Loop& loop) {
        const LoopRuns::Names& names = runs_[loop];
        const NodePtr origin = loop.statement->child(ast::Overall::headers);
        std::vector<NodePtr> before;
        if (!names.atEntry)
            before.push_back(runOfIteration(context_, loop, names, runs_.held(loop), fast_));
        if (nest_.callsForeign) before.push_back(activeGuard(context_, loop));
        if (const NodePtr rows = packed(loop, {names.run, ""}))
            return context_.behind(before, rows, origin);
        if (const NodePtr pieces = inPieces(loop)) return context_.behind(before, pieces, origin);
        if (plan_.forms.at(&loop).kind == Form::Kind::Lanes)
            return context_.behind(before, behindLanes(loop, names.run), origin);
        return context_.behind(before, plainLoop(loop, names.run, bodyOf(loop)), origin);
    }

    /// A call of the library's for all iterations.
    NodePtr whole(const Loop& loop, NodePtr first, NodePtr last) {
        if (counted_.has(loop)) return counted_.written(loop, first, last);
        return inBatches(context_, nest_, loop,
                         {first, last, [&](NodePtr body) { return fastBody(loop, body); }});
    }

    /// The loop over what lanes leave.
    NodePtr behindLanes(const Loop& loop, const std::string& run) {
        const std::string rest = context_.fresh(std::string(loop.variable) + "_rest");
        isInLanes_ = true;
        const NodePtr lanes = laneCode(context_, nest_, loop, elements_, runs_[loop], rest);
        isInLanes_ = false;
        const std::string left = rest + "{" + run + ".first, " + run + ".last}";
        return context_.statement(
            "{\n    hpspmd::detail::Rest " + left + ";\n    $lanes;\n    $loop;\n}",
            {{"$lanes", lanes}, {"$loop", plainLoop(loop, rest, bodyOf(loop))}}, loop.statement);
    }

    /// The loop over a run, or a piece of it, with what is left of its body there.
    NodePtr overRun(const Loop& loop, const std::string& run, NodePtr body) {
        const NodePtr rows = packed(loop, {run, "", body});
        return rows ? rows : plainLoop(loop, run, body);
    }
    NodePtr plainLoop(const Loop& loop, const std::string& run, NodePtr ownBody) {
        if (plan_.forms.at(&loop).isOneCall() && ownBody == bodyOf(loop))
            return whole(loop, name(run + ".first", ownBody), name(run + ".last", ownBody));
        if (const auto skip = fixedSkip(context_, reaches_, loop, ownBody))
            return skip->before(context_, fast_, overRun(loop, run, skip->rest));
        const auto over = [&, body = fastBody(loop, ownBody)](const std::string& part) {
            return marked(loop, runLoop(context_, loop, part, body));
        };
        if (!isIndependentLoop(loop) || fold_) return over(run);
        return loopByLines(context_, nest_, loop, elements_, run, over);
    }

    /// With the loop written for each value of conditions on its index; null if there are none.
    NodePtr inPieces(const Loop& loop) {
        const auto pieces = fold_ ? std::nullopt : piecesOf(context_, nest_, loop, reaches_);
        if (!pieces) return nullptr;
        plan_.forms[&loop].isInPieces = true;
        LoopRuns::Names& names = runs_[loop];
        const std::string variable(loop.variable), piece = context_.fresh(variable + "_piece"),
                                                   start = context_.fresh(variable + "_start");
        const auto atStart = [&](NodePtr e) {
            const std::string global = std::exchange(names.global, start);
            enclosing_.push_back(&loop);
            const NodePtr result = fast(e);
            enclosing_.pop_back();
            names.global = global;
            return result;
        };
        return overPieces(context_, loop, *pieces,
                          {names.run, piece, start, atStart,
                           [&](NodePtr body) { return overRun(loop, piece, body); }});
    }

    NodePtr sumsOfProducts(const Loop& loop) {
        if (!sums_.contains(&loop)) return nullptr;
        const SumsOfProducts& sums = sums_.at(&loop);
        if ((fold_ || sums.allowsNoCheck()) && !test_.unchecked().empty()) return nullptr;
        const size_t outside = enclosing_.size();
        for (const Loop* each : {sums.rows, sums.columns})
            if (each) enclosing_.push_back(each);
        const NodePtr call =
            writeSumsOfProducts(context_, nest_, sums, elements_, [this](const Loop& each) {
                return NamesOfRun{runs_[each].run, runs_[each].global};
            });
        enclosing_.resize(outside);
        if (call) noteTiles(plan_, sums);
        if (!call && sums.rows) plan_.untiled = untiled(sums);
        return call;
    }

    NodePtr fastBody(const Loop& loop, NodePtr ownBody) {
        enclosing_.push_back(&loop);
        const NodePtr body = fast(ownBody);
        enclosing_.pop_back();
        if (!loop.usesGlobal) return body;
        const LoopRuns::Names& names = runs_[loop];
        const bool isAsked =
            ownBody == bodyOf(loop) || ast::print(body).find(names.global) != std::string::npos;
        if (!isAsked) return body;
        return withGlobalIndex(context_, loop, names.global, names.run, body);
    }

    Context& context_;
    Plans& plans_;
    NestPlan& plan_;
    const Fold* fold_;
    const Nest& nest_;
    Reaches reaches_;
    EntryTest test_;
    LoopRuns runs_;
    const std::function<NodePtr(NodePtr)> fast_ = [this](NodePtr node) { return fast(node); };
    Elements elements_;
    FittingLoops fitting_;
    CountedPlaces counted_;
    ArrayPairs apart_;
    std::unordered_map<const Loop*, SumsOfProducts> sums_;  // by the outer loop
    std::vector<const Loop*> enclosing_;
    bool isInLanes_ = false;  // in what is written next
    FixedElements constants_;
    LoopEnds ends_;
};

}  // namespace

NodePtr withFastForm(Context& context, Plans& plans, NestPlan& plan, NodePtr otherwise) {
    return FastNest(context, plans, plan).write(otherwise);
}

}  // namespace hpcc::nests
