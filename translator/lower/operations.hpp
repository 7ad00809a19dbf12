// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ast/unit.hpp"

namespace hpcc::lower {

/// A function that expressions run without naming it: an operator, a constructor or a destructor.
struct Operation {
    ast::NodePtr declaration = nullptr;  ///< FunctionDefinition, InitDeclarator, SpecialDeclaration
    ast::NodePtr name = nullptr;
    const ast::Symbol* owner = nullptr;  ///< the class that has it as a member
    bool isPostfix = false;              ///< `a++`, which has another parameter
};

/// What an expression runs so.
struct Operated {
    std::string_view name;                    ///< "operator+", "Cell"; "": nothing
    std::vector<const Operation*> functions;  ///< one of these; empty: it is not known which
};

/// The operations of a unit and of the headers .hph that it includes, and which of them run: as
/// far as the types of operands tell.
class Operations {
public:
    explicit Operations(const ast::Unit& unit);

    /// `a + b`, `a += b`, `-a`, `a++`, `a[k]`, `a(k)` of objects.
    Operated of(ast::NodePtr expression) const;
    /// `T x(arguments)`
    Operated construction(const ast::Type* type, std::span<const ast::NodePtr> arguments) const;
    /// The destructor of `x`, if the class has one of its own.
    Operated destruction(const ast::Type* type) const;
    /// The type of an expression, also of one whose operator gives it.
    const ast::Type* typeOf(ast::NodePtr expression) const;

private:
    class Collector;
    enum class Fit { No, Perhaps, Yes };

    template <class Predicate>
    Operated among(std::string_view name, std::span<const ast::NodePtr> operands,
                   const Predicate& isMeant) const;
    Operated memberOf(const ast::Symbol& object, std::string_view name,
                      std::span<const ast::NodePtr> arguments) const;
    Fit fits(const Operation& operation, std::span<const ast::NodePtr> operands) const;
    Fit fits(const ast::Type* parameter, const ast::Type* operand) const;
    bool convertsFrom(const ast::Symbol& to, const ast::Type& from) const;

    std::unordered_map<std::string, std::vector<Operation>> operations_;  // by name
};

/// The operands of `expression`, if operators of objects may do it; of a call, the object and the
/// arguments.
std::vector<ast::NodePtr> operandsOf(ast::NodePtr expression);

/// The name of the operator function: "operator+", "operator[]"; "" for other expressions.
std::string operatorNameOf(ast::NodePtr expression);

/// True of a class of the program's files.
bool isDeclaredClass(const ast::Type* type);

}  // namespace hpcc::lower
