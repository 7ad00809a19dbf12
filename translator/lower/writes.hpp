// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "ast/effects.hpp"
#include "ast/macro_names.hpp"
#include "ast/node.hpp"
#include "ast/unit.hpp"
#include "lower/element_parts.hpp"

namespace hpcc::lower {

/// What a nest changes of arrays with distributed dimensions, if it runs an iteration.
///
///     overall (i = x for :) {
///         a[i] = 0;                               // a
///         b[i].u += 1;                            // b, of its elements u
///         if ((i` + j`) % 2 == k) d[i] = 0;       // perhaps d
///         double [[-]] row = a[[i, :]];           // row: known inside only
///         overall (j = y for :) row[j] = 0;
///         set(e[i]);                              // e, of void set(double &e) { e = 3; }
///         f(g[i]);                                // perhaps g, if f is out of sight
///     }
struct Writes {
    /// Elements that each iteration of the constructs round an access writes.
    struct Elements {
        ast::NodePtr access;
        ElementPart part;
        std::vector<ast::NodePtr> constructs;  // an `at` or header for each subscript, or null
        std::vector<CountingLoop> loops;       // round it
    };
    struct Written {
        ast::NodePtr array;              // a simple expression, each text once
        std::vector<Elements> elements;  // written for certain
        bool isPerhaps = false;          // others, too: under conditions

        bool isSure() const { return !elements.empty(); }
    };
    std::vector<Written> arrays;
    bool others = false;  // perhaps also elements that are reached in a general way
};

/// `effects`: of the nest.
Writes writesOf(ast::NodePtr nest, const ast::MacroNames& macros, const ast::Effects& effects);

/// True if the expression has one value, which it has before the nest with these effects, too.
bool isFixed(ast::NodePtr expression, const ast::MacroNames& macros, const ast::Effects& effects);

/// Of these loops the innermost one that counts this; null if none does.
const CountingLoop* loopOf(const std::vector<CountingLoop>& loops, ast::NodePtr subscript);

/// True if ghost cells may be filled inside: by Adlib, a schedule, or a function that is given an
/// array.
bool mayFillGhosts(ast::NodePtr node);

/// True if a call of the unit may fill ghost cells without the library's knowledge. So does a
/// function that is declared `[[hpspmd::refreshes(a)]]`, and perhaps one of a plain C++ header, or
/// that no declaration in sight names: it may reach the elements by data().
bool mayFillUnseen(const ast::Unit& unit, ast::NodePtr call);

/// The access that an element, or a part of one, is reached by: `a[i]` of `a[i].x[3]`; null if the
/// target is no element of a multiarray, or of something of unknown type.
ast::NodePtr elementAccess(ast::NodePtr target);

/// `a[i]` in a template of whose parameters both types depend: perhaps a multiarray and an index.
bool mayBeIndexed(ast::NodePtr access);

}  // namespace hpcc::lower
