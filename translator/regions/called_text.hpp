// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of called code, with the arguments in the place of parameters.
#pragma once

#include <map>
#include <set>
#include <string>

#include "ast/fresh_names.hpp"
#include "regions/called_code.hpp"
#include "regions/rewritten.hpp"
#include "regions/scopes.hpp"

namespace hpcc::regions {

// Where a call stands.
struct CallPlace {
    const Scopes* scopes = nullptr;       // of the function
    const ast::Scope* members = nullptr;  // of its class; null if there is none
    const ast::Scope* outside = nullptr;  // its namespace
    bool mayDeclare = false;              // statements may stand in front of the call
    bool needsValue = false;              // an element would be taken by reference
};

class CalledText {
public:
    CalledText(const CalledCode& code, const ast::FreshNames& names,
               ast::FreshNames::Counts& counts);

    // Decides what stands for each parameter; why that cannot be, or "".
    std::string bind(const CallPlace& place);

    // The parameters and statements in front of the statement with the call.
    bool hasStatements() const {
        return !declared_.empty() || !parts_.empty() || !code_.first.empty() || !choice_;
    }
    void writeStatements(Rewritten& out);
    // What stands in the place of the call.
    void writeValue(Rewritten& out);

    // What forEachPiece tells.
    void gap(source::Span piece);
    void joint(std::string_view made) { out_->add(made); }
    void child(NodePtr node) { write(node); }
    static bool keeps(NodePtr) { return false; }

private:
    struct Shifted {
        std::string index, distance;  // i, "-(1)"
    };

    std::string bindAll();
    std::string bindOne(const Given& given);
    bool bindParts(const Given& given);
    std::string bindIndex(const Given& given);
    std::string bindNumber(const Given& given);
    std::string declare(const Given& given);
    std::string bindVariables();
    bool bindConstant(NodePtr declarator);
    std::string meansElsewhere(NodePtr name) const;
    bool isOfNamespace(const Symbol* symbol) const;
    std::string namesInTheWay() const;
    std::string namesInTheWay(NodePtr node) const;
    std::string resultInTheWay();

    void put(const std::string& text, NodePtr place);
    void write(NodePtr node);
    void writeName(NodePtr node);
    bool writePart(NodePtr node);
    bool writeConversion(NodePtr node);
    bool writeShift(NodePtr node);
    bool writeOfSection(NodePtr node);
    void writeParameter(const Given& given);
    void writeConverted(NodePtr e);
    void writeChoice(std::span<const NodePtr> statements);
    void writeCases(NodePtr statement, std::span<const NodePtr> rest);
    void writeBranches(std::span<const NodePtr> statements);
    void writeBranch(std::span<const NodePtr> statements);
    void writeLeaving(NodePtr statement);
    void writeResultType();
    bool needsConversion(NodePtr e) const;

    const CalledCode& code_;
    const ast::FreshNames& names_;
    ast::FreshNames::Counts& counts_;
    CallPlace place_;
    Rewritten* out_ = nullptr;
    bool choice_;                                 // the value is an expression
    bool isInPlace_ = false;                      // without statements of its own
    std::map<const Symbol*, std::string> words_;  // of its variables and parameters
    std::map<const Symbol*, NodePtr> values_;     // of constants of its own
    std::map<const Symbol*, Shifted> shifted_;
    std::map<const Symbol*, NodePtr> sections_;  // of parameters that are one
    struct Part {
        std::string member, name, type;
        NodePtr value;
    };
    std::map<const Symbol*, std::vector<Part>> parts_;  // of parameters that are given by members
    std::vector<Given> declared_;
    std::string result_, resultType_;  // the variable that gets what it returns
    std::string end_;                  // the label behind its statements, in a loop that returns
};

}  // namespace hpcc::regions
