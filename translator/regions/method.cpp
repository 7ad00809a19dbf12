// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/method.hpp"

#include <algorithm>
#include <numeric>

#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "regions/flat_rows.hpp"

namespace hpcc::regions {
namespace {

using analysis::bare;
using diagnostics::Id;

std::set<const Symbol*> all(const Mentioned& mentioned) {
    std::set<const Symbol*> symbols = mentioned.elements;
    symbols.insert(mentioned.wholes.begin(), mentioned.wholes.end());
    symbols.insert(mentioned.written.begin(), mentioned.written.end());
    return symbols;
}

// Finds where an array, or one of its elements, gets a second name.
class OtherNames {
public:
    explicit OtherNames(const Arrays& arrays) : arrays_(arrays) {}

    NodePtr place = nullptr;
    std::string name;

    void search(NodePtr node) {
        if (!node || place) return;
        if (node->is<ast::Lambda>()) take(node, node);
        if (node->is<ast::Unary>() && node->child(ast::Unary::op)->text() == "&") take(node, node);
        if (node->is<ast::InitDeclarator>()) declared(node);
        if (node->is<ast::Assign>()) assigned(node);
        for (const NodePtr child : node->children()) search(child);
    }

private:
    void take(NodePtr node, NodePtr at) {
        const auto symbols = all(mentionedIn(node, arrays_));
        if (symbols.empty() || place) return;
        place = at;
        name = (*symbols.begin())->name;
    }

    // Numbers and containers have a memory of their own.
    static bool isCopy(const ast::Type* type) {
        if (!type || type->isReference) return false;
        if (isNumber(type)) return true;
        return isContiguous(type) && type->classSymbol->name != "span";
    }

    void declared(NodePtr declarator) {
        const NodePtr name = ast::declaredName(declarator->child(ast::InitDeclarator::declarator));
        const ast::Type* type = name && name->symbol ? name->symbol->type : nullptr;
        const NodePtr initializer = declarator->child(ast::InitDeclarator::initializer);
        if (!isCopy(type)) take(initializer, declarator);
    }
    void assigned(NodePtr assign) {
        const ast::Type* type = bare(assign->child(ast::Assign::target))->type;
        ast::Type value = type ? *type : ast::Type();
        value.isReference = false;
        if (!isCopy(&value)) take(assign->child(ast::Assign::value), assign);
    }

    const Arrays& arrays_;
};

class Planner {
public:
    Planner(Method& method, diagnostics::Engine& engine) : method_(method), engine_(engine) {}

    void plan(NodePtr attributes) {
        const NodePtr body = method_.function->child(ast::FunctionDefinition::body);
        for (const auto& [symbol, array] : method_.arrays) {
            if (!array.format.empty() && !method_.format.empty() && array.format != method_.format)
                engine_.report(Id::AttributeArgument, array.declaration->span(), "dist",
                               array.format, "the arrays of a method have one format");
            if (!array.format.empty()) method_.format = array.format;
        }
        if (method_.format == "BlockRange") method_.format.clear();
        others_.search(body);
        Operations operations;
        if (attributes) combineResult(attributes, body, operations);
        if (engine_.hasErrors()) return;
        plan(body, operations, false);
        for (const auto& [loop, division] : method_.divisions) {
            for (const Access& access : division.body.accesses) method_.used.insert(access.array);
            method_.changed.insert(division.changed.begin(), division.changed.end());
        }
        for (std::size_t k = 0; k < method_.arrays.size(); ++k) joinSwapped(body);
    }

private:
    // [[hpspmd::reduce(+)]] double f(..): the number that it returns.
    void combineResult(NodePtr attributes, NodePtr body, Operations& operations) {
        const auto reduce = attributeOf(attributes, "reduce");
        const Operation* operation = reduce ? operationOf(reduce->arguments) : nullptr;
        if (!operation) return;
        collectResults(body, operation, operations);
        if (operations.empty() || isUnfit_)
            engine_.report(Id::MethodResult, reduce->node->span(), reduce->arguments, method_.name);
    }
    void collectResults(NodePtr node, const Operation* operation, Operations& operations) {
        if (!node || node->is<ast::Lambda>()) return;
        if (node->is<ast::Return>()) {
            const NodePtr value = bare(node->child(ast::Return::value));
            const Symbol* symbol = value ? value->symbol : nullptr;
            const bool isLocal = ast::is<ast::Identifier>(value) && symbol &&
                                 symbol->kind == ast::SymbolKind::Variable && symbol->declaration &&
                                 isNumber(symbol->type) && !symbol->type->isReference;
            if (isLocal)
                operations[symbol] = operation;
            else
                isUnfit_ = true;
        }
        for (const NodePtr child : node->children()) collectResults(child, operation, operations);
    }

    // True if a loop in it is divided.
    bool plan(NodePtr node, const Operations& operations, bool isPromised) {
        if (!node) return false;
        switch (node->kind()) {
        case ast::Kind::Attributed:
            return attributed(node, operations, isPromised);
        case ast::Kind::Compound:
            return planAll(node->children(), operations);
        case ast::Kind::If: {
            const NodePtr branches[] = {node->child(ast::If::then),
                                        node->child(ast::If::otherwise)};
            if (node->child(ast::If::initializer)) return unplanned(node, operations);
            return planAll(branches, operations);
        }
        case ast::Kind::For:
            return loop(node, operations, isPromised);
        case ast::Kind::On: {
            const NodePtr target = node->child(ast::On::group);
            if (!target->type || target->type->kind != ast::TypeKind::Target ||
                !isPlainHead(target))
                return unplanned(node, operations);
            return plan(node->child(ast::On::body), operations, false);
        }
        case ast::Kind::While:
        case ast::Kind::DoWhile: {
            const bool isWhile = node->is<ast::While>();
            const NodePtr condition =
                node->child(isWhile ? uint32_t{ast::While::condition} : ast::DoWhile::condition);
            if (!isPlainHead(condition)) return unplanned(node, operations);
            return plan(node->child(isWhile ? uint32_t{ast::While::body} : ast::DoWhile::body),
                        operations, false);
        }
        default:
            return unplanned(node, operations);
        }
    }

    bool planAll(std::span<const NodePtr> nodes, const Operations& operations) {
        bool result = false;
        for (const NodePtr node : nodes) result |= plan(node, operations, false);
        return result;
    }

    bool attributed(NodePtr node, Operations operations, bool isPromised) {
        const NodePtr statement = node->child(ast::Attributed::declaration);
        for (const Attribute& each : attributesOf(node)) {
            if (each.name == "single") return single(each, node);
            isPromised |= each.name == "overall";
            if (each.name == "reduce") addOperations(each, statement, operations);
        }
        return plan(statement, operations, isPromised);
    }

    bool single(const Attribute& single, NodePtr attributed) {
        method_.singles.insert(attributed);
        if (single.arguments.empty()) return false;
        const Told told = toldLine(single, attributedNode(attributed), method_.arrays, engine_);
        if (!told.array) return false;
        method_.used.insert(told.array);
        method_.changed.insert(told.array);
        method_.lines.emplace(attributed, told);
        return false;
    }

    void addOperations(const Attribute& reduce, NodePtr statement, Operations& operations) {
        const auto halves = parts(reduce.arguments, ':');
        const Operation* operation = halves.size() == 2 ? operationOf(halves[0]) : nullptr;
        if (!operation) return;
        for (const std::string_view name : parts(halves[1])) {
            const Symbol* symbol = named(name, statement);
            const bool isLocal = symbol && symbol->declaration && isNumber(symbol->type) &&
                                 (symbol->kind == ast::SymbolKind::Variable ||
                                  symbol->kind == ast::SymbolKind::Parameter);
            if (isLocal)
                operations[symbol] = operation;
            else
                engine_.report(Id::AttributeArgument, reduce.node->span(), "reduce", name,
                               "it is no number that the statement names, local or a parameter");
        }
    }

    static const Symbol* named(std::string_view name, NodePtr node) {
        if (!node) return nullptr;
        if (node->is<ast::Identifier>()) return node->text() == name ? node->symbol : nullptr;
        for (const NodePtr child : node->children())
            if (const Symbol* found = named(name, child)) return found;
        return nullptr;
    }

    bool loop(NodePtr node, const Operations& operations, bool isPromised) {
        const Wanted wanted{method_.function, method_.arrays, operations, isPromised};
        auto verdict = decide(node, wanted);
        if (Division* division = std::get_if<Division>(&verdict)) {
            constexpr long most = 1 << 20;
            const long multiple = std::lcm(method_.multiple, division->grouped.step);
            const bool isDealt = multiple == 1 || (multiple <= most && method_.format.empty());
            if (!others_.place && isDealt) {
                method_.multiple = multiple;
                method_.divisions.emplace(node, std::move(*division));
                return true;
            }
            verdict = others_.place
                          ? Whole{others_.place, quoted(others_.name) + " gets another name"}
                          : Whole{node, "the arrays have no blocks at multiples of its step"};
        }
        const NodePtr head[] = {node->child(ast::For::initializer),
                                node->child(ast::For::condition), node->child(ast::For::step)};
        const bool isPlain =
            std::ranges::all_of(head, [&](NodePtr each) { return isPlainHead(each); });
        const NodePtr body = node->child(ast::For::body);
        const std::size_t told = engine_.all().size();
        const bool isDivided = isPlain && plan(body, operations, false);
        if (!isPlain) warnInside(body, operations);
        if (!isDivided && told == engine_.all().size()) tell(node, std::get<Whole>(verdict));
        return isDivided;
    }

    void tell(NodePtr loop, const Whole& whole) {
        if (!whole.place) return;
        engine_
            .report(Id::WholeLoop,
                    source::Span{loop->span().text, loop->span().begin,
                                 loop->child(ast::For::body)->span().begin},
                    whole.reason)
            .note(whole.place->span(), "here");
    }

    bool isPlainHead(NodePtr head) const {
        if (!head) return true;
        const Mentioned mentioned = mentionedIn(head, method_.arrays);
        return all(mentioned).empty() && !mentioned.callsOthers;
    }

    // Loops inside of what is not looked into.
    bool unplanned(NodePtr node, const Operations& operations) {
        warnInside(node, operations);
        return false;
    }
    void warnInside(NodePtr node, const Operations& operations) {
        if (!node || node->is<ast::Lambda>()) return;
        if (const auto single = attributeOf(node, "single"))
            engine_.report(Id::AttributePlace, single->node->span(), "single",
                           "a statement inside of one that is not looked into",
                           "it stands in blocks, conditions and loops");
        if (node->is<ast::For>()) {
            const auto verdict =
                decide(node, {method_.function, method_.arrays, operations, false});
            const Whole* whole = std::get_if<Whole>(&verdict);
            if (!whole) return tell(node, {node, "it stands in a statement that is not divided"});
            if (whole->place) return tell(node, *whole);
        }
        if (node->is<ast::RangeFor>()) {
            const auto symbols =
                all(mentionedIn(node->child(ast::RangeFor::range), method_.arrays));
            if (!symbols.empty())
                engine_.report(Id::WholeLoop, node->child(ast::RangeFor::range)->span(),
                               "only loops that count are divided");
        }
        for (const NodePtr child : node->children()) warnInside(child, operations);
    }

    // What is changed under one name may be read under the other.
    void joinSwapped(NodePtr node) {
        if (!node) return;
        if (const auto pair = swapped(node, method_.arrays)) {
            const DividedArray *const a = pair->first, *const b = pair->second;
            const auto join = [&](std::set<const DividedArray*>& set) {
                if (set.contains(a) || set.contains(b)) set.insert({a, b});
            };
            join(method_.used);
            join(method_.changed);
        }
        for (const NodePtr child : node->children()) joinSwapped(child);
    }

    Method& method_;
    diagnostics::Engine& engine_;
    OtherNames others_{method_.arrays};
    bool isUnfit_ = false;
};

}  // namespace

bool Method::isDivided(NodePtr node) const {
    const auto isInside = [node](NodePtr each) { return node->span().contains(each->span()); };
    return std::ranges::any_of(singles, isInside) ||
           std::ranges::any_of(divisions, [&](const auto& each) { return isInside(each.first); });
}

const DividedArray* Method::array(const Symbol* symbol) const {
    const auto found = arrays.find(symbol);
    return found != arrays.end() && used.contains(&found->second) ? &found->second : nullptr;
}

bool Method::isOnlyRead(const DividedArray& array) const {
    return array.width && !changed.contains(&array) &&
           std::ranges::none_of(
               divisions, [&](const auto& each) { return each.second.along.contains(&array); });
}

long Method::widest() const {
    long widest = 0;
    for (const auto& [loop, division] : divisions)
        for (const auto& [array, view] : division.views)
            widest = std::max({widest, view.first, view.second});
    return widest;
}

Method planMethod(NodePtr function, Arrays arrays, NodePtr attributes,
                  diagnostics::Engine& engine) {
    Method method;
    method.function = function;
    const NodePtr name = ast::declaredName(function->child(ast::FunctionDefinition::declarator));
    method.name = name ? name->text() : std::string_view("method");
    method.arrays = std::move(arrays);
    findWidths(method.arrays, function);
    Planner(method, engine).plan(attributes);
    return method;
}

}  // namespace hpcc::regions
