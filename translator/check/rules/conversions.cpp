// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rule 3: initialization, assignment, arguments, results and casts of multiarrays.
#include "analysis/reader.hpp"
#include "check/callee.hpp"
#include "check/conversion.hpp"
#include "check/facts.hpp"
#include "check/wording.hpp"

#include <algorithm>

namespace hpcc::check {
using analysis::castOperand;

namespace {

std::string initializationOf(const Symbol& target) {
    return "the initialization of '" + target.name + "'";
}

bool isBraced(NodePtr node) { return ast::is<ast::BracedInitializer>(node); }

// `what` makes the first words of the message: "the assignment to 'b'".
template <class What>
void convert(const Context& context, What what, NodePtr value, const Type* wanted) {
    if (!value || isBraced(value)) return;
    const Comparison found = compare(wanted, typeOf(value));
    if (found.fit != Fit::Fits) reportMisfit(context, what(), value, wanted, found);
}

// `a(b)` and `a{b}` convert explicitly, like static_cast: a - slot may become *.
void convertDirectly(const Context& context, const Symbol& target, NodePtr value,
                     const Type* wanted) {
    if (!value || isBraced(value)) return;
    const Comparison found = compare(wanted, typeOf(value));
    if (found.fit != Fit::Fits && found.fit != Fit::Slot)
        reportMisfit(context, initializationOf(target), value, wanted, found);
}

// ---- calls -----------------------------------------------------------------------------------

bool acceptsAll(const Type& function, std::span<const NodePtr> values) {
    for (std::size_t k = 0; k < values.size() && k < function.parameters.size(); ++k) {
        const bool fits = isBraced(values[k]) ||
                          compare(function.parameters[k], typeOf(values[k])).fit == Fit::Fits;
        if (!fits) return false;
    }
    return true;
}

void checkArguments(const Context& context, const std::string& name, const Type& function,
                    std::span<const NodePtr> values) {
    for (std::size_t k = 0; k < values.size() && k < function.parameters.size(); ++k) {
        const auto what = [&] {
            return "argument " + std::to_string(k + 1) + " of '" + name + "'";
        };
        convert(context, what, values[k], function.parameters[k]);
    }
}

// One function of that many parameters: its misfits one by one; several: none of them accepts.
template <class Name>
void checkCall(const Context& context, NodePtr at, Name name, std::vector<const Type*> functions,
               std::span<const NodePtr> values) {
    std::erase_if(functions, [&](const Type* f) { return !acceptsCount(*f, values.size()); });
    const bool isFine = std::ranges::any_of(
        functions, [&](const Type* function) { return acceptsAll(*function, values); });
    if (functions.empty() || isFine) return;
    const auto sameFormals = [&](const Type* other) {
        return std::ranges::equal(other->parameters, functions[0]->parameters, {}, nameOf, nameOf);
    };
    if (std::ranges::all_of(functions, sameFormals))
        return checkArguments(context, name(), *functions[0], values);
    context.report(Id::NoOverload, at, name())
        .help("compare ranks, element types and slots with its declarations");
}

// target(..), target{..}.
void construction(const Context& context, const Symbol& target, NodePtr initializer,
                  const Type* type) {
    const auto values = initializer->children();
    if (type->kind == TypeKind::Class)
        checkCall(
            context, initializer, [&] { return nameOf(type); }, constructors(type), values);
    else if (values.size() == 1)
        convertDirectly(context, target, values[0], type);
}

}  // namespace

void initialization(const Context& context, NodePtr node) {
    const NodePtr initializer = node->child(ast::InitDeclarator::initializer);
    const Type* type = node->type;
    if (!initializer || !type || !node->symbol) return;
    if (initializer->is<ast::EqualInitializer>())
        convert(
            context, [&] { return initializationOf(*node->symbol); },
            initializer->child(ast::EqualInitializer::value), type);
    else
        construction(context, *node->symbol, initializer, type);
}

void memberInitialization(const Context& context, NodePtr node) {
    const NodePtr initializer = node->child(ast::MemberInitializer::initializer);
    const Type* type = node->type;
    if (!type || !initializer || !node->symbol) return;
    construction(context, *node->symbol, initializer, type);
}

void assignment(const Context& context, NodePtr node) {
    if (node->child(ast::Assign::op)->text() != "=") return;
    const NodePtr target = bare(node->child(ast::Assign::target));
    if (target->is<ast::Section>()) return;  // another rule's error
    convert(
        context, [&] { return "the assignment to '" + textOf(target) + "'"; },
        node->child(ast::Assign::value), typeOf(target));
}

void callArguments(const Context& context, NodePtr node) {
    checkCall(
        context, node, [&] { return calleeName(node); }, candidates(node),
        node->child(ast::Call::arguments)->children());
}

void returnedValue(const Context& context, NodePtr node) {
    const Type* result = resultAround(context.path);
    const NodePtr value = node->child(ast::Return::value);
    if (!result || !value) return;
    convert(
        context, [&] { return "the result of '" + functionAround(context.path) + "'"; }, value,
        result);
}

// static_cast<T [[..]]>(a) changes slots and const only.
void castArray(const Context& context, NodePtr node) {
    const NodePtr value = castOperand(node);
    const Type* wanted = typeOf(node);
    if (!value || isBraced(value)) return;
    const Comparison found = compare(wanted, typeOf(value));
    if (found.fit == Fit::ScalarWanted) {
        context.report(Id::CastMismatch, node, nameOf(wanted))
            .help("convert its elements, in an overall or one by one");
        return;
    }
    if (found.fit != Fit::Fits && found.fit != Fit::Slot)
        reportMisfit(context, "a cast to '" + nameOf(wanted) + "'", value, wanted, found);
}

}  // namespace hpcc::check
