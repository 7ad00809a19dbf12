// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize/strength.hpp"

#include <map>
#include <set>

#include "ast/declarators.hpp"
#include "optimize/bodies.hpp"
#include "optimize/builder.hpp"
#include "optimize/courses.hpp"
#include "optimize/scoped_names.hpp"
#include "optimize/sites.hpp"

namespace hpcc::optimize {
namespace {

/// What is added to a loop: variables before it, and how its step moves them on.
struct LoopPart {
    std::vector<NodePtr> declarations;
    struct Move {
        std::string name;
        NodePtr by;
        bool isDown;
    };
    std::vector<Move> moves;
    std::map<int, std::string> steps;  // a step that has a name, by key
    std::set<std::string> names;
};

class Reduction : BodyPass {
public:
    static bool concerns(const Body& body) { return body.hasLoops; }

    using BodyPass::BodyPass;

    void run() {
        if (courses_.counters().counters().empty()) return;
        reduceTemporaries();
        for (const Site& site : findSites(keys_, macros))
            if (versions_.isReached(site.block) && !site.isHead) reduceAccess(site);
        for (const FollowingIndex& index : courses_.counters().indices()) reduceControls(index);
        for (auto& [loop, part] : parts_) attach(loop, part);
    }

private:
    static NodePtr unchanged(NodePtr node) { return node; }

    NodePtr build(int key, NodePtr origin) {
        return Builder(function, keys_, origin, nameOf(), unchanged).build(key);
    }

    /// The new names of temporaries that could not keep theirs.
    std::function<std::string(int)> nameOf() const {
        return [this](int key) -> std::string {
            const auto renamed = renamed_.find(keys_[key].variable);
            const bool isName = keys_[key].kind == KeyKind::Variable;
            return isName && renamed != renamed_.end() ? renamed->second : "";
        };
    }

    // ---- new variables -------------------------------------------------------------------------

    /// A variable before the loop that starts with `start` and is moved by `step`.
    void introduce(int loop, const std::string& name, const Sum& start, const Sum& step,
                   const std::string& stepName) {
        LoopPart& part = parts_[loop];
        const NodePtr origin = graph.place(loop).statement;
        const int key = start.empty() ? keys_.literal(0) : sumKey(keys_, start);
        part.declarations.push_back(function.statement(
            "hpspmd::Index $name = $value;",
            {{"$name", function.identifier(name, origin)}, {"$value", build(key, origin)}},
            origin));
        part.names.insert(name);
        if (step.empty()) return;
        bool down = step.size() == 1 && step[0].coefficient < 0;
        Sum size = step;
        if (down) size[0].coefficient = -size[0].coefficient;
        part.moves.push_back({name, stepNode(part, loop, sumKey(keys_, size), stepName), down});
    }

    /// The step as it stands in the loop: computed before it unless it is a name, member or number.
    NodePtr stepNode(LoopPart& part, int loop, int key, const std::string& wanted) {
        const NodePtr origin = graph.place(loop).statement;
        const KeyKind kind = keys_[key].kind;
        if (kind == KeyKind::Variable || kind == KeyKind::Literal || kind == KeyKind::Member)
            return build(key, origin);
        std::string& name = part.steps[key];
        if (name.empty()) {
            name = names_.before(loop, wanted);
            part.declarations.push_back(function.statement(
                "const hpspmd::Index $name = $value;",
                {{"$name", function.identifier(name, origin)}, {"$value", build(key, origin)}},
                origin));
        }
        return function.identifier(name, origin);
    }

    std::string stepNameFor(const std::string& name, int counter) const {
        const size_t at = name.find("_at");
        const std::string_view loop =
            graph.names()[courses_.counter(counter).variable - firstVariable].name;
        std::string_view index = loop.ends_with("_k") ? loop.substr(0, loop.size() - 2) : loop;
        return name.substr(0, at) + "_step_" + std::string(index);
    }

    // ---- where they are used -------------------------------------------------------------------

    /// `const hpspmd::Index a_at_i = a_stride_0 * i.sub;` moves before the loop.
    void reduceTemporaries() {
        for (size_t k = 0; k < graph.places().size(); ++k) {
            const Place& place = graph.places()[k];
            if (!declaresClass(place.statement, "hpspmd::Index") ||
                !versions_.isReached(place.block))
                continue;
            const NodePtr declarator = ast::declaratorsOf(place.statement)[0];
            const int variable = graph.names().declaredBy(declarator);
            if (variable < 0 || !graph.names()[variable].isConstant()) continue;
            const NodePtr initializer = declarator->child(ast::InitDeclarator::initializer);
            if (ast::is<ast::EqualInitializer>(initializer))
                reduceTemporary(place, variable, initializer->child(0));
        }
    }

    void reduceTemporary(const Place& place, int variable, NodePtr value) {
        const SplitSum sum = courses_.split(sumOf(keys_, value));
        if (!courses_.isReducible(sum, place.block, place.step)) return;
        const int loop = courses_.counter(sum.counter).loop;
        const std::string name(graph.names()[variable].name);
        if (!courses_.isAllFixed(sum.fixed, loop, place.block, place.step)) return;
        const bool keepsName = !parts_[loop].names.contains(name) && names_.mayLeave(loop, name);
        const std::string moved = keepsName ? name : names_.before(loop, name);
        const auto [start, step] = courses_.courseOf(sum);
        introduce(loop, moved, start, step, stepNameFor(name, sum.counter));
        tell(value, loop);
        consume(value);
        edits.remove(place.statement);
        if (!keepsName) rename(variable, moved);
    }

    void rename(int variable, const std::string& name) {
        renamed_[variable + firstVariable] = name;
        const auto uses = graph.names().usesOf(variable), steps = graph.names().stepsOf(variable);
        for (size_t k = 0; k < uses.size(); ++k) becomeName(steps[k], uses[k], name);
    }

    void becomeName(NodePtr step, NodePtr node, const std::string& name) {
        edits.replaceIn(step, node, [this, name, node](const auto&) {
            return function.identifier(name, node);
        });
    }

    void reduceAccess(const Site& site) {
        if (site.keys.size() != 2 || site.keys[0] < 0) return;
        const NodePtr list = site.node->child(ast::Subscript::subscripts);
        const NodePtr offset = list->children()[0];
        const SplitSum sum = courses_.split(sumOf(keys_, offset));
        if (!courses_.isReducible(sum, site.block, site.step)) {
            const char* obstacle = courses_.obstacleTo(sum, site.block, site.step);
            if (obstacle)
                function.missed(site.node, "the place of this element is multiplied out each time",
                                offset, obstacle);
            return;
        }
        const int loop = courses_.counter(sum.counter).loop;
        const bool whole = courses_.isAllFixed(sum.fixed, loop, site.block, site.step);
        SplitSum part = sum;
        if (!whole) part.fixed.clear();
        const auto [start, step] = courses_.courseOf(part);
        Sum moving = part.fixed;
        moving.insert(moving.end(), sum.moving.begin(), sum.moving.end());
        const std::string name = names_.before(loop, accessName(site.node, sum));
        introduce(loop, name, start, step, stepNameFor(name, sum.counter));
        tell(site.node, loop);
        consume(offset);
        const Sum rest = whole ? Sum{} : sum.fixed;
        edits.replaceIn(
            graph.step(site.block, site.step).node, offset,
            [this, name, rest, offset](const auto& edited) -> NodePtr {
                const NodePtr moved = function.identifier(name, offset);
                if (rest.empty()) return moved;
                const NodePtr fixed =
                    Builder(function, keys_, offset, nameOf(), edited).build(sumKey(keys_, rest));
                return function.expression("$fixed + $moved",
                                           {{"$fixed", fixed}, {"$moved", moved}}, offset);
            });
    }

    void tell(NodePtr place, int loop) const {
        function.fired(place, "the place of this element moves on by an addition in " +
                                  function.lineOf(graph.place(loop).statement));
    }

    /// `a_at_i_k` of `a_data[..]`.
    std::string accessName(NodePtr access, const SplitSum& sum) const {
        NodePtr base = access->child(ast::Subscript::base);
        if (base->is<ast::Call>()) base = base->child(ast::Call::callee)->child(ast::Member::base);
        std::string name(base->text());
        if (name.ends_with("_data")) name.resize(name.size() - 5);
        std::string wanted;
        for (const char c : name)
            if (c == '_' || std::isalnum(static_cast<unsigned char>(c))) wanted += c;
        wanted += "_at";
        const std::string_view loop =
            graph.names()[courses_.counter(sum.counter).variable - firstVariable].name;
        return wanted + "_" +
               std::string(loop.ends_with("_k") ? loop.substr(0, loop.size() - 2) : loop);
    }

    // ---- control subscripts --------------------------------------------------------------------

    struct Asked {
        NodePtr step;
        NodePtr member;  // i.sub, i.global
    };

    /// The expression is gone: what it read is no use any more.
    void consume(NodePtr node) {
        if (!node) return;
        consumed_.insert(node);
        for (const NodePtr child : node->children()) consume(child);
    }

    /// An index that is only asked for sub and global is replaced by variables for these.
    void reduceControls(const FollowingIndex& index) {
        const Counter& counter = courses_.counter(index.counter);
        if (!graph.place(counter.loop).canPrecede || !courses_.startIsFixed(counter)) return;
        if (!graph.isConstant(index.variable)) return;
        const auto uses = graph.names().usesOf(index.variable - firstVariable);
        std::map<std::string_view, std::vector<Asked>> asked;  // by member
        const auto members = graph.names().membersOf(index.variable - firstVariable);
        const auto steps = graph.names().stepsOf(index.variable - firstVariable);
        for (size_t use = 0; use < uses.size(); ++use) {
            if (consumed_.contains(uses[use])) continue;
            const NodePtr member = members[use];
            if (!member) return;
            asked[member->child(ast::Member::name)->text()].push_back({steps[use], member});
        }
        for (const auto& [name, places] : asked)
            if (name != "sub" && name != "global") return;
        for (const auto& [name, places] : asked) reduceControl(index, name, places);
    }

    void reduceControl(const FollowingIndex& index, std::string_view member,
                       const std::vector<Asked>& places) {
        const int loop = courses_.counter(index.counter).loop;
        const std::string_view variable = graph.names()[index.variable - firstVariable].name;
        const std::string name =
            names_.before(loop, std::string(variable) + "_" + std::string(member));
        const NodePtr first = places.front().member;
        const NodePtr sample = first->child(ast::Member::base);
        const int factor = keys_.member(keys_.variable(sample), member, first);
        const auto [start, step] = courses_.courseOf(factor);
        introduce(loop, name, start, step, name + "_step");
        for (const Asked& each : places) becomeName(each.step, each.member, name);
    }

    // ---- the loops -----------------------------------------------------------------------------

    void attach(int loop, LoopPart& part) {
        const Place& place = graph.place(loop);
        for (auto each = part.declarations.rbegin(); each != part.declarations.rend(); ++each)
            edits.insertBefore(place.statement, *each, place.edge == Edge::List);
        const NodePtr step = place.statement->child(ast::For::step);
        edits.replace(step, [this, step, moves = part.moves](const auto&) {
            NodePtr result = step;
            for (const LoopPart::Move& move : moves)
                result = function.expression(
                    move.isDown ? "$before, $name -= $by" : "$before, $name += $by",
                    {{"$before", result},
                     {"$name", function.identifier(move.name, step)},
                     {"$by", move.by}},
                    step);
            return result;
        });
    }

    Versions versions_{graph};
    Keys keys_{graph};
    Courses courses_{graph, versions_, keys_};
    ScopedNames names_{function, graph};
    std::map<int, LoopPart> parts_;       // by the loop's place
    std::map<int, std::string> renamed_;  // variables
    std::unordered_set<NodePtr> consumed_;
};

}  // namespace

ast::Unit reduceStrength(ast::Unit unit, ast::Quoter& quote) {
    return improveBodies<Reduction>(std::move(unit), quote, "strength");
}

}  // namespace hpcc::optimize
