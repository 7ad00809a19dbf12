// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names and types: what every identifier and every expression is.
#pragma once

#include "ast/unit.hpp"

namespace hpcc::check {

/// Sets node->type of every expression, type and declarator and node->symbol of every name that the
/// unit or its imports declare; unit.scope becomes the file's scope. Imports that are not annotated
/// yet are annotated first. Reports nothing: what is not understood is unknown.
///
///     double [[-]] a = new double [[x]];   // 'a' and 'new ..': Multiarray(double, -)
///     overall (i = x for :) a[i - 1] = f();  // i: Index, i - 1: ShiftedIndex, f(): Unknown
///
/// Type parameters of its templates are unknown types, or count as numbers: what is then made of a
/// template holds only for such instances.
enum class TypeParameters { AreUnknown, AreNumbers };
void annotate(const ast::Unit& unit, TypeParameters parameters = TypeParameters::AreUnknown);

}  // namespace hpcc::check
