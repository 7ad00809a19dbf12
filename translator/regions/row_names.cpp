// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows with names of their own become elements of their arrays.
#include <algorithm>
#include <set>

#include "analysis/loop.hpp"
#include "ast/confined.hpp"
#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/macro_names.hpp"
#include "ast/search.hpp"
#include "regions/body.hpp"
#include "regions/edits.hpp"
#include "regions/naming.hpp"
#include "regions/places.hpp"
#include "regions/regions.hpp"

namespace hpcc::regions {
namespace {

using analysis::bare;

// row[j] is array[offset + j].
struct Row {
    NodePtr root = nullptr;        // a of g[i], a + i * n
    std::string array;             // "g[i]", "a"
    std::string offset;            // "i * n"; empty where it begins
    std::vector<NodePtr> numbers;  // what says which row it is
    int levels = 0;                // subscripts in `array`
    bool isPointer = true;
};

bool isKind(NodePtr node, ast::TypeKind kind) { return node->type && node->type->kind == kind; }

// As an operand of the operator.
std::string operand(NodePtr node, std::string_view op) {
    const NodePtr inside = bare(node);
    const bool isOperand = ast::isAny<ast::Identifier, ast::NumberLiteral, ast::Call,
                                      ast::Subscript, ast::Member, ast::NamedCast>(inside);
    const std::string_view own =
        ast::is<ast::Binary>(inside) ? inside->child(ast::Binary::op)->text() : "";
    const bool isTerm = own == "*" || own == "/" || own == "%";
    const bool isSum = op != "-" && (own == "+" || own == "-");
    const std::string text(inside->text());
    return isOperand || isTerm || isSum ? text : "(" + text + ")";
}

// a, or g[i]
std::optional<Row> arrayOf(NodePtr node) {
    node = bare(node);
    if (ast::is<ast::Identifier>(node) && node->symbol) {
        const bool isArray = isContiguous(node->type) || isKind(node, ast::TypeKind::Pointer) ||
                             isKind(node, ast::TypeKind::CArray);
        if (!isArray) return std::nullopt;
        Row row;
        row.root = node;
        row.array = node->text();
        return row;
    }
    if (!ast::is<ast::Subscript>(node)) return std::nullopt;
    const auto subscripts = node->child(ast::Subscript::subscripts)->children();
    auto row = arrayOf(node->child(ast::Subscript::base));
    if (!row || subscripts.size() != 1 ||
        !(isContiguous(node->type) || isKind(node, ast::TypeKind::CArray)))
        return std::nullopt;
    row->array = node->text();
    row->numbers.push_back(subscripts[0]);
    ++row->levels;
    return row;
}

// Beyond the end of such a row there is nothing that a pointer to it could mean.
bool hasOwnMemory(NodePtr array) {
    array = bare(array);
    return ast::is<ast::Identifier>(array) ||
           (isContiguous(array->type) && array->type->classSymbol->name != "array");
}

void add(Row& row, NodePtr number, std::string_view op = "+") {
    row.numbers.push_back(number);
    if (bare(number)->text() == "0") return;
    if (!row.offset.empty()) row.offset += ' ' + std::string(op) + ' ';
    row.offset += operand(number, op);
}

// a + i * n, &a[i * n], a.data() + i * n
std::optional<Row> pointed(NodePtr node) {
    node = bare(node);
    if (ast::is<ast::Identifier>(node)) {
        const auto row = arrayOf(node);
        return row && !isContiguous(node->type) ? row : std::nullopt;
    }
    if (ast::is<ast::Call>(node)) {
        const NodePtr callee = bare(node->child(ast::Call::callee));
        if (!ast::is<ast::Member>(callee) || callee->child(ast::Member::name)->text() != "data" ||
            !node->child(ast::Call::arguments)->children().empty())
            return std::nullopt;
        const NodePtr array = callee->child(ast::Member::base);
        return hasOwnMemory(array) ? arrayOf(array) : std::nullopt;
    }
    if (ast::is<ast::Unary>(node)) {
        const NodePtr element = bare(node->child(ast::Unary::operand));
        if (node->child(ast::Unary::op)->text() != "&" || !ast::is<ast::Subscript>(element))
            return std::nullopt;
        const NodePtr array = element->child(ast::Subscript::base);
        const auto subscripts = element->child(ast::Subscript::subscripts)->children();
        auto row = hasOwnMemory(array) ? arrayOf(array) : std::nullopt;
        if (!row || subscripts.size() != 1) return std::nullopt;
        add(*row, subscripts[0], "");
        return row;
    }
    if (!ast::is<ast::Binary>(node)) return std::nullopt;
    const NodePtr left = node->child(ast::Binary::left), right = node->child(ast::Binary::right);
    const std::string_view op = node->child(ast::Binary::op)->text();
    if (op != "+" && op != "-") return std::nullopt;
    if (auto row = pointed(left)) {
        if (op == "-" && row->offset.empty()) return std::nullopt;
        add(*row, right, op);
        return row;
    }
    auto row = op == "+" ? pointed(right) : std::nullopt;
    if (row) add(*row, left);
    return row;
}

// g[i], a
std::optional<Row> referred(NodePtr node) {
    auto row = arrayOf(node);
    if (!row || isKind(bare(node), ast::TypeKind::Pointer)) return std::nullopt;
    row->isPointer = false;
    return row;
}

struct Name {
    NodePtr declaration = nullptr, initializer = nullptr;
    const Symbol* symbol = nullptr;
    Row row;
    std::span<const NodePtr> scope;  // the statements behind the declaration
};

bool holdsWord(NodePtr node, std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words, [node](std::string_view word) {
        return node->text().find(word) != std::string_view::npos;
    });
}

// Rows of one function.
class RowNames {
public:
    RowNames(NodePtr function, const ast::MacroNames& macros, Edits& edits)
        : confined_(function), macros_(macros), edits_(edits) {
        collect(function->child(ast::FunctionDefinition::body));
        std::erase_if(names_, [](const Name& each) { return !namesElements(each); });
        for (const Name& each : names_) harmless_.insert(each.initializer);
        std::erase_if(names_, [this](const Name& each) { return !keeps(each); });
    }

    void write() {
        for (const Name& each : names_) {
            const bool isRoot = std::ranges::any_of(
                names_, [&](const Name& other) { return other.row.root->symbol == each.symbol; });
            if (isRoot) continue;  // first what is named by it
            edits_.remove(each.declaration->span());
            for (const NodePtr statement : each.scope) rename(statement, each);
        }
    }

private:
    void collect(NodePtr node) {
        if (!node || node->is<ast::Lambda>()) return;
        const auto children = node->children();
        for (std::size_t k = 0; k < children.size(); ++k) {
            collect(children[k]);
            if (!node->is<ast::Compound>() || !ast::is<ast::Declaration>(children[k])) continue;
            if (auto name = nameOf(children[k])) {
                name->scope = children.subspan(k + 1);
                names_.push_back(std::move(*name));
            }
        }
    }

    std::optional<Name> nameOf(NodePtr declaration) const {
        const NodePtr specifiers = declaration->child(ast::Declaration::specifiers),
                      sole = analysis::soleDeclarator(declaration);
        if (!sole || holdsWord(specifiers, {"static", "thread_local", "volatile", "extern"}))
            return std::nullopt;
        NodePtr declarator = sole->child(ast::InitDeclarator::declarator);
        const NodePtr name = ast::declaredName(declarator),
                      value = analysis::singleInitializer(
                          sole->child(ast::InitDeclarator::initializer));
        if (!ast::is<ast::Identifier>(name) || !name->symbol || !value ||
            macros_.mention(name->text()))
            return std::nullopt;
        while (ast::isAny<ast::ArrayDeclarator, ast::ParenthesizedDeclarator>(declarator))
            declarator = declarator->child(0);
        const bool hasOperators = ast::is<ast::PointerDeclarator>(declarator);
        const std::string_view operators =
            hasOperators ? declarator->child(ast::PointerDeclarator::operators)->text() : "";
        const bool isDeduced = holdsWord(specifiers, {"auto"}),
                   isReference = operators == "&" || operators == "&&",
                   isPointer = hasOperators ? std::ranges::count(operators, '*') == 1 &&
                                                  operators.find('&') == operators.npos
                                            : isDeduced && declarator == name;
        if (!isReference && !isPointer) return std::nullopt;
        const auto row = isReference ? referred(value) : pointed(value);
        if (!row || !(isDeduced || hasTypeOf(*name->symbol, bare(value)))) return std::nullopt;
        return Name{
            declaration, sole->child(ast::InitDeclarator::initializer), name->symbol, *row, {}};
    }

    // Not of another type, which would make a copy or have elements of another size.
    static bool hasTypeOf(const Symbol& symbol, NodePtr value) {
        const ast::Type* type = symbol.type;
        if (!type) return false;
        if (type->kind == ast::TypeKind::Pointer) return ast::isNumber(type->element);
        if (type->kind == ast::TypeKind::CArray) return isKind(value, ast::TypeKind::CArray);
        return isContiguous(type) && isContiguous(value->type) &&
               type->classSymbol == value->type->classSymbol;
    }

    // row.size()
    static bool isItsSize(NodePtr node, const Name& name) {
        if (!node->is<ast::Call>() || name.row.isPointer) return false;
        const NodePtr sized = sizedArray(node);
        return sized && sized->symbol == name.symbol &&
               bare(bare(node->child(ast::Call::callee))->child(ast::Member::base)) == sized;
    }

    // row of row[j]; null for anything else
    static NodePtr base(NodePtr node, const Name& name) {
        if (!node->is<ast::Subscript>()) return nullptr;
        const NodePtr found = bare(node->child(ast::Subscript::base));
        const bool isRow = ast::is<ast::Identifier>(found) && found->symbol == name.symbol;
        return isRow && node->child(ast::Subscript::subscripts)->children().size() == 1 ? found
                                                                                        : nullptr;
    }

    // Nothing but elements and sizes of it is named, and nothing else has its name.
    static bool namesElements(const Name& name) {
        return std::ranges::all_of(name.scope,
                                   [&](NodePtr each) { return isOfElements(each, name); });
    }
    static bool isOfElements(NodePtr node, const Name& name) {
        if (!node) return true;
        if (node->is<ast::Identifier>()) return node->text() != name.symbol->name;
        if (node->is<ast::Lambda>()) return !ast::namesIn(node).contains(name.symbol->name);
        if (isItsSize(node, name)) return true;
        if (base(node, name)) return isOfElements(node->child(ast::Subscript::subscripts), name);
        return std::ranges::all_of(node->children(),
                                   [&](NodePtr child) { return isOfElements(child, name); });
    }

    // As long as the name is in sight, it is the same row.
    bool keeps(const Name& name) const {
        const Row& row = name.row;
        const std::string_view root = row.root->text();
        const bool isHandle = isKind(row.root, ast::TypeKind::Pointer),
                   isMoved = !isHandle && !isInPlace(row.root->type);
        if (isHandle && !analysis::isStable(row.root->symbol) && !confined_.contains(root))
            return false;
        std::unordered_set<std::string_view> numbers;
        for (const NodePtr each : row.numbers) {
            if (!isNumberThatStays(each)) return false;
            numbers.merge(ast::namesIn(each));
        }
        const auto mayChangeRow = [&](NodePtr statement) {
            const ast::Effects effects = ast::effectsOf(statement);
            if (effects.touches(numbers) || effects.declared.contains(root)) return true;
            if (isHandle && effects.assigned.contains(root)) return true;
            return isMoved && (isGiven(statement, row.root->symbol, row.levels + 1, harmless_) ||
                               !std::ranges::all_of(effects.calls, leavesArrays));
        };
        return std::ranges::none_of(name.scope, mayChangeRow);
    }

    // a.size(), a.data(), f(x) of numbers
    static bool leavesArrays(NodePtr call) {
        return isSize(call) || pointed(call) || computesOnly(call);
    }

    // A C array, of C arrays: it lies where it lies.
    static bool isInPlace(const ast::Type* type) {
        while (type && type->kind == ast::TypeKind::CArray) type = type->element;
        return ast::isNumber(type);
    }

    bool isNumberThatStays(NodePtr node) const {
        node = bare(node);
        if (analysis::constantValue(node)) return true;
        switch (node->kind()) {
        case ast::Kind::Identifier:
            return node->symbol && ast::isInteger(node->symbol->type) &&
                   (confined_.contains(node->text()) ||
                    (analysis::isStable(node->symbol) && !node->symbol->type->isReference));
        case ast::Kind::Binary:
            return std::string_view("+-*/%").find(node->child(ast::Binary::op)->text()) !=
                       std::string_view::npos &&
                   isNumberThatStays(node->child(ast::Binary::left)) &&
                   isNumberThatStays(node->child(ast::Binary::right));
        case ast::Kind::NamedCast:
        case ast::Kind::Cast:
            return ast::isInteger(node->type) && isNumberThatStays(node->children().back());
        default:
            return false;
        }
    }

    void rename(NodePtr node, const Name& name) {
        if (!node) return;
        if (isItsSize(node, name)) edits_.replace(sizedArray(node)->span(), name.row.array);
        const NodePtr row = base(node, name);
        if (!row) {
            for (const NodePtr child : node->children()) rename(child, name);
            return;
        }
        const NodePtr place = node->child(ast::Subscript::subscripts)->child(0);
        edits_.replace(row->span(), name.row.array);
        if (!name.row.offset.empty()) {
            const std::string own(place->text()), wanted = operand(place, "+");
            const bool needsGroup = wanted != own && wanted != bare(place)->text();
            edits_.before(place->span().begin, name.row.offset + " + " + (needsGroup ? "(" : ""));
            if (needsGroup) edits_.behind(place->span().end, ")");
        }
        rename(place, name);
    }

    const ast::Confined confined_;
    const ast::MacroNames& macros_;
    Edits& edits_;
    std::vector<Name> names_;
    std::set<NodePtr> harmless_;
};

void search(NodePtr node, const ast::MacroNames& macros, Edits& edits) {
    if (!node || node->is<ast::Lambda>()) return;
    const bool isMethod = node->is<ast::FunctionDefinition>() &&
                          !dividedParameters(ast::parametersOf(node)).empty() &&
                          node->child(ast::FunctionDefinition::body)->is<ast::Compound>();
    if (isMethod) return RowNames(node, macros, edits).write();
    for (const NodePtr child : node->children()) search(child, macros, edits);
}

}  // namespace

std::optional<std::string> withoutRowNames(const ast::Unit& unit) {
    Edits edits;
    search(unit.root, ast::MacroNames(*unit.text), edits);
    if (edits.isEmpty()) return std::nullopt;
    return edits.appliedTo(*unit.text);
}

}  // namespace hpcc::regions
