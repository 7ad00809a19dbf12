// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/writing.hpp"

#include <algorithm>

#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "regions/collecting.hpp"
#include "regions/flat_rows.hpp"
#include "regions/numbers.hpp"
#include "regions/parts.hpp"
#include "regions/results.hpp"
#include "regions/single.hpp"

namespace hpcc::regions {
namespace {

using diagnostics::Id;

class Writer {
public:
    Writer(const Method& method, const ast::Unit& unit, Edits& edits, diagnostics::Engine& engine)
        : method_(method), unit_(unit), edits_(edits), engine_(engine) {}

    void write() {
        if (method_.divisions.empty() && method_.singles.empty()) return;
        const std::string name = isIdentifier(method_.name) ? std::string(method_.name) : "hp";
        object_ = fresh(name + "_method");
        parts_ = Parts(object_);
        range_ = fresh(name + "_range");
        for (const DividedArray* each : method_.used)
            parts_.add(each, fresh(each->symbol->name + "_part"));
        const NodePtr body = method_.statement;
        if (method_.isLoop()) return loop(body);
        edits_.behind(behindWidths(method_.arrays, body), " " + entry());
        statements(body);
        const NodePtr last = body->children().empty() ? nullptr : body->children().back();
        if (!ast::is<ast::Return>(last) && !ast::is<ast::Throw>(last))
            edits_.before(body->span().end - 1, completeParameters());
    }

private:
    // A loop that is marked outside of methods has all of that for itself.
    void loop(NodePtr marked) {
        edits_.before(marked->span().begin, "{ " + entry());
        statement(marked, true);
        edits_.behind(marked->span().end, " " + completeParameters() + "}");
    }

    static bool isIdentifier(std::string_view name) {
        return std::ranges::all_of(name, [](char c) { return std::isalnum(c) || c == '_'; });
    }

    std::string fresh(std::string name) const { return freshName(std::move(name), unit_); }

    // ---- arrays --------------------------------------------------------------------------------

    std::string entry() const {
        std::string elements, arrays, others, views;
        std::set<std::string> names;
        for (const auto& [loop, division] : method_.divisions)
            for (const auto& [name, place] : division.body.others) names.insert(name);
        for (const std::string& name : names)
            others += (others.empty() ? "" : ", ") +
                      libraryCall(method_.isScattered(name) ? "scattered" : "other", name);
        for (const auto& [symbol, each] : method_.arrays) {
            if (each.isLocal()) continue;
            if (each.isPointer())
                elements += "const hpspmd::detail::Elements<" + each.element + "> " +
                            Parts::source(each) + "(" + symbol->name + ", " + each.size + "); ";
            const bool isOnlyRead = method_.isOnlyRead(each);
            std::string& list = isOnlyRead ? others : arrays;
            list += (list.empty() ? "" : ", ") + Parts::reached(each, isOnlyRead);
            if (method_.used.contains(&each)) views += declared(each);
        }
        const std::string type = method_.isLoop() ? "Adlib::DividedLoop " : "detail::Method ";
        return elements + "const hpspmd::" + type + object_ + "(\"" + std::string(method_.name) +
               "\", {" + arrays + "}, {" + others + "}, " + std::to_string(method_.widest()) +
               Parts::dealt(method_.format, method_.isStrategy, method_.multiple,
                            method_.further) +
               "); " + ranges() + views + scatters();
    }

    std::string rangeOf(std::size_t k) const {
        return k == 0 ? range_ : fresh(range_ + "_" + std::to_string(k));
    }
    std::string ranges() const {
        std::string text;
        for (std::size_t k = 0; k <= method_.further; ++k)
            text += "const hpspmd::Range " + rangeOf(k) + " = " + object_ + ".range(" +
                    (k == 0 ? "" : std::to_string(k)) + "); ";
        return text;
    }

    // What is scattered, as it was before; nothing where loops do that for themselves.
    std::string scatters() const {
        std::string text;
        for (const Symbol* each : method_.mergedAtReturn) text += scatter(*each);
        return text;
    }
    std::string scatter(const Symbol& symbol) const {
        return "hpspmd::detail::Scattered " + changes(symbol) + "(" + object_ + ", " + symbol.name +
               "); ";
    }
    std::string changes(const Symbol& symbol) const { return fresh(symbol.name + "_changes"); }

    // Rows that nobody changes are read where they are.
    std::string declared(const DividedArray& array) const {
        return array.isInPlace() && !isChanged(&array) ? "" : parts_.declared(array);
    }

    bool isChanged(const DividedArray* array) const { return method_.changed.contains(array); }

    std::string completeParameters() const {
        std::string text;
        for (const DividedArray* each : method_.changed)
            if (!each->isLocal()) text += parts_.complete(each);
        return text + merges();
    }
    std::string merges() const {
        std::string text;
        for (const Symbol* each : method_.mergedAtReturn) text += changes(*each) + ".merge(); ";
        return text;
    }

    // ---- statements ----------------------------------------------------------------------------

    void statements(NodePtr block) {
        for (const NodePtr each : block->children()) statement(each, true);
    }

    void statement(NodePtr node, bool isInBlock) {
        if (!node) return;
        const auto found = method_.divisions.find(node);
        if (found != method_.divisions.end()) return nest(found->second);
        if (node->is<ast::Attributed>()) return attributed(node, isInBlock);
        const bool mayReturn =
            (node->is<ast::If>() || node->is<ast::Compound>() || node->is<ast::On>()) &&
            mentionedIn(node, method_.arrays).returns;
        if (!method_.isDivided(node) && !mayReturn) return plain(node, isInBlock);
        switch (node->kind()) {
        case ast::Kind::Compound:
            return statements(node);
        case ast::Kind::If:
            around(node, before(mentionedIn(node->child(ast::If::condition), method_.arrays)), "",
                   isInBlock);
            statement(node->child(ast::If::then), false);
            return statement(node->child(ast::If::otherwise), false);
        case ast::Kind::For:
            return repeated(node, node->child(ast::For::body));
        case ast::Kind::On:
            return statement(node->child(ast::On::body), false);
        case ast::Kind::While:
            return repeated(node, node->child(ast::While::body));
        default:
            return repeated(node, node->child(ast::DoWhile::body));
        }
    }

    void repeated(NodePtr loop, NodePtr body) {
        loops_.push_back(loop);
        statement(body, false);
        loops_.pop_back();
    }

    void around(NodePtr node, std::string before, std::string behind, bool isInBlock) {
        if (before.empty() && behind.empty()) return;
        const bool needsBraces = !isInBlock;
        edits_.before(node->span().begin, (needsBraces ? "{ " : "") + before);
        edits_.behind(node->span().end,
                      (behind.empty() ? "" : " " + behind) + (needsBraces ? " }" : ""));
    }

    // What must be whole before a statement of that kind.
    std::string before(const Mentioned& mentioned) const {
        std::string text;
        for (const DividedArray* each : neededBy(method_, mentioned)) text += parts_.complete(each);
        return mentioned.returns ? text + merges() : text;
    }

    // The elements that a single statement reads, each from its owner; nothing if there are many,
    // or where they stand is not known before.
    std::optional<std::string> fetched(NodePtr node, const Mentioned& mentioned) const {
        const bool isSingle = node->is<ast::ExpressionStatement>() || node->is<ast::Declaration>();
        constexpr std::size_t most = 4;
        if (!isSingle || !mentioned.wholes.empty() || mentioned.callsOthers ||
            mentioned.reads.size() > most)
            return std::nullopt;
        std::string text;
        for (const NodePtr each : mentioned.reads) {
            const auto access = accessOf(each, method_.arrays);
            if (!access || !isChanged(access->array)) continue;
            const NodePtr place = access->subscript();
            if (!place || access->array->isInBlocks() || !ast::isPure(place) || ast::effectsOf(node).touches(ast::namesIn(place)))
                return std::nullopt;
            text += parts_.fetch(access->array, access->array->location(place->text()));
        }
        return text;
    }

    // Its memory may become another one: a container that grows.
    bool isMade(const DividedArray& array) const {
        return !array.isPointer() && !array.isConst() && !declared(array).empty();
    }

    void plain(NodePtr node, bool isInBlock) {
        if (const auto pair = swapped(node, method_.arrays);
            pair && method_.used.contains(pair->first) && !declared(*pair->first).empty())
            return around(node, "", parts_.swapped(pair->first, pair->second), isInBlock);
        const Mentioned mentioned = mentionedIn(node, method_.arrays);
        std::string behind;
        for (const Symbol* symbol : mentioned.wholes)
            if (const DividedArray* array = method_.array(symbol);
                array && isMade(*array) && !mentioned.returns)
                behind += parts_.name(array) + " = " + parts_.made(*array) + "; ";
        const auto elements = fetched(node, mentioned);
        if (!elements) tellCollected(method_, node, loops_, engine_);
        around(node, elements ? *elements : before(mentioned), behind, isInBlock);
    }

    void attributed(NodePtr node, bool isInBlock) {
        const NodePtr statement = node->child(ast::Attributed::declaration);
        if (method_.lines.contains(node)) return singleLine(node, method_.lines.at(node));
        if (method_.singles.contains(node)) return single(attributedNode(node));
        if (attributeOf(node, "dist") && ast::is<ast::Declaration>(statement)) {
            plain(statement, isInBlock);
            for (const DividedArray* each : method_.used)
                if (each->declaration == statement)
                    edits_.behind(statement->span().end, " " + declared(*each));
            return;
        }
        this->statement(statement, isInBlock);
        if (attributeOf(node, "sync")) synchronize(statement);
    }

    // [[hpspmd::sync]] S: what S has changed is fetched for all loops that read it.
    void synchronize(NodePtr statement) {
        std::string text;
        for (const DividedArray* array : method_.changedIn(statement)) {
            const auto [view, isWhole] = method_.seen(array);
            if (isWhole)
                text += parts_.complete(array);
            else if (view != std::pair<long, long>())
                text += parts_.refresh(array, view);
        }
        if (text.empty()) return;
        edits_.before(statement->span().begin, "{ ");
        edits_.behind(statement->span().end, " " + text + "}");
    }

    // The first process runs the statement, and tells the numbers that it has changed.
    void single(NodePtr statement) {
        std::string told;
        for (const std::string& name : toldBySingle(statement, nullptr, method_.arrays, engine_))
            told += libraryCall("tell", name) + "; ";
        edits_.before(statement->span().begin, "{ " +
                                                   before(mentionedIn(statement, method_.arrays)) +
                                                   "if (" + object_ + ".isFirst()) ");
        edits_.behind(statement->span().end, " " + told + "}");
    }

    // The process that holds the line runs the statement, and tells the numbers and the line.
    void singleLine(NodePtr attributed, const Told& line) {
        const NodePtr statement = attributedNode(attributed);
        Mentioned mentioned = mentionedIn(statement, method_.arrays);
        const bool isElsewhere = std::ranges::any_of(mentioned.reads, [&](NodePtr each) {
            return accessOf(each, method_.arrays)->array == line.array &&
                   !line.holds(each, method_.arrays);
        });
        if (!isElsewhere) mentioned.elements.erase(line.array->symbol);
        std::string told;
        for (const std::string& name : toldBySingle(statement, &line, method_.arrays, engine_))
            told += (told.empty() ? "" : ", ") + name;
        edits_.before(statement->span().begin,
                      "{ " + before(mentioned) + parts_.heldBy(line.place));
        edits_.behind(statement->span().end,
                      " " + parts_.toldLine(line.array, line.place, told) + "}");
    }

    // ---- loops ---------------------------------------------------------------------------------

    void nest(const Division& division) {
        std::string entry = before(mentionedIn(division.counting.first, method_.arrays)) +
                            before(mentionedIn(division.counting.bound, method_.arrays)),
                    exit;
        fetch(division, entry);
        combine(division, entry, exit);
        for (const auto& [symbol, place] : division.body.scattered) {
            if (method_.mergedAtReturn.contains(symbol)) continue;
            entry += scatter(*symbol);
            exit += changes(*symbol) + ".merge(); ";
        }
        const NodePtr loop = division.loop,
                      body = division.innermost().loop->child(ast::For::body);
        const Triplet triplet =
            tripletOf(division, unit_, entry, [](NodePtr node) { return bound(node); });
        for (std::size_t k = 0; k < division.further.size(); ++k) {
            // An attribute of a nest in a nest stands in a block.
            if (division.further[k].isAsserted())
                edits_.before(division.further[k].loop->span().begin, "{ ");
            head(division.further[k], rangeOf(k + 1),
                 tripletOf(division.further[k], unit_, entry,
                           [&](NodePtr node) { return bound(node, inside(node, division)); }));
        }
        edits_.before(loop->span().begin, "{ " + entry);
        head(division, range_, triplet);
        std::string counters = begun(division);
        for (const Symbol* each : division.body.counters)
            counters += each->type->spelled + " " + each->name + "; ";
        if (!counters.empty()) edits_.before(body->span().begin, "{ " + counters);
        write(body, division);
        takeValues(division);
        for (const DividedArray* array : division.changed)
            exit += parts_.changed(array, division.isInPlace(array), lines(division, triplet));
        if (!counters.empty()) edits_.behind(body->span().end, " }");
        for (const Division& each : division.further)
            if (each.isAsserted()) edits_.behind(each.loop->span().end, " }");
        edits_.behind(loop->span().end, " " + exit + "}");
    }

    void head(const Division& division, const std::string& range, const Triplet& triplet) {
        const NodePtr loop = division.loop;
        edits_.replace(headOf(loop), nestHead(division, range, triplet));
    }

    // What other processes have that a loop reads.
    void fetch(const Division& division, std::string& entry) const {
        for (const auto& [array, view] : division.views)
            if (isFetched(division, array) && !array->isInBlocks())
                entry += parts_.refresh(array, view, division.named.contains(array));
        for (const auto& [array, views] : blocksOf(division)) {
            if (!isFetched(division, array)) continue;
            entry += parts_.refresh(array, views, method_.isReadAslant(array),
                                    division.named.contains(array));
        }
        for (const DividedArray* array : division.whole)
            if (isChanged(array)) entry += parts_.complete(array);
        for (const auto& [array, locations] : division.lines)
            if (isFetched(division, array))
                for (const std::string& location : locations)
                    entry += parts_.fetch(array, location);
    }
    bool isFetched(const Division& division, const DividedArray* array) const {
        return isChanged(array) && !division.whole.contains(array);
    }
    static std::map<const DividedArray*, Parts::Views> blocksOf(const Division& division) {
        std::map<const DividedArray*, Parts::Views> blocks;
        for (const auto& [array, view] : division.views)
            if (array->isInBlocks()) blocks[array][array->dimension] = view;
        for (std::size_t k = 0; k < division.further.size(); ++k)
            for (const auto& [array, view] : division.further[k].views)
                blocks[array][array->further[k]] = view;
        return blocks;
    }

    // A text inside of the nest: its variables are indices there.
    std::string inside(NodePtr node, const Division& division) const {
        const uint32_t begin = node->span().begin;
        std::string text(node->text());
        std::map<uint32_t, NodePtr> names;
        for (const NodePtr each : ast::allOf<ast::Identifier>(node)) names[each->span().begin] = each;
        for (auto each = names.rbegin(); each != names.rend(); ++each)
            if (const Division* loop = loopOf(each->second, division))
                text.replace(each->first - begin, each->second->text().size(), value(*loop));
        return text;
    }
    static const Division* loopOf(NodePtr name, const Division& division) {
        if (name->symbol == division.variable()) return &division;
        for (const Division& each : division.further)
            if (name->symbol == each.variable()) return &each;
        return nullptr;
    }

    void combine(const Division& division, std::string& entry, std::string& exit) const {
        for (const auto& [symbol, combined] : division.body.combined) {
            const Results results(*symbol, combined, method_, isNew(*symbol));
            entry += results.start(object_);
            exit += results.join(object_);
        }
    }

    // Has a process found anything yet?
    std::string isNew(const Symbol& symbol) const { return fresh(symbol.name + "_is_new"); }

    // At the beginning of an iteration.
    std::string begun(const Division& division) const {
        std::string text;
        for (const auto& [symbol, combined] : division.body.combined)
            if (combined.isFree) text += isNew(*symbol) + " = false; ";
        return text;
    }

    // v = f(v, e)
    void takeValues(const Division& division) {
        for (const auto& [symbol, combined] : division.body.combined)
            for (const Combined::Taken& each : combined.taken)
                edits_.replace(
                    {each.assign->span().text, each.assign->span().begin, each.value->span().begin},
                    Results(*symbol, combined, method_, isNew(*symbol)).take());
    }

    void write(NodePtr node, const Division& division) {
        if (!node) return;
        if (node->is<ast::Identifier>())
            if (const Division* loop = loopOf(node, division))
                return edits_.replace(node->span(), value(*loop));
        const auto access = std::ranges::find(division.body.accesses, node, &Access::node);
        if (access == division.body.accesses.end()) {
            for (const NodePtr child : node->children()) write(child, division);
            return;
        }
        const auto indices = indicesOf(*access, division);
        if (!indices.empty()) writePart(*access, indices);
        for (const NodePtr each : access->subscripts())
            if (!indices.contains(each)) write(each, division);
    }

    // The subscripts of an element of the part, as they are written there; none if it is no such.
    static std::map<NodePtr, std::string> indicesOf(const Access& access,
                                                    const Division& division) {
        if (division.isInPlace(access.array)) return {};
        const std::vector<NodePtr> subscripts = access.subscripts();
        std::map<NodePtr, std::string> indices;
        for (std::size_t k = 0; k <= division.further.size(); ++k) {
            const Division& loop = k == 0 ? division : division.further[k - 1];
            const int r = k == 0 ? access.array->dimension : access.array->further[k - 1];
            const NodePtr subscript = subscripts[static_cast<std::size_t>(r)];
            const auto shift = shiftOf(subscript, loop.variable());
            if (!shift) return {};
            indices[subscript] = shifted(loop.variable()->name, *shift - loop.anchor);
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

    const Method& method_;
    const ast::Unit& unit_;
    Edits& edits_;
    diagnostics::Engine& engine_;
    std::string object_, range_;
    std::vector<NodePtr> loops_;  // round the statement
    Parts parts_;
};

}  // namespace

void writeMethod(const Method& method, const ast::Unit& unit, Edits& edits,
                 diagnostics::Engine& engine) {
    Writer(method, unit, edits, engine).write();
}

}  // namespace hpcc::regions
