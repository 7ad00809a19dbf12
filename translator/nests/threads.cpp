// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/threads.hpp"

#include <algorithm>
#include <set>
#include <variant>

#include "analysis/harmless_calls.hpp"
#include "analysis/numbers.hpp"
#include "analysis/plain_values.hpp"
#include "ast/copy.hpp"
#include "ast/known_calls.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "ast/symbol.hpp"
#include "ast/visitor.hpp"
#include "nests/kernel_templates.hpp"
#include "nests/names.hpp"
#include "nests/references.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// What may not run in several threads at once: calls that might change something, and questions
/// whose answer is a range or group, which is perhaps made then. And names of which is not known
/// here whether they are numbers, on which no operator of the program's works.
class Parts : public ast::EvaluationVisitor {
public:
    explicit Parts(const Nest& nest) : nest_(nest) {}

    NodePtr unfit = nullptr;
    std::set<std::string> unknown;  // as types: `T`, `decltype(n)`

    void visitCall(NodePtr call) override {
        if (analysis::convertsToParameter(call))
            unknown.insert(call->child(ast::Call::callee)->symbol->name);
        const bool isFit = analysis::isHarmlessForNumbers(call) || asksForSize(call);
        if (!unfit && (!isFit || ast::isHandleType(call->type) || asksForHandle(call)))
            unfit = call;
        visit(call->child(ast::Call::arguments));
    }
    void visitSubscript(NodePtr node) override {
        if (nest_.accessOf.contains(node))
            visit(node->child(ast::Subscript::subscripts));
        else
            visitChildren(node);
    }
    void visitOverallHeader(NodePtr node) override {
        visit(node->child(ast::OverallHeader::triplet));
    }
    void visitGlobalIndex(NodePtr) override {}
    /// Of elements the array tells what they are.
    void visitMember(NodePtr node) override {
        const NodePtr root = rootOf(node);
        if (ast::is<ast::Identifier>(root))
            name(node, root);
        else
            visit(root);
    }
    void visitQualifiedName(NodePtr node) override { name(node, node); }
    void visitNamedCast(NodePtr node) override { cast(node); }
    void visitCast(NodePtr node) override { cast(node); }
    void visitFunctionalCast(NodePtr node) override { cast(node); }
    void visitIdentifier(NodePtr node) override { name(node, node); }
    void visitDeclaration(NodePtr node) override {
        const NodePtr core =
            node->child(ast::Declaration::specifiers)->child(ast::Specifiers::core);
        const NodePtr declarators = node->child(ast::Declaration::declarators);
        if (!declarators) return;  // a class of the iteration's own
        for (const NodePtr each : declarators->children()) {
            const NodePtr variable = each->child(ast::InitDeclarator::declarator);
            if (!isKnown(variable->symbol ? variable->symbol->type : nullptr) &&
                !ast::is<ast::BuiltinType>(core) && !ast::is<ast::AutoType>(core))
                unknown.insert(ast::print(core));
            visit(each->child(ast::InitDeclarator::initializer));
        }
    }

private:
    static bool asksForHandle(NodePtr call) {
        const ast::RuntimeMember* inquiry = ast::inquiryOf(call);
        return inquiry && (inquiry->result == ast::RuntimeResult::Range ||
                           inquiry->result == ast::RuntimeResult::Group ||
                           inquiry->result == ast::RuntimeResult::Dimension);
    }

    /// Of a container, in a loop that is known to change the size of none.
    bool asksForSize(NodePtr call) const {
        const NodePtr callee = call->child(ast::Call::callee);
        if (nest_.method.empty() || !ast::is<ast::Member>(callee)) return false;
        return callee->child(ast::Member::name)->text() == "size" &&
               ast::isStandardSequence(callee->child(ast::Member::base)->type);
    }

    void cast(NodePtr node) {
        if (const ast::Symbol* type = typeParameterOf(node->type)) unknown.insert(type->name);
        visitChildren(node);
    }

    static bool isKnown(const ast::Type* type) {
        return type && type->kind != ast::TypeKind::Unknown;
    }

    /// Of a name that holds a value: a variable, or perhaps a constant or macro from elsewhere.
    void name(NodePtr node, NodePtr root) {
        const ast::Symbol* symbol = root->symbol;
        const bool isValue = !symbol || symbol->kind == ast::SymbolKind::Variable ||
                             symbol->kind == ast::SymbolKind::Parameter ||
                             symbol->kind == ast::SymbolKind::Field;
        if (isValue && !isKnown(node->type) && !nest_.declared.contains(root->text()) &&
            !nest_.loopNamed(root->text()))
            unknown.insert("decltype(" + ast::print(node) + ")");
    }

    const Nest& nest_;
};

bool isJoinable(const Reduction& each, Joinable joinable) {
    const ast::Symbol* symbol = ast::withoutParentheses(each.target)->symbol;
    if (joinable == Joinable::OfTemplates && symbol && typeParameterOf(symbol->type)) return true;
    return symbol && analysis::isNumber(symbol->type) && symbol->type->kind != ast::TypeKind::Bool;
}

/// Finds the first thing that keeps a nest in one thread.
class Decision {
public:
    Decision(const Nest& nest, const Reaches& reaches, Joinable joinable)
        : nest_(nest), rows_(nest.loops.front()), reaches_(reaches), joinable_(joinable) {}

    std::variant<Division, Obstacle> take() {
        parts();
        triplet();
        memory();
        numbers();
        if (!obstacle_.place) elements();
        if (obstacle_.place) return obstacle_;
        return division_;
    }

private:
    void fail(NodePtr place, std::string reason) {
        if (!obstacle_.place) obstacle_ = {place, std::move(reason)};
    }

    void parts() {
        Parts parts(nest_);
        parts.visit(bodyOf(rows_));
        if (nest_.method.empty())
            division_.unknown.assign(parts.unknown.begin(), parts.unknown.end());
        if (parts.unfit)
            fail(parts.unfit, "calls " + quoted(ast::print(parts.unfit->child(ast::Call::callee))) +
                                  ", which is not known to be fit for several threads at once");
    }

    void triplet() {
        for (const NodePtr part : tripletOf(rows_)->children())
            if (!reaches_.isFixed(part)) fail(part, "has bounds that may change in the nest");
    }

    void memory() {
        if (rows_.touchesForeign && nest_.method.empty())
            fail(rows_.statement, "reaches memory that is no element of a multiarray");
        if (rows_.jumps) fail(rows_.statement, "leaves its outermost loop");
    }

    void numbers() {
        const Names lasting = lastingIn(nest_);
        if (lasting.empty()) return;
        const auto found = reductionsOf(bodyOf(rows_), lasting);
        const auto fits = [&](const Reduction& each) { return isJoinable(each, joinable_); };
        if (!found || !std::ranges::all_of(*found, fits)) return failFor(lasting);
        for (const Reduction& each : *found)
            if (nest_.changeable.contains(each.name))
                fail(rows_.statement, "calls code that may reach " + quoted(each.name));
        division_.joined = *found;
    }

    /// Tells of the first number that is no sum, largest or least one by itself.
    void failFor(const Names& lasting) {
        for (const auto& [name, place] : nest_.assigned) {
            if (!lasting.contains(name)) continue;
            const auto alone = reductionsOf(bodyOf(rows_), {name});
            if (alone && isJoinable(alone->front(), joinable_)) continue;
            if (alone)
                fail(place, "joins " + quoted(name) +
                                ", which is not known to be an integer or floating-point number");
            fail(place,
                 "assigns " + quoted(name) +
                     " other than by adding, multiplying, or keeping the largest or least number");
        }
        fail(rows_.statement, "assigns numbers that depend on one another");
    }

    void elements() {
        if (!nest_.method.empty()) return;
        const Meeting meeting = meetingIn(nest_, rows_, division_.apart);
        if (division_.apart.size() > mostArrayPairs)
            fail(rows_.statement, "reaches very many arrays");
        if (!meeting.write) return;
        fail(meeting.other->node, meeting.reason());
    }

    const Nest& nest_;
    const Loop& rows_;
    const Reaches& reaches_;
    const Joinable joinable_;
    Division division_;
    Obstacle obstacle_;
};

/// What tells the length of each loop, if anything does.
using Lengths = std::unordered_map<const Loop*, std::string>;

/// Adds the larger end of counting loops, as `lengthOf` writes it, if that is the same throughout.
template <class LengthOf>
void addCounting(const Nest& nest, const Reaches& reaches, Lengths& lengths,
                 const LengthOf& lengthOf) {
    for (const Loop& loop : nest.loops)
        if (const NodePtr high = loop.step < 0 ? loop.first : loop.end;
            loop.kind == Loop::Kind::Counting && reaches.isFixed(high) &&
            !high->contains(ast::extension))
            if (const std::string length = lengthOf(high); !length.empty()) lengths[&loop] = length;
}

/// True if it calls functions of the file that hold loops. How many iterations these have is not
/// known.
bool callsLoops(const Nest& nest) {
    std::set<NodePtr> seen;
    const auto isLoop = [&](NodePtr call) {
        const NodePtr definition = analysis::definitionOf(call->child(ast::Call::callee));
        return definition && seen.insert(definition).second &&
               (!ast::allOf<ast::For>(definition).empty() ||
                !ast::allOf<ast::While>(definition).empty());
    };
    return std::ranges::any_of(ast::allOf<ast::Call>(bodyOf(nest.loops.front())), isLoop);
}

/// Of the loops round the innermost one that lies deepest, itself included.
std::string deepest(const Nest& nest, const Lengths& lengths) {
    std::vector<std::string> deepest;
    for (const Loop& loop : nest.loops) {
        std::vector<std::string> known;
        for (const Loop* at = &loop; at; at = at->outer)
            if (const auto length = lengths.find(at); length != lengths.end())
                known.insert(known.begin(), length->second);
        if (known.size() > deepest.size()) deepest = known;
    }
    if (callsLoops(nest)) deepest.push_back(std::string("32"));
    return listed(deepest);
}

/// The end of a loop in words that raise no error if an array or range is null; "" if there are
/// none.
std::string harmlessLength(NodePtr end) {
    if (!end->contains(ast::call)) return ast::print(end);
    end = ast::withoutParentheses(end);
    if (!ast::is<ast::Call>(end)) return "";
    const NodePtr callee = end->child(ast::Call::callee);
    if (!ast::is<ast::Member>(callee) || callee->child(ast::Member::name)->text() != "size")
        return "";
    const NodePtr base = callee->child(ast::Member::base);
    const ast::Type* type = base->type;
    if (!ast::isSimple(base) || !type ||
        (type->kind != ast::TypeKind::Multiarray && type->kind != ast::TypeKind::Range))
        return "";
    std::string text = "hpspmd::detail::sizeOf(" + ast::print(base);
    for (const NodePtr argument : end->child(ast::Call::arguments)->children())
        text += ", " + ast::print(argument);
    return text + ")";
}

/// True if the nest is nothing but sums of products, with rows outside and columns inside.
bool isGrid(const Nest& nest, const ProductLoops& sums) {
    const auto found = sums.find(&nest.loops.front());
    return found != sums.end() && found->second.columns->outer == &nest.loops.front() &&
           found->second.columns->kind == Loop::Kind::Overall;
}

/// What the division takes for granted, as far as it is not known here:
/// `hpspmd::detail::disjoint(a, b)`.
std::vector<std::string> conditions(const Nest& nest, const Division& division,
                                    const ArrayPairs& proven) {
    std::vector<std::string> result;
    if (!division.unknown.empty())
        result.push_back("hpspmd::detail::areNumbers<" + listed(division.unknown) + ">");
    for (const auto& pair : division.apart)
        if (!proven.contains(pair))
            result.push_back("hpspmd::detail::disjoint(" +
                             ast::print(nest.arrays[pair.first].base) + ", " +
                             ast::print(nest.arrays[pair.second].base) + ")");
    return result;
}

/// `hpspmd::detail::Work(x, n).onlyIf(hpspmd::detail::disjoint(a, b))`
std::string work(const Nest& nest, const std::string& lengths,
                 const std::vector<std::string>& conditions) {
    return "hpspmd::detail::Work(" + lengths + ")" +
           (nest.function.empty() ? "" : ".in(\"" + nest.function + "\")") +
           (nest.method.empty() ? "" : ".of(" + std::string(nest.method) + ")") +
           (conditions.empty() ? "" : ".onlyIf(" + listed(conditions, " && ") + ")");
}

/// `hpspmd::detail::bySum(sum)`
std::string joining(const Reduction& number) {
    const char* way = number.op == "+"     ? "bySum"
                      : number.op == "*"   ? "byProduct"
                      : number.op == "max" ? (number.skipsNaN ? "byLargestNumber" : "byMax")
                      : number.skipsNaN    ? "byLeastNumber"
                                           : "byMin";
    return std::string("hpspmd::detail::") + way + "(" + std::string(number.name) + ")";
}

}  // namespace

std::variant<Division, Obstacle> divisionOf(const Nest& nest, const Reaches& reaches,
                                            Joinable joinable) {
    return Decision(nest, reaches, joinable).take();
}

std::string ThreadCall::argument(const std::string& value) const {
    const auto found = std::ranges::find(joined, value, &Reduction::name);
    return found == joined.end() ? value : joining(*found);
}

ThreadCall callInThreads(const Nest& nest, const Reaches& reaches, const Division& division,
                         const std::unordered_map<const Loop*, std::string>& runs,
                         const ArrayPairs& proven, const ProductLoops& sums) {
    const long step = nest.loops.front().step;
    Lengths lengths = runs;
    addCounting(nest, reaches, lengths, [](NodePtr end) { return ast::print(end); });
    return {(isGrid(nest, sums) ? "hpspmd::detail::inThreadGrid" : "hpspmd::detail::inThreads") +
                (step == 1 ? "" : "<" + std::to_string(step) + ">") + "(" +
                work(nest, deepest(nest, lengths), conditions(nest, division, proven)) + ", ",
            division.joined};
}

NodePtr markedForThreads(Context& context, const Nest& nest, const Reaches& reaches,
                         const Division& division, NodePtr overall) {
    Lengths lengths;
    for (const Loop& loop : nest.loops)
        if (loop.range) lengths[&loop] = ast::print(loop.range);
    addCounting(nest, reaches, lengths, harmlessLength);
    std::vector<std::string> wanted = conditions(nest, division, {});
    for (const NestArray& array : nest.arrays)
        if (!analysis::isPlainValue(ast::multiarrayType(array.base)->element))
            wanted.push_back("hpspmd::detail::holdsNumbers(" + ast::print(array.base) + ")");
    std::string mark = "HPSPMD_IN_THREADS(" + work(nest, deepest(nest, lengths), wanted);
    for (const Reduction& number : division.joined) mark += ", " + joining(number);
    const NodePtr head = context.expression(mark + ")", {}, overall);
    const NodePtr marked = ast::withChild(
        context.arena,
        context.statement("HPSPMD_IN_THREADS()\n$nest;", {{"$nest", overall}}, overall),
        ast::MacroStatement::head, head);
    const std::string premises = premisesOf(nest);
    if (premises.empty()) return marked;
    return context.statement("if (" + premises +
                                 ") {\n"
                                 "    $marked;\n"
                                 "} else $plain;",
                             {{"$marked", marked}, {"$plain", ast::copy(context.arena, overall)}},
                             overall);
}

}  // namespace hpcc::nests
