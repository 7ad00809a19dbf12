// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnostics/levels.hpp"

namespace hpcc::diagnostics {

bool Levels::isSilent(Id id) const {
    const Severity severity = definition(id).severity;
    const auto choice = choices_.find(id);
    if (choice == choices_.end()) return severity == Severity::Remark;
    return choice->second == Choice::Silent && severity != Severity::Error;
}

Severity Levels::severityOf(Id id) const {
    const Severity severity = definition(id).severity;
    const auto choice = choices_.find(id);
    if (choice != choices_.end())
        return choice->second == Choice::Error ? Severity::Error : severity;
    return severity == Severity::Warning && warningsAreErrors_ ? Severity::Error : severity;
}

}  // namespace hpcc::diagnostics
