// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/container.hpp"

#include <algorithm>

namespace hpspmd::detail::files {

#define FILE_CONTAINER(ending, container) const Container& container();
#include "files/containers.def"

namespace {

struct Row {
    std::string ending;
    const Container& (*container)();
};

const Row rows[] = {
#define FILE_CONTAINER(ending, container) {ending, container},
#include "files/containers.def"
};

}  // namespace

std::optional<Inside> insideOf(const std::string& file) {
    for (const Row& row : rows) {
        if (file.ends_with(row.ending) && file != row.ending)
            return Inside{&row.container(), file, "data"};
        const std::size_t at = file.rfind(row.ending + ":");
        if (at == std::string::npos || at == 0) continue;
        const std::size_t colon = at + row.ending.size();
        std::string name = file.substr(colon + 1);
        if (name != fileItself) name.erase(0, name.find_first_not_of('/'));
        if (name.empty()) throw Failure("behind the colon stands the name of an array");
        return Inside{&row.container(), file.substr(0, colon), name};
    }
    return std::nullopt;
}

const Entry& entryCalled(const std::string& name, const std::vector<Entry>& entries) {
    const auto found = std::ranges::find(entries, name, &Entry::name);
    if (found != entries.end()) return *found;
    std::string known;
    for (std::size_t k = 0; k < entries.size() && k < 10; ++k)
        known += (k > 0 ? ", '" : "'") + entries[k].name + "'";
    throw Failure("it has no array '" + name + "'" +
                  (known.empty() ? "" : "; it has " + known + (entries.size() > 10 ? ", .." : "")));
}

}  // namespace hpspmd::detail::files
