// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables, and when initializers are looked at.
#include "check/annotator.hpp"

#include "analysis/constant.hpp"
#include "analysis/written_parts.hpp"

#include <algorithm>
#include <utility>

namespace hpcc::check {
namespace {

// `int w[2]` beside `int w[3]`, `w[] = {1}` beside `w[] = {1, 2}`.
bool hasOtherLength(const Symbol& array, NodePtr declaration) {
    const NodePtr declarator = declaration->child(0);
    if (!ast::is<ast::InitDeclarator>(declaration) || !ast::is<ast::ArrayDeclarator>(declarator) ||
        !ast::is<ast::InitDeclarator>(array.declaration))
        return false;
    const bool isSame = array.declaration->child(0)->text() == declarator->text();
    return !isSame ||
           (declarator->text().ends_with("[]") && array.declaration->text() != declaration->text());
}

}  // namespace

// ---- deferral: bodies and initializers inside a class see all of its members -----------------

void Annotator::later(std::function<void()> work) {
    if (classDepth_ == 0) return work();
    deferred_.push_back([this, work = std::move(work), scopes = scopes_, classes = classes_] {
        const auto outerScopes = std::exchange(scopes_, scopes);
        const auto outerClasses = std::exchange(classes_, classes);
        work();
        scopes_ = outerScopes;
        classes_ = outerClasses;
    });
}

void Annotator::runDeferred() {
    for (const auto& work : std::exchange(deferred_, {})) work();
}

// ---- variables -------------------------------------------------------------------------------

void Annotator::visitDeclaration(NodePtr node) {
    if (node->text().starts_with("friend class") || node->text().starts_with("friend struct"))
        return;
    const Specified base = specified(node->child(ast::Declaration::specifiers));
    const NodePtr declarators = node->child(ast::Declaration::declarators);
    if (!declarators) return;
    for (NodePtr each : declarators->children()) initDeclarator(base, each);
}

void Annotator::initDeclarator(const Specified& base, NodePtr node) {
    const NodePtr initializer = node->child(ast::InitDeclarator::initializer);
    const Declared what = declared(base, node->child(ast::InitDeclarator::declarator));
    if (base.isTypedef && what.name) {
        node->symbol = declareName(what.name, SymbolKind::Alias, node, what.type);
    } else if (what.function) {
        if (!base.isFriend) declareFunction(what, node);
    } else if (inClass() && !what.isAuto) {
        declareVariable(base, what, node);
        later([this, initializer] { visit(initializer); });
    } else {
        visit(initializer);
        if (what.bindings)
            declareBindings(what.bindings, initializerType(initializer), node);
        else
            declareVariable(base, what, node);
    }
}

void Annotator::declareVariable(const Specified& base, const Declared& what, NodePtr node) {
    if (!what.name) return;
    const NodePtr initializer = node->is<ast::InitDeclarator>()
                                    ? node->child(ast::InitDeclarator::initializer)
                                    : node->child(ast::ConditionDeclaration::initializer);
    const Type* type = what.isAuto ? deducedType(what.type, initializerType(initializer))
                                   : deducedSequence(what.type, initializer);
    if (what.isAuto && isUnknown(type) && isUnknown(what.type) && initializer)
        type = analysis::undeducedType();
    node->type = type;
    if (!what.name->is<ast::Identifier>()) {  // int Counter::made = 0;
        node->symbol = resolve(what.name);
        return;
    }
    const bool isOfObject = inClass() && !base.isStatic;
    const Symbol* twin = declaringScope()->findHere(what.name->text());
    const bool isTwice = twin && twin->kind == SymbolKind::Variable && twin->declaration;
    const bool hasOtherValue = isTwice && twin->initializer && initializer &&
                               twin->initializer->text() != initializer->text();
    // Two #if branches declare it.
    if (isTwice && (nameOf(twin->type) != nameOf(type) || hasOtherLength(*twin, node)))
        type = unknownType();
    Symbol* symbol =
        declareName(what.name, isOfObject ? SymbolKind::Field : SymbolKind::Variable, node, type);
    symbol->initializer = initializer;
    symbol->isReassigned = hasOtherValue;
    symbol->isInUnion = unionDepth_ > 0;
    // It keeps the value of the first time, and that may be another one by now.
    if (base.isStatic && isInteger(type) && initializer &&
        !analysis::constantValue(analysis::singleInitializer(initializer)))
        symbol->isReassigned = true;
    node->symbol = symbol;
}

void Annotator::visitConditionDeclaration(NodePtr node) {
    const Specified base = specified(node->child(ast::ConditionDeclaration::specifiers));
    visit(node->child(ast::ConditionDeclaration::initializer));
    declareVariable(base, declared(base, node->child(ast::ConditionDeclaration::declarator)), node);
}

void Annotator::declareBindings(NodePtr bindings, const Type* type, NodePtr declaration) {
    std::vector<const Type*> parts(bindings->children().size(), unknownType());
    const Symbol* classSymbol = type->classSymbol;
    if (type->kind == TypeKind::CArray) {
        std::ranges::fill(parts, type->element);
    } else if (ast::isStandardArray(type)) {
        std::ranges::fill(parts, type->arguments.front());
    } else if (classSymbol && classSymbol->shape == ast::StandardShape::Pair) {
        for (std::size_t k = 0; k < std::min(parts.size(), type->arguments.size()); ++k)
            parts[k] = type->arguments[k];
    } else {
        const auto fields = analysis::fieldsOf(type);
        if (fields.size() == parts.size())
            std::ranges::transform(fields, parts.begin(), [](auto* field) { return field->type; });
    }
    for (std::size_t k = 0; k < parts.size(); ++k)
        declareName(bindings->child(static_cast<uint32_t>(k)), SymbolKind::Variable, declaration,
                    parts[k]);
}

}  // namespace hpcc::check
