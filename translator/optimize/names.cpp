// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize/names.hpp"

#include <utility>

#include "optimize/name_resolver.hpp"

namespace hpcc::optimize {
namespace {

/// A loop over local blocks binds its reference to a value that nobody else sees.
bool isBlock(const Variable& variable) {
    return ast::is<ast::RangeFor>(variable.declaration) && variable.specifiers &&
           variable.specifiers->text().find("hpspmd::Block") != std::string_view::npos;
}

/// `const double *p`: the pointer itself may change.
bool isPointer(const Variable& variable) {
    const NodePtr declarator =
        variable.declaration->children().empty() ? nullptr : variable.declaration->child(0);
    return ast::is<ast::PointerDeclarator>(declarator) || ast::is<ast::ArrayDeclarator>(declarator);
}

}  // namespace

Names::Names(NodePtr function, Names* before) : function_(function) {
    makeRoom(before);
    if (before) {
        numbers_ = std::move(before->numbers_);
        meanings_.resize(numbers_.size());
    }
    resolveNames(*this, before);
    countAssignments();
    for (Variable& variable : variables_) {
        // What is declared const is never changed, whoever has its address.
        if (variable.isConst && !variable.isReference && !isPointer(variable)) {
            variable.escapes = variable.isPersistent;
            variable.assignments = 0;
        }
        if (variable.isPersistent || (variable.isReference && !isBlock(variable)))
            variable.escapes = true;
    }
}

/// About as much as before, or as the text of the function lets expect.
void Names::makeRoom(const Names* before) {
    const size_t variables = before ? before->variables_.size() : function_->text().size() / 12;
    const size_t steps = before ? before->effects_.size() : 2 * variables;
    const size_t places = before ? before->places_.size() : 5 * variables;
    variables_.reserve(variables + variables / 4);
    declared_.reserve(variables + variables / 4);
    effects_.reserve(steps + steps / 4);
    steps_.reserve(steps + steps / 4);
    places_.reserve(places + places / 4);
    found_.reserve(places + variables + places / 4);
}

void Names::note(const NamePlace& place) {
    places_.push_back(place);
    if (!place.isMadeText) {
        found_.insert(place.node, place.variable);
        return;
    }
    const auto [number, isNew] =
        named_.insert(place.node, static_cast<int>(namedVariables_.size()));
    if (isNew) namedVariables_.emplace_back();
    namedVariables_[static_cast<size_t>(*number)].push_back(place.variable);
}

void Names::countAssignments() {
    for (const StepEffects& effects : effects_) {
        for (const int variable : effects.assigned) {
            Variable& changed = variables_[static_cast<size_t>(variable)];
            ++changed.assignments;
            if (changed.body != effects.body) changed.escapes = true;
        }
        for (const int variable : effects.escaping)
            variables_[static_cast<size_t>(variable)].escapes = true;
    }
}

}  // namespace hpcc::optimize
