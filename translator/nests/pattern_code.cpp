// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/pattern_code.hpp"

#include <algorithm>
#include <optional>

#include "analysis/constant.hpp"
#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// Elements that lie side by side, or in rows that do.
struct List {
    const ast::Type* element;
    size_t rank;
};

/// std::array, or an array of C's.
std::optional<List> fixedList(const ast::Type& type) {
    const bool isStandard = ast::isStandardArray(&type);
    const ast::Type* const inner = isStandard                           ? type.arguments.front()
                                   : type.kind == ast::TypeKind::CArray ? type.element
                                                                        : nullptr;
    if (!inner) return std::nullopt;
    const auto further = fixedList(*inner);
    return further ? List{further->element, further->rank + 1} : List{inner, 1};
}

/// And std::vector, std::span, and multiarrays without distributed dimensions.
std::optional<List> listOf(const ast::Type* type) {
    if (!type || type->isDependent) return std::nullopt;
    if (type->kind == ast::TypeKind::Multiarray) {
        const bool isWhole =
            !type->slots.empty() && std::ranges::all_of(type->slots, [](ast::SlotKind slot) {
                return slot == ast::SlotKind::Sequential;
            });
        return isWhole ? std::optional(List{type->element, type->slots.size()}) : std::nullopt;
    }
    const bool isStandard = ast::isStandardSequence(type);
    const bool isVector = isStandard && type->classSymbol->name == "vector";
    if (!isVector && !(isStandard && type->classSymbol->name == "span")) return fixedList(*type);
    const ast::Type& inner = *type->arguments.front();
    if (isVector && inner.kind == ast::TypeKind::Bool) return std::nullopt;  // bits
    const auto further = fixedList(inner);
    return further ? List{further->element, further->rank + 1} : List{&inner, 1};
}

/// `std::tuple(a, b)` or `{a, b}`: its parts; else null.
NodePtr partsOfTuple(NodePtr value) {
    if (ast::is<ast::BracedInitializer>(value)) return value;
    const bool isCall = ast::is<ast::Call>(value);
    if (!isCall && !ast::is<ast::FunctionalCast>(value)) return nullptr;
    const std::string name = ast::print(value->child(0));
    return name == "std::tuple" || name == "std::make_tuple" ? value->children().back() : nullptr;
}

}  // namespace

std::string PatternCode::parameterFor(const Captured& each) {
    if (each.rank == 0) return FunctionCode::parameterFor(each);
    const ListNames& names = lists_.at(each.name);
    std::string text = "LIST(" + each.word + ", " + names.list + ")";
    for (const std::string& extent : names.extents) text += ", EXTENT(" + extent + ")";
    for (const std::string& stride : names.strides) text += ", EXTENT(" + stride + ")";
    return text;
}

std::string PatternCode::resultWord(std::vector<std::string>& parameters) {
    for (size_t k = 0; k < results_.size(); ++k)
        parameters.push_back(results_[k] + "* " + result(k));
    return results_.empty() ? FunctionCode::resultWord(parameters) : "void";
}

NodePtr PatternCode::special(NodePtr node) {
    if (const NodePtr target = ast::changedOperand(node)) return requireOwn(node, target);
    if (ast::is<ast::Subscript>(node)) return element(node);
    if (ast::is<ast::Call>(node)) return extent(node);
    if (ast::is<ast::RangeFor>(node)) return overElements(node);
    if (ast::is<ast::For>(node)) return unrolled(node);
    const NodePtr value = ast::is<ast::Return>(node) ? node->child(ast::Return::value) : nullptr;
    return value ? returned(node, value) : nullptr;
}

NodePtr PatternCode::returned(NodePtr node, NodePtr value) {
    if (!numberWord(given).empty()) return FunctionCode::special(node);
    const NodePtr parts = partsOfTuple(ast::withoutParentheses(value));
    if (parts && !parts->children().empty()) return tuple(node, parts->children());
    return fail(value, "gives " + quoted(compact(ast::print(value))) +
                           ", which is no number nor a tuple of numbers that a kernel knows");
}

bool PatternCode::isCaptured(const ast::Symbol& symbol) const {
    if (!isWrittenThere_) return FunctionCode::isCaptured(symbol);
    if (!isRoundLambda(symbol) || !functions.isLocal(symbol)) return false;
    const NodePtr captures = own->child(ast::Lambda::captures);
    return captures && std::ranges::any_of(captures->children(), [&](NodePtr each) {
               return ast::is<ast::DefaultCapture>(each) ||
                      (each->children().size() == 2 && each->child(0) && !each->child(1) &&
                       each->child(0)->text() == symbol.name);
           });
}

const PatternCode::ListNames* PatternCode::listNamed(NodePtr name) {
    name = name ? ast::withoutParentheses(name) : name;
    if (!ast::is<ast::Identifier>(name) || !name->symbol) return nullptr;
    const ast::Symbol& symbol = *name->symbol;
    const auto list = listOf(symbol.type);
    if (!list || !isCaptured(symbol)) return nullptr;
    const auto known = lists_.find(symbol.name);
    if (known != lists_.end()) return &known->second;
    const std::string number = numberWord(list->element);
    const std::string own = number.empty() ? functions.records.classOf(list->element) : "";
    if (number.empty() && own.empty()) return nullptr;
    const std::string text = named(symbol.name);
    ListNames names{text, {}, {}};
    for (size_t r = 0; r < list->rank; ++r)
        names.extents.push_back(context.fresh(text + "_n" + std::to_string(r)));
    for (size_t r = 0; r + 1 < list->rank; ++r)
        names.strides.push_back(context.fresh(text + "_s" + std::to_string(r)));
    captured({symbol.name, own.empty() ? number : own, isReferredTo(symbol), list->rank, own});
    return &lists_.emplace(symbol.name, std::move(names)).first->second;
}

/// `centres[c]`, `g[g_s0 * (i) + (j)]` of `g[i, j]` or `g[i][j]`; null if it is another element.
NodePtr PatternCode::element(NodePtr node) {
    std::vector<NodePtr> subscripts;
    NodePtr base = node;
    while (ast::is<ast::Subscript>(base)) {
        const auto own = base->child(ast::Subscript::subscripts)->children();
        subscripts.insert(subscripts.begin(), own.begin(), own.end());
        base = ast::withoutParentheses(base->child(ast::Subscript::base));
    }
    const ListNames* const list = listNamed(base);
    if (!list || subscripts.size() != list->extents.size()) return nullptr;
    std::string place;
    for (size_t r = 0; r < subscripts.size(); ++r) {
        const std::string at = ast::print(copied(subscripts[r]));
        if (r > 0) place += " + ";
        place += subscripts.size() == 1      ? at
                 : r + 1 < subscripts.size() ? list->strides[r] + " * (" + at + ")"
                                             : "(" + at + ")";
    }
    return context.identifier(list->list + "[" + place + "]", node);
}

/// `centres.size()`, `std::size(centres)`, `g.size(1)`; null if it is another call.
NodePtr PatternCode::extent(NodePtr call) {
    const NodePtr callee = call->child(ast::Call::callee);
    const auto arguments = call->child(ast::Call::arguments)->children();
    if (ast::is<ast::Member>(callee)) {
        const NodePtr base = callee->child(ast::Member::base);
        if (callee->child(ast::Member::name)->text() != "size") return nullptr;
        const ListNames* const list = listNamed(base);
        if (!list) return nullptr;
        const bool isMultiarray = ast::multiarrayType(base);
        const auto r = arguments.size() == 1 ? analysis::constantValue(arguments[0]) : std::nullopt;
        const bool isKnown = r && *r >= 0 && static_cast<size_t>(*r) < list->extents.size();
        if (isMultiarray && isKnown)
            return context.identifier(list->extents[static_cast<size_t>(*r)], call);
        if (isMultiarray || !arguments.empty()) return nullptr;
        return context.identifier("((unsigned long)(" + list->extents.front() + "))", call);
    }
    const ast::Symbol* symbol = callee->symbol;
    const bool isSize = symbol && symbol->kind == ast::SymbolKind::Function &&
                        symbol->name == "size" && !symbol->declaration && arguments.size() == 1;
    const ListNames* const list = isSize ? listNamed(arguments[0]) : nullptr;
    return list && !ast::multiarrayType(arguments[0])
               ? context.identifier("((unsigned long)(" + list->extents.front() + "))", call)
               : nullptr;
}

/// `for (const Point& c : centres) ..`
NodePtr PatternCode::overElements(NodePtr loop) {
    const NodePtr range = loop->child(ast::RangeFor::range);
    const NodePtr name = ast::declaredName(loop->child(ast::RangeFor::declarator));
    const ListNames* const list = listNamed(range);
    if (!list || list->extents.size() != 1 || loop->child(ast::RangeFor::initializer) ||
        !ast::is<ast::Identifier>(name) || !name->symbol)
        return nullptr;
    const ast::Type* const type = name->symbol->type;
    const ast::Type* const element = listOf(range->type)->element;
    const std::string word = functions.records.wordOf(type);
    const bool isSame = functions.records.classOf(type) == functions.records.classOf(element);
    if (word.empty() || !isSame)
        return fail(name, "declares what is no number that a kernel knows");
    if (type->isReference && !type->isConst) references_.insert(name->symbol);
    const std::string k = context.fresh("k");
    const std::string body = ast::print(copied(loop->child(ast::RangeFor::body)));
    return context.identifier("for (Index " + k + " = 0; " + k + " < " + list->extents.front() +
                                  "; ++" + k + ") { " + word + " " + named(name->text()) + " = " +
                                  list->list + "[" + k + "]; " + body + " }",
                              loop);
}

/// An innermost loop that reads a captured array asks memory for several elements at once then.
NodePtr PatternCode::unrolled(NodePtr loop) {
    const auto reads = [this](NodePtr node) {
        NodePtr base = node;
        while (ast::is<ast::Subscript>(base))
            base = ast::withoutParentheses(base->child(ast::Subscript::base));
        return base != node && ast::is<ast::Identifier>(base) && base->symbol &&
               listOf(base->symbol->type) && isCaptured(*base->symbol);
    };
    const NodePtr body = loop->child(ast::For::body);
    const bool isInnermost =
        !ast::anywhere(body, ast::isAny<ast::For, ast::RangeFor, ast::While, ast::DoWhile>);
    if (!isInnermost || !ast::anywhere(body, reads) || !unrolled_.insert(loop).second)
        return nullptr;
    return context.identifier("{ UNROLLED " + ast::print(copied(loop)) + " }", loop);
}

/// Null if what it changes is its own.
NodePtr PatternCode::requireOwn(NodePtr node, NodePtr target) {
    target = ast::withoutParentheses(target);
    while (target && ast::isAny<ast::Member, ast::Subscript>(target))
        target = ast::withoutParentheses(target->child(0));
    if (target && target->symbol && isOwn(target->symbol->declaration) &&
        !references_.contains(target->symbol))
        return nullptr;
    return fail(node, "changes " + quoted(target ? compact(ast::print(target)) : "") +
                          ", which is not its own");
}

NodePtr PatternCode::tuple(NodePtr node, std::span<const NodePtr> parts) {
    std::vector<std::string> words;
    std::string text;
    for (const NodePtr each : parts) {
        words.push_back(each ? localWord(numberWord(each->type)) : "");
        if (words.back().empty())
            return fail(node, "gives a tuple of what are no numbers that a kernel knows");
    }
    if (!results_.empty() && results_ != words) return fail(node, "gives tuples of several types");
    results_ = words;
    for (size_t k = 0; k < parts.size(); ++k)
        text += "*" + result(k) + " = " + ast::print(copied(parts[k])) + "; ";
    return obstacle.place ? node : context.identifier("{ " + text + "return; }", node);
}

std::string PatternCode::result(size_t k) {
    while (resultNames_.size() <= k) resultNames_.push_back(context.fresh("made"));
    return resultNames_[k];
}

}  // namespace hpcc::nests
