// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/element_references.hpp"

#include <algorithm>

#include "analysis/plain_fields.hpp"
#include "analysis/plain_values.hpp"
#include "analysis/written_parts.hpp"
#include "ast/copy.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "nests/nest_rewriter.hpp"
#include "nests/normalize/fixed_handles.hpp"
#include "nests/normalize/in_place_of.hpp"
#include "nests/normalize/same_words.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// `double &total = y[i]`, or one name of `auto &[x, v] = p[i]`
struct Reference {
    NodePtr name = nullptr;
    NodePtr element = nullptr;
    const ast::Symbol* field = nullptr;
};

bool isSameClass(const ast::Type* a, const ast::Type* b) {
    return a && b && a->kind == ast::TypeKind::Class && a->classSymbol &&
           a->classSymbol == b->classSymbol &&
           std::ranges::equal(a->arguments, b->arguments, isSameNumber);
}

/// The members of an object of a plain class that the names are; none if that is not known.
std::vector<const ast::Symbol*> boundFields(NodePtr bindings, const ast::Type* object) {
    const auto names = bindings->children();
    const auto fields = analysis::fieldsOf(object);
    const bool isKnown = names.size() == fields.size() && analysis::isPlainValue(object) &&
                         std::ranges::all_of(names, [](NodePtr each) {
                             return ast::is<ast::Identifier>(each) && each->symbol;
                         });
    return isKnown ? fields : std::vector<const ast::Symbol*>();
}

/// The type of an element of a multiarray, or of a container of plain values; null of others.
const ast::Type* elementTypeOf(NodePtr element) {
    const NodePtr base = element->child(ast::Subscript::base);
    if (const ast::Type* array = ast::multiarrayType(base))
        return ast::isDirectAccess(element) ? array->element : nullptr;
    const bool isOne = element->child(ast::Subscript::subscripts)->children().size() == 1;
    return isOne ? analysis::plainElementOf(base->type) : nullptr;
}

/// Null if it is none.
NodePtr initialElement(NodePtr initializer) {
    if (!ast::is<ast::EqualInitializer>(initializer)) return nullptr;
    const NodePtr e = ast::withoutParentheses(initializer->child(0));
    const bool isElement = ast::is<ast::Subscript>(e) && elementTypeOf(e) &&
                           isPlainBase(e->child(ast::Subscript::base));
    const bool isPure =
        isElement && std::ranges::all_of(e->child(ast::Subscript::subscripts)->children(),
                                         [](NodePtr subscript) { return ast::isPure(subscript); });
    return isPure ? e : nullptr;
}

/// The references that a statement declares, if it declares nothing else.
std::vector<Reference> referencesOf(NodePtr statement) {
    if (!ast::is<ast::Declaration>(statement)) return {};
    const NodePtr specifiers = statement->child(ast::Declaration::specifiers);
    const NodePtr declarators = statement->child(ast::Declaration::declarators);
    if (!ast::is<ast::Specifiers>(specifiers) || !declarators) return {};
    const NodePtr before = specifiers->child(ast::Specifiers::before);
    if (before && before->text() != "const") return {};
    const bool isDeduced = specifiers->child(ast::Specifiers::core)->text() == "auto";
    std::vector<Reference> result;
    for (const NodePtr each : declarators->children()) {
        const NodePtr declarator = each->child(ast::InitDeclarator::declarator);
        const NodePtr element = initialElement(each->child(ast::InitDeclarator::initializer));
        if (!element || !ast::is<ast::PointerDeclarator>(declarator)) return {};
        const auto operators = declarator->child(ast::PointerDeclarator::operators)->children();
        const NodePtr name = declarator->child(ast::PointerDeclarator::declarator);
        const ast::Type* const type = elementTypeOf(element);
        if (operators.size() != 1 || !ast::is<ast::Reference>(operators[0])) return {};
        if (ast::is<ast::StructuredBinding>(name)) {
            const auto fields = boundFields(name, type);
            for (size_t k = 0; k < fields.size(); ++k)
                result.push_back({name->children()[k], element, fields[k]});
            return result;
        }
        if (!ast::is<ast::Identifier>(name) || !name->symbol) return {};
        if (!isDeduced && !isSameNumber(name->symbol->type, type) &&
            !isSameClass(name->symbol->type, type))
            return {};
        result.push_back({name, element, nullptr});
    }
    return result;
}

/// True if the variable is surely used where `node` is evaluated.
bool surelyUses(NodePtr node, const ast::Symbol* symbol) {
    if (!node) return false;
    if (ast::is<ast::Identifier>(node)) return node->symbol == symbol;
    if (ast::is<ast::If>(node)) return surelyUses(node->child(ast::If::condition), symbol);
    if (ast::is<ast::Conditional>(node))
        return surelyUses(node->child(ast::Conditional::condition), symbol);
    if (ast::is<ast::Binary>(node) && ast::isShortCircuit(node))
        return surelyUses(node->child(ast::Binary::left), symbol);
    const bool isAlways = ast::is<ast::Compound>(node) || ast::is<ast::Declaration>(node) ||
                          ast::is<ast::ExpressionStatement>(node) || !ast::isStatement(node);
    return isAlways && !ast::is<ast::Lambda>(node) && !ast::is<ast::Sizeof>(node) &&
           !ast::is<ast::DecltypeType>(node) &&
           std::ranges::any_of(node->children(),
                               [&](NodePtr part) { return surelyUses(part, symbol); });
}

/// Its access raises its error, if any, also where the name is gone.
bool isSurelyUsed(std::span<const NodePtr> statements, const ast::Symbol* symbol) {
    for (const NodePtr statement : statements) {
        if (surelyUses(statement, symbol)) return true;
        if (holdsJump(statement)) return false;
    }
    return false;
}

class ElementReferences : public NestRewriter {
public:
    ElementReferences(Context& context, ast::Unit& unit)
        : NestRewriter(context, unit, ast::extension | ast::subscript) {}

    NodePtr rewriteOverall(NodePtr overall) override {
        ++depth_;
        const NodePtr result = rewriteChildren(overall);
        --depth_;
        return result;
    }
    NodePtr rewriteLambda(NodePtr lambda) override {
        const int depth = std::exchange(depth_, 0);
        const NodePtr result = NestRewriter::rewriteLambda(lambda);
        depth_ = depth;
        return result;
    }

    NodePtr rewriteCompound(NodePtr block) override {
        if (depth_ == 0) return rewriteChildren(block);
        std::vector<NodePtr> statements(block->children().begin(), block->children().end());
        bool isChanged = false;
        for (size_t k = 0; k < statements.size(); ++k) isChanged |= nameCopy(statements, k);
        for (size_t k = 0; k < statements.size();) {
            const auto references = referencesOf(statements[k]);
            const bool isReplaced =
                !references.empty() && areReplaceable(block, references, statements, k + 1);
            if (!isReplaced) {
                ++k;
                continue;
            }
            statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(k));
            for (const Reference& each : references) {
                InPlaceOf element(context.arena, each.name, [&](NodePtr place) {
                    const NodePtr made = elementAt(each.element, place);
                    return each.field ? memberOf(context, made, *each.field, place) : made;
                });
                for (size_t m = k; m < statements.size(); ++m)
                    statements[m] = element.rewrite(statements[m]);
            }
        }
        const NodePtr result = statements.size() == block->children().size() && !isChanged
                                   ? block
                                   : context.arena.rebuilt(block, block, statements);
        return rewriteChildren(result);
    }

private:
    /// The element as made text, in the line where it is used.
    NodePtr elementAt(NodePtr element, NodePtr place) {
        const NodePtr made = context.expression(ast::print(element), {}, place);
        return copyAt(context.arena, place, made, element);
    }

    /// `const auto [x, v] = e;` as `const auto x_parts = e;`, with `x_parts.x` for `x`.
    bool nameCopy(std::vector<NodePtr>& statements, size_t at) {
        const NodePtr statement = statements[at];
        const NodePtr list = ast::is<ast::Declaration>(statement)
                                 ? statement->child(ast::Declaration::declarators)
                                 : nullptr;
        const NodePtr specifiers = list ? statement->child(ast::Declaration::specifiers) : nullptr;
        if (!list || list->children().size() != 1 || !ast::is<ast::Specifiers>(specifiers))
            return false;
        const NodePtr before = specifiers->child(ast::Specifiers::before);
        const NodePtr declarator = list->child(0)->child(ast::InitDeclarator::declarator);
        const NodePtr initializer = list->child(0)->child(ast::InitDeclarator::initializer);
        if (!ast::is<ast::StructuredBinding>(declarator) || (before && before->text() != "const") ||
            !ast::is<ast::EqualInitializer>(initializer))
            return false;
        const NodePtr value = initializer->child(ast::EqualInitializer::value);
        ast::Type type = value->type ? *value->type : ast::Type();
        type.isReference = false;
        type.isConst = before != nullptr;
        auto fields = boundFields(declarator, &type);
        if (fields.empty()) fields = halvesOf(type);
        const auto names = declarator->children();
        const std::span<const NodePtr> all(statements);
        const bool isKnown =
            !fields.empty() && fields.size() == names.size() &&
            std::ranges::none_of(names,
                                 [&](NodePtr name) {
                                     return !name->symbol ||
                                            surroundings().macros().mention(name->text());
                                 }) &&
            std::ranges::all_of(all.subspan(at + 1),
                                [](NodePtr each) { return asksForMembers(each, nullptr, false); });
        if (!isKnown) return false;
        const NodePtr parts =
            context.variable(context.names.next(std::string(names[0]->text()) + "_parts", counts_),
                             context.arena.makeType(type), statement);
        statements[at] = context.statement(ast::print(specifiers) + " $v = $e;",
                                           {{"$v", parts}, {"$e", value}}, statement);
        for (size_t k = 0; k < names.size(); ++k) {
            InPlaceOf part(context.arena, names[k], [&](NodePtr place) {
                return memberOf(context, ast::copy(context.arena, parts), *fields[k], place);
            });
            for (size_t m = at + 1; m < statements.size(); ++m)
                statements[m] = part.rewrite(statements[m]);
        }
        return true;
    }

    /// `first` and `second` of a std::pair of numbers; none of other types.
    std::vector<const ast::Symbol*> halvesOf(const ast::Type& type) {
        std::vector<const ast::Symbol*> halves;
        if (type.arguments.size() != 2) return halves;
        for (const analysis::PlainField& each : analysis::numbersOf(type)) {
            if (each.symbol) return {};
            ast::Symbol half;
            half.name = each.name;
            half.kind = ast::SymbolKind::Field;
            half.type = each.type;
            halves.push_back(context.arena.makeSymbol(half));
        }
        return halves;
    }

    /// Nothing behind the declaration changes which elements they are.
    bool areReplaceable(NodePtr block, const std::vector<Reference>& references,
                        std::span<const NodePtr> statements, size_t next) {
        const auto behind = statements.subspan(next);
        const FixedNames fixed(context.arena.rebuilt(block, block, behind), surroundings());
        const auto isUsed = [&](const Reference& each) {
            return !ast::multiarrayType(each.element->child(ast::Subscript::base)) ||
                   isSurelyUsed(behind, each.name->symbol);
        };
        const bool isOfOne = references.front().field;  // its access is that of one element
        if (isOfOne && (std::ranges::none_of(references, isUsed) ||
                        !std::ranges::all_of(behind, [](NodePtr statement) {
                            return asksForMembers(statement, nullptr, false);
                        })))
            return false;
        return std::ranges::all_of(references, [&](const Reference& each) {
            return !surroundings().macros().mention(each.name->text()) &&
                   fixed.keep(each.element) && (isOfOne || isUsed(each)) &&
                   areAlike(context.expression(ast::print(each.element), {}, each.name),
                            each.element);
        });
    }

    ast::FreshNames::Counts counts_;
    int depth_ = 0;  // how many `overall` stand round the place
};

}  // namespace

ast::Unit elementReferences(ast::Unit unit, ast::Quoter& quote) {
    return rewritten<ElementReferences>(std::move(unit), quote);
}

}  // namespace hpcc::nests
