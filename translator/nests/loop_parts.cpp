// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/loop_parts.hpp"

#include <algorithm>
#include <map>

#include "analysis/dependence.hpp"
#include "analysis/plain_values.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "nests/code_of_program.hpp"
#include "nests/container_elements.hpp"
#include "nests/context.hpp"
#include "nests/reaches.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

class Parting {
public:
    Parting(Context& context, const EarlyPart& part, const Nest& rest,
            const std::set<std::string>& values, ApartInParts& apart)
        : context_(context), part_(part), rest_(rest), values_(values), apart_(apart) {}

    Obstacle run() {
        keepLoop();
        keepNumbers();
        keepMemory();
        if (!obstacle_.place) keepElements();  // of loops that count
        return obstacle_;
    }

private:
    void fail(NodePtr place, const std::string& reason) {
        if (!obstacle_.place) obstacle_ = {place, reason};
    }

    /// Both run all iterations, and do nothing but compute.
    void keepLoop() {
        for (const Nest* nest : {part_.nest, &rest_}) {
            const Loop& loop = nest->loops.front();
            const Reaches reaches(context_, *nest);
            if (nest->callsForeign)
                fail(loop.statement, "calls a function that may do anything");
            else if (holdsJump(loop.statement))
                fail(loop.statement, "contains 'break' or 'continue'");
            else if (loop.kind != Loop::Kind::Counting || !reaches.isFixed(loop.first) ||
                     !reaches.isFixed(loop.end))
                fail(loop.statement, "has bounds that change inside");
        }
    }

    void keepNumbers() {
        for (const auto& [name, place] : lastingPlaces(*part_.nest))
            fail(place, "assigns '" + std::string(name) + "' with them");
        const NodePtr part = part_.nest->loops.front().statement;
        const Names used = readIn(part);
        for (const std::string_view name : rest_.declared)
            if (used.contains(name))
                fail(part,
                     "reads '" + std::string(name) + "', which each iteration has for itself");
        for (const auto& [name, place] : lastingPlaces(rest_)) {
            if (readsByReference(part))
                fail(place, "assigns '" + std::string(name) + "', which a function perhaps reads");
            if (used.contains(name))
                fail(place, "assigns '" + std::string(name) + "', which they read");
            if (!isVariable(place))
                fail(place, "assigns '" + std::string(name) + "', which may have another name");
        }
        ast::anywhere(part, [&](NodePtr node) {
            if (ast::is<ast::Identifier>(node) && node->symbol &&
                ast::isNumber(node->symbol->type) && node->symbol->type->isReference)
                fail(node, "reads '" + ast::print(node) + "', which may be what the loop changes");
            return false;
        });
    }
    static Assignments lastingPlaces(const Nest& nest) {
        Assignments result;
        const Names lasting = lastingIn(nest);
        for (const auto& [name, place] : nest.assigned)
            if (lasting.contains(name)) result.emplace(name, place);
        return result;
    }
    static bool isVariable(NodePtr place) {
        const ast::Symbol* symbol = place->symbol;
        return symbol && symbol->type && !symbol->type->isReference &&
               (symbol->kind == ast::SymbolKind::Variable ||
                symbol->kind == ast::SymbolKind::Parameter);
    }

    /// Memory that is no multiarray's: the rest changes elements of vectors and tables with names
    /// of their own.
    void keepMemory() {
        const Loop& loop = part_.nest->loops.front();
        if (loop.touchesShared) fail(loop.statement, "reaches memory that is no multiarray's");
        const Containers read = containersIn(loop.statement, *part_.nest, false),
                         changed = containersIn(rest_.loops.front().statement, rest_, true);
        for (const auto& [name, element] : changed) {
            if (!isOwner(element)) fail(element, "changes memory that is no multiarray's");
            if (read.contains(name) && !isOfIteration(name))
                fail(element, "changes elements of '" + name + "', which they read");
        }
        const auto isCertain = [](const auto& each) { return hasOwnName(each.second); };
        const bool areCertain =
            std::ranges::all_of(read, isCertain) && std::ranges::all_of(changed, isCertain);
        const bool isOne = read.size() == 1 && changed.size() == 1 &&
                           read.begin()->first == changed.begin()->first;
        if (!read.empty() && !changed.empty() && !areCertain && !isOne)
            fail(changed.begin()->second, "perhaps changes elements that they read");
        requireApart(changed, arraysOf(*part_.nest, false));
        requireApart(read, arraysOf(rest_, true));
    }

    using Containers = std::map<std::string, NodePtr>;  // an element of each, by its name
    static Containers containersIn(NodePtr statement, const Nest& nest, bool changed) {
        Containers result;
        ast::anywhere(statement, [&](NodePtr node) {
            const NodePtr element =
                ast::withoutParentheses(changed ? ast::changedOperand(node) : node);
            if (ast::is<ast::Subscript>(element) && !analysis::elementOf(element))
                if (const std::string name = ast::print(containerOf(element));
                    !nest.declared.contains(name))
                    result.emplace(name, element);
            return false;
        });
        return result;
    }
    static NodePtr containerOf(NodePtr element) {
        const NodePtr table = analysis::tableOf(element);
        return table ? table : element->child(ast::Subscript::base);
    }
    /// Its elements belong to it,
    static bool isOwner(NodePtr element) {
        const NodePtr container = containerOf(element);
        const ast::Type* type = ast::is<ast::Identifier>(container) ? container->type : nullptr;
        return analysis::tableOf(element) ||
               (analysis::isContainerOfNumbers(type) && type->classSymbol->name == "vector");
    }
    /// and no other name reaches them.
    static bool hasOwnName(NodePtr element) {
        const NodePtr table = analysis::tableOf(element);
        return table ? table->symbol && table->symbol->type && !table->symbol->type->isReference
                     : isVector(element->child(ast::Subscript::base));
    }
    /// Each iteration reaches `s[j]` only, of its own number j, which changes behind the value.
    bool isOfIteration(const std::string& name) const {
        const auto isOther = [&](NodePtr node) {
            if (!ast::is<ast::Subscript>(node) || ast::print(node->child(0)) != name) return false;
            const auto subscripts = node->child(ast::Subscript::subscripts)->children();
            return subscripts.size() != 1 || !isNamed(subscripts[0], rest_.loops.front().variable);
        };
        const auto count = [&](NodePtr node) {
            size_t elements = 0, mentions = 0;
            ast::anywhere(node, [&](NodePtr each) {
                elements += ast::is<ast::Subscript>(each) && ast::print(each->child(0)) == name;
                mentions += ast::is<ast::Identifier>(each) && each->text() == name;
                return false;
            });
            return elements == mentions;
        };
        const NodePtr part = part_.nest->loops.front().statement,
                      rest = rest_.loops.front().statement;
        const auto statements = bodyOf(rest_.loops.front())->children();
        return !ast::anywhere(part, isOther) && !ast::anywhere(rest, isOther) && count(part) &&
               count(rest) &&
               std::ranges::none_of(statements.first(part_.position), [&](NodePtr statement) {
                   return containersIn(statement, rest_, true).contains(name);
               });
    }
    void requireApart(const Containers& containers, const std::set<std::string>& arrays) {
        for (const auto& [name, element] : containers)
            for (const std::string& array : arrays) apart_.containers.emplace(array, name);
    }

    /// Without those that parts fill for the rest.
    std::set<std::string> arraysOf(const Nest& nest, bool written) const {
        std::set<std::string> result;
        for (const Access& access : nest.accesses)
            if (const std::string& name = nest.arrays[access.array].text;
                (access.writes || !written) && !values_.contains(name))
                result.insert(name);
        return result;
    }

    void keepElements() {
        const Loop &loop = part_.nest->loops.front(), &others = rest_.loops.front();
        Names changed = part_.nest->changed();
        changed.merge(rest_.changed());
        analysis::Dependences both({loop.statement, others.statement}, std::move(changed));
        both.space().join(headerOf(others), headerOf(loop));
        for (const Access& read : part_.nest->accesses) {
            const std::string& name = part_.nest->arrays[read.array].text;
            if (values_.contains(name)) continue;
            if (read.writes) fail(read.node, "changes an element with them");
            for (const Access& write : rest_.accesses)
                if (write.writes && rest_.arrays[write.array].text == name && !obstacle_.place)
                    keep(both, read, write);
        }
        for (const std::string& written : arraysOf(rest_, true))
            for (const std::string& name : arraysOf(*part_.nest, false))
                if (name != written) apart_.arrays.insert(std::minmax(name, written));
    }

    void keep(analysis::Dependences& both, const Access& read, const Access& write) {
        using Kind = analysis::Meeting::Kind;
        const bool isShifted = std::ranges::any_of(read.slots, [](const Slot& slot) {
            return slot.index && (slot.shift || slot.distance);
        });
        const analysis::Meeting met =
            both.meeting(read.node, write.node, headerOf(part_.nest->loops.front()));
        const bool isBefore = met.kind == Kind::Never ||
                              (met.kind == Kind::SameIteration && isBehindValue(write)) ||
                              (met.kind == Kind::Distance && met.distance > 0);
        if (isShifted || !isBefore)
            fail(write.node, "perhaps changes an element that a later one reads");
    }
    bool isBehindValue(const Access& write) const {
        const auto statements = bodyOf(rest_.loops.front())->children();
        for (size_t k = part_.position; k < statements.size(); ++k)
            if (isInside(statements[k], write.node)) return true;
        return false;
    }

    Context& context_;
    const EarlyPart& part_;
    const Nest& rest_;
    const std::set<std::string>& values_;
    ApartInParts& apart_;
    Obstacle obstacle_;
};

}  // namespace

Obstacle obstacleToParting(Context& context, const EarlyPart& part, const Nest& rest,
                           const std::set<std::string>& values, ApartInParts& apart) {
    return Parting(context, part, rest, values, apart).run();
}

}  // namespace hpcc::nests
