// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/generic_arrays.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "ast/comments.hpp"
#include "ast/fresh_names.hpp"
#include "ast/known_calls.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "regions/rewritten.hpp"

namespace hpcc::regions {
namespace {

using ast::NodePtr;
using ast::SlotKind;
using ast::Symbol;

constexpr std::size_t longestNest = 4000;  // it stands twice

constexpr std::string_view isArrayOf = "hpspmd::detail::isArrayOf";

using Slots = std::vector<SlotKind>;

bool isNest(NodePtr node) {
    while (ast::is<ast::Attributed>(node)) node = node->child(ast::Attributed::declaration);
    return ast::is<ast::Overall>(node);
}

// `A b`, `const A& b`, `auto b`: of a type that only the call tells.
bool isGeneric(const Symbol& symbol) {
    if (symbol.kind != ast::SymbolKind::Parameter || !ast::is<ast::Parameter>(symbol.declaration))
        return false;
    const NodePtr specifiers = symbol.declaration->child(ast::Parameter::specifiers);
    const NodePtr core =
        ast::is<ast::Specifiers>(specifiers) ? specifiers->child(ast::Specifiers::core) : nullptr;
    if (ast::is<ast::AutoType>(core)) return core->text() == "auto";
    return ast::is<ast::Identifier>(core) && core->symbol &&
           core->symbol->kind == ast::SymbolKind::TemplateParameter;
}

// `b`, or `&b` and `&&b`, to which the array of another variable belongs.
enum class Declared { AsValue, AsReference, Otherwise };

Declared declared(const Symbol& symbol) {
    const NodePtr declarator = symbol.declaration->child(ast::Parameter::declarator);
    if (ast::is<ast::Identifier>(declarator)) return Declared::AsValue;
    if (!ast::is<ast::PointerDeclarator>(declarator)) return Declared::Otherwise;
    const NodePtr operators = declarator->child(ast::PointerDeclarator::operators);
    const bool isReference =
        operators->children().size() == 1 && operators->text().starts_with('&') &&
        ast::is<ast::Identifier>(declarator->child(ast::PointerDeclarator::declarator));
    return isReference ? Declared::AsReference : Declared::Otherwise;
}

// What the subscripts of an access ask of the array.
Slots slotsOf(NodePtr access) {
    Slots slots;
    for (const NodePtr each : access->child(ast::Subscript::subscripts)->children())
        slots.push_back(ast::isIndexValue(each) ? SlotKind::Distributed : SlotKind::Sequential);
    return slots;
}

// The arrays of unknown types of one nest, by their names.
class Arrays {
public:
    explicit Arrays(NodePtr nest) {
        visit(nest);
        std::erase_if(known_, [](const auto& each) {
            const Slots& slots = each.second.slots;
            return std::ranges::find(slots, SlotKind::Distributed) == slots.end();
        });
        for (const auto& [name, each] : known_) isPlain_ &= isPlainName(*each.symbol);
    }

    struct Known {
        const Symbol* symbol;
        Slots slots;

        bool operator==(const Known&) const = default;
    };
    const std::map<std::string_view, Known>& known() const { return known_; }

    // True if the nest asks for nothing but their elements, shapes and ranges, and runs nothing by
    // which their names may become those of other arrays.
    bool arePlain() const { return isPlain_ && !known_.empty(); }

private:
    void visit(NodePtr node) {
        if (!node) return;
        const bool isKnownUse = takeAccess(node) || isInquiry(node);
        if (ast::is<ast::Call>(node) && !isKnownUse)
            calls_ |= !ast::isMathematical(node->child(ast::Call::callee));
        if (isName(node)) mentioned_.insert(node->symbol);
        for (const NodePtr child : node->children().subspan(isKnownUse ? 1 : 0)) visit(child);
    }

    // b[i, k]
    bool takeAccess(NodePtr node) {
        if (!ast::is<ast::Subscript>(node)) return false;
        const NodePtr base = node->child(ast::Subscript::base);
        if (!isName(base)) return false;
        const Known own{base->symbol, slotsOf(node)};
        isPlain_ &= known_.try_emplace(base->text(), own).first->second == own;
        return true;
    }

    // b.rng(0), b.size(1)
    static bool isInquiry(NodePtr node) {
        const NodePtr callee = ast::is<ast::Call>(node) ? node->child(ast::Call::callee) : nullptr;
        if (!ast::is<ast::Member>(callee) || !isName(callee->child(ast::Member::base)))
            return false;
        const std::string_view name = callee->child(ast::Member::name)->text();
        return name == "rng" || name == "size";
    }

    static bool isName(NodePtr node) {
        return ast::is<ast::Identifier>(node) && node->symbol && isGeneric(*node->symbol);
    }

    bool isPlainName(const Symbol& symbol) const {
        const Declared kind = declared(symbol);
        const bool mayChange = kind == Declared::AsReference || symbol.isReassigned;
        return kind != Declared::Otherwise && !(mayChange && calls_) &&
               !mentioned_.contains(&symbol);
    }

    std::map<std::string_view, Known> known_;
    std::set<const Symbol*> mentioned_;  // as a whole
    bool isPlain_ = true, calls_ = false;
};

// True if it means the same wherever it stands in its block, also twice.
bool mayStandTwice(NodePtr nest) {
    const std::string_view text = nest->span().str();
    return text.size() <= longestNest && !ast::holdsDirective(text) &&
           !ast::anywhere(nest, [](NodePtr each) {
               const bool isStatic = ast::is<ast::Declaration>(each) &&
                                     each->text().find("static") != std::string_view::npos;
               return isStatic || ast::isAny<ast::Goto, ast::Label>(each);
           });
}

class ArrayWriter {
public:
    explicit ArrayWriter(const ast::Unit& unit) : names_(unit.identifiers), out_(*unit.text) {}

    void write(NodePtr node) {
        if (!node) return;
        if (!node->contains(ast::extension)) return gap(node->span());
        if (isNest(node)) return writeNest(node);
        ast::forEachPiece(node, *this);
    }

    // Nothing if no nest has another form.
    std::optional<std::string> take() {
        return isChanged_ ? std::optional(out_.take()) : std::nullopt;
    }

    // What forEachPiece tells.
    void gap(source::Span piece) { out_.takeOver(piece); }
    void joint(std::string_view) {}
    void child(NodePtr child) { write(child); }
    static bool keeps(NodePtr) { return false; }

private:
    void writeNest(NodePtr nest) {
        const Arrays arrays(nest);
        if (!arrays.arePlain() || !mayStandTwice(nest)) return out_.copy(nest->span());
        isChanged_ = true;
        std::string premise, given, declarations;
        for (const auto& [word, array] : arrays.known()) {
            const std::string name(word), other = names_.name(name + "_given");
            std::string types, marks;
            for (const SlotKind slot : array.slots) {
                const bool isDistributed = slot == SlotKind::Distributed;
                types += isDistributed ? ", hpspmd::Dist" : ", hpspmd::Seq";
                marks += (marks.empty() ? "" : ",") + std::string(isDistributed ? "-" : "*");
            }
            premise += (premise.empty() ? "" : " && ") + std::string(isArrayOf) + "<decltype(" +
                       name + ")" + types + ">";
            given += " auto &" + other + " = " + name + ";";
            declarations += " hpspmd::detail::ElementOf<decltype(" + name + ")> [[" + marks +
                            "]] " + name + " = " + other + ";";
        }
        out_.add("if constexpr (" + premise + ") {" + given + " {" + declarations);
        out_.startLine(nest->span());
        out_.copy(nest->span());
        out_.add(" } } else");
        out_.startLine(nest->span());
        out_.copy(nest->span());
    }

    const ast::FreshNames names_;
    Rewritten out_;
    bool isChanged_ = false;
};

bool holdsPlainArrays(NodePtr node) {
    if (!node || !node->contains(ast::extension)) return false;
    return isNest(node) ? Arrays(node).arePlain()
                        : std::ranges::any_of(node->children(), holdsPlainArrays);
}

}  // namespace

std::optional<std::string> arraysKnown(const ast::Unit& unit) {
    if (!holdsPlainArrays(unit.root)) return std::nullopt;  // no text to be written
    ArrayWriter writer(unit);
    writer.write(unit.root);
    return writer.take();
}

bool choosesForm(NodePtr branch) {
    return ast::is<ast::If>(branch) &&
           ast::anywhere(branch->child(ast::If::condition),
                         [](NodePtr each) { return each->text().starts_with(isArrayOf); });
}

}  // namespace hpcc::regions
