// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "diagnostics/engine.hpp"
#include "driver/compiler_messages.hpp"
#include "driver/source_places.hpp"

namespace hpcc::driver {

/// What the C++ compiler said about translated texts, in terms of the source.
///
/// A message about a place inside <hpspmd> is shown where the program asked for it, without the
/// instantiations between and without notes about our headers; array types are written as in the
/// source: `double [[-,*]]`, not `hpspmd::Array<double, hpspmd::Dist, hpspmd::Seq>`. One about a
/// place inside the standard library is, too, with one note for that place. Of the notes about
/// other headers (one per candidate of an overload, by the dozen) only the first are shown.
class BackEndReport {
public:
    /// `ownHeaders`: the folder of <hpspmd>; `flags`: those that the user gives the compiler.
    BackEndReport(std::vector<std::string> translated, std::filesystem::path ownHeaders,
                  const std::vector<std::string>& flags);

    /// What the compiler says of one line in several forms of a nest is told once.
    void report(const CompilerMessage& message, diagnostics::Engine& engine);

private:
    void addNotes(const CompilerMessage& message, const CompilerPlace& shown,
                  diagnostics::Report report);
    bool isOwn(const CompilerPlace& place) const;
    bool isOfSystem(const CompilerPlace& place) const;
    bool isOfProgram(const CompilerPlace& place) const;
    const CompilerPlace& placeOf(const CompilerMessage& message) const;

    SourcePlaces places_;
    std::filesystem::path ownHeaders_;
    bool areShadowsErrors_;
    std::set<std::tuple<std::string, uint32_t, std::string>> told_;
};

/// The parameters of functions that hpcc writes have the names of what they are given: of such
/// shadows nothing is told, nor are they errors. The compiler is to tell of all, by warnings.
void makeShadowsWarnings(std::vector<std::string>& command);

/// The text with multiarray types as the source writes them.
std::string inSourceTerms(std::string_view text);

}  // namespace hpcc::driver
