// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What statements and expressions do to the state.
#pragma once

#include "analysis/element_writes.hpp"
#include "check/flow/graph.hpp"
#include "check/halo/locations.hpp"
#include "check/halo/results.hpp"

#include <map>
#include <optional>

namespace hpcc::check::halo {

// The array that an expression names: a storage, or one from out of sight.
struct Source {
    int storage = State::none;
    bool isPart = false;  // a section, whose dimensions are not those of the array
};

// An access to ghost cells.
struct Read {
    NodePtr access, array;
    Source source;
    std::size_t dimension;
    bool isBelow;
    int width;
    bool isExact;  // false: the shift is not known, `width` is 1
    bool isFirst;  // nothing before it in the nest may have filled cells of the array
};

// Of elements of an array: at an access, by a name that stands for it, or by a function.
using analysis::ElementWrite;

struct Write {
    NodePtr place;
    const ElementWrite* how;  // null: by a collective
    Source target;
};

// Ghost cells that must be fresh.
struct Need {
    int storage;
    std::size_t dimension;
    bool isBelow;
    int width;
    NodePtr read;
};

class Transfer {
public:
    Transfer(NodePtr body, const Handles& handles, const flow::Graph& graph, Results& results,
             Summary& summary)
        : body_(body), handles_(handles), graph_(graph), results_(results), summary_(summary) {}

    State state;
    std::vector<Finding>* findings = nullptr;  // where to report; null while states still change

    void run(const flow::Step& step);
    Source outer(std::size_t handle);  // binds a handle that the caller knows, and its twin
    Effect& effectOf(std::size_t handle);

private:
    // While the body of a nest is walked: its accesses are judged and applied when it ends.
    struct Nest {
        std::vector<Read> reads;
        std::vector<Write> writes;
        std::vector<int> doubted;
        std::vector<const Symbol*> indices;             // bound where the walk is
        std::vector<std::vector<const Symbol*>> calls;  // the same, where unfollowed code runs
        bool writesUnknown = false;
        const State* entry = nullptr;
    };

    // Statements (transfer.cpp).
    void declare(NodePtr node, bool isStatic = false);
    void bindNew(NodePtr node, NodePtr initializer, const Type* type, bool isReference);
    void bindOneOf(NodePtr node, NodePtr list);
    void opaque(NodePtr node);
    void drop(const flow::Step& step);
    void pass(NodePtr loop);
    void forgetAll();
    void nest(NodePtr node);
    void walk(NodePtr node);
    void walkChildren(NodePtr node);

    // Storages (storages.cpp).
    Source make(const Freshness& fresh, Origin origin, const Symbol* root);
    Source foreign(const Type* type, const Symbol* root);
    Source named(NodePtr expression);
    void bind(std::size_t handle, const Source& source);
    void write(const Source& source, NodePtr site, const ElementWrite* how = nullptr);
    Locations& locations();
    std::shared_ptr<const Elements> elementsOf(NodePtr site, const ElementWrite* how,
                                               std::size_t rank, bool isPart);
    std::shared_ptr<const Elements> elementsOf(const PartialWrite& inCallee, NodePtr call);
    void mayWrite(const Source& source);
    void refresh(const Source& source, const std::vector<std::pair<int, int>>& widths);
    void loseTrack(const Source& source);  // code out of sight did something to it
    void loseObject(const Path& path);
    void escape(const Source& source);
    Source giveAway(NodePtr expression);
    bool isOnlyName(std::size_t handle) const;
    void unknownWrite();
    void unknownCall();

    // Expressions (expressions.cpp).
    Source evaluate(NodePtr node);
    Source evaluated(NodePtr node);
    void evaluateChildren(NodePtr node);
    void branches(NodePtr condition, NodePtr then, NodePtr otherwise);
    Source assign(NodePtr node);
    Source conditional(NodePtr node);
    Source binary(NodePtr node);
    void unary(NodePtr node);
    void lambda(NodePtr node);
    void access(NodePtr node);
    void writeElements(NodePtr node);  // those that it changes itself
    void change(NodePtr target);       // unless it is an element
    Source mayChange(NodePtr target);  // the same: it is handed to code that may change it

    // Calls (calls.cpp, collectives.cpp).
    Source call(NodePtr node);
    Source knownCall(NodePtr node, const Summary& summary, NodePtr body);
    bool passArguments(NodePtr node, NodePtr body, std::vector<std::pair<NodePtr, Source>>& passed);
    void unknownFunction(NodePtr node);
    Source standardCall(NodePtr node);
    Source runtimeCall(NodePtr node, std::string_view name);
    bool memberCall(NodePtr node, Source& result);
    void schedule(NodePtr node, std::size_t handle, std::string_view name);
    void exchange(NodePtr a, NodePtr b);
    void collective(NodePtr node, std::string_view name);
    void writeHalo(NodePtr node);
    void apply(const Effect& effect, const Source& source, NodePtr node, NodePtr body);

    // Findings (judgement.cpp).
    static bool mayBeReached(const Nest& nest, NodePtr access);
    bool isAsAtEntry(int storage) const;
    void judge(const Nest& nest, NodePtr node, const std::vector<bool>& touched);
    void judgeTargets(const Nest& nest);
    void judgeDependence(const Nest& nest, NodePtr node);
    std::optional<Finding> judgeRead(const Read& read, const Side& side);
    Meeting meetingOf(const PartialWrite& write, NodePtr read);
    void require(const Need& need, const State& at, bool isCertain);
    void requireFresh(NodePtr argument, const Effect& effect, const Source& source);
    bool isDoubted(NodePtr write) const;  // perhaps it is none
    const flow::Surroundings* surroundings(NodePtr write) const;
    const flow::Surroundings* surroundingsOf(NodePtr statement) const;
    void note(const Finding& finding);

    const NodePtr body_;
    const Handles& handles_;
    const flow::Graph& graph_;
    Results& results_;
    Summary& summary_;
    Nest* nest_ = nullptr;
    NodePtr statement_ = nullptr;
    int renumberings_ = 0;  // joins of states, which number storages anew
    std::unordered_map<NodePtr, NodePtr> statements_;       // of what made cells stale
    std::optional<analysis::ElementWrites> elementWrites_;  // once asked for
    std::unordered_map<NodePtr, const ElementWrite*> how_;  // by their places
    std::optional<Locations> locations_;                    // once asked for
    std::map<std::pair<const void*, bool>, std::shared_ptr<const Elements>> written_;  // by sites
    std::map<std::pair<NodePtr, std::shared_ptr<const Elements>>, std::shared_ptr<const Elements>>
        writtenInside_;  // by calls, and what callees know of it
};

}  // namespace hpcc::check::halo
