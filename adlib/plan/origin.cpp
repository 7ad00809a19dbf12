// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/origin.hpp"

#include "observe/communications.hpp"

namespace hpspmd::detail::plan {

Origin originOf(const char* operation, const std::vector<Descriptor>& arrays,
                const std::vector<Index>& parameters) {
    if (observer == nullptr) return {};
    std::string text = std::string("\"operation\": \"") + operation + "\", \"arrays\": [";
    const char* separator = "";
    for (const Descriptor& array : arrays) {
        text += separator + textOf(array);
        separator = ", ";
    }
    text += "], \"parameters\": [";
    separator = "";
    for (const Index parameter : parameters) {
        text += separator + std::to_string(parameter);
        separator = ", ";
    }
    return {interned(text + "]")};
}

Origin jointOrigin(const std::vector<std::pair<Origin, std::size_t>>& parts) {
    std::string text = "\"parts\": [";
    for (const auto& [origin, size] : parts) {
        if (origin.text == nullptr) return {};
        text += (text.back() == '[' ? "{" : ", {") + *origin.text +
                ", \"size\": " + std::to_string(size) + "}";
    }
    return {interned(text + "]")};
}

}  // namespace hpspmd::detail::plan
