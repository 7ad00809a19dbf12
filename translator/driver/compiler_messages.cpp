// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/compiler_messages.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace hpcc::driver {
namespace {

using Kind = CompilerMessage::Kind;

constexpr std::array<std::pair<std::string_view, Kind>, 4> kinds = {{
    {" fatal error: ", Kind::Error},
    {" error: ", Kind::Error},
    {" warning: ", Kind::Warning},
    {" note: ", Kind::Note},
}};

std::optional<uint32_t> takeNumber(std::string_view& place) {
    const size_t colon = place.rfind(':');
    if (colon == place.npos || colon + 1 == place.size()) return std::nullopt;
    uint32_t number = 0;
    const char* end = place.data() + place.size();
    const auto [stop, error] = std::from_chars(place.data() + colon + 1, end, number);
    if (error != std::errc() || stop != end) return std::nullopt;
    place.remove_suffix(place.size() - colon);
    return number;
}

/// "f.hpcpp:3:7" or "f.hpcpp:3"
std::optional<CompilerPlace> readPlace(std::string_view text) {
    const std::optional<uint32_t> last = takeNumber(text);
    if (!last) return std::nullopt;
    const std::optional<uint32_t> line = takeNumber(text);
    return line ? CompilerPlace{std::string(text), *line, *last}
                : CompilerPlace{std::string(text), *last, 0};
}

std::optional<CompilerMessage> readMessage(std::string_view line) {
    for (const auto& [word, kind] : kinds) {
        const size_t found = line.find(word);
        if (found == line.npos || found == 0 || line[found - 1] != ':') continue;
        if (const auto place = readPlace(line.substr(0, found - 1)))
            return CompilerMessage{
                kind, *place, std::string(line.substr(found + word.size())), {}, {}};
    }
    return std::nullopt;
}

/// "f.hpcpp:9:13:   required from here"
std::optional<CompilerPlace> readRequiredFrom(std::string_view line) {
    const size_t found = line.find(":   required ");
    return found == line.npos ? std::nullopt : readPlace(line.substr(0, found));
}

/// What stands round a message: the lines quoted, where a header was included, in which function.
bool isContext(std::string_view line) {
    return line.empty() || line.starts_with("In file included from ") ||
           line.find(": In ") != line.npos || line.find(": At global scope:") != line.npos ||
           line.ends_with(" generated.");
}

}  // namespace

CompilerOutput parseMessages(std::string_view output) {
    CompilerOutput result;
    std::vector<CompilerPlace> requiredFrom;
    bool quotes = false;  // indented lines belong to the line before
    while (!output.empty()) {
        const size_t end = std::min(output.find('\n'), output.size() - 1);
        const std::string_view line = output.substr(0, end + (output[end] == '\n' ? 0 : 1));
        output.remove_prefix(end + 1);
        if (quotes && line.starts_with(' ') && !readRequiredFrom(line)) continue;
        quotes = true;
        if (auto message = readMessage(line)) {
            message->requiredFrom = std::exchange(requiredFrom, {});
            if (message->kind == Kind::Note && !result.messages.empty())
                result.messages.back().notes.push_back(std::move(*message));
            else
                result.messages.push_back(std::move(*message));
        } else if (const auto place = readRequiredFrom(line)) {
            requiredFrom.push_back(*place);
        } else if (!isContext(line)) {
            quotes = false;
            result.others += std::string(line) + "\n";
        }
    }
    return result;
}

}  // namespace hpcc::driver
