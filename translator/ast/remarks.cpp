// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/remarks.hpp"

#include <algorithm>

#include "ast/arena.hpp"

namespace hpcc::ast {
namespace {

bool isNamed(const std::vector<std::string>& passes, std::string_view pass) {
    return std::ranges::any_of(
        passes, [&](const std::string& name) { return name.empty() || name == pass; });
}

}  // namespace

bool Remarks::wants(std::string_view pass) const {
    return isNamed(wanted_->fired, pass) || isNamed(wanted_->missed, pass);
}

bool Remarks::isNew(std::string_view pass, const source::Span& span, const std::string& text) {
    return told_.emplace(pass, span.begin, text).second;
}

bool Remarks::isCovered(NodePtr place) const {
    const source::Span own = place->origin()->span();
    return std::ranges::any_of(covered_, [&own](const source::Span& span) {
        return span.text == own.text && span.begin <= own.begin && own.begin < span.end;
    });
}

void Remarks::fired(std::string_view pass, NodePtr place, const std::string& text) {
    const source::Span span = place->origin()->span();
    if (!isNamed(wanted_->fired, pass) || !isNew(pass, span, text)) return;
    engine_->report(diagnostics::Id::PassFired, span, text, pass).pass(pass);
}

void Remarks::missed(std::string_view pass, NodePtr place, const std::string& text, NodePtr cause,
                     const std::string& reason, const std::string& cure) {
    const source::Span span = place->origin()->span();
    if (!isNamed(wanted_->missed, pass) || !isNew(pass, span, text + reason)) return;
    diagnostics::Report report = engine_->report(diagnostics::Id::PassMissed, span, text, pass);
    const source::Span at = cause->origin()->span();
    const bool hasPlace = at.text && !Arena::isMade(*at.text);  // a pass may have written it
    report.pass(pass).note(hasPlace ? at : span, reason);
    if (!cure.empty()) report.help(cure);
}

}  // namespace hpcc::ast
