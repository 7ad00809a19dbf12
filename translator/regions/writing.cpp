// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/writing.hpp"

#include <algorithm>

#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "regions/collecting.hpp"
#include "regions/flat_rows.hpp"
#include "regions/instances.hpp"
#include "regions/nest_writing.hpp"
#include "regions/numbers.hpp"
#include "regions/parts.hpp"
#include "regions/single.hpp"
#include "source/name.hpp"

namespace hpcc::regions {
namespace {

using diagnostics::Id;

class MethodWriter {
public:
    MethodWriter(const Method& method, const ast::Unit& unit, Edits& edits,
                 diagnostics::Engine& engine)
        : method_(method), unit_(unit), edits_(edits), engine_(engine) {}

    void write(const Instances& instances) {
        edits_.before(method_.statement->span().begin, instances.before);
        writeNumbers();
        edits_.behind(method_.statement->span().end, instances.behind);
    }

private:
    void writeNumbers() {
        const std::string name = source::isName(method_.name) ? std::string(method_.name) : "hp";
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

    // A loop that is marked outside of methods has all of that for itself.
    void loop(NodePtr marked) {
        edits_.before(marked->span().begin, "{ " + entry());
        statement(marked, true);
        edits_.behind(marked->span().end, " " + completeParameters() + "}");
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
        return assertedNumbers(method_) + elements + "const hpspmd::" + type + object_ + "(\"" +
               std::string(method_.name) + "\", {" + arrays + "}, {" + others + "}, " +
               std::to_string(method_.widest()) + dealt() + "); " + ranges() + views + scatters();
    }

    std::string dealt() const {
        const auto& all = method_.divisions;
        const bool isOne = method_.isLoop() && method_.multiple == 1 && all.size() == 1 &&
                           all.begin()->first == attributedNode(method_.statement);
        const std::string lines = isOne ? linesAtEntry(all.begin()->second, unit_) : "";
        if (!lines.empty()) return ", " + lines;
        return Parts::dealt(method_.format, method_.isStrategy, method_.multiple, method_.further);
    }
    std::string ranges() const {
        std::string text;
        for (std::size_t k = 0; k <= method_.further; ++k)
            text += "const hpspmd::Range " + rangeName(range_, k, unit_) + " = " + object_ +
                    ".range(" + (k == 0 ? "" : std::to_string(k)) + "); ";
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
        ArraySet parameters;
        for (const DividedArray* each : method_.changed)
            if (!each->isLocal()) parameters.insert(each);
        return parts_.refreshTogether({}, parameters) + merges();
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
        const std::string text = parts_.refreshTogether({}, neededBy(method_, mentioned));
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
            if (!place || access->array->isInBlocks() || !ast::isPure(place) ||
                ast::effectsOf(node).touches(ast::namesIn(place)))
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
        if (const auto sync = attributeOf(node, "sync")) synchronize(*sync, attributedNode(node));
    }

    // [[hpspmd::sync]] S: what S has changed is fetched for all loops that read it; `sync(a, b)`:
    // these arrays are.
    void synchronize(const Attribute& sync, NodePtr statement) {
        ArraySet arrays;
        for (const std::string_view name : parts(sync.arguments))
            arrays.insert(method_.arrayNamed(name));
        if (arrays.empty()) arrays = method_.changedIn(statement);
        ArrayMap<std::pair<long, long>> views;
        ArraySet wholes;
        for (const DividedArray* array : arrays) {
            if (!isChanged(array)) continue;
            const auto [view, isWhole] = method_.seen(array);
            if (isWhole)
                wholes.insert(array);
            else if (view != std::pair<long, long>())
                views[array] = view;
        }
        const std::string text = parts_.refreshTogether(views, wholes);
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
        const bool isInBlocks = line.array->isInBlocks();  // several processes have the line
        if (isInBlocks) {
            tellCollected(method_, statement, loops_, engine_);
            mentioned.elements.insert(line.array->symbol);
        } else if (!isElsewhere) {
            mentioned.elements.erase(line.array->symbol);
        }
        std::string told;
        for (const std::string& name : toldBySingle(statement, &line, method_.arrays, engine_))
            told += (told.empty() ? "" : ", ") + name;
        edits_.before(statement->span().begin, "{ " + before(mentioned) +
                                                   (isInBlocks ? "if (" + object_ + ".isFirst()) "
                                                               : parts_.heldBy(line.place)));
        edits_.behind(statement->span().end,
                      " " + parts_.toldLine(line.array, line.place, told) + "}");
    }

    // ---- loops ---------------------------------------------------------------------------------

    void nest(const Division& division) {
        std::string entry = before(mentionedIn(division.counting.first, method_.arrays)) +
                            before(mentionedIn(division.counting.bound, method_.arrays)),
                    exit;
        for (const auto& [symbol, place] : division.body.scattered) {
            if (method_.mergedAtReturn.contains(symbol)) continue;
            entry += scatter(*symbol);
            exit += changes(*symbol) + ".merge(); ";
        }
        writeNest(division, method_, parts_, unit_, {object_, range_}, edits_, entry, exit);
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

void writeMethod(const Method& method, const ast::Unit& unit, const Edits& written, Edits& edits,
                 diagnostics::Engine& engine) {
    if (method.divisions.empty() && method.singles.empty()) return;
    MethodWriter(method, unit, edits, engine).write(instancesOf(method, written, engine));
}

}  // namespace hpcc::regions
