// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/references.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "ast/print.hpp"
#include "ast/subscripts.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "ast/visitor.hpp"
#include "nests/names.hpp"
#include "nests/normalize/fixed_handles.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// The variables that a nest mentions and does not declare, other than those of the language.
class Variables : public ast::Visitor {
public:
    explicit Variables(const Nest& nest) : nest_(nest) { visit(nest.loops.front().statement); }

    std::map<std::string, const ast::Symbol*> found;  // by name

    void visitIdentifier(NodePtr node) override {
        const std::string_view name = node->text();
        if (!nest_.declared.contains(name) && !nest_.loopNamed(name)) note(name, node->symbol);
    }
    void visitMember(NodePtr node) override { member(node); }
    void visitPointerMember(NodePtr node) override { member(node); }

private:
    /// `f.by` or `this->by`, else the object.
    void member(NodePtr node) {
        const NodePtr root = rootOf(node), name = node->children().back();
        const bool isKnown = isPlainBase(node) && name->symbol && name->symbol->declaration;
        if (nest_.declared.contains(root->text()) || nest_.loopNamed(root->text())) return;
        if (isKnown)
            note(ast::print(node), name->symbol);
        else
            visit(node->child(0));
    }
    void note(std::string_view name, const ast::Symbol* symbol) {
        if (symbol && symbol->declaration && holdsNumbers(*symbol)) found.emplace(name, symbol);
    }
    static bool holdsNumbers(const ast::Symbol& symbol) {
        const bool isVariable = symbol.kind == ast::SymbolKind::Variable ||
                                symbol.kind == ast::SymbolKind::Parameter ||
                                symbol.kind == ast::SymbolKind::Field;
        if (!isVariable || !symbol.type) return isVariable;
        switch (symbol.type->kind) {
        case ast::TypeKind::Unknown:
        case ast::TypeKind::Bool:
        case ast::TypeKind::Integer:
        case ast::TypeKind::Floating:
        case ast::TypeKind::Class:
        case ast::TypeKind::Pointer:
        case ast::TypeKind::CArray:
            return true;
        default:
            return false;
        }
    }

    const Nest& nest_;
};

bool isReference(const ast::Symbol& symbol) { return symbol.type && symbol.type->isReference; }

/// Numbers of two kinds never share memory.
bool mayShare(const ast::Type* a, const ast::Type* b) {
    return !ast::isNumber(a) || !ast::isNumber(b) || a->kind == b->kind;
}

/// Of two references to members, or of one and a variable, that they are not the same member.
bool isAnotherMember(const ast::Symbol& reference, const ast::Symbol& variable) {
    if (!reference.field || !ast::isNumber(variable.type)) return false;
    if (variable.field) return variable.field->declaration != reference.field->declaration;
    return !isReference(variable) && variable.declaration != reference.field->declaration;
}

bool isWritten(const Nest& nest, size_t array) {
    return std::ranges::any_of(nest.accesses, [&](const Access& access) {
        return access.array == array && access.writes;
    });
}

}  // namespace

bool isSurelyOther(const ast::Symbol& reference, const ast::Symbol& variable) {
    if (!mayShare(reference.type, variable.type) || isAnotherMember(reference, variable))
        return true;
    if (isReference(variable) || variable.kind == ast::SymbolKind::Field ||
        reference.kind == ast::SymbolKind::Field)
        return false;
    const source::Span mine = reference.declaration->span(), other = variable.declaration->span();
    if (mine.text != other.text) return false;
    if (mine.end <= other.begin) return true;
    if (variable.kind != ast::SymbolKind::Parameter || other.end > mine.begin) return false;
    return mine.text->slice(other.end, mine.begin).find('{') == std::string_view::npos;
}

SharedNames perhapsOne(const Nest& nest) {
    const Variables variables(nest);
    SharedNames pairs;
    for (const auto& [name, symbol] : variables.found) {
        if (!isReference(*symbol)) continue;
        const bool isAssigned = nest.assigned.contains(name);
        for (const auto& [other, otherSymbol] : variables.found) {
            const bool isSeen = other == name || (isReference(*otherSymbol) && other < name);
            if (!isSeen && (isAssigned || nest.assigned.contains(other)) &&
                !isSurelyOther(*symbol, *otherSymbol))
                pairs.emplace_back(name, other);
        }
        for (size_t k = 0; k < nest.arrays.size(); ++k) {
            const ast::Type* const type = ast::multiarrayType(nest.arrays[k].base);
            if ((isAssigned || isWritten(nest, k)) && type && mayShare(symbol->type, type->element))
                pairs.emplace_back(name, nest.arrays[k].text);
        }
    }
    return pairs;
}

/// That nobody changes the numbers of a table while the nest runs.
static std::string premiseOf(const std::string& table, const Nest& nest) {
    const bool isAlone =
        !nest.callsForeign && std::ranges::none_of(nest.loops, &Loop::touchesForeign);
    const std::string type = "<decltype(" + table + ")>";
    if (!isAlone) return "hpspmd::detail::isConstantTable" + type;
    std::string written;
    for (size_t k = 0; k < nest.arrays.size(); ++k)
        if (isWritten(nest, k)) written += ", " + nest.arrays[k].text;
    return "hpspmd::detail::keepsTable" + type + "([&](auto) -> const auto & { return " + table +
           "; }" + written + ")";
}

std::string premisesOf(const Nest& nest) {
    std::string question;
    const auto ask = [&](const std::string& condition) {
        question += (question.empty() ? "" : " && ") + condition;
    };
    for (const std::string& premise : nest.premises) ask(premise);
    for (const std::string& table : nest.tables) ask(premiseOf(table, nest));
    for (const auto& [name, symbol] : Variables(nest).found)
        if (symbol->standsForGeneral) ask("hpspmd::detail::exists(" + name + ")");
    for (const auto& [left, right] : perhapsOne(nest))
        ask("hpspmd::detail::distinct(" + left + ", " + right + ")");
    return question;
}

}  // namespace hpcc::nests
