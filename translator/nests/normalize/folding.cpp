// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/folding.hpp"

#include <algorithm>
#include <map>

#include "analysis/constant.hpp"
#include "ast/comments.hpp"
#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "ast/remarks.hpp"
#include "ast/search.hpp"
#include "nests/normalize/expression_nests.hpp"
#include "nests/normalize/same_words.hpp"
#include "nests/normalize/shifted_values.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;
using Headers = std::span<const NodePtr>;

bool isSameVariable(NodePtr a, NodePtr b) {
    return ast::is<ast::Identifier>(a) && ast::is<ast::Identifier>(b) && a->symbol &&
           a->symbol == b->symbol;
}

/// Of a declaration of one variable, `= ..`.
struct Declared {
    NodePtr name = nullptr, call = nullptr;
};
Declared declaredBy(NodePtr statement) {
    if (!ast::is<ast::Declaration>(statement)) return {};
    const NodePtr declarators = statement->child(ast::Declaration::declarators);
    if (!declarators || declarators->children().size() != 1) return {};
    const NodePtr one = declarators->children()[0];
    if (!ast::is<ast::InitDeclarator>(one)) return {};
    const NodePtr initializer = one->child(ast::InitDeclarator::initializer);
    const NodePtr name = one->child(ast::InitDeclarator::declarator);
    if (!ast::is<ast::EqualInitializer>(initializer) || !ast::is<ast::Identifier>(name)) return {};
    const NodePtr call = initializer->child(0);
    return ast::is<ast::Call>(call) ? Declared{name, call} : Declared{};
}

/// What a statement calls before all else that it does: `a = f(..);`, `T a = f(..);`, `f(..);`,
/// `return f(..);`
NodePtr calledBy(NodePtr statement) {
    if (ast::is<ast::Declaration>(statement)) return declaredBy(statement).call;
    if (!ast::isAny<ast::ExpressionStatement, ast::Return>(statement)) return nullptr;
    NodePtr e = statement->child(0);
    if (ast::is<ast::Assign>(e)) {
        if (!ast::is<ast::Identifier>(e->child(ast::Assign::target))) return nullptr;
        e = e->child(ast::Assign::value);
    }
    return ast::is<ast::Call>(e) ? e : nullptr;
}

/// A value whose one generator gives all elements.
struct Value {
    NodePtr name = nullptr, values = nullptr;
};

/// Operations of an expression; calls are dear.
int costOf(NodePtr node) {
    if (!node) return 0;
    int cost = ast::is<ast::Call>(node)                                          ? 10
               : ast::isAny<ast::Binary, ast::Subscript, ast::Conditional>(node) ? 1
                                                                                 : 0;
    for (const NodePtr child : node->children()) cost += costOf(child);
    return cost;
}

constexpr int mostRepeated = 16;  // operations, where they are written more than once

class Folding : public ExpressionNests {
public:
    using ExpressionNests::ExpressionNests;

    NodePtr rewriteCompound(NodePtr block) override {
        const NodePtr inner = rewriteChildren(block);
        if (ast::holdsDirective(block->origin()->text())) return inner;
        std::vector<NodePtr> statements(inner->children().begin(), inner->children().end());
        for (std::size_t k = 0; k + 1 < statements.size();) {
            const std::optional<Value> value = valueOf(statements[k]);
            const NodePtr folded =
                value ? foldedInto(statements[k + 1], *value, std::span(statements).subspan(k + 2))
                      : nullptr;
            if (!folded) {
                ++k;
                continue;
            }
            if (remarks)
                remarks->fired("folding", value->name,
                               "'" + std::string(value->name->text()) +
                                   "' is computed where it is read, without an array");
            statements[k + 1] = folded;
            statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(k));
        }
        return statements.size() == inner->children().size()
                   ? inner
                   : context.arena.rebuilt(inner, inner, statements);
    }

private:
    std::optional<Value> valueOf(NodePtr statement) {
        const auto [name, call] = declaredBy(statement);
        if (!name || !name->symbol || surroundings().macros().mention(name->text())) return {};
        const ast::Type* const type = name->symbol->type;
        const bool isOfNumbers = type && type->kind == ast::TypeKind::Multiarray &&
                                 type->elementConst && ast::isNumber(type->element);
        if (!isOfNumbers || libraryFunction(call) != "genarray") return {};
        const auto arguments = call->child(ast::Call::arguments)->children();
        if (arguments.empty() || arguments.size() > 2) return {};
        if (!ast::is<ast::OverallExpression>(arguments[0]) || !canBeNest(arguments[0], true))
            return {};
        const bool givesAll = std::ranges::all_of(headersOf(arguments[0]), [](NodePtr header) {
            const NodePtr triplet = header->child(ast::OverallHeader::triplet);
            return ast::is<ast::Identifier>(header->child(ast::OverallHeader::range)) &&
                   ast::isWholeTriplet(triplet);
        });
        const NodePtr e = expressionOf(arguments[0]);
        const std::string& element = type->element->spelled;
        const bool hasOther = arguments.size() == 2;
        if (!givesAll || !e || !ast::isNumber(e->type) || e->type->isDependent ||
            e->type->spelled != element)
            return {};
        if (hasOther && !(ast::is<ast::NumberLiteral>(arguments[1]) && arguments[1]->type &&
                          arguments[1]->type->spelled == element))
            return {};
        return Value{name, arguments[0]};
    }

    /// The statement without the value; null if it does more than read elements where they stand.
    NodePtr foldedInto(NodePtr statement, const Value& value, std::span<const NodePtr> behind) {
        const auto mentions = [&](NodePtr node) {
            return ast::anywhere(node, [&](NodePtr each) {
                return ast::is<ast::Identifier>(each) && each->text() == value.name->text();
            });
        };
        const NodePtr call = calledBy(statement);
        if (!call || libraryFunction(call).empty() || std::ranges::any_of(behind, mentions))
            return nullptr;
        NodePtr reader = nullptr;
        for (const NodePtr each : call->child(ast::Call::arguments)->children()) {
            const bool isExpression = ast::is<ast::OverallExpression>(each);
            if (isExpression ? !canBeNest(each, true) : !ast::isPure(each)) return nullptr;
            if (!mentions(each)) continue;
            if (!isExpression || reader) return nullptr;
            reader = each;
        }
        if (!reader || !fits(reader, value)) return nullptr;
        const NodePtr made = declaredBy(statement).name;
        if (made && ast::namesIn(expressionOf(value.values)).contains(made->text())) return nullptr;
        Replacing replacing(*this, value, reader);
        const NodePtr folded = replacing.rewrite(statement);
        const bool isDear = replacing.count > 1 &&
                            replacing.count * costOf(expressionOf(value.values)) > mostRepeated;
        return isDear || mentions(folded) ? nullptr : folded;
    }

    /// It has as many headers, none of which hides a name that the value uses.
    static bool fits(NodePtr reader, const Value& value) {
        const Headers own = headersOf(value.values), other = headersOf(reader);
        if (own.size() != other.size()) return false;
        const auto names = ast::namesIn(expressionOf(value.values));
        return std::ranges::none_of(other, [&](NodePtr header) {
            const std::string_view index = indexOf(header)->text();
            const bool isOwn = std::ranges::any_of(
                own, [&](NodePtr each) { return indexOf(each)->text() == index; });
            return !isOwn && std::ranges::find(names, index) != names.end();
        });
    }

    /// How far from its own index an element is read, by that index, and the subscript there.
    struct Distance {
        NodePtr subscript, range;
    };
    using Distances = std::map<std::string_view, Distance>;

    /// An expression at other places: i - 1 for i in subscripts, i` - 1 for i`.
    class Moving : public ast::Rewriter {
    public:
        Moving(Folding& pass, const Distances& distances)
            : Rewriter(pass.context.arena), pass_(pass), distances_(distances) {}

        NodePtr rewriteGlobalIndex(NodePtr node) override {
            const auto found = distances_.find(node->child(ast::GlobalIndex::operand)->text());
            return found == distances_.end() ? node : moved("($i $by)", node, found->second);
        }
        NodePtr rewriteIdentifier(NodePtr node) override {
            const auto found = distances_.find(node->text());
            return found == distances_.end() ? node : moved("$i $by", node, found->second);
        }

    private:
        NodePtr moved(std::string text, NodePtr index, const Distance& by) {
            const std::string op(by.subscript->child(ast::Binary::op)->text());
            text.replace(text.find("$by"), 3, op + " $by");
            const NodePtr distance =
                ast::copy(pass_.context.arena, by.subscript->child(ast::Binary::right));
            const NodePtr made =
                pass_.context.expression(text, {{"$i", index}, {"$by", distance}}, index);
            made->type = ast::is<ast::GlobalIndex>(index) ? index->type : by.subscript->type;
            return made;
        }

        Folding& pass_;
        const Distances& distances_;
    };

    /// Elements of the value by what it computes; those that stand elsewhere stay.
    class Replacing : public ast::Rewriter {
    public:
        Replacing(Folding& pass, const Value& value, NodePtr reader)
            : Rewriter(pass.context.arena), pass_(pass), value_(value), reader_(reader) {}

        int count = 0;

        NodePtr rewriteSubscript(NodePtr element) override {
            if (!isSameVariable(element->child(ast::Subscript::base), value_.name))
                return rewriteChildren(element);
            const auto subscripts = element->child(ast::Subscript::subscripts)->children();
            const Headers own = headersOf(value_.values);
            if (subscripts.size() != own.size()) return element;
            std::map<std::string_view, NodePtr> headers;
            Distances distances;
            for (std::size_t r = 0; r < own.size(); ++r) {
                const auto place = indexPlaceOf(subscripts[r]);
                const NodePtr header = place ? headerOf(place->index) : nullptr;
                if (!header || !isSameVariable(header->child(ast::OverallHeader::range),
                                               own[r]->child(ast::OverallHeader::range)))
                    return element;
                headers.emplace(indexOf(own[r])->text(), header);
                if (place->distance == 0) continue;
                if (!ShiftedValues(pass_.function()).areInside(header, place->distance))
                    return element;
                distances.emplace(indexOf(own[r])->text(),
                                  Distance{analysis::bare(subscripts[r]),
                                           own[r]->child(ast::OverallHeader::range)});
            }
            if (!distances.empty() && !mayMove(expressionOf(value_.values), distances))
                return element;
            ++count;
            return computed(headers, distances, element);
        }

    private:
        NodePtr headerOf(std::string_view index) const {
            const auto found = std::ranges::find_if(headersOf(reader_), [&](NodePtr header) {
                return indexOf(header)->text() == index;
            });
            return found == headersOf(reader_).end() ? nullptr : *found;
        }

        /// At such distances it reads elements whose place is that of the value, of arrays that
        /// have all elements there, and numbers of locations.
        bool mayMove(NodePtr e, const Distances& distances) const {
            if (!e) return true;
            if (ast::is<ast::Identifier>(e)) return !distances.contains(e->text());
            if (ast::is<ast::GlobalIndex>(e))
                return ast::is<ast::Identifier>(e->child(ast::GlobalIndex::operand));
            const bool isElement = ast::is<ast::Subscript>(e) && e->type && ast::isNumber(e->type);
            if (!isElement)
                return std::ranges::all_of(e->children(),
                                           [&](NodePtr each) { return mayMove(each, distances); });
            const NodePtr array = e->child(ast::Subscript::base);
            const auto subscripts = e->child(ast::Subscript::subscripts)->children();
            for (std::size_t r = 0; r < subscripts.size(); ++r) {
                const auto found = ast::is<ast::Identifier>(subscripts[r])
                                       ? distances.find(subscripts[r]->text())
                                       : distances.end();
                if (found == distances.end() ? !mayMove(subscripts[r], distances)
                                             : !ShiftedValues(pass_.function())
                                                    .isComplete(array, r, found->second.range))
                    return false;
            }
            return ast::is<ast::Identifier>(array);
        }

        NodePtr computed(const std::map<std::string_view, NodePtr>& headers,
                         const Distances& distances, NodePtr element) {
            const NodePtr e = expressionOf(value_.values);
            const NodePtr moved = Moving(pass_, distances).rewrite(e);
            const NodePtr own = pass_.withIndices(headers, moved);
            const NodePtr made =
                pass_.context.expression("($e)", {{"$e", inLineOf(element, own)}}, element);
            made->type = e->type;
            return made;
        }

        /// As made text, unless that means something else.
        NodePtr inLineOf(NodePtr element, NodePtr e) {
            const std::string text = ast::print(e);
            if (text.find('\n') == std::string::npos) {
                const NodePtr made = pass_.context.expression(text, {}, element);
                if (areAlike(made, e)) return copyAt(pass_.context.arena, element, made, e);
            }
            return ast::copy(pass_.context.arena, e);
        }

        Folding& pass_;
        const Value& value_;
        NodePtr reader_;
    };
};

}  // namespace

ast::Unit folding(ast::Unit unit, ast::Quoter& quote) {
    return rewritten<Folding>(std::move(unit), quote);
}

}  // namespace hpcc::nests
