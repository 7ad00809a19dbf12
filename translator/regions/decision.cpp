// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/decision.hpp"

#include <algorithm>

#include "analysis/directives.hpp"
#include "ast/effects.hpp"
#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/visitor.hpp"
#include "regions/flat_rows.hpp"
#include "regions/naming.hpp"

namespace hpcc::regions {
namespace {

using analysis::bare;

// Every other mention of a variable that counts loops.
class Mentions : public ast::Visitor {
public:
    explicit Mentions(const Symbol* variable) : variable_(variable) {}
    bool isFree = false;

    void visitFor(NodePtr node) override {
        const auto counting = analysis::loopHead(node);
        const bool isOwn = counting && counting->name->symbol == variable_ &&
                           !ast::namesIn(counting->first).contains(variable_->name);
        if (!isOwn) visitChildren(node);
    }
    void visitInitDeclarator(NodePtr node) override {
        visit(node->child(ast::InitDeclarator::initializer));
    }
    void visitIdentifier(NodePtr node) override { isFree |= node->symbol == variable_; }

private:
    const Symbol* variable_;
};

class Decider {
public:
    Decider(NodePtr loop, const Wanted& wanted)
        : loop_(loop), wanted_(wanted), rows_(loop, wanted.function) {}

    std::variant<Division, Whole> decide() {
        if (!isCandidate()) return obstacle_;
        head();
        bounds();
        variable();
        if (!obstacle_.place && division_.body.obstacle)
            fail(division_.body.obstacle, division_.body.reason);
        anchors();
        if (!obstacle_.place) reads();
        if (!obstacle_.place && !division_.body.misused.empty()) misused();
        if (obstacle_.place) return obstacle_;
        return std::move(division_);
    }

private:
    void fail(NodePtr place, std::string reason) {
        if (!obstacle_.place) obstacle_ = {place, std::move(reason)};
    }

    void misused() {
        const auto& [symbol, place] = *division_.body.misused.begin();
        obstacle_ = {place,
                     quoted(symbol->name) + " is used otherwise than by the operation of reduce",
                     symbol};
    }

    // Its variable subscripts a divided dimension.
    bool isCandidate() {
        const auto counting = analysis::countingAhead(loop_);
        if (!counting || !counting->name->symbol) return isUncounted();
        division_.loop = loop_;
        division_.counting = *counting;
        division_.body = readBody(loop_, wanted_);
        const Symbol* variable = division_.variable();
        for (const Access& access : division_.body.accesses)
            if (shift(access)) division_.along.insert(access.array);
        if (!division_.along.empty()) return true;
        for (const Access& access : division_.body.accesses)
            if (access.array->width ? FlatRows::mayCountRows(variable, access)
                                    : ast::namesIn(access.subscript()).contains(variable->name))
                fail(access.node, notOwn(access));
        return false;
    }

    // Of the element, or of its row, from the variable.
    std::optional<long> shift(const Access& access) {
        return access.array->width ? rows_.shiftOf(access)
                                   : shiftOf(access.subscript(), division_.variable());
    }

    std::string notOwn(const Access& access) const {
        if (access.array->width)
            return quoted(access.node->text()) + " is not known to be in row " +
                   quoted(division_.variable()->name) + " of " +
                   std::string(access.array->width->text()) +
                   " elements, or in one at a constant distance";
        return quoted(access.node->text()) + " is not the element of " +
               quoted(division_.variable()->name) + ", or at a constant distance";
    }

    // All of it up to the body is written anew.
    void head() {
        std::string_view text = headOf(loop_).str();
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            if (!analysis::directiveOf(text.substr(0, end)).empty())
                fail(loop_->child(ast::For::body), "a line of the preprocessor stands before this");
            text.remove_prefix(std::min(end + 1, text.size()));
        }
    }

    // It runs over elements, but not from one value to another by a constant.
    bool isUncounted() {
        const auto initializer = loop_->child(ast::For::initializer);
        const ast::Effects effects = ast::effectsOf(initializer);
        const auto isOver = [&](const Access& access) {
            return effects.touches(ast::namesIn(access.subscript()));
        };
        const Body body = readBody(loop_, wanted_);
        if (std::ranges::any_of(body.accesses, isOver))
            fail(loop_->child(ast::For::condition) ? loop_->child(ast::For::condition) : loop_,
                 "it does not count by a constant to a bound that stands alone");
        return false;
    }

    void bounds() {
        const ast::Effects effects = ast::effectsOf(loop_->child(ast::For::body));
        for (const NodePtr part : {division_.counting.first, division_.counting.bound}) {
            if (effects.touches(ast::namesIn(part)) || changes(part))
                fail(part, quoted(part->text()) + " may change while it runs");
            if (!isInteger(part))
                fail(part, quoted(part->text()) + " is not known to be an integer");
            if (!isAskedOnce(part)) fail(part, quoted(part->text()) + " is not looked into");
        }
        if (mayChange(loop_->child(ast::For::body), division_.variable()))
            fail(loop_, quoted(division_.variable()->name) + " is changed in it");
    }

    // It is an element of what the loop changes.
    bool changes(NodePtr part) const {
        const auto names = ast::namesIn(part);
        return std::ranges::any_of(division_.body.accesses, [&](const Access& access) {
            return access.isWrite && names.contains(access.array->symbol->name) &&
                   part->contains(ast::subscript);
        });
    }

    static bool isInteger(NodePtr node) {
        node = bare(node);
        if (ast::is<ast::Binary>(node))
            return isInteger(node->child(ast::Binary::left)) &&
                   isInteger(node->child(ast::Binary::right));
        if (ast::is<ast::Call>(node) && sizedArray(node)) return true;
        return analysis::constantValue(node) ||
               (node->type && node->type->kind == ast::TypeKind::Integer);
    }

    // No effect, whether it is evaluated once or each time.
    static bool isAskedOnce(NodePtr node) {
        if (!node) return true;
        if (ast::is<ast::Call>(node)) {
            if (!sizedArray(node) && !ast::isMathematicalCall(node) && !ast::isPure(node))
                return false;
        }
        if (ast::is<ast::Assign>(node) || ast::is<ast::Postfix>(node) || ast::is<ast::Lambda>(node))
            return false;
        if (ast::is<ast::Unary>(node) && node->child(ast::Unary::op)->text() != "-" &&
            node->child(ast::Unary::op)->text() != "+")
            return false;
        return std::ranges::all_of(node->children(), isAskedOnce);
    }

    void variable() {
        const Symbol& symbol = *division_.variable();
        if (division_.counting.number().bits == 0 || (symbol.type && symbol.type->isReference))
            fail(division_.counting.name, quoted(symbol.name) + " is not known to be an integer");
        if (!division_.counting.isOwn &&
            ast::is<ast::Declaration>(loop_->child(ast::For::initializer)))
            fail(division_.counting.name, "it declares several variables");
        if (!division_.counting.isOwn && !onlyCounts(&symbol, wanted_.function))
            fail(division_.counting.name, quoted(symbol.name) + " is read behind it");
        for (const Symbol* each : division_.body.counters)
            if (!onlyCounts(each, wanted_.function))
                fail(loop_, quoted(each->name) + " is read behind it");
    }

    // What it changes are the elements at one distance from its variable.
    void anchors() {
        std::optional<long> anchor, last;
        for (const Access& access : division_.body.accesses) {
            if (!access.isWrite) continue;
            const auto shift = this->shift(access);
            division_.changed.insert(access.array);
            if (!shift) return failWrite(access);
            last = std::max(last.value_or(*shift), *shift);
            anchor = std::min(anchor.value_or(*shift), *shift);
        }
        for (const Access& access : division_.body.accesses)
            if (!anchor) anchor = shift(access);
        division_.anchor = anchor.value_or(0);
        if (last && last != anchor) group(*last);
    }

    // It changes elements of the variable of another loop, and of its own.
    void failWrite(const Access& access) {
        fail(access.node, notOwn(access));
        const auto isOwn = [&](const Access& other) {
            return other.isWrite && other.array == access.array && shift(other);
        };
        if (obstacle_.place != access.node || access.array->width ||
            std::ranges::none_of(division_.body.accesses, isOwn))
            return;
        for (const NodePtr each : ast::allOf<ast::For>(wanted_.function)) {
            const auto counting = analysis::countingAhead(each);
            const Symbol* variable = counting ? counting->name->symbol : nullptr;
            if (variable && variable != division_.variable() &&
                each->span().contains(access.node->span()) &&
                shiftOf(access.subscript(), variable)) {
                obstacle_.rival = variable;
                obstacle_.array = access.array;
            }
        }
    }

    // An iteration changes elements between its anchor and this distance: they have one owner if
    // parts of the array begin at multiples of the loop's step.
    void group(long last) {
        const NodePtr place = division_.counting.first;
        const long step = std::abs(division_.counting.step), anchor = division_.anchor;
        const auto first = analysis::constantValue(place);
        if (last - anchor >= step)
            return fail(changedAt(last),
                        "an iteration changes " + quoted(changedAt(anchor)->text()) + " and " +
                            quoted(changedAt(last)->text()) + ", which others change, too");
        if (!first)
            return fail(place, "it begins at " + quoted(place->text()) +
                                   ", which is no known number, and changes several " +
                                   "elements: a part may begin between two of them");
        const long begin = remainder(static_cast<long>(*first) + anchor, step);
        if (begin + last - anchor >= step)
            return fail(place, "what an iteration changes lies on both sides of a multiple of " +
                                   std::to_string(step));
        division_.grouped = {step, begin};
    }

    NodePtr changedAt(long distance) {
        for (const Access& access : division_.body.accesses)
            if (access.isWrite && shift(access) == distance) return access.node;
        return loop_;
    }

    static long remainder(long number, long step) { return (number % step + step) % step; }

    void reads() {
        for (const Access& access : division_.body.accesses) {
            if (access.isWrite) continue;
            const auto shift = this->shift(access);
            const long distance = shift.value_or(0) - division_.anchor;
            if (shift && distance == 0 && !division_.isGrouped()) continue;
            if (shift && division_.isOwn(distance)) {
                if (division_.changed.contains(access.array)) independent(access);
                continue;
            }
            constexpr long farthest = 1000000;
            const View* const view = access.array->view ? &*access.array->view : nullptr;
            if (view && shift && !view->reaches(distance)) return beyondView(access, distance);
            if (!shift || std::abs(distance) > farthest || (view && view->isWhole))
                readElsewhere(access);
            else
                see(access.array, -distance, distance);
            if (division_.changed.contains(access.array)) independent(access);
        }
    }

    void see(const DividedArray* array, long below, long above) {
        auto& [low, high] = division_.views[array];
        low = std::max(low, below);
        high = std::max(high, above);
    }

    void beyondView(const Access& access, long distance) {
        if (obstacle_.place) return;
        fail(access.node, "it reads more than the view");
        obstacle_.array = access.array;
        obstacle_.tooFar = std::abs(distance);
    }

    // One location, those of a view that is promised, or any.
    void readElsewhere(const Access& access) {
        const NodePtr row = access.array->width ? rows_.rowOf(access) : nullptr;
        if (isFixed(row))
            division_.lines[access.array].insert(std::string(row->text()));
        else if (isFixed(access.subscript()))
            division_.lines[access.array].insert(
                access.array->location(access.subscript()->text()));
        else
            readInView(access.array);
    }

    void readInView(const DividedArray* array) {
        if (!array->view || array->view->isWhole) {
            division_.whole.insert(array);
            return;
        }
        see(array, array->view->below, array->view->above);
        division_.named.insert(array);
    }

    bool isFixed(NodePtr subscript) const {
        return subscript && ast::isPure(subscript) &&
               !ast::effectsOf(loop_).touches(ast::namesIn(subscript));
    }

    void independent(const Access& read) {
        division_.isPromised = true;
        const auto mayMeet = [&](const Access& write) {
            return write.isWrite && write.array == read.array && !rows_.areApart(write, read);
        };
        if (std::ranges::none_of(division_.body.accesses, mayMeet)) return;
        if (wanted_.isPromised)
            division_.unproven.insert(read.array);
        else
            fail(read.node,
                 quoted(read.node->text()) + " may be an element that another iteration changes");
    }

    NodePtr loop_;
    const Wanted& wanted_;
    FlatRows rows_;
    Division division_;
    Whole obstacle_;
};

}  // namespace

source::Span headOf(NodePtr loop) {
    return {loop->span().text, loop->span().begin, loop->child(ast::For::body)->span().begin};
}

std::optional<long> shiftOf(NodePtr subscript, const Symbol* variable) {
    subscript = bare(subscript);
    if (ast::is<ast::Identifier>(subscript))
        return subscript->symbol == variable ? std::optional(0L) : std::nullopt;
    if (!ast::is<ast::Binary>(subscript)) return std::nullopt;
    const NodePtr left = subscript->child(ast::Binary::left),
                  right = subscript->child(ast::Binary::right);
    const std::string_view op = subscript->child(ast::Binary::op)->text();
    if (op != "+" && op != "-") return std::nullopt;
    const auto number = analysis::constantValue(right);
    if (const auto shift = shiftOf(left, variable); shift && number)
        return op == "+" ? *shift + *number : *shift - *number;
    const auto first = analysis::constantValue(left);
    const auto shift = op == "+" && first ? shiftOf(right, variable) : std::nullopt;
    return shift ? std::optional(*shift + static_cast<long>(*first)) : std::nullopt;
}

bool onlyCounts(const Symbol* variable, NodePtr function) {
    if (variable->kind != ast::SymbolKind::Variable) return false;
    Mentions mentions(variable);
    mentions.visit(function);
    return !mentions.isFree;
}

namespace {

// a.size(), n + 1u: what a signed variable is compared with as an unsigned number.
bool isUnsigned(NodePtr node, unsigned bits) {
    node = bare(node);
    if (node->is<ast::Binary>())
        return isUnsigned(node->child(ast::Binary::left), bits) ||
               isUnsigned(node->child(ast::Binary::right), bits);
    if (node->is<ast::Call>() && sizedArray(node))
        return node->child(ast::Call::arguments)->children().empty();
    if (node->is<ast::NumberLiteral>())
        return node->text().find_first_of("uU") != std::string_view::npos;
    const ast::Type* type = node->type;
    return type && type->kind == ast::TypeKind::Integer && !type->number.isSigned &&
           type->number.bits >= std::max(32u, bits);
}

}  // namespace

bool maySkipAll(const analysis::CountingLoop& loop) {
    const ast::NumberType number = loop.number();
    return loop.step > 0 && !loop.endsByMeeting() && number.isSigned &&
           !analysis::isNeverNegative(loop.first) && isUnsigned(loop.bound, number.bits);
}

std::variant<Division, Whole> decide(NodePtr forStatement, const Wanted& wanted) {
    return Decider(forStatement, wanted).decide();
}

}  // namespace hpcc::regions
