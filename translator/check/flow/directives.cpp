#include "check/flow/directives.hpp"

#include <algorithm>

namespace hpcc::check::flow {

int openedDirectives(std::string_view gap) {
    int opened = 0;
    while (gap.find('#') != gap.npos) {
        const auto end = std::min(gap.find('\n'), gap.size());
        std::string_view line = gap.substr(0, end);
        gap.remove_prefix(std::min(end + 1, gap.size()));
        const auto hash = line.find_first_not_of(" \t");
        if (hash == line.npos || line[hash] != '#') continue;
        line.remove_prefix(hash + 1);
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        opened += line.starts_with("if") - line.starts_with("endif");
    }
    return opened;
}

}  // namespace hpcc::check::flow
