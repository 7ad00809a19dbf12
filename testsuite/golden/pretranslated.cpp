// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "golden/pretranslated.hpp"

#include "check/check.hpp"
#include "diagnostics/render.hpp"
#include "pretranslate/pretranslate.hpp"
#include "syntax/parse.hpp"

namespace hpcc::testing {

Pretranslated::Pretranslated(const std::string& path, const std::string& source)
    : text_(path, source), unit(syntax::parse(text_, engine_, {})), quote(syntax::parseSchema) {
    if (!engine_.hasErrors()) check::check(unit, engine_);
    if (!engine_.hasErrors()) unit = pretranslate::pretranslate(std::move(unit), quote);
}

std::string Pretranslated::errors() const {
    return engine_.hasErrors() ? diagnostics::render(engine_) : "";
}

}  // namespace hpcc::testing
