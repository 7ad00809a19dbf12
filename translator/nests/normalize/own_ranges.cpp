// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/own_ranges.hpp"

#include <map>

#include "analysis/own_elements.hpp"
#include "analysis/plain_values.hpp"
#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "ast/rewriter.hpp"
#include "ast/scope.hpp"
#include "ast/search.hpp"
#include "nests/normalize/fixed_handles.hpp"
#include "nests/normalize/in_place_of.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;
using ast::Symbol;

/// The type of the elements; null if they are no plain values side by side.
const ast::Type* plainElement(const ast::Type& held, const ast::Type* element) {
    if (!element) return nullptr;
    if (const ast::Type* plain = analysis::plainElementOf(&held)) return plain;
    const std::string_view name = ast::isStandardSequence(&held) ? held.classSymbol->name : "";
    const bool isKnown = (name == "vector" || name == "array") && ast::isNumber(element) &&
                         element->kind != ast::TypeKind::Bool;
    return isKnown ? element : nullptr;
}

class OwnRanges : public ast::Rewriter {
public:
    OwnRanges(Context& context, const Surroundings& surroundings, ast::FreshNames::Counts& counts,
              NodePtr nest)
        : Rewriter(context.arena, 0),
          context_(context),
          surroundings_(surroundings),
          counts_(counts),
          nest_(nest) {}

    std::vector<NodePtr> declarations;

    NodePtr rewriteLambda(NodePtr lambda) override { return lambda; }
    NodePtr rewriteRangeFor(NodePtr node) override {
        const NodePtr loop = rewriteChildren(node);
        const NodePtr range = ast::withoutParentheses(loop->child(ast::RangeFor::range));
        const Symbol* const held = analysis::heldBy(range->type);
        const ast::Type* const element =
            held ? plainElement(*held->type, analysis::elementHeldBy(range->type)) : nullptr;
        if (!element || !ast::is<ast::Identifier>(range) || !isFixed(range)) return loop;
        const auto [place, isNew] = named_.try_emplace(range->symbol, nullptr);
        if (isNew) place->second = declared(range, *held, *element);
        return ast::withChild(arena(), loop, ast::RangeFor::range,
                              ast::copy(arena(), place->second));
    }

private:
    bool isFixed(NodePtr range) {
        const auto changes = [&](NodePtr each) {
            const NodePtr target = ast::changedOperand(each);
            return (target && mayBeOf(target, range)) ||
                   (!ast::is<ast::RangeFor>(each) && givesAnotherName(each, range->symbol));
        };
        if (!range->symbol || ast::anywhere(nest_, changes)) return false;
        if (!fixed_) fixed_.emplace(nest_, surroundings_);
        return fixed_->keep(range);
    }

    /// A part of the object, or of one of its class, which may be the same.
    static bool mayBeOf(NodePtr part, NodePtr object) {
        const auto isMember = [&](NodePtr name) {
            const Symbol* const own = object->type->classSymbol->members->findHere(name->text());
            return own && own == name->symbol;
        };
        for (;; part = part->child(0)) {
            if (ast::isAny<ast::Member, ast::PointerMember>(part) &&
                isMember(part->children().back()))
                return true;
            if (!ast::isAny<ast::Member, ast::PointerMember, ast::Subscript, ast::Parenthesized>(
                    part))
                return part->symbol == object->symbol ||
                       (ast::is<ast::Identifier>(part) && isMember(part));
        }
    }

    /// The name, whose declaration is noted.
    NodePtr declared(NodePtr range, const Symbol& held, const ast::Type& element) {
        const std::string wanted = std::string(range->text()) + "_elements",
                          name = context_.names.next(wanted, counts_);
        const NodePtr own = context_.identifier(name, range), object = ast::copy(arena(), range);
        own->type = held.type;
        own->symbol = &held;  // whose declaration tells the length
        const bool isPlain = analysis::plainElementOf(held.type) == &element;
        const auto length = isPlain ? analysis::lengthHeldBy(range->type, own) : std::nullopt;
        Symbol symbol;
        symbol.name = name;
        own->type = symbol.type = length ? held.type : spanOf(element);
        if (length) symbol.declaration = held.declaration;
        own->symbol = arena().makeSymbol(symbol);
        const std::string how = length ? "auto &$u = hpspmd::detail::ownElementsOf<" +
                                             std::to_string(*length) + ">($w);"
                                       : "const auto $u = hpspmd::detail::ownElementsOf($w);";
        declarations.push_back(context_.statement(how, {{"$u", own}, {"$w", object}}, range));
        return own;
    }

    const ast::Type* spanOf(const ast::Type& element) {
        Symbol span;
        span.name = "span";
        span.kind = ast::SymbolKind::Class;
        span.shape = ast::StandardShape::Sequence;
        ast::Type type;
        type.kind = ast::TypeKind::Class;
        type.classSymbol = arena().makeSymbol(span);
        type.arguments = {&element};
        return arena().makeType(type);
    }

    Context& context_;
    const Surroundings& surroundings_;
    ast::FreshNames::Counts& counts_;
    NodePtr nest_;
    std::optional<FixedNames> fixed_;
    std::map<const Symbol*, NodePtr> named_;
};

}  // namespace

NodePtr withNamedRanges(Context& context, const Surroundings& surroundings,
                        ast::FreshNames::Counts& counts, NodePtr nest) {
    if (!ast::anywhere(nest, ast::is<ast::RangeFor>)) return nest;
    OwnRanges ranges(context, surroundings, counts, nest);
    const NodePtr named = ranges.rewrite(nest);
    return context.behind(ranges.declarations, named, nest);
}

}  // namespace hpcc::nests
