// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/halo/locations.hpp"

#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "check/facts.hpp"
#include "check/halo/sections.hpp"
#include "check/shifts.hpp"

#include <algorithm>
#include <set>

namespace hpcc::check::halo {
namespace {

using analysis::Access;
using analysis::Place;

// From the outermost construct round it.
std::vector<NodePtr> pathInNest(const Access& access) {
    const auto nest = std::ranges::find_if(access.path, [](NodePtr each) {
        return each->is<ast::Overall>() || each->is<ast::At>() ||
               each->is<ast::OverallExpression>();
    });
    return {nest, access.path.end()};
}

// ``overall (j = y for 0 : 3 - i`) a[i] += 1``; where j is a subscript, it tells which elements are
// written.
bool mayRunNever(NodePtr overall, const Access& access) {
    const NodePtr subscripts = access.node->child(ast::Subscript::subscripts);
    return std::ranges::any_of(
        overall->child(ast::Overall::headers)->children(), [&](NodePtr header) {
            const std::string_view index = header->child(ast::OverallHeader::index)->text();
            return analysis::mayRunNever(header) && !ast::anywhere(subscripts, [&](NodePtr each) {
                       return each->is<ast::Identifier>() && each->text() == index;
                   });
        });
}

// True if it is made whenever the loops round it run.
bool isUnconditional(const Access& access, analysis::Skips& skips) {
    const std::vector<NodePtr> path = pathInNest(access);
    return analysis::guardsOn(path, skips).all.empty() &&
           std::ranges::none_of(path, [&](NodePtr each) {
               return each->is<ast::Switch>() || each->is<ast::While>() || each->is<ast::Try>() ||
                      each->is<ast::Lambda>() || each->is<ast::MacroStatement>() ||
                      analysis::mayRunNever(each) ||
                      (each->is<ast::Overall>() && mayRunNever(each, access)) ||
                      (each->is<ast::Binary>() && ast::isShortCircuit(each));
           });
}

// x[[0 : 3]], or a range that is nothing else.
NodePtr subrangeNamed(NodePtr range) {
    range = bare(range);
    if (ast::is<ast::Identifier>(range) && isStable(range->symbol))
        range = singleInitializer(range->symbol->initializer);
    return ast::is<ast::Section>(range) ? range : nullptr;
}

bool isKnown(const Span& span) {
    return span.first.kind != Bound::Kind::Unknown && span.last.kind != Bound::Kind::Unknown;
}

bool areAllWhole(const Box& box) {
    return std::ranges::all_of(box, [](const Span& span) {
        return span.isExact && span.step == 1 && span.first.kind == Bound::Kind::Low &&
               span.first.offset == 0 && span.last.kind == Bound::Kind::High &&
               span.last.offset == 0;
    });
}

}  // namespace

// Code that is called cannot change it: what a field, a global variable or a reference names may
// have another value at the read.
bool Locations::isSettled(NodePtr expression, const Loop* place) {
    if (constantValue(expression)) return true;
    switch (expression->kind()) {
    case ast::Kind::Identifier: {
        const Symbol* symbol = expression->symbol;
        if (all_.space().loopOf(expression, place)) return true;
        if (!isStable(symbol) || symbol->kind == ast::SymbolKind::Field) return false;
        if (!symbol->type || symbol->type->isReference) return false;
        const bool isLocal =
            symbol->declaration && body_->span().contains(symbol->declaration->span());
        return isLocal || symbol->type->isConst || symbol->kind == ast::SymbolKind::Parameter ||
               symbol->type->kind == TypeKind::Range;
    }
    case ast::Kind::Call: {
        const NodePtr callee = bare(expression->child(ast::Call::callee));
        const NodePtr arguments = expression->child(ast::Call::arguments);
        if (!ast::is<ast::Member>(callee)) return false;
        const std::string_view name = callee->child(ast::Member::name)->text();
        const NodePtr base = bare(callee->child(ast::Member::base));
        const bool isArray = isKind(base, TypeKind::Multiarray);
        return (name == "size" || name == "rng") && (isArray || isSettled(base, place)) &&
               std::ranges::all_of(arguments->children(),
                                   [&](NodePtr each) { return isSettled(each, place); });
    }
    case ast::Kind::Binary:
        return isSettled(expression->child(ast::Binary::left), place) &&
               isSettled(expression->child(ast::Binary::right), place);
    case ast::Kind::Parenthesized:
    case ast::Kind::GlobalIndex:
        return isSettled(expression->child(0), place);
    default:
        return false;
    }
}

// An end that is no constant and none of N counts as a variable if it is one, or one and a
// constant.
Bound Locations::bound(const Sum& sum, const Sum& extent) const {
    if (!sum.isKnown()) return {};
    const Sum fromEnd = sum - extent + Sum(1);
    if (sum.isConstant()) return {Bound::Kind::Low, 0, sum.constant()};
    if (fromEnd.isKnown() && fromEnd.isConstant())
        return {Bound::Kind::High, 0, fromEnd.constant()};
    const Sum variable = sum - Sum(sum.constant());
    const auto atom = variable.solvableAtom();
    if (!atom || !(variable - Sum::of(*atom)).isZero()) return {};
    return {Bound::Kind::Variable, *atom, sum.constant()};
}

// The extent of its dimension.
void Locations::note(Span& span, const Sum& extent) const {
    if (!extent.isKnown()) return;
    if (extent.isConstant()) span.extent = extent.constant();
    const Bound variable = bound(extent, Sum::unknown());
    if (variable.kind == Bound::Kind::Variable && variable.offset == 0)
        span.extentVariable = variable.variable;
}

Bound Locations::end(NodePtr expression, Place place, const Sum& extent) {
    const bool isKnown = expression && isSettled(expression, place.loop);  // x[] has no number
    return isKnown ? bound(all_.reader().read(expression, place), extent) : Bound();
}

Span Locations::value(NodePtr number, Place place, const Sum& extent) {
    Span span;
    span.first = span.last = end(number, place, extent);
    note(span, extent);
    span.isExact = span.first.kind != Bound::Kind::Unknown;
    return span;
}

// What a triplet selects of a range; the step may be any constant.
Span Locations::interval(NodePtr triplet, NodePtr range, Place place) {
    analysis::Reader& reader = all_.reader();
    const Sum extent = reader.sizeOf(range);
    Span span = Span::whole();
    note(span, extent);
    const NodePtr low = triplet->child(ast::Triplet::low),
                  high = triplet->child(ast::Triplet::high),
                  step = triplet->child(ast::Triplet::step);
    const auto by = step ? constantValue(step) : std::optional(1LL);
    if (!by || *by == 0) return {};
    Bound first = *by > 0 ? span.first : span.last, last = *by > 0 ? span.last : span.first;
    if (low) first = end(low, place, extent);
    if (high) last = end(high, place, extent);
    const bool isExact = first.kind != Bound::Kind::Unknown && last.kind != Bound::Kind::Unknown;
    if (*by < -1) return {};
    span.first = *by > 0 ? first : last;
    span.last = *by > 0 ? last : first;
    span.step = std::max(1L, static_cast<long>(*by));
    span.isExact = isExact;
    return span;
}

Span Locations::spanOf(const Loop& loop, int iteration) {
    analysis::Reader& reader = all_.reader();
    const Place outside{loop.outer, iteration};
    if (loop.counting) {
        const analysis::CountingLoop& counting = *loop.counting;
        const bool isUp = counting.step == 1 && counting.holdsBound() && !counting.ahead;
        if (!isUp) return {};
        Span span;
        span.first = end(counting.first, outside, Sum::unknown());
        span.last = end(counting.bound, outside, Sum::unknown());
        span.last.offset -= counting.includesBound() ? 0 : 1;
        span.isExact = isKnown(span) && !counting.endsByMeeting();
        return span;
    }
    if (const NodePtr triplet = loop.triplet()) {
        const NodePtr part = subrangeNamed(loop.range());
        if (!part) return interval(triplet, loop.range(), outside);
        const NodePtr slots = part->child(ast::Section::slots);
        const bool isPlain = slots->children().size() == 1 && ast::isWholeTriplet(triplet) &&
                             ast::is<ast::Triplet>(slots->child(0));
        return isPlain ? interval(slots->child(0), part->child(ast::Section::base),
                                  {nullptr, iteration})
                       : Span{};
    }
    if (!ast::is<ast::At>(loop.header)) return {};
    const NodePtr location = bare(loop.header->child(ast::At::location));
    if (!ast::is<ast::Subscript>(location)) return {};
    const NodePtr number = location->child(ast::Subscript::subscripts)->child(0);
    return value(number, outside, reader.sizeOf(location->child(ast::Subscript::base)));
}

// An index, shifted or not; or a number that subscripts a `*` slot, the counter of a loop perhaps.
Span Locations::subscripted(NodePtr subscript, const Loop* place, int iteration,
                            const Sum& extent) {
    const auto [name, distributed] = analysis::shiftedIndex(all_.space(), subscript, place);
    if (name) {
        if (!distributed) return {};
        Span span = spanOf(*distributed, iteration);
        const bool isShifted = isKind(subscript, TypeKind::ShiftedIndex);
        const Shift shift = isShifted ? shiftOf(subscript) : Shift{false, 0, true};
        span.first.offset += shift.distance();
        span.last.offset += shift.distance();
        return shift.isExact ? span : Span{};
    }
    const NodePtr plain = bare(subscript);
    const Loop* counter =
        ast::is<ast::Identifier>(plain) ? all_.space().loopOf(plain, place) : nullptr;
    if (counter && counter->counting) return spanOf(*counter, iteration);
    return value(subscript, {place, iteration}, extent);
}

Box Locations::accessed(const Access& access, int iteration) {
    Box box;
    for (const NodePtr each : access.node->child(ast::Subscript::subscripts)->children())
        box.push_back(subscripted(each, access.loop, iteration, Sum::unknown()));
    if (!isUnconditional(access, skips_))
        for (Span& span : box) span.isExact = false;
    return box;
}

// The elements of the array that those of a section are. `inside`: empty for all of them.
Box Locations::section(NodePtr section, const Box& inside, const Loop* place) {
    const NodePtr base = bare(section->child(ast::Section::base));
    const auto slots = section->child(ast::Section::slots)->children();
    if (!isKind(base, TypeKind::Multiarray) || std::ranges::any_of(slots, ast::is<ast::Split>))
        return Box(slots.size());
    const NodePtr made = ast::is<ast::Identifier>(base) && isStable(base->symbol)
                             ? singleInitializer(base->symbol->initializer)
                             : nullptr;
    const auto extent = [&](std::size_t r) {
        const NodePtr range = ast::is<ast::NewMultiarray>(made) ? extentOf(made, r) : nullptr;
        return range && isKind(range, TypeKind::Range) ? all_.reader().sizeOf(range)
                                                       : Sum::unknown();
    };
    Box box;
    std::size_t next = 0;
    for (std::size_t r = 0; r < slots.size(); ++r) {
        if (!ast::is<ast::Triplet>(slots[r])) {
            box.push_back(subscripted(slots[r], place, 0, extent(r)));
            continue;
        }
        const Span own = next < inside.size() ? inside[next] : Span::whole();
        ++next;
        const NodePtr low = slots[r]->child(ast::Triplet::low),
                      high = slots[r]->child(ast::Triplet::high);
        const bool isAll = areAllWhole({own}) && !slots[r]->child(ast::Triplet::step);
        const auto endOr = [&](NodePtr given, const Bound& otherwise) {
            return given ? end(given, {place, 0}, extent(r)) : otherwise;
        };
        if (ast::isWholeTriplet(slots[r]))
            box.push_back(own);
        else if (isAll)
            box.push_back({endOr(low, own.first), endOr(high, own.last), 1, own.isExact, {}, {}});
        else
            box.push_back({});
    }
    return box;
}

std::optional<Box> Locations::writtenBox(NodePtr place, std::size_t rank, bool isPart) {
    const NodePtr part = isPart ? sectionNamed(place->child(ast::Subscript::base)) : nullptr;
    if (isPart && !part) return Box(rank);
    const Access& access = all_.space().access(place);
    Box box = accessed(access, 0);
    if (part) box = section(part, box, access.loop);
    if (box.size() != rank) return Box(rank);
    if (!isUnconditional(access, skips_)) return box;
    for (Span& span : box) span.isExact = isKnown(span);
    return areAllWhole(box) ? std::nullopt : std::optional(box);
}

std::optional<Elements> Locations::written(NodePtr collective, std::size_t rank, bool isPart) {
    if (!isPart) return std::nullopt;
    const auto arguments = collective->is<ast::Call>()
                               ? collective->child(ast::Call::arguments)->children()
                               : std::span<const NodePtr>();
    const NodePtr part = arguments.empty() ? nullptr : sectionNamed(arguments[0]);
    return Elements{part ? section(part, {}, nullptr) : Box(rank)};
}

std::optional<Elements> Locations::written(const analysis::ElementWrite& write, std::size_t rank,
                                           bool isPart) {
    const bool isSure = write.writing == analysis::Writing::Surely;
    auto box = writtenBox(write.access, rank, isPart);
    const Part part = partOf(write.steps, all_.space().access(write.access).loop, 0);
    if (!box && isSure && part.isWhole()) return std::nullopt;
    Elements elements{box ? *box : Box(rank, Span::whole()), part};
    const std::vector<SlotKind>& slots = typeOf(write.access->child(ast::Subscript::base))->slots;
    for (std::size_t r = 0; !isSure && r < elements.box.size(); ++r) {
        elements.box[r].isExact = false;
        if (r < slots.size() && slots[r] == SlotKind::Sequential)
            elements.box[r] = {};  // by a pointer the neighbours, too
    }
    return elements;
}

std::vector<Elements> Locations::read(NodePtr access) {
    const Access& read = all_.space().access(access);
    const Box box = accessed(read, 1);
    std::vector<Elements> result;
    for (const Part& part : partsRead(read)) result.push_back({box, part});
    return result;
}

Part Locations::partOf(const std::vector<analysis::Step>& steps, const Loop* loop, int iteration) {
    Part part;
    for (const analysis::Step& step : steps) {
        const NodePtr by = step.subscript();
        const Span subscript = by ? subscripted(by, loop, iteration, Sum::unknown()) : Span();
        part.steps.push_back({step, subscript});
    }
    return part;
}

std::vector<Part> Locations::partsRead(const Access& access) {
    Part part = partOf(analysis::stepsInto(access.path), access.loop, 1);
    const NodePtr all = part.steps.empty() ? access.node : part.steps.back().step.node;
    part.areAll = isReadWhole(all, access.path);
    const NodePtr declared = part.areAll ? nullptr : binding(all, access.path);
    const auto uses = declared ? usesOf(access.path.front(), declared) : std::nullopt;
    if (!uses) return {part};
    std::vector<Part> parts;
    for (const std::vector<NodePtr>& path : *uses) {
        Part each = part;
        const Part further = partOf(analysis::stepsInto(path), nullptr, 1);
        each.steps.insert(each.steps.end(), further.steps.begin(), further.steps.end());
        each.areAll = !ast::isObject(path.front()->type) && !isUnknown(path.front()->type);
        parts.push_back(std::move(each));
    }
    return parts;
}

// Both subscripts are indices of one dimension, counted alike: these are one location.
analysis::System Locations::isOne(NodePtr to, const Loop* writing, NodePtr from,
                                  const Loop* reading) {
    const analysis::ShiftedIndex a = analysis::shiftedIndex(all_.space(), to, writing),
                                 b = analysis::shiftedIndex(all_.space(), from, reading);
    const auto countsAll = [](const Loop* loop) {
        const Symbol* index = loop ? loop->name->symbol : nullptr;
        const NodePtr range = index ? rangeOfIndex(*index) : nullptr;
        return range && !subrangeNamed(range);
    };
    analysis::System system;
    if (countsAll(a.loop) && countsAll(b.loop))
        system.isZero(all_.reader().read(to, {writing, 0}) -
                      all_.reader().read(from, {reading, 1}));
    return system;
}

// What has one value in both accesses: they are made in one round of the loops round both, but for
// `rounds` and those in it.
analysis::System Locations::inSameRounds(const Access& write, const Access& read, NodePtr rounds) {
    analysis::Reader& reader = all_.reader();
    const auto isRoundBoth = [rounds](NodePtr declaration) {
        return !rounds || !rounds->span().contains(declaration->span());
    };
    analysis::System system;
    for (const Loop* loop = write.loop; loop; loop = loop->outer)
        if (!loop->isDistributed() && read.isIn(*loop) && isRoundBoth(loop->header))
            system.isZero(reader.variable(*loop, 0) - reader.variable(*loop, 1));
    std::set<const Symbol*> known;
    const std::vector<NodePtr> path = pathInNest(read);
    for (const NodePtr name : ast::allOf<ast::Identifier>(path.front())) {
        const Symbol* symbol = name->symbol;
        const NodePtr declaration = isStable(symbol) ? symbol->declaration : nullptr;
        const bool isOuter = declaration && symbol->kind == ast::SymbolKind::Variable &&
                             !path.front()->span().contains(declaration->span());
        if (isOuter && isRoundBoth(declaration) && known.insert(symbol).second)
            system.isZero(reader.read(name, {write.loop, 0}) - reader.read(name, {read.loop, 1}));
    }
    return system;
}

bool Locations::mayMeet(NodePtr write, NodePtr read, NodePtr rounds) {
    const analysis::IterationSpace& space = all_.space();
    const Access &writing = space.access(write), &reading = space.access(read);
    analysis::CommonElement element(space, all_.reader(), writing, reading);
    if (!element.comparesParts()) return false;
    const auto to = write->child(ast::Subscript::subscripts)->children(),
               from = read->child(ast::Subscript::subscripts)->children();
    for (std::size_t r = 0; r < to.size() && r < from.size(); ++r)
        element.require(isOne(to[r], writing.loop, from[r], reading.loop));
    element.require(inSameRounds(writing, reading, rounds));
    element.requireBounds();
    element.requireGuards();
    return element.mayBeZero(Sum(0));
}

}  // namespace hpcc::check::halo
