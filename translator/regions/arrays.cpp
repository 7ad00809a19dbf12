// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/arrays.hpp"

#include <algorithm>

#include "analysis/constant.hpp"
#include "analysis/loop.hpp"
#include "ast/declarators.hpp"
#include "regions/strategies.hpp"

namespace hpcc::regions {
namespace {

using diagnostics::Id;

NodePtr specifiersOf(NodePtr declaration) {
    return declaration->child(ast::is<ast::Parameter>(declaration)
                                  ? uint32_t{ast::Parameter::specifiers}
                                  : uint32_t{ast::Declaration::specifiers});
}

NodePtr declaratorOf(NodePtr declaration) {
    if (ast::is<ast::Parameter>(declaration)) return declaration->child(ast::Parameter::declarator);
    const NodePtr sole = analysis::soleDeclarator(declaration);
    return sole ? sole->child(ast::InitDeclarator::declarator) : nullptr;
}

/// double of `std::vector<double>`, as it is written.
std::string writtenArgument(NodePtr specifiers) {
    NodePtr core =
        ast::is<ast::Specifiers>(specifiers) ? specifiers->child(ast::Specifiers::core) : nullptr;
    if (ast::is<ast::QualifiedName>(core)) core = core->child(ast::QualifiedName::name);
    if (!ast::is<ast::TemplateName>(core)) return "";
    const auto arguments = core->child(ast::TemplateName::arguments)->children();
    return arguments.empty() ? "" : std::string(arguments.front()->text());
}

std::string withConst(std::string element, bool isConst) {
    return isConst && !element.starts_with("const ") ? "const " + element : element;
}

class Reader {
public:
    Reader(const Attribute& dist, NodePtr unit, diagnostics::Engine& engine)
        : dist_(dist), unit_(unit), engine_(engine) {}

    std::optional<DividedArray> read(NodePtr attributed) {
        array_.declaration = attributedNode(attributed);
        const NodePtr name = ast::declaredName(declaratorOf(array_.declaration));
        if (!ast::is<ast::Identifier>(name) || !name->symbol) {
            engine_.report(Id::AttributePlace, dist_.node->span(), "dist",
                           "a declaration without one name", "each array has its own");
            return std::nullopt;
        }
        array_.symbol = name->symbol;
        for (const std::string_view part : parts(dist_.arguments))
            if (!takes(part)) return std::nullopt;
        return readDimensions(*name);
    }

    std::optional<DividedArray> readOfLoop(const Symbol& symbol, int dimension) {
        array_.symbol = &symbol;
        array_.dimension = dimension;
        return symbol.type ? readDimensions(*symbol.declaration) : std::nullopt;
    }

private:
    std::optional<DividedArray> readDimensions(const ast::Node& name) {
        if (!readType(name)) return std::nullopt;
        if (array_.dimension >= array_.rank)
            return refuse(dist_.arguments, "the array has no such dimension");
        if (array_.isRows && (array_.dimension > 0 || array_.isInBlocks()))
            return refuse(dist_.arguments, "each row has memory of its own");
        if (array_.isInBlocks() && (array_.further.back() >= array_.rank))
            return refuse(dist_.arguments, "the array has no such dimension");
        if (array_.isInBlocks() && !array_.format.empty() && array_.format != "BlockRange")
            return refuse(array_.format, "several dimensions are divided in blocks");
        if (!view_.empty() && !readViews())
            return refuse("view(" + std::string(view_) + ")",
                          "it takes a number of cells, `{below, above}`, one such for each "
                          "dimension, or `:`");
        return array_;
    }

    bool readViews() {
        array_.view = viewOf(view_, array_.rank, array_.dimension);
        for (const int dimension : array_.further)
            if (const auto view = viewOf(view_, array_.rank, dimension))
                array_.furtherViews.push_back(*view);
        return array_.view.has_value();
    }

    std::optional<DividedArray> refuse(std::string_view part, std::string_view reason) {
        engine_.report(Id::AttributeArgument, dist_.node->span(), "dist", part, reason);
        return std::nullopt;
    }

    bool takes(std::string_view part) {
        if (const auto size = argumentOf(part, "size"); size && !size->empty()) {
            array_.size = *size;
            return true;
        }
        if (const auto dimension = argumentOf(part, "dim")) {
            return readDimensionNumbers(*dimension) ||
                   refuse(part, "it takes up to three dimensions, the lowest one first");
        }
        if (const auto view = argumentOf(part, "view"); view && !view->empty()) {
            view_ = *view;
            return true;
        }
        if (isFormat(part)) {
            array_.format = part;
            return true;
        }
        if (const auto isCallable = isStrategy(unit_, part)) {
            array_.format = part;
            array_.isStrategy = true;
            if (!*isCallable) engine_.report(Id::NoStrategy, dist_.node->span(), part);
            return *isCallable;
        }
        return refuse(part,
                      "it knows dim(k), size(n), view(k), BlockRange, CyclicRange, "
                      "BlockCyclicRange(8), and strategies that are defined in this file")
            .has_value();
    }

    // 1, 0, 2
    bool readDimensionNumbers(std::string_view numbers) {
        constexpr std::size_t most = 3;
        std::vector<int> all;
        for (const std::string_view each : parts(numbers)) {
            const bool isDigit = each.size() == 1 && std::isdigit(each.front());
            if (!isDigit || (!all.empty() && each.front() - '0' <= all.back())) return false;
            all.push_back(each.front() - '0');
        }
        if (all.empty() || all.size() > most) return false;
        array_.dimension = all.front();
        array_.further.assign(all.begin() + 1, all.end());
        return true;
    }

    static bool isFormat(std::string_view part) {
        const auto block = argumentOf(part, "BlockCyclicRange");
        const bool isSize = block && !block->empty() && block->front() != '0' &&
                            block->find_first_not_of("0123456789") == std::string_view::npos;
        return part == "BlockRange" || part == "CyclicRange" || isSize;
    }

    bool no(const ast::Node& name, std::string_view what) {
        engine_.report(Id::NotDivisible, name.span(), name.text(), what)
            .help(
                "`T [[*,*]]`, std::vector, std::string, std::array and std::span are divided, "
                "and pointers with `dist(size(n))`");
        return false;
    }

    bool readType(const ast::Node& name) {
        const ast::Type* type = array_.symbol->type;
        if (!type) return no(name, "of a type that is not known");
        if (!array_.size.empty() && !isPointer(*type))
            return refuse("size", "only pointers need it").has_value();
        if (type->kind == ast::TypeKind::Multiarray) {
            array_.rank = static_cast<int>(type->slots.size());
            array_.element = withConst(type->element->spelled, type->elementConst);
            return std::ranges::count(type->slots, ast::SlotKind::Distributed) == 0 ||
                   no(name, "distributed already, by its `-` slots");
        }
        if (isPointer(*type)) {
            if (array_.size.empty()) return no(name, "a pointer of unknown extent");
            return readElement(name, type->element);
        }
        if (type->kind == ast::TypeKind::CArray) return readCArray(name, *type);
        if (!isContiguous(type)) return no(name, "neither a multiarray nor a contiguous container");
        if (readRows(*type)) return true;
        if (array_.declaration) array_.element = writtenArgument(specifiersOf(array_.declaration));
        if (array_.element.empty()) array_.element = type->arguments.front()->spelled;
        array_.element = withConst(array_.element, type->isConst);
        return true;
    }

    bool isPointer(const ast::Type& type) const {
        return type.kind == ast::TypeKind::Pointer ||
               (type.kind == ast::TypeKind::CArray && !type.isReference &&
                array_.symbol->kind == ast::SymbolKind::Parameter);
    }

    // double a[4][3]
    bool readCArray(const ast::Node& name, const ast::Type& type) {
        const ast::Type* row = type.element;
        const bool isRow = row && row->kind == ast::TypeKind::CArray;
        if (isRow) nest(false);
        return readElement(name, isRow ? row->element : row);
    }

    // Rows of numbers: std::vector<std::vector<double>>, std::vector<std::array<double, 3>>
    bool readRows(const ast::Type& type) {
        const ast::Type* row = type.arguments.front();
        if (!isContiguous(row) || !isNumber(row->arguments.front()) ||
            row->classSymbol->name == "span" || row->classSymbol->name == "string")
            return false;
        nest(row->classSymbol->name == "vector");
        array_.element = withConst(row->arguments.front()->spelled, type.isConst || row->isConst);
        return true;
    }

    void nest(bool isRows) {
        array_.isNested = true;
        array_.isRows = isRows;
        array_.rank = 2;
    }

    bool readElement(const ast::Node& name, const ast::Type* element) {
        if (!element || element->spelled.empty() || element->kind == ast::TypeKind::Pointer ||
            element->kind == ast::TypeKind::CArray)
            return no(name, "an array of arrays");
        array_.element = withConst(element->spelled, element->isConst);
        return true;
    }

    const Attribute dist_;
    std::string_view view_;
    NodePtr unit_;
    diagnostics::Engine& engine_;
    DividedArray array_;
};

}  // namespace

NodePtr sizedArray(NodePtr call) {
    const NodePtr callee = analysis::bare(call->child(ast::Call::callee));
    if (!ast::is<ast::Member>(callee) || callee->child(ast::Member::name)->text() != "size")
        return nullptr;
    NodePtr base = analysis::bare(callee->child(ast::Member::base));
    if (ast::is<ast::Subscript>(base)) base = analysis::bare(base->child(ast::Subscript::base));
    return ast::is<ast::Identifier>(base) ? base : nullptr;
}

bool isSize(NodePtr call) {
    const NodePtr array = sizedArray(call);
    if (!array || !array->symbol) return false;
    const NodePtr owner =
        analysis::bare(analysis::bare(call->child(ast::Call::callee))->child(ast::Member::base));
    const ast::Type* type = owner == array ? array->symbol->type : owner->type;
    return isContiguous(type) || (type && type->kind == ast::TypeKind::Multiarray);
}

bool isContiguous(const ast::Type* type) {
    if (!ast::isStandardSequence(type)) return false;
    const std::string& name = type->classSymbol->name;
    const bool isBits = name == "vector" && type->arguments.front()->kind == ast::TypeKind::Bool;
    return (name == "vector" || name == "array" || name == "span" || name == "string") && !isBits;
}

bool holdsNumbers(const Symbol& symbol) {
    const ast::Type* type = symbol.type;
    if (isContiguous(type)) return isNumber(type->arguments.front());
    if (!type || !isNumber(type->element)) return false;
    if (type->kind == ast::TypeKind::Multiarray)
        return !type->elementConst &&
               std::ranges::count(type->slots, ast::SlotKind::Distributed) == 0;
    return type->kind == ast::TypeKind::CArray &&
           (type->isReference || symbol.kind == ast::SymbolKind::Variable);
}

std::string DividedArray::countedBy() const {
    return width ? ", " + std::string(width->text()) : "";
}

void DividedArray::setConst() { element = withConst(std::move(element), true); }

DividedArray DividedArray::along(std::size_t k) const {
    DividedArray array = *this;
    array.dimension = further[k];
    if (view) array.view = furtherViews[k];
    return array;
}

std::string DividedArray::location(std::string_view subscript) const {
    const std::string text(subscript);
    return width ? "hpspmd::detail::rowOf(" + text + countedBy() + ")" : text;
}

std::optional<DividedArray> dividedArray(NodePtr attributed, const Attribute& dist, NodePtr unit,
                                         diagnostics::Engine& engine) {
    return Reader(dist, unit, engine).read(attributed);
}

std::optional<DividedArray> arrayToDivide(const Symbol& symbol, int dimension, NodePtr unit) {
    diagnostics::Engine silent;
    return Reader({symbol.declaration, "dist", ""}, unit, silent).readOfLoop(symbol, dimension);
}

}  // namespace hpcc::regions
