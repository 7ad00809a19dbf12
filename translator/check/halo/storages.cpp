// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What happens to one storage, and to those that may be the same.
#include "check/halo/transfer.hpp"

namespace hpcc::check::halo {

Source Transfer::make(const Freshness& fresh, Origin origin, const Symbol* root) {
    Storage storage;
    storage.fresh = fresh;
    storage.origin = origin;
    storage.root = root;
    return {state.add(storage), false};
}

Source Transfer::foreign(const Type* type, const Symbol* root) {
    return make(Freshness(type->slots.size(), Side::unknown()), Origin::Foreign, root);
}

Source Transfer::outer(std::size_t handle) {
    const Symbol* root = handles_.path(handle).root;
    const std::size_t rank = handles_.type(handle)->slots.size();
    const bool isParameter = root->kind == ast::SymbolKind::Parameter;
    const Source source = make(Freshness(rank, Side::initial()),
                               isParameter ? Origin::Parameter : Origin::Held, root);
    if (source.storage == State::none) return source;
    state.bind(handle, source.storage, false);
    state.bind(handles_.twin(handle), source.storage, false);
    return source;
}

Source Transfer::named(NodePtr expression) {
    const Type* type = typeOf(expression);
    if (!hasDistributedSlot(type) && !isWriteHaloSchedule(type)) return {};
    const auto handle = handles_.find(expression);
    if (!handle) return {};
    if (state.storageOf(*handle) == State::none)
        bind(*handle, foreign(handles_.type(*handle), handles_.path(*handle).root));
    return {state.storageOf(*handle), state.isPart(*handle)};
}

void Transfer::bind(std::size_t handle, const Source& source) {
    Source named = source;
    if (named.storage == State::none) named = foreign(handles_.type(handle), nullptr);
    state.bind(handle, named.storage, named.isPart);
    const bool isReached = handles_.isOfOthers(handle) || !handles_.path(handle).fields.empty();
    if (named.storage != State::none && isReached) state[named.storage].isEscaped = true;
}

void Transfer::write(const Source& source, NodePtr site, const ElementWrite* how) {
    if (nest_) {
        nest_->writes.push_back({site, how, source});
        return;
    }
    if (how) how_[site] = how;
    if (source.storage == State::none) return unknownWrite();
    statements_[site] = statement_;
    for (const int alias : state.aliasesOf(source.storage)) mayWrite({alias, false});
    Freshness& fresh = state[source.storage].fresh;
    const auto elements = elementsOf(site, how, fresh.rank(), source.isPart);
    if (!elements)
        fresh.set(Side::stale(site));
    else
        for (Side& side : fresh.sides()) side.add({site, elements, !source.isPart});
    summary_.reachesUnknown |= state[source.storage].origin == Origin::Foreign;
}

Locations& Transfer::locations() {
    if (!locations_) locations_.emplace(body_);
    return *locations_;
}

// Null if it writes all elements. Judged once: that does not depend on the state.
std::shared_ptr<const Elements> Transfer::elementsOf(NodePtr site, const ElementWrite* how,
                                                     std::size_t rank, bool isPart) {
    const void* key = how ? static_cast<const void*>(how) : site;
    const auto [known, isNew] = written_.try_emplace({key, isPart});
    if (!isNew) return known->second;
    if (const auto elements =
            how ? locations().written(*how, rank, isPart) : locations().written(site, rank, isPart))
        known->second = std::make_shared<const Elements>(*elements);
    return known->second;
}

// The same for each round of the analysis.
std::shared_ptr<const Elements> Transfer::elementsOf(const PartialWrite& inCallee, NodePtr call) {
    std::shared_ptr<const Elements>& known = writtenInside_[{call, inCallee.elements}];
    if (!known) known = std::make_shared<const Elements>(withoutVariables(*inCallee.elements));
    return known;
}

void Transfer::mayWrite(const Source& source) {
    if (nest_) {
        if (source.storage != State::none) nest_->doubted.push_back(source.storage);
        nest_->writesUnknown |= source.storage == State::none;
        return;
    }
    if (source.storage == State::none) return unknownWrite();
    for (Side& side : state[source.storage].fresh.sides()) side.doubt();
}

// `widths`: below and above each dimension; negative: not known.
void Transfer::refresh(const Source& source, const std::vector<std::pair<int, int>>& widths) {
    if (source.storage == State::none) {  // one of those that are reached by other ways
        summary_.reachesUnknown = true;
        for (Storage& each : state.storages())
            if (each.isInReach())
                for (Side& side : each.fresh.sides()) side.doubtStale();
        return;
    }
    summary_.reachesUnknown |= state[source.storage].origin == Origin::Foreign;
    for (const int alias : state.aliasesOf(source.storage))
        for (Side& side : state[alias].fresh.sides()) side.doubtStale();
    Freshness& fresh = state[source.storage].fresh;
    if (source.isPart || widths.size() != fresh.rank()) return fresh.set(Side::unknown());
    const auto fill = [](Side& side, int width) {
        if (width < 0)
            side = Side::unknown();
        else
            side.refresh(width);
    };
    for (std::size_t r = 0; r < widths.size(); ++r) {
        fill(fresh.below(r), widths[r].first);
        fill(fresh.above(r), widths[r].second);
    }
}

void Transfer::loseTrack(const Source& source) {
    if (source.storage == State::none) return;
    for (const int alias : state.aliasesOf(source.storage)) state[alias].fresh.set(Side::unknown());
    Storage& storage = state[source.storage];
    storage.fresh.set(Side::unknown());
    storage.isEscaped = true;
}

// Its handles may name other arrays now.
void Transfer::loseObject(const Path& path) {
    for (const std::size_t handle : handles_.under(path)) {
        loseTrack({state.storageOf(handle), false});
        bind(handle, foreign(handles_.type(handle), path.root));
        state.share(handle);
    }
}

void Transfer::escape(const Source& source) {
    if (source.storage != State::none) state[source.storage].isEscaped = true;
}

// An array goes where it is not followed, perhaps as a reference to its handle.
Source Transfer::giveAway(NodePtr expression) {
    const Source source = evaluate(expression);
    escape(source);
    if (const auto handle = handles_.find(bare(expression))) state.share(*handle);
    return source;
}

void Transfer::unknownWrite() {
    summary_.reachesUnknown = true;
    for (Storage& each : state.storages())
        if (each.isInReach())
            for (Side& side : each.fresh.sides()) side.doubt();
}

// Code that is not followed runs. In a nest this counts when the nest ends.
void Transfer::unknownCall() {
    summary_.reachesUnknown = true;
    if (nest_) {
        nest_->calls.push_back(nest_->indices);
        return;
    }
    state.lose();
    for (std::size_t h = 0; h < handles_.count(); ++h) {  // two of one array: no more for certain
        const bool isOfOthers = state.isShared(h) || handles_.isOfOthers(h);
        if (isOfOthers && state.storageOf(h) != State::none && !isOnlyName(h))
            bind(h, foreign(handles_.type(h), handles_.path(h).root));
    }
}

bool Transfer::isOnlyName(std::size_t handle) const {
    for (std::size_t h = 0; h < handles_.count(); ++h)
        if (h != handle && !handles_.isTwin(h) && state.storageOf(h) == state.storageOf(handle))
            return false;
    return true;
}

}  // namespace hpcc::check::halo
