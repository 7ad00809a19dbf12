#include "driver/verbs.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/core.h>

#include "check/near_names.hpp"
#include "driver/launch.hpp"

namespace hpcc::driver {

const std::vector<Verb>& verbs() {
    static const std::vector<Verb> rows = {
        {"run", "run a program on N processes: hpcc run -n 4 ./prog",
         [](const std::vector<std::string>& words) -> ExitCode { launch(words); }},
        {"new", "make a folder with a project: hpcc new heat [--make]", newProject},
        {"doctor", "look at compiler, MPI and libraries, and say how to mend them", doctor}};
    return rows;
}

const Verb* verbCalled(const std::string& word) {
    const auto found =
        std::ranges::find_if(verbs(), [&](const Verb& verb) { return verb.name == word; });
    return found == verbs().end() ? nullptr : &*found;
}

void requireKnownVerb(const std::string& word) {
    const bool isWord = std::ranges::all_of(word, [](unsigned char c) { return std::isalpha(c); });
    if (word.empty() || !isWord || std::filesystem::exists(word)) return;
    std::vector<std::string> names;
    for (const Verb& verb : verbs()) names.emplace_back(verb.name);
    const std::string nearest = check::nearestName(word, names);
    if (!nearest.empty())
        throw Failure(ExitCode::Usage,
                      fmt::format("no file and no verb '{}'; did you mean '{}'?", word, nearest));
}

}  // namespace hpcc::driver
