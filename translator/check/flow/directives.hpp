// Preprocessor directives between statements.
#pragma once

#include <string_view>

namespace hpcc::check::flow {

// How many #if a gap between statements opens, less those that it closes.
int openedDirectives(std::string_view gap);

}  // namespace hpcc::check::flow
