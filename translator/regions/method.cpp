// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/method.hpp"

#include <algorithm>
#include <numeric>

#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/search.hpp"
#include "regions/combining.hpp"
#include "regions/flat_rows.hpp"
#include "regions/formats.hpp"
#include "regions/marked.hpp"
#include "regions/members.hpp"
#include "regions/other_names.hpp"
#include "regions/pointers.hpp"
#include "regions/scattered.hpp"

namespace hpcc::regions {
namespace {

using analysis::bare;
using diagnostics::Id;

class Planner {
public:
    Planner(Method& method, diagnostics::Engine& engine) : method_(method), engine_(engine) {}

    void plan(NodePtr attributes) {
        const NodePtr body = method_.statement;
        takeFormats(method_, engine_);
        others_ = otherNames(body, method_.arrays);
        Operations operations;
        if (attributes) combineResult(attributes, body, operations);
        if (engine_.hasErrors()) return;
        plan(body, operations, false);
        for (const auto& [loop, division] : method_.divisions) {
            for (const Access& access : division.body.accesses) method_.used.insert(access.array);
            method_.changed.insert(division.changed.begin(), division.changed.end());
        }
        for (std::size_t k = 0; k < method_.arrays.size(); ++k) joinSwapped(body);
        for (const auto& [loop, division] : method_.divisions)
            for (const auto& [symbol, place] : division.body.scattered)
                if (isOnlyScattered(method_, body, symbol, place->text()))
                    method_.mergedAtReturn.insert(symbol);
    }

private:
    // [[hpspmd::reduce(+)]] double f(..): the number that it returns.
    void combineResult(NodePtr attributes, NodePtr body, Operations& operations) {
        const auto reduce = attributeOf(attributes, "reduce");
        auto operation = reduce ? operationOf(reduce->arguments, method_.unit) : std::nullopt;
        if (!operation) return;
        operation->mayBeFree = !operation->isSign();
        collectResults(body, *operation, operations);
        if (operations.empty() || isUnfit_)
            engine_.report(Id::MethodResult, reduce->node->span(), reduce->arguments, method_.name);
        if (operation->of == Operation::Of::Self && !takesResults())
            engine_.report(Id::AttributeArgument, reduce->node->span(), "reduce", "self",
                           "the method has one array with 'dist', a std::vector of its results, "
                           "and names all parameters");
    }
    bool takesResults() const {
        const auto arrays = std::ranges::count_if(
            method_.arrays, [](const auto& each) { return !each.second.isLocal(); });
        const ast::Type* type = method_.arrays.begin()->first->type;
        return arrays == 1 && namesParameters() && isContiguous(type) &&
               type->classSymbol->name == "vector" && isValueOf(type->arguments.front());
    }
    bool namesParameters() const {
        return std::ranges::all_of(
            ast::parametersOf(method_.function)->children(), [](NodePtr each) {
                const NodePtr parameter = attributedNode(each);
                return parameter->is<ast::Parameter>() &&
                       ast::declaredName(parameter->child(ast::Parameter::declarator));
            });
    }
    static bool isValueOf(const ast::Type* type) { return isNumber(type) || isRecord(type); }
    void collectResults(NodePtr node, const Operation& operation, Operations& operations) {
        if (!node || node->is<ast::Lambda>()) return;
        if (node->is<ast::Return>()) {
            const NodePtr value = bare(node->child(ast::Return::value));
            const Symbol* symbol = value ? value->symbol : nullptr;
            const bool isLocal = ast::is<ast::Identifier>(value) && symbol &&
                                 symbol->kind == ast::SymbolKind::Variable && symbol->declaration &&
                                 isCombinable(symbol->type, operation) &&
                                 !symbol->type->isReference;
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
            ++depth_;
            const bool isDivided =
                plan(node->child(isWhile ? uint32_t{ast::While::body} : ast::DoWhile::body),
                     operations, false);
            --depth_;
            return isDivided;
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
        for (const Attribute& each : methodAttributes(node)) {
            if (each.name == "single") return single(each, node);
            isPromised |= each.name == "overall";
            if (each.name == "sync") method_.syncs.insert(node);
            if (each.name == "sync") requireArrays(each, method_.arrays, engine_);
            if (each.name == "reduce") addOperations(each, statement, operations);
        }
        return plan(statement, operations, isPromised);
    }

    bool single(const Attribute& single, NodePtr attributed) {
        syncInside(attributedNode(attributed), "a statement inside of 'single'",
                   "all processes fetch elements together, behind it");
        if (single.arguments.empty()) {
            method_.singles.insert(attributed);
            return false;
        }
        const Told told = toldLine(single, attributedNode(attributed), method_.arrays, engine_);
        if (!told.array) return false;
        if (tellPointer(*told.array, single.node->span(), engine_)) return false;
        method_.singles.insert(attributed);
        method_.used.insert(told.array);
        method_.changed.insert(told.array);
        method_.lines.emplace(attributed, told);
        return false;
    }

    void addOperations(const Attribute& reduce, NodePtr statement, Operations& operations) {
        const auto halves = parts(reduce.arguments, ':');
        const auto operation =
            halves.size() == 2 ? operationOf(halves[0], method_.unit) : std::nullopt;
        if (!operation) return;
        if (operation->isOfAll()) {
            engine_.report(Id::AttributeArgument, reduce.node->span(), "reduce", halves[0],
                           "what takes all results stands before a method");
            return;
        }
        for (const std::string_view name : parts(halves[1])) {
            const Symbol* symbol = named(name, statement);
            const bool isLocal = symbol && symbol->declaration &&
                                 !method_.arrays.contains(symbol) &&
                                 (isCombinable(symbol->type, *operation) ||
                                  (operation->isSign() && holdsNumbers(*symbol))) &&
                                 (symbol->kind == ast::SymbolKind::Variable ||
                                  symbol->kind == ast::SymbolKind::Parameter);
            if (isLocal) {
                operations[symbol] = *operation;
                operations[symbol].isChosen = !operation->isSign() && isRecord(symbol->type) &&
                                              isOnlyReplaced(statement, symbol);
            } else
                engine_.report(Id::AttributeArgument, reduce.node->span(), "reduce", name,
                               "it is nothing of numbers that the statement names, local or a "
                               "parameter, and that the operation combines");
        }
    }

    // Objects of classes have a sum, and functions of the program take them.
    static bool isCombinable(const ast::Type* type, const Operation& operation) {
        return isNumber(type) || (isRecord(type) && (!operation.isSign() || operation.sign == "+"));
    }

    static const Symbol* named(std::string_view name, NodePtr node) {
        if (!node) return nullptr;
        if (node->is<ast::Identifier>()) return node->text() == name ? node->symbol : nullptr;
        for (const NodePtr child : node->children())
            if (const Symbol* found = named(name, child)) return found;
        return nullptr;
    }

    bool loop(NodePtr node, const Operations& operations, bool isPromised) {
        const Wanted wanted{method_.function, method_.arrays,     operations,
                            isPromised,       method_.isStrategy, method_.isLoop()};
        auto verdict = decide(node, wanted);
        if (Division* division = std::get_if<Division>(&verdict); division && method_.further > 0)
            if (auto whole = divideFurther(*division, wanted, method_.further))
                verdict = std::move(*whole);
        if (Division* division = std::get_if<Division>(&verdict)) {
            for (const DividedArray* each : division->changed)
                if (tellPointer(*each, headOf(node), engine_)) return false;
            constexpr long most = 1 << 20;
            const long multiple = std::lcm(method_.multiple, division->grouped.step);
            const bool isDealt = multiple == 1 || (multiple <= most && method_.format.empty());
            if (others_.empty() && isDealt) {
                syncInside(node, "a statement inside of a loop that is divided",
                           "all processes fetch elements together, behind the loop");
                for (const auto& [symbol, combined] : division->body.combined)
                    if (combined.isFree && !combined.operation.isChosen)
                        requireOnlyReturned(symbol, node);
                method_.multiple = multiple;
                method_.divisions.emplace(node, std::move(*division));
                return true;
            }
            verdict = others_.empty()
                          ? Whole{node, "the arrays have no blocks at multiples of its step"}
                          : otherwiseNamed(others_.front());
        } else if (!std::get<Whole>(verdict).place) {
            for (const OtherName& each : others_)
                if (node->span().contains(each.place->span()) || mentions(node, each.symbol))
                    verdict = otherwiseNamed(each);
        }
        const NodePtr head[] = {node->child(ast::For::initializer),
                                node->child(ast::For::condition), node->child(ast::For::step)};
        const bool isPlain =
            std::ranges::all_of(head, [&](NodePtr each) { return isPlainHead(each); });
        const NodePtr body = node->child(ast::For::body);
        const std::size_t told = engine_.all().size();
        ++depth_;
        const bool isDivided = isPlain && plan(body, operations, false);
        --depth_;
        if (!isPlain) unplanned(body, operations);
        if (!isDivided && told == engine_.all().size())
            tellWhole(node, std::get<Whole>(verdict), engine_);
        return isDivided;
    }

    static Whole otherwiseNamed(const OtherName& other) {
        Whole whole{other.place, quoted(other.name) + " gets another name"};
        whole.help = insteadOf(other);
        return whole;
    }
    static bool mentions(NodePtr node, const Symbol* symbol) {
        return symbol && ast::anywhere(node, [symbol](NodePtr each) {
                   return each->is<ast::Identifier>() && each->symbol == symbol;
               });
    }

    // What each process has made of a variable in its part is known behind the loop only, and there
    // as the result of all.
    void requireOnlyReturned(const Symbol* symbol, NodePtr loop) {
        const NodePtr other = depth_ > 0 ? loop : usedBeside(method_.function, symbol, loop);
        if (!other) return;
        engine_.report(Id::PartialResult, headOf(loop), symbol->name)
            .note(other->span(), depth_ > 0 ? "it runs several times" : "here it is used")
            .help("let it be returned only, or combine it in the loop: `v = f(v, ..)`");
    }
    // A use of the variable, but for its declaration, the loop and `return v;`.
    static NodePtr usedBeside(NodePtr node, const Symbol* symbol, NodePtr loop) {
        if (!node || node == loop) return nullptr;
        if (node->is<ast::Identifier>() && node->symbol == symbol) return node;
        if (node->is<ast::Return>() && ast::is<ast::Identifier>(bare(node->child(0))))
            return nullptr;
        if (node->is<ast::InitDeclarator>())
            return usedBeside(node->child(ast::InitDeclarator::initializer), symbol, loop);
        for (const NodePtr child : node->children())
            if (const NodePtr found = usedBeside(child, symbol, loop)) return found;
        return nullptr;
    }

    bool isPlainHead(NodePtr head) const {
        if (!head) return true;
        const Mentioned mentioned = mentionedIn(head, method_.arrays);
        return mentioned.all().empty() && !mentioned.callsOthers;
    }

    // Loops inside of what is not looked into.
    bool unplanned(NodePtr node, const Operations& operations) {
        syncInside(node, notLookedInto, "it stands in blocks, conditions and loops");
        warnInside(node, operations);
        return false;
    }
    void warnInside(NodePtr node, const Operations& operations) {
        if (!node || node->is<ast::Lambda>()) return;
        misplaced(node, "single", notLookedInto, "it stands in blocks, conditions and loops");
        if (node->is<ast::For>()) {
            const auto verdict = decide(node, {method_.function, method_.arrays, operations, false,
                                               false, method_.isLoop()});
            const Whole* whole = std::get_if<Whole>(&verdict);
            const Whole outside{node, "it stands in a statement that is not divided"};
            if (!whole || whole->place) return tellWhole(node, whole ? *whole : outside, engine_);
        }
        if (node->is<ast::RangeFor>()) {
            const auto symbols =
                mentionedIn(node->child(ast::RangeFor::range), method_.arrays).all();
            if (!symbols.empty())
                engine_.report(Id::WholeLoop, node->child(ast::RangeFor::range)->span(),
                               "only loops that count are divided");
        }
        for (const NodePtr child : node->children()) warnInside(child, operations);
    }

    void misplaced(NodePtr node, const char* name, const char* what, const char* why) {
        if (const auto attribute = attributeOf(node, name))
            engine_.report(Id::AttributePlace, attribute->node->span(), name, what, why);
    }
    // Of a statement that each process runs for its own part, or only one of them.
    void syncInside(NodePtr node, const char* what, const char* why) {
        if (!node || node->is<ast::Lambda>()) return;
        if (node->is<ast::Attributed>()) misplaced(node, "sync", what, why);
        for (const NodePtr child : node->children()) syncInside(child, what, why);
    }

    // What is changed under one name may be read under the other.
    void joinSwapped(NodePtr node) {
        if (!node) return;
        if (const auto pair = swapped(node, method_.arrays)) {
            const DividedArray *const a = pair->first, *const b = pair->second;
            const auto join = [&](ArraySet& set) {
                if (set.contains(a) || set.contains(b)) set.insert({a, b});
            };
            join(method_.used);
            join(method_.changed);
        }
        for (const NodePtr child : node->children()) joinSwapped(child);
    }

    static constexpr const char* notLookedInto =
        "a statement inside of one that is not looked into";

    Method& method_;
    diagnostics::Engine& engine_;
    std::vector<OtherName> others_;
    bool isUnfit_ = false;
    int depth_ = 0;  // of loops round what is planned
};

}  // namespace

namespace {

Method unplannedMethod(NodePtr unit, NodePtr function, NodePtr statement, Arrays arrays) {
    Method method;
    method.unit = unit;
    method.function = function;
    method.statement = statement;
    const NodePtr name = ast::declaredName(function->child(ast::FunctionDefinition::declarator));
    method.name = name ? name->text() : std::string_view("method");
    method.arrays = std::move(arrays);
    findWidths(method.arrays, function, statement);
    return method;
}

}  // namespace

Method planMethod(NodePtr unit, NodePtr function, Arrays arrays, NodePtr attributes,
                  diagnostics::Engine& engine) {
    Method method = unplannedMethod(unit, function, function->child(ast::FunctionDefinition::body),
                                    std::move(arrays));
    Planner(method, engine).plan(attributes);
    return method;
}

Method planLoop(NodePtr unit, NodePtr function, NodePtr marked, diagnostics::Engine& engine) {
    const NodePtr loop = attributedNode(marked);
    Method method = unplannedMethod(unit, function, marked, arraysOfLoop(loop, unit));
    const std::size_t told = engine.all().size();
    Planner(method, engine).plan(nullptr);
    if (method.divisions.empty() && told == engine.all().size())
        engine.report(Id::WholeLoop, headOf(loop), whyNoArrays(loop, unit));
    return method;
}

}  // namespace hpcc::regions
