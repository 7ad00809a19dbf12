// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/nest_writing.hpp"

#include <algorithm>

#include "ast/search.hpp"
#include "regions/numbers.hpp"
#include "regions/promises.hpp"
#include "regions/results.hpp"

namespace hpcc::regions {
namespace {

class NestWriter {
public:
    NestWriter(const Division& division, const Method& method, const Parts& parts,
               const ast::Unit& unit, const MethodNames& names, Edits& edits)
        : division_(division),
          method_(method),
          parts_(parts),
          unit_(unit),
          names_(names),
          edits_(edits) {}

    void write(std::string entry, std::string exit) {
        const NodePtr loop = division_.loop,
                      body = division_.innermost().loop->child(ast::For::body);
        entry += fetched();
        entry += results(&Results::start);
        const Triplet triplet =
            tripletOf(division_, unit_, entry, [](NodePtr node) { return bound(node); });
        for (std::size_t k = 1; k <= division_.further.size(); ++k) headInside(k, entry);
        entry += attributes();
        edits_.before(loop->span().begin, "{ " + entry);
        edits_.replace(headOf(loop), nestHead(division_, names_.range, triplet));
        const std::string first = begun();
        if (!first.empty()) edits_.before(body->span().begin, "{ " + first);
        write(body);
        takeValues();
        if (!first.empty()) edits_.behind(body->span().end, " }");
        rows();
        edits_.behind(loop->span().end, " " + exit + changed(triplet) + "}");
    }

private:
    // What the variables that reduce names need at a place.
    std::string results(std::string (Results::*text)() const) const {
        std::string all;
        for (const auto& each : division_.body.combined) all += (resultsOf(each).*text)();
        return all;
    }
    Results resultsOf(const std::pair<const Symbol* const, Combined>& combined) const {
        return {combined, method_, division_, unit_, names_};
    }

    // Around the innermost loop.
    void rows() {
        const std::string row = results(&Results::row);
        if (row.empty()) return;
        const source::Span loop = division_.innermost().loop->span();
        edits_.before(loop.begin, "{ " + row);
        edits_.behind(loop.end, " }");
    }

    std::string changed(const Triplet& triplet) const {
        std::string text = results(&Results::join);
        for (const DividedArray* array : division_.changed)
            text += parts_.changed(array, division_.isInPlace(array), lines(division_, triplet));
        return text;
    }

    std::string attributes() const {
        std::string text;
        const auto add = [&text](const std::string& attribute) {
            text += (text.empty() ? "hpspmd::" : ", hpspmd::") + attribute;
        };
        if (division_.isAsserted()) add("independent");
        if (mayUseThreads()) add("divided(" + names_.object + ")");
        const std::string promises = promisesOf(division_, method_, names_.object);
        if (!promises.empty()) add("promised(" + promises + ")");
        return text.empty() ? "" : "[[" + text + "]] ";
    }

    // Later stages do not know the memory behind names, of which iterations are known here to
    // change each its own.
    bool mayUseThreads() const {
        const Body& body = division_.body;
        const bool areNumbers = std::ranges::all_of(body.combined, [](const auto& each) {
            return !each.second.isFree && isNumber(each.first->type);
        });
        const bool isForeign =
            !body.others.empty() || !body.scattered.empty() ||
            std::ranges::any_of(body.accesses, [this](const Access& access) {
                return division_.isInPlace(access.array) || indicesOf(access).empty();
            });
        return areNumbers && isForeign;
    }

    // ---- what other processes have that it reads -----------------------------------------------

    std::string fetched() const {
        std::string text;
        for (const auto& [array, view] : division_.views)
            if (isFetched(array) && !array->isInBlocks())
                text += parts_.refresh(array, view, division_.named.contains(array));
        for (const auto& [array, views] : blocks())
            if (isFetched(array))
                text += parts_.refresh(array, views, method_.isReadAslant(array),
                                       division_.named.contains(array));
        ArraySet wholes;
        for (const DividedArray* array : division_.whole)
            if (method_.changed.contains(array)) wholes.insert(array);
        text += parts_.refreshTogether({}, wholes);
        for (const auto& [array, locations] : division_.lines)
            if (isFetched(array))
                for (const std::string& location : locations) text += parts_.fetch(array, location);
        return text;
    }
    bool isFetched(const DividedArray* array) const {
        return method_.changed.contains(array) && !division_.whole.contains(array);
    }
    ArrayMap<Parts::Views> blocks() const {
        ArrayMap<Parts::Views> blocks;
        for (std::size_t k = 0; k <= division_.further.size(); ++k)
            for (const auto& [array, view] : division_.at(k).views)
                if (array->isInBlocks()) blocks[array][array->divided(k)] = view;
        return blocks;
    }

    // ---- the loops -----------------------------------------------------------------------------

    void headInside(std::size_t k, std::string& entry) {
        const Division& division = division_.at(k);
        const Triplet triplet = tripletOf(division, unit_, entry,
                                          [&](NodePtr node) { return bound(node, inside(node)); });
        edits_.replace(headOf(division.loop),
                       nestHead(division, rangeName(names_.range, k, unit_), triplet));
    }

    // A text in the nest, whose variables are indices.
    std::string inside(NodePtr node) const {
        std::string text(node->text());
        std::map<uint32_t, NodePtr> names;
        for (const NodePtr each : ast::allOf<ast::Identifier>(node))
            names[each->span().begin - node->span().begin] = each;
        for (auto each = names.rbegin(); each != names.rend(); ++each)
            if (const Division* loop = loopOf(each->second))
                text.replace(each->first, each->second->text().size(), value(*loop));
        return text;
    }
    const Division* loopOf(NodePtr name) const {
        for (std::size_t k = 0; k <= division_.further.size(); ++k)
            if (name->symbol == division_.at(k).variable()) return &division_.at(k);
        return nullptr;
    }

    // At the beginning of an iteration.
    std::string begun() const {
        std::string text = results(&Results::begun);
        for (const Symbol* each : division_.body.counters)
            text += each->type->spelled + " " + each->name + "; ";
        return text;
    }

    // v = f(v, e)
    void takeValues() {
        for (const auto& combined : division_.body.combined)
            for (const Combined::Taken& each : combined.second.taken)
                edits_.replace(
                    {each.assign->span().text, each.assign->span().begin, each.value->span().begin},
                    resultsOf(combined).take());
    }

    // ---- the body ------------------------------------------------------------------------------

    void write(NodePtr node) {
        if (!node) return;
        if (node->is<ast::Identifier>())
            if (const Division* loop = loopOf(node))
                return edits_.replace(node->span(), value(*loop));
        const auto access = std::ranges::find(division_.body.accesses, node, &Access::node);
        if (access == division_.body.accesses.end()) {
            for (const NodePtr child : node->children()) write(child);
            return;
        }
        const auto indices = indicesOf(*access);
        if (!indices.empty()) writePart(*access, indices);
        for (const NodePtr each : access->subscripts())
            if (!indices.contains(each)) write(each);
    }

    // The subscripts of an element of the part, as they are written there; none if it is no such.
    std::map<NodePtr, std::string> indicesOf(const Access& access) const {
        if (division_.isInPlace(access.array)) return {};
        const std::vector<NodePtr> subscripts = access.subscripts();
        std::map<NodePtr, std::string> indices;
        for (std::size_t k = 0; k <= division_.further.size(); ++k) {
            const Division& loop = division_.at(k);
            const auto r = static_cast<std::size_t>(access.array->divided(k));
            const auto shift = shiftOf(subscripts[r], loop.variable());
            if (!shift) return {};
            indices[subscripts[r]] = shifted(loop.variable()->name, *shift - loop.anchor);
        }
        return indices;
    }

    // a[i][j] is a_part[i, j]
    void writePart(const Access& access, const std::map<NodePtr, std::string>& indices) {
        const NodePtr first = access.first();
        edits_.replace(first->child(ast::Subscript::base)->span(), parts_.name(access.array));
        for (const auto& [subscript, index] : indices) edits_.replace(subscript->span(), index);
        const std::vector<NodePtr> all = access.subscripts();
        for (std::size_t r = 1; access.array->isNested && r < all.size(); ++r)
            edits_.replace({first->span().text, all[r - 1]->span().end, all[r]->span().begin},
                           ", ");
    }

    const Division& division_;
    const Method& method_;
    const Parts& parts_;
    const ast::Unit& unit_;
    const MethodNames& names_;
    Edits& edits_;
};

}  // namespace

std::string rangeName(const std::string& range, std::size_t k, const ast::Unit& unit) {
    return k == 0 ? range : freshName(range + "_" + std::to_string(k), unit);
}

void writeNest(const Division& division, const Method& method, const Parts& parts,
               const ast::Unit& unit, const MethodNames& names, Edits& edits, std::string entry,
               std::string exit) {
    NestWriter(division, method, parts, unit, names, edits)
        .write(std::move(entry), std::move(exit));
}

}  // namespace hpcc::regions
