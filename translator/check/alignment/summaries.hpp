// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The summaries of the functions of a translation, each made when it is first asked for.
#pragma once

#include "ast/macro_names.hpp"
#include "check/alignment/summary.hpp"
#include "check/functions.hpp"

#include <string_view>
#include <unordered_map>

namespace hpcc::check::alignment {

// Functions that call one another in a circle are looked at until nothing new is found; their first
// approximation is "reaches no collective, result coherent".
class Summaries {
public:
    Summaries(const Functions& functions, const ast::MacroNames& macros)
        : functions_(functions), macros_(macros) {}

    const Summary& ofDefinition(NodePtr functionDefinition);

    // Of a function as declared: its attributes, else its body, else nothing is known.
    Summary of(const Symbol& function);

    const Functions& functions() const { return functions_; }
    const ast::MacroNames& macros() const { return macros_; }

private:
    enum class Progress { New, Running, Provisional, Final };
    struct Entry {
        Summary summary;
        Progress progress = Progress::New;
        int depth = 0;
        int generation = 0;
    };
    void compute(NodePtr definition, Entry& entry);
    void repeat(NodePtr definition, Entry& entry);

    const Functions& functions_;
    const ast::MacroNames& macros_;
    std::unordered_map<NodePtr, Entry> entries_;
    int depth_ = 0;
    int lowest_ = 0;      // the outermost running function that was asked for
    int generation_ = 0;  // provisional summaries of earlier ones are made anew
};

}  // namespace hpcc::check::alignment
