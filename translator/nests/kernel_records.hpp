// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "nests/context.hpp"
#include "nests/kernel_templates.hpp"

namespace hpcc::nests {

/// A class of the program whose objects kernels know: a struct of numbers, of arrays of them of
/// constant size, and of structs like itself, all public.
struct Record {
    struct Field {
        ast::NodePtr declared;    // the InitDeclarator
        std::string name;         // in the program
        const ast::Type* type;    // of the innermost elements of an array
        std::vector<long> sizes;  // of an array; the outermost first
    };
    std::vector<Field> fields;
    bool hasValues = false;  // of members, where it is declared
};

/// What an object of the type consists of, or the first thing that no kernel knows: "whose member
/// 'next' is no number that a kernel knows".
std::variant<Record, std::string> recordOf(const ast::Type* type);

/// The classes that a kernel knows, each as one of the kernel's own that is laid out alike.
///
///     struct Cell { double x; int n[3]; };  // program
///     RECORD(heat_22_9_Cell, double x; int n[3];, SAME(x, x) SAME(n, n))  // kernel
class KernelRecords {
public:
    KernelRecords(Context& context, std::string kernel)
        : context_(context), kernel_(std::move(kernel)) {}

    /// Parameters of templates that stand for numbers.
    void allow(std::vector<TypeParameter> parameters) { parameters_ = std::move(parameters); }
    /// The word for a number, also of such a type; "" if it is none.
    std::string numberOf(const ast::Type* type);
    /// True if that is the word for such a parameter.
    bool isTypeParameter(std::string_view word) const;
    /// Those that have been asked for, and what they must stand for.
    const std::vector<KernelType>& types() const { return types_; }
    void need(analysis::Premise premise) { premise_ = std::max(premise_, premise); }
    analysis::Premise premise() const { return premise_; }

    /// A number's type, as the program names it where the nest is.
    std::string spelled(const ast::Type* type);
    /// What else C++ must say of an instance: a std::bool_constant.
    void require(const std::string& condition) { conditions_.insert(condition); }
    const std::set<std::string>& conditions() const { return conditions_; }

    /// The word for a number or an object of such a class; "" if it is neither.
    std::string wordOf(const ast::Type* type);
    /// The word for the parts of complex numbers (complexPart); "" if they are none.
    std::string complexWord(const ast::Type* part);
    /// That of std::complex of these.
    std::string complexOf(const std::string& word);
    /// That of a class alone, or of std::complex.
    std::string classOf(const ast::Type* type);

    /// What the kernel calls a member of such a class; "" if it has no such one.
    std::string memberOf(const ast::Type* type, std::string_view name);

    /// All of them, each behind those that it consists of, on one line.
    const std::string& text() const { return text_; }
    /// Those of std::complex<T>, T a parameter of the template.
    const std::string& textOfTypes() const { return textOfTypes_; }
    /// The first thing of them that OpenCL C cannot say.
    const Obstacle& notOpenCl() const { return notOpenCl_; }

private:
    std::string written(const Record& record, const std::string& name);

    Context& context_;
    const std::string kernel_;
    std::map<const ast::Symbol*, std::string> names_;
    std::map<std::string, std::string> complexNames_;  // by the word of their parts
    std::vector<TypeParameter> parameters_;
    std::vector<KernelType> types_;
    analysis::Premise premise_ = analysis::Premise::Numbers;
    std::set<std::string> conditions_;
    std::string text_, textOfTypes_;
    Obstacle notOpenCl_;
};

}  // namespace hpcc::nests
