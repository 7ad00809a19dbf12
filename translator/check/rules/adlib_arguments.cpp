// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rule 3: ranks and elements of what collectives are given. Unknown types are the C++ compiler's
// business.
#include "check/callee.hpp"
#include "check/conversion.hpp"
#include "check/wording.hpp"

#include <algorithm>
#include <array>

namespace hpcc::check {
namespace {

enum class Demand { Changeable, Alike, SameRank, SameElements, OneLess, Integers, Joined };

struct Entry {
    std::string_view function;
    std::size_t argument;
    Demand demand;
    std::size_t other;
};

constexpr std::array entries = {
#define ADLIB_DEMAND(function, argument, demand, other) \
    Entry{#function, argument, Demand::demand, other},
#include "check/adlib_arguments.def"
};

struct Count {
    std::string_view function;
    std::size_t least, most;
    std::string_view shown;
};

constexpr std::array counts = {
#define ADLIB_COUNT(function, least, most, shown) Count{#function, least, most, shown},
#include "check/adlib_arguments.def"
};

std::string counted(std::size_t dimensions) {
    return std::to_string(dimensions) + (dimensions == 1 ? " dimension" : " dimensions");
}

// `Adlib::reproducible`, in front of the other arguments
bool isReproducible(NodePtr value) {
    if (value->is<ast::QualifiedName>()) value = value->children().back();
    return value->is<ast::Identifier>() && value->text() == "reproducible";
}

class Arguments {
public:
    Arguments(const Context& context, const std::string& name, NodePtr call)
        : context_(context), name_(name), values_(call->child(ast::Call::arguments)->children()) {
        first_ = !values_.empty() && isReproducible(values_.front());
        values_ = values_.subspan(first_);
    }

    std::size_t size() const { return values_.size(); }
    bool isArray(std::size_t k) const {
        return k < values_.size() && isKind(values_[k], TypeKind::Multiarray);
    }
    std::size_t rank(std::size_t k) const { return typeOf(values_[k])->slots.size(); }
    const Type* element(std::size_t k) const { return typeOf(values_[k])->element; }

    void requireArray(std::size_t k) const {
        if (k >= values_.size()) return;
        const Type* type = typeOf(values_[k]);
        const bool isCertain = isNumber(type) || isIndex(type) || isRange(type) ||
                               type->kind == TypeKind::Group || type->kind == TypeKind::String ||
                               isContainer(type);
        if (isCertain) fail(k, "must be a multiarray, but it is " + describe(type));
    }
    // An array, an expression, or one value of each process.
    void requireJoined(std::size_t k) const {
        if (k >= values_.size() || !isContainer(typeOf(values_[k]))) return;
        const std::string text = textOf(values_[k]);
        fail(k,
             "is joined over the processes as one value, but it is " + describe(typeOf(values_[k])))
            .help("join its elements one by one: Adlib::" + name_ + "(" + text +
                  "[k]); or declare a multiarray");
    }
    void requireChangeable(std::size_t k) const {
        if (isArray(k) && typeOf(values_[k])->elementConst)
            fail(k, "is written, but its elements are const");
    }
    void requireRank(std::size_t k, std::size_t wanted, std::size_t other) const {
        if (!isArray(k) || rank(k) == wanted) return;
        fail(k, "has " + counted(rank(k)) + ", but argument " + std::to_string(first_ + other + 1) +
                    " asks for " + std::to_string(wanted));
    }
    void requireElements(std::size_t k, std::size_t other) const {
        if (!isArray(k) || !isArray(other) || !provablyDifferent(element(k), element(other)))
            return;
        fail(k, "has elements of type '" + nameOf(element(k)) + "', those of argument " +
                    std::to_string(first_ + other + 1) + " are '" + nameOf(element(other)) + "'");
    }
    void requireIntegers(std::size_t k) const {
        if (!isArray(k)) return;
        const TypeKind kind = element(k)->kind;
        if (kind == TypeKind::Floating || kind == TypeKind::Bool || kind == TypeKind::String)
            fail(k, "must be an array of integers, not of '" + nameOf(element(k)) + "'");
    }
    Report fail(std::size_t k, const std::string& text) const {
        return context_.report(Id::AdlibArgument, values_[k], first_ + k + 1, name_, text);
    }

private:
    static bool isContainer(const Type* type) {
        return type->kind == TypeKind::CArray || ast::isStandardSequence(type);
    }

    const Context& context_;
    const std::string& name_;
    std::span<const NodePtr> values_;  // behind `reproducible`
    std::size_t first_ = 0;            // the number of values_[0] in the call
};

void check(const Arguments& arguments, const Entry& entry) {
    const std::size_t k = entry.argument, other = entry.other;
    if (entry.demand == Demand::Joined) return arguments.requireJoined(k);
    arguments.requireArray(k);
    const bool isComparable = arguments.isArray(k) && arguments.isArray(other);
    switch (entry.demand) {
    case Demand::Changeable:
        return arguments.requireChangeable(k);
    case Demand::Joined:
        return;
    case Demand::Integers:
        return arguments.requireIntegers(k);
    case Demand::SameElements:
        return arguments.requireElements(k, other);
    case Demand::OneLess:
        if (isComparable && arguments.rank(other) > 0)
            arguments.requireRank(k, arguments.rank(other) - 1, other);
        return;
    case Demand::SameRank:
    case Demand::Alike:
        if (isComparable) arguments.requireRank(k, arguments.rank(other), other);
        if (entry.demand == Demand::Alike) arguments.requireElements(k, other);
        return;
    }
}

// The subscripts from argument `first` on, one array of integers for each dimension of argument
// `indexed`, and perhaps a mask; all with the rank of argument `walked`.
void checkSubscripts(const Arguments& arguments, std::size_t first, std::size_t walked,
                     std::size_t indexed) {
    if (!arguments.isArray(walked) || !arguments.isArray(indexed)) return;
    const std::size_t dimensions = arguments.rank(indexed);
    const std::size_t given = arguments.size() - first;
    if (given < dimensions || given > dimensions + 1) {
        arguments.fail(indexed, "has " + counted(dimensions) +
                                    ", so that as many arrays of subscripts are needed, and "
                                    "perhaps a mask; there are " +
                                    std::to_string(given) + " further arguments");
        return;
    }
    for (std::size_t k = first; k < arguments.size(); ++k) {
        arguments.requireArray(k);
        arguments.requireRank(k, arguments.rank(walked), walked);
        if (k < first + dimensions) arguments.requireIntegers(k);
    }
    const std::size_t mask = first + dimensions;
    if (arguments.isArray(mask) && isNumber(arguments.element(mask)) &&
        arguments.element(mask)->kind != TypeKind::Bool)
        arguments.fail(mask, "must be a mask, an array of bool");
}

void checkScatter(const Arguments& arguments) {
    const std::size_t destination = arguments.isArray(0) ? 0 : 1;
    if (!arguments.isArray(destination) || !arguments.isArray(destination + 1)) return;
    arguments.requireChangeable(destination);
    arguments.requireElements(destination + 1, destination);
    checkSubscripts(arguments, destination + 2, destination + 1, destination);
}

// One number for all elements, or an array of them.
void checkAddend(const Arguments& arguments) {
    if (!arguments.isArray(2) || !arguments.isArray(1)) return;
    arguments.requireRank(2, arguments.rank(1), 1);
    arguments.requireElements(2, 1);
}

bool isCountRight(const Context& context, const std::string& name, NodePtr call,
                  std::size_t given) {
    const NodePtr values = call->child(ast::Call::arguments);
    const auto isPack = [](NodePtr value) { return ast::is<ast::PackExpansion>(value); };
    const auto count = std::ranges::find(counts, name, &Count::function);
    const bool isKnown = count != counts.end() && !std::ranges::any_of(values->children(), isPack);
    if (!isKnown || (count->least <= given && given <= count->most)) return true;
    const bool hasTag = given < values->children().size();
    const bool mayHaveTag =  // a variable that holds `reproducible`
        !hasTag && given == count->most + 1 && isUnknown(typeOf(values->child(0)));
    if (mayHaveTag) return true;
    std::string wanted = std::to_string(count->least);
    if (count->most > count->least) wanted += " or " + std::to_string(count->most);
    wanted += count->most == 1 ? " argument" : " arguments";
    context.report(Id::AdlibCount, values, name, wanted, given)
        .help("Adlib::" + name + "(" + std::string(count->shown) + ")");
    return false;
}

}  // namespace

void adlibArguments(const Context& context, NodePtr call) {
    const std::string name = adlibCallee(call);
    if (name.empty()) return;
    const Arguments arguments(context, name, call);
    if (!isCountRight(context, name, call, arguments.size())) return;
    for (const Entry& entry : entries)
        if (entry.function == name) check(arguments, entry);
    if (name == "gather") checkSubscripts(arguments, 2, 0, 1);
    if (name == "scatter") checkScatter(arguments);
    if (name == "fetchAdd") checkAddend(arguments);
}

}  // namespace hpcc::check
