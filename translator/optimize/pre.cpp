// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize/pre.hpp"

#include <algorithm>
#include <map>

#include "optimize/bodies.hpp"
#include "optimize/builder.hpp"
#include "optimize/joins.hpp"
#include "optimize/scoped_names.hpp"

namespace hpcc::optimize {
namespace {

/// Where a temporary gets its value: before a place, or at the end of a side of an `if`.
struct Definition {
    int place = -1;
    Side side;
    int site = 0;  // of what it computes
};

struct Temporary {
    std::string name;
    int key = -1;
    int place = 0;            // declared before it
    NodePtr asker = nullptr;  // the first use
    std::vector<Definition> definitions;
    bool isJoined = false;  // has several values
};

/// One body. Larger expressions come first: what a temporary holds is no use of its parts any
/// more, except in the one place where the temporary is computed.
class Elimination : BodyPass {
public:
    /// The body of a reduction's lambda is read beside its source; little is won there.
    static bool concerns(const Body& body) { return !body.isLambda || body.hasLoops; }

    using BodyPass::BodyPass;

    void run() {
        sites_ = findSites(keys_, macros);
        programSites_ = sites_.size();
        for (size_t site = 0; site < programSites_; ++site)
            if (versions_.isReached(sites_[site].block))
                for (const int key : sites_[site].keys) ask(key, static_cast<int>(site));
        while (!pending_.empty()) {
            const auto next = pending_.begin();
            const int key = -next->first.second;
            const std::vector<int> sites = std::move(next->second);
            pending_.erase(next);
            eliminate(key, sites);
        }
        rewrite();
    }

private:
    /// The site needs the value of the key, or at least of its parts.
    void ask(int key, int site) {
        if (key < 0) return;
        if (isCandidate(keys_[key]))
            pending_[{-keys_[key].size, -key}].push_back(site);
        else
            askParts(key, site);
    }

    void askParts(int key, int site) {
        ask(keys_[key].left, site);
        ask(keys_[key].right, site);
    }

    static bool isCandidate(const Key& key) {
        if (!key.isMovable) return false;
        return key.kind == KeyKind::Inquiry ||
               (key.hasStride && key.kind != KeyKind::Member && key.kind != KeyKind::Arrow);
    }

    void eliminate(int key, const std::vector<int>& sites) {
        Values values;
        for (const int site : sites) {
            const Site& at = sites_[static_cast<size_t>(site)];
            if (changesInside(key, at)) {
                askParts(key, site);
                if (graph.loopAround(at.place) >= 0)
                    function.missed(at.node, "this is computed where it stands", at.node,
                                    "because the same expression may change what this reads");
            } else {
                const Variables value = versions_.at(at.block, at.step, keys_[key].variables);
                values[value].push_back(site);
            }
        }
        for (const Web& web : joins_.websOf(key, values)) introduce(key, web);
        for (auto& [versions, users] : values) {
            std::erase_if(users, [&](int site) { return holds_.contains({site, key}); });
            if (!users.empty()) share(key, users);
        }
    }

    /// True if the expression that holds the site assigns what the key reads. `x = a[i, x]` assigns
    /// behind the access.
    bool changesInside(int key, const Site& site) const {
        if (!isProgram(site)) return false;
        for (const int variable : graph.step(site.block, site.step).defs)
            for (const int read : keys_[key].variables)
                if (read == variable) return true;
        return false;
    }

    bool isProgram(const Site& site) const { return site.node != nullptr; }

    void share(int key, const std::vector<int>& users) {
        const Placement placement(keys_, versions_, questions_, key,
                                  sites_[static_cast<size_t>(users[0])]);
        std::vector<Use> uses;
        for (const int site : users) {
            const Use use = placement.useBy(sites_[static_cast<size_t>(site)], site);
            if (use.place >= 0)
                uses.push_back(use);
            else
                askParts(key, site);
        }
        std::vector<int> served;
        for (const Spot& spot : placement.spots(uses)) {
            introduce(key, spot);
            served.insert(served.end(), spot.sites.begin(), spot.sites.end());
        }
        for (const Use& use : uses)
            if (std::ranges::find(served, use.site) == served.end()) askParts(key, use.site);
    }

    /// A temporary with one value.
    void introduce(int key, const Spot& spot) {
        add(key, spot.place, spot.sites, false);
        define(spot);
    }

    /// A temporary that is assigned on each way.
    void introduce(int key, const Web& web) {
        add(key, web.declaration, web.sites, true);
        for (const Spot& spot : web.spots) define(spot);
        for (const Side& side : web.sides) define(side);
    }

    void add(int key, int place, const std::vector<int>& sites, bool isJoined) {
        const int temporary = static_cast<int>(temporaries_.size());
        temporaries_.push_back(
            {names_.before(place, nameFor(keys_, key)), key, place, askerOf(sites), {}, isJoined});
        for (const int site : sites) holds_[{site, key}] = temporary;
        if (function.isHeard()) tell(temporaries_.back());
    }

    void define(const Spot& spot) {
        const Place& place = graph.place(spot.place);
        Site made;
        made.place = spot.place;
        made.block = place.block;
        made.step = place.step;
        define({spot.place, {}, 0}, std::move(made));
    }

    void define(const Side& side) {
        Site made;
        made.place = side.branch < 0 ? side.condition : side.branch;
        made.block = side.block;
        made.step = side.step;
        made.isConditional = side.branch < 0 || graph.place(side.branch).mayJump;
        define({-1, side, 0}, std::move(made));
    }

    /// What is computed there is a new site of the parts.
    void define(Definition definition, Site made) {
        Temporary& temporary = temporaries_.back();
        made.keys = {temporary.key};
        definition.site = static_cast<int>(sites_.size());
        temporary.definitions.push_back(definition);
        sites_.push_back(std::move(made));
        askParts(temporary.key, definition.site);
    }

    /// "the descriptor of 'a' is read once, before the loop of line 9"
    void tell(const Temporary& temporary) const {
        const Place& place = graph.place(temporary.place);
        std::string text = remarkFor(keys_, temporary.key, [this](const std::string& name) {
            return function.isInText(name);
        });
        if (temporary.isJoined)
            text += " on each way through the branches";
        else if (place.isLoop)
            text += ", before " + function.lineOf(place.statement);
        function.fired(temporary.asker, text);
    }

    NodePtr askerOf(const std::vector<int>& sites) const {
        const Site& first = sites_[static_cast<size_t>(sites.front())];
        return first.node ? first.node : graph.place(first.place).statement;
    }

    NodePtr build(int key, int site, NodePtr origin,
                  const std::function<NodePtr(NodePtr)>& edited) {
        const auto nameOf = [this, site](int part) -> std::string {
            const auto held = holds_.find({site, part});
            return held == holds_.end() ? "" : temporaries_[static_cast<size_t>(held->second)].name;
        };
        return Builder(function, keys_, origin, nameOf, edited).build(key);
    }

    void rewrite() {
        std::unordered_set<int> changed;
        for (const auto& [use, temporary] : holds_) changed.insert(use.first);
        for (size_t site = 0; site < programSites_; ++site)
            if (changed.contains(static_cast<int>(site))) replaceSite(static_cast<int>(site));
        for (size_t k = 0; k < temporaries_.size(); ++k) declare(k);
    }

    void declare(size_t number) {
        const Temporary& temporary = temporaries_[number];
        bool isDeclared = false;
        for (const Definition& definition : temporary.definitions) {
            const bool declares = definition.place == temporary.place;
            isDeclared |= declares;
            assign(temporary, definition,
                   !declares            ? "$name = $value;"
                   : temporary.isJoined ? "hpspmd::Index $name = $value;"
                                        : declarationFor(keys_[temporary.key]));
        }
        if (isDeclared) return;
        const NodePtr statement = graph.place(temporary.place).statement;
        edits.insertBefore(
            statement,
            function.statement("hpspmd::Index $name = 0;",
                               {{"$name", function.identifier(temporary.name, statement)}},
                               statement),
            true);
    }

    void assign(const Temporary& temporary, const Definition& definition, std::string_view schema) {
        const Side& side = definition.side;
        const Place& place = graph.place(definition.place >= 0 ? definition.place : side.condition);
        // An error names the line that asked.
        const NodePtr origin = keys_[temporary.key].mayThrow ? temporary.asker : place.statement;
        const auto none = [](NodePtr node) { return node; };
        // The key itself is what the temporary holds: only its parts may be other temporaries.
        const NodePtr value = build(temporary.key, definition.site, origin, none);
        const NodePtr made = function.statement(
            schema, {{"$name", function.identifier(temporary.name, origin)}, {"$value", value}},
            origin);
        if (definition.place >= 0)
            edits.insertBefore(place.statement, made, place.edge == Edge::List);
        else if (side.branch >= 0)
            edits.insertBehind(graph.place(side.branch).statement, made);
        else
            edits.insertInElse(place.statement, made);
    }

    void replaceSite(int number) {
        // By value: the lambda lives longer than this object's vectors keep their places.
        const Site site = sites_[static_cast<size_t>(number)];
        edits.replaceIn(
            graph.step(site.block, site.step).node, site.node,
            [this, site, number](const auto& edited) -> NodePtr {
                if (site.keys.size() == 1) return build(site.keys[0], number, site.node, edited);
                const NodePtr list = site.node->child(ast::Subscript::subscripts);
                const NodePtr offset = site.keys[0] < 0
                                           ? list->children()[0]
                                           : build(site.keys[0], number, site.node, edited);
                const NodePtr base = site.keys[1] < 0
                                         ? site.node->child(ast::Subscript::base)
                                         : build(site.keys[1], number, site.node, edited);
                const NodePtr parts[] = {base, ast::rebuild(function.arena(), list, {&offset, 1})};
                return ast::rebuild(function.arena(), site.node, parts);
            });
    }

    Versions versions_{graph};
    Questions questions_{graph};
    Keys keys_{graph};
    ScopedNames names_{function, graph};
    std::vector<Site> sites_;
    Joins joins_{keys_, versions_, questions_, sites_};
    size_t programSites_ = 0;
    std::map<std::pair<int, int>, std::vector<int>>
        pending_;  // (-size, -key): larger ones, later ones first
    std::vector<Temporary> temporaries_;
    std::map<std::pair<int, int>, int> holds_;  // (site, key): temporary
};

}  // namespace

ast::Unit eliminateRedundancies(ast::Unit unit, ast::Quoter& quote) {
    return improveBodies<Elimination>(std::move(unit), quote, "pre");
}

}  // namespace hpcc::optimize
