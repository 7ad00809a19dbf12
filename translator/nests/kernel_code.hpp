// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nests/device.hpp"

namespace hpcc::nests {

struct Captured;
class KernelFunctions;

/// Statements and expressions as kernels write them: in what C++ and OpenCL C have in common.
class KernelCode {
public:
    KernelCode(Context& context, KernelFunctions& functions)
        : context(context), functions(functions) {}
    virtual ~KernelCode() = default;

protected:
    using NodePtr = ast::NodePtr;

    /// A copy of the code; as it is behind an obstacle.
    NodePtr copied(NodePtr node);
    NodePtr withCopiedChildren(NodePtr node);

    /// That of what is particular here; null if it is code like any other.
    virtual NodePtr special(NodePtr node) = 0;
    virtual NodePtr identifier(NodePtr node) = 0;
    /// An enumerator whose value only C++ knows.
    virtual NodePtr unknownEnumerator(NodePtr node) {
        return fail(node, "uses " + quoted(node->text()) + ", whose value is not known");
    }
    /// What a function that is called here takes besides its arguments.
    virtual std::string captured(const Captured& number) = 0;

    NodePtr fail(NodePtr place, std::string reason) {
        if (!obstacle.place) obstacle = {place, std::move(reason)};
        return place;
    }

    /// With what a number of the program begins that never changes; null if it is none.
    static NodePtr constantOf(const ast::Symbol& symbol);
    /// A constant by its value, as one of its type.
    NodePtr writtenOut(NodePtr constant, NodePtr value);

    /// A number or object, or what is made of `{..}`, as one of this type: without conversion by
    /// code of the program.
    NodePtr fitting(NodePtr value, const ast::Type* type);

    /// How the nest names members of an object outside of it, on which `object.f()` is called:
    /// `this->` where none is written (null), `p.`; "" if it is none.
    virtual std::string membersOf(NodePtr object) const = 0;

    /// The type of a number, also as the instances of a template round it tell it: then the kernel
    /// is for those of which that holds. Null if they differ.
    const ast::Type* numberType(NodePtr expression);
    /// Of a variable, which perhaps is declared by `auto`.
    const ast::Type* typeOfName(NodePtr name);

    /// Of a variable of the program.
    std::string named(std::string_view name);

    Context& context;
    KernelFunctions& functions;
    Obstacle obstacle;  // the first one
    /// `Field<T>::value`, which converts to a T as it seems: words of template parameters.
    std::map<std::string, std::string> otherNames;
    /// Whose member function this is, and what it is called; null if it is none.
    const ast::Type* object = nullptr;
    std::string self;

private:
    NodePtr literal(NodePtr node);
    NodePtr call(NodePtr node);
    const ast::Type* objectOf(NodePtr callee) const;
    std::string outerMembersFor(NodePtr callee) const;
    static std::vector<NodePtr> argumentsOf(NodePtr call, size_t count);
    void requireOne(NodePtr node, const std::vector<const ast::Symbol*>& choices);
    NodePtr choice(NodePtr conditional);
    static bool runsOperator(NodePtr node);
    NodePtr operated(NodePtr node);
    NodePtr member(NodePtr node);
    NodePtr partOfArray(NodePtr node);
    NodePtr assignment(NodePtr node);
    NodePtr made(NodePtr node, const ast::Type* type, NodePtr values);
    /// True if a call converts to a number, by another name of its type: `Real(x)`.
    bool isConversion(NodePtr call) const;
    NodePtr mathematical(NodePtr node, const std::string& function);
    NodePtr mathematicalOfTemplate(NodePtr node, const std::string& function);
    std::string asDouble(NodePtr number);
    NodePtr initialized(NodePtr declarator);
    NodePtr initializedObject(NodePtr declarator, const ast::Type* type);
    NodePtr declaration(NodePtr node);
    NodePtr cast(NodePtr node);

    // Complex numbers (kernel_complex.cpp).
    NodePtr complexCode(NodePtr node);
    std::string complexWord(NodePtr expression);
    std::string realWord(NodePtr number);
    std::string asComplex(NodePtr value, const std::string& word);
    std::string complexOf(const std::string& name, const std::string& word,
                          std::span<const NodePtr> parts);
    std::string realPart(NodePtr number);
    NodePtr complexResult(NodePtr node, const std::string& word, const std::string& name,
                          std::initializer_list<NodePtr> operands);
    NodePtr complexBinary(NodePtr node);
    NodePtr complexOperation(NodePtr node, std::string_view op, NodePtr left, NodePtr right);
    NodePtr complexAssignment(NodePtr node);
    NodePtr complexCallCode(NodePtr node);
    NodePtr complexMade(NodePtr node, NodePtr arguments);

    std::map<std::string, std::string> renamed_;
};

}  // namespace hpcc::nests
