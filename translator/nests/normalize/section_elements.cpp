// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/section_elements.hpp"

#include <algorithm>
#include <optional>

#include "analysis/constant.hpp"
#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/specifiers.hpp"
#include "ast/subscripts.hpp"
#include "ast/type.hpp"
#include "nests/nest_rewriter.hpp"
#include "nests/normalize/expression_nests.hpp"
#include "nests/normalize/fixed_handles.hpp"
#include "nests/normalize/same_words.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;
using StatementList = std::span<const NodePtr>;

/// `double [[-]] v = a[[:, j]]`
struct NamedSection {
    NodePtr name = nullptr;
    NodePtr section = nullptr;
};

StatementList slotsOf(NodePtr section) { return section->child(ast::Section::slots)->children(); }

/// True if the slot keeps a dimension, or takes one element of it without a choice of processes.
bool isPlainSlot(NodePtr slot, ast::SlotKind kind) {
    if (ast::isWholeTriplet(slot)) return true;
    if (!ast::isExpression(slot) || !ast::isPure(slot) || !slot->type) return false;
    return kind == ast::SlotKind::Sequential ? ast::isInteger(slot->type)
                                             : slot->type->kind == ast::TypeKind::Index;
}

/// True if the name is an array of what is left of the other one.
bool isOfSameKind(const ast::Type* named, const ast::Type* array, NodePtr section) {
    if (!named || named->kind != ast::TypeKind::Multiarray || named->isReference ||
        !isSameNumber(named->element, array->element))
        return false;
    std::vector<ast::SlotKind> left;
    const StatementList slots = slotsOf(section);
    for (size_t r = 0; r < slots.size(); ++r)
        if (ast::isWholeTriplet(slots[r])) left.push_back(array->slots[r]);
    return left == named->slots;
}

/// Nothing if a statement declares anything else.
std::optional<NamedSection> sectionNamedIn(NodePtr statement) {
    if (!ast::is<ast::Declaration>(statement) ||
        ast::isSpecifiedAsStatic(statement->child(ast::Declaration::specifiers)))
        return std::nullopt;
    const NodePtr list = statement->child(ast::Declaration::declarators);
    if (!list || list->children().size() != 1) return std::nullopt;
    const NodePtr name = list->child(0)->child(ast::InitDeclarator::declarator);
    const NodePtr start = list->child(0)->child(ast::InitDeclarator::initializer);
    if (!ast::is<ast::Identifier>(name) || !name->symbol || !ast::is<ast::EqualInitializer>(start))
        return std::nullopt;
    const NodePtr section = ast::withoutParentheses(start->child(ast::EqualInitializer::value));
    if (!ast::is<ast::Section>(section)) return std::nullopt;
    const NodePtr base = section->child(ast::Section::base);
    const ast::Type* const array = ast::multiarrayType(base);
    const StatementList slots = slotsOf(section);
    if (!array || !ast::isSimple(base) || slots.empty() || slots.size() != array->slots.size())
        return std::nullopt;
    for (size_t r = 0; r < slots.size(); ++r)
        if (!isPlainSlot(slots[r], array->slots[r])) return std::nullopt;
    if (!isOfSameKind(name->symbol->type, array, section)) return std::nullopt;
    return NamedSection{name, section};
}

/// A place where the name stands for the array: the node, and what it asks for.
struct Use {
    enum class Kind { None, Element, Inquiry, Operand } kind = Kind::None;
    size_t dimension = 0;  // of `v.rng(0)` and `v.size(0)`
};

class Uses {
public:
    explicit Uses(const NamedSection& named)
        : name_(named.name->symbol), rank_(named.name->symbol->type->slots.size()) {}

    Use at(NodePtr node) const {
        if (ast::is<ast::Subscript>(node) && isName(node->child(ast::Subscript::base)) &&
            ast::isDirectAccess(node))
            return {Use::Kind::Element};
        if (!ast::is<ast::Call>(node)) return {};
        const StatementList arguments = node->child(ast::Call::arguments)->children();
        const NodePtr callee = node->child(ast::Call::callee);
        if (ast::is<ast::Member>(callee) && isName(callee->child(ast::Member::base)))
            return inquiry(callee->child(ast::Member::name)->text(), arguments);
        const bool isOperand = libraryFunction(node) == "dotProduct" && arguments.size() == 2 &&
                               std::ranges::any_of(arguments, [&](NodePtr e) { return isName(e); });
        return {isOperand ? Use::Kind::Operand : Use::Kind::None};
    }
    bool isName(NodePtr e) const { return ast::is<ast::Identifier>(e) && e->symbol == name_; }

    /// True if elements, sizes and ranges are all that is asked for below a node.
    bool areAll(NodePtr node) const {
        if (!node) return true;
        if (isName(node)) return false;
        const auto below = [&](NodePtr part) {
            return std::ranges::all_of(part->children(),
                                       [&](NodePtr each) { return areAll(each); });
        };
        switch (at(node).kind) {
        case Use::Kind::Element:
            return areAll(node->child(ast::Subscript::subscripts));
        case Use::Kind::Inquiry:
            return true;
        case Use::Kind::Operand:
            return std::ranges::all_of(node->child(ast::Call::arguments)->children(),
                                       [&](NodePtr each) { return isName(each) || areAll(each); });
        default:
            return below(node);
        }
    }
    /// True if elements, or all of them, are asked for below a node.
    bool areIn(NodePtr node) const {
        return ast::anywhere(node, [&](NodePtr each) {
            const Use::Kind kind = at(each).kind;
            return kind == Use::Kind::Element || kind == Use::Kind::Operand;
        });
    }
    /// True if some element is changed below a node.
    bool changeSome(NodePtr node) const {
        return ast::anywhere(node, [&](NodePtr each) {
            const NodePtr target = ast::withoutParentheses(ast::changedOperand(each));
            return target && at(target).kind == Use::Kind::Element;
        });
    }
    /// True if a declaration below a node gives some element, or code that names one, a name by
    /// which later passes find it.
    bool nameSome(NodePtr node) const {
        return ast::anywhere(node, [&](NodePtr each) {
            if (!ast::is<ast::InitDeclarator>(each)) return false;
            const NodePtr name = each->child(ast::InitDeclarator::declarator);
            const NodePtr start = each->child(ast::InitDeclarator::initializer);
            const bool isValue =
                ast::is<ast::Identifier>(name) && name->symbol && ast::isNumber(name->symbol->type);
            return start && !isValue && areIn(start);
        });
    }
    /// True if an element, or all of them, are surely asked for where a node runs, so that an error
    /// of the section stays one.
    bool areSurelyIn(NodePtr node) const {
        if (!node) return false;
        const Use::Kind kind = at(node).kind;
        if (kind == Use::Kind::Element || kind == Use::Kind::Operand) return true;
        if (ast::is<ast::If>(node)) return areSurelyIn(node->child(ast::If::condition));
        if (ast::is<ast::Conditional>(node))
            return areSurelyIn(node->child(ast::Conditional::condition));
        if (ast::is<ast::Binary>(node) && ast::isShortCircuit(node))
            return areSurelyIn(node->child(ast::Binary::left));
        const bool isAlways =
            !ast::isStatement(node) ||
            ast::isAny<ast::Compound, ast::Declaration, ast::Overall, ast::ExpressionStatement>(
                node);
        return isAlways && std::ranges::any_of(node->children(),
                                               [&](NodePtr part) { return areSurelyIn(part); });
    }

private:
    Use inquiry(std::string_view asked, StatementList arguments) const {
        if (arguments.size() != 1 || (asked != "rng" && asked != "size")) return {};
        const long long dimension = analysis::constantValue(arguments[0]).value_or(-1);
        const bool isKnown = dimension >= 0 && dimension < static_cast<long long>(rank_);
        return isKnown ? Use{Use::Kind::Inquiry, static_cast<size_t>(dimension)} : Use{};
    }

    const ast::Symbol* name_;
    size_t rank_;
};

/// Puts the elements of the array in the place of the section's.
class InPlaceOfSection : public ast::Rewriter {
public:
    InPlaceOfSection(Context& context, const NamedSection& named)
        : Rewriter(context.arena), context_(context), uses_(named), section_(named.section) {}

    NodePtr rewriteSubscript(NodePtr old) override {
        const NodePtr node = rewriteChildren(old);
        if (uses_.at(node).kind != Use::Kind::Element) return node;
        const NodePtr list = node->child(ast::Subscript::subscripts);
        size_t own = 0;
        std::vector<NodePtr> subscripts;
        for (const NodePtr slot : slotsOf(section_))
            subscripts.push_back(ast::isWholeTriplet(slot) ? list->child(own++)
                                                           : copiedTo(node, slot));
        const NodePtr made =
            ast::withChild(context_.arena, node, ast::Subscript::base, baseAt(node));
        return ast::withChild(context_.arena, made, ast::Subscript::subscripts,
                              context_.arena.rebuilt(list, list, subscripts));
    }

    NodePtr rewriteCall(NodePtr old) override {
        const NodePtr node = rewriteChildren(old);
        const Use use = uses_.at(node);
        const NodePtr list = node->child(ast::Call::arguments);
        std::vector<NodePtr> arguments(list->children().begin(), list->children().end());
        if (use.kind == Use::Kind::None) return node;
        NodePtr made = node;
        if (use.kind == Use::Kind::Inquiry) {
            const NodePtr callee = node->child(ast::Call::callee);
            arguments = {context_.number(inArray(use.dimension), node)};
            made = ast::withChild(
                context_.arena, node, ast::Call::callee,
                ast::withChild(context_.arena, callee, ast::Member::base, baseAt(node)));
        } else {
            for (NodePtr& each : arguments)
                if (uses_.isName(each)) each = copiedTo(each, section_);
        }
        return ast::withChild(context_.arena, made, ast::Call::arguments,
                              context_.arena.rebuilt(list, list, arguments));
    }

private:
    /// As made text, in the line where it is used.
    NodePtr copiedTo(NodePtr place, NodePtr e) {
        return copyAt(context_.arena, place, context_.expression(ast::print(e), {}, place), e);
    }
    NodePtr baseAt(NodePtr place) { return copiedTo(place, section_->child(ast::Section::base)); }

    /// The dimension of the array that is this one of the section.
    long inArray(size_t dimension) const {
        const StatementList slots = slotsOf(section_);
        size_t r = 0;
        while (!ast::isWholeTriplet(slots[r]) || dimension-- > 0) ++r;
        return static_cast<long>(r);
    }

    Context& context_;
    Uses uses_;
    NodePtr section_;
};

class SectionElements : public NestRewriter {
public:
    SectionElements(Context& context, ast::Unit& unit)
        : NestRewriter(context, unit, ast::extension) {}

    NodePtr rewriteCompound(NodePtr block) override {
        std::vector<NodePtr> statements(block->children().begin(), block->children().end());
        bool isChanged = false;
        for (size_t k = 0; k < statements.size(); ++k) {
            const auto named = sectionNamedIn(statements[k]);
            const StatementList behind = StatementList(statements).subspan(k + 1);
            if (!named || !isReplaceable(block, *named, behind)) continue;
            const Uses uses(*named);
            const bool isGone =
                isSurelyUsed(uses, behind) &&
                std::ranges::none_of(behind, [&](NodePtr each) { return uses.nameSome(each); });
            InPlaceOfSection elements(context, *named);
            for (size_t m = k + 1; m < statements.size(); ++m)
                statements[m] = elements.rewrite(statements[m]);
            if (isGone) statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(k--));
            isChanged = true;
        }
        return rewriteChildren(isChanged ? context.arena.rebuilt(block, block, statements) : block);
    }

private:
    /// Nothing behind the declaration changes which elements they are, or asks for more than these.
    bool isReplaceable(NodePtr block, const NamedSection& named, StatementList behind) {
        const Uses uses(named);
        const ast::Type* const array =
            ast::multiarrayType(named.section->child(ast::Section::base));
        const bool mayChange =
            named.name->symbol->type->elementConst == array->elementConst ||
            std::ranges::none_of(behind, [&](NodePtr each) { return uses.changeSome(each); });
        return mayChange && !surroundings().macros().mention(named.name->text()) &&
               std::ranges::all_of(behind, [&](NodePtr each) { return uses.areAll(each); }) &&
               std::ranges::any_of(behind, [&](NodePtr each) { return uses.areIn(each); }) &&
               FixedNames(context.arena.rebuilt(block, block, behind), surroundings())
                   .keep(named.section) &&
               areAlike(context.expression(ast::print(named.section), {}, named.name),
                        named.section);
    }
    /// Where none of its elements is surely asked for, the section is made, and raises its error.
    static bool isSurelyUsed(const Uses& uses, StatementList behind) {
        for (const NodePtr statement : behind) {
            if (uses.areSurelyIn(statement)) return true;
            if (holdsJump(statement)) return false;
        }
        return false;
    }
};

}  // namespace

ast::Unit sectionElements(ast::Unit unit, ast::Quoter& quote) {
    return rewritten<SectionElements>(std::move(unit), quote);
}

}  // namespace hpcc::nests
