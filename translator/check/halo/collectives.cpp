// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the collectives of Adlib write and refresh.
#include "ast/symbol.hpp"
#include "check/facts.hpp"
#include "check/halo/transfer.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace hpcc::check::halo {
namespace {

constexpr std::array readers = {"sum",    "product",  "maxval",   "minval",      "any",
                                "all",    "count",    "maxloc",   "minloc",      "reduce",
                                "gprint", "gprintln", "aprintf",  "dotProduct",  "broadcast",
                                "write",  "look",     "describe", "readTriples", "showLayout"};

// Those that write their first arguments, and how many.
std::size_t writtenArguments(std::string_view name) {
    constexpr std::array moves = {"remap",     "copy",   "shift", "cshift",    "skew", "cskew",
                                  "transpose", "gather", "scan",  "reduceDim", "read"};
    if (name == "maxlocDim" || name == "minlocDim") return 2;
    return isOneOf(name, moves) || name.ends_with("Dim") ? 1 : 0;
}

// The expressions of {1, 1}, or of a constant that is initialized by one.
std::vector<NodePtr> listed(NodePtr expression) {
    expression = bare(expression);
    if (ast::is<ast::Identifier>(expression)) {
        const Symbol* symbol = expression->symbol;
        const bool isConstant = isStable(symbol) && symbol->type && symbol->type->isConst;
        expression = isConstant ? symbol->initializer : nullptr;
        if (ast::is<ast::EqualInitializer>(expression))
            expression = bare(expression->child(ast::EqualInitializer::value));
    }
    if (ast::is<ast::FunctionalCast>(expression))
        expression = expression->child(ast::FunctionalCast::arguments);
    if (!ast::is<ast::BracedInitializer>(expression)) return {};
    std::vector<NodePtr> values(expression->children().begin(), expression->children().end());
    if (values.size() == 1 && ast::is<ast::BracedInitializer>(values[0])) return listed(values[0]);
    return values;
}

// The width that writeHalo is asked for in one dimension; negative if not known.
int widthIn(const std::vector<NodePtr>& widths, std::size_t r) {
    const auto value = r < widths.size() ? constantValue(widths[r]) : std::nullopt;
    return value && *value >= 0 && *value < allCells ? static_cast<int>(*value) : -1;
}

bool isMode(NodePtr mode, std::string_view name) {
    const std::string_view text = mode->text();
    return text == name || text.ends_with("::" + std::string(name));
}

}  // namespace

void Transfer::collective(NodePtr node, std::string_view name) {
    if (name == "writeHalo") return writeHalo(node);
    const auto arguments = node->child(ast::Call::arguments)->children();
    std::vector<Source> sources;
    for (NodePtr each : arguments) sources.push_back(evaluate(each));
    if (isOneOf(name, readers) || name == "setBoundary") return;
    std::size_t written = writtenArguments(name);
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        const Type* type = typeOf(arguments[k]);
        if (!hasDistributedSlot(type) || type->elementConst) continue;
        if (k < written)
            write(sources[k], node);
        else if (written == 0)
            mayWrite(sources[k]);
    }
}

namespace {

using Widths = std::vector<std::pair<int, int>>;

// Of all ghost cells, or those that `given` selects behind its first `from`: low, high, modes.
Widths widthsOf(std::size_t rank, std::span<const NodePtr> given, std::size_t from) {
    Widths widths(rank, std::pair(allCells, allCells));
    const auto list = [&](std::size_t k) {
        return listed(from + k < given.size() ? given[from + k] : nullptr);
    };
    if (given.size() <= from) return widths;
    const std::vector<NodePtr> low = list(0), high = list(1), modes = list(2);
    for (std::size_t r = 0; r < rank; ++r) {
        widths[r] = {widthIn(low, r), widthIn(high, r)};
        if (given.size() <= from + 2) continue;
        const bool isKnown =
            r < modes.size() &&
            (isMode(modes[r], "Edge") || isMode(modes[r], "Cyclic") || isMode(modes[r], "None"));
        if (!isKnown) widths[r] = {-1, -1};
        if (isKnown && isMode(modes[r], "None")) widths[r] = {0, 0};
    }
    return widths;
}

// halo(a, lo, hi)
bool selectsHalo(NodePtr argument) {
    argument = bare(argument);
    if (!argument->is<ast::Call>() || isKind(argument, TypeKind::Multiarray)) return false;
    const std::string_view callee = argument->child(ast::Call::callee)->text();
    return callee == "halo" || callee.ends_with("::halo");
}

}  // namespace

// writeHalo(a), (a, lo, hi), (a, lo, hi, modes), (a, b, halo(c, lo, hi), ..)
void Transfer::writeHalo(NodePtr node) {
    const auto arguments = node->child(ast::Call::arguments)->children();
    if (arguments.empty()) return;
    if (isVague(typeOf(arguments[0])) && !selectsHalo(arguments[0])) {  // any array in reach
        mayChange(arguments[0]);
        unknownCall();
    }
    const bool areAllArrays = std::ranges::all_of(arguments, [](NodePtr each) {
        return isKind(each, TypeKind::Multiarray) || selectsHalo(each);
    });
    bool refreshesAny = !areAllArrays;
    for (NodePtr each : arguments) {
        const bool selects = selectsHalo(each);
        const auto given = selects        ? bare(each)->child(ast::Call::arguments)->children()
                           : areAllArrays ? arguments.first(1)
                                          : arguments;
        const NodePtr array = !selects ? each : given.empty() ? nullptr : given[0];
        if (!array || !isKind(array, TypeKind::Multiarray)) continue;
        const Source source = evaluate(array);
        const bool isFollowed = source.storage != State::none && !source.isPart;
        const bool isFresh =
            isFollowed &&
            std::ranges::all_of(state[source.storage].fresh.sides(), [](const Side& side) {
                return side.isFreshFor(allCells) && !side.isOpen();
            });
        refreshesAny |= !isFresh;
        refresh(source, widthsOf(typeOf(array)->slots.size(), given, 1));
    }
    if (!refreshesAny) note({Id::NeedlessHalo, node, statement_, nullptr, nullptr, arguments[0]});
}

}  // namespace hpcc::check::halo
