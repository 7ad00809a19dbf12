#include "ast/remarks.hpp"

#include <algorithm>

namespace hpcc::ast {
namespace {

bool wants(const std::vector<std::string>& passes, std::string_view pass) {
    return std::ranges::any_of(
        passes, [&](const std::string& name) { return name.empty() || name == pass; });
}

}  // namespace

void Remarks::fired(std::string_view pass, NodePtr place, const std::string& text) {
    if (!wants(wanted_->fired, pass)) return;
    engine_->report(diagnostics::Id::PassFired, place->origin()->span(), text, std::string(pass));
}

void Remarks::missed(std::string_view pass, NodePtr place, const std::string& text, NodePtr cause,
                     const std::string& reason) {
    if (!wants(wanted_->missed, pass)) return;
    engine_->report(diagnostics::Id::PassMissed, place->origin()->span(), text, std::string(pass))
        .note(cause->origin()->span(), reason);
}

}  // namespace hpcc::ast
