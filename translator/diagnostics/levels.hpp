// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How loud each diagnostic is, as the user wants it.
//
//     levels.setWarningsAreErrors(true);  // -Werror
//     levels.choose(Id::UnreachableStatement, Levels::Choice::Silent);  // -Wno-HP2605
//
// What is chosen for one diagnostic stands above what is said of all, and the later choice above
// the earlier. Errors of the language are always errors; remarks are silent unless they are chosen.
#pragma once

#include "diagnostics/id.hpp"

#include <map>

namespace hpcc::diagnostics {

class Levels {
public:
    enum class Choice : uint8_t { Silent, Shown, Error };

    void setWarningsAreErrors(bool on) { warningsAreErrors_ = on; }
    void choose(Id id, Choice choice) { choices_[id] = choice; }

    bool isSilent(Id id) const;
    Severity severityOf(Id id) const;

private:
    bool warningsAreErrors_ = false;
    std::map<Id, Choice> choices_;
};

}  // namespace hpcc::diagnostics
