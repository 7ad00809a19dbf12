// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/kernel_words.hpp"

#include <algorithm>
#include <unordered_set>

namespace hpcc::nests {

bool isReservedInKernels(std::string_view name) {
    static const std::unordered_set<std::string_view> words = {
        "IN",       "OUT",      "INOUT",    "JOINED",   "AT",        "COLUMNS",      "MIDDLE",
        "EACH_ROW", "ROWS_OF",  "JOIN_SUM", "JOIN_MAX", "JOIN_MIN",  "EVERY_ROW_OF", "Run",
        "Index",    "part",     "larger",   "smaller",  "local",     "global",       "constant",
        "private",  "kernel",   "half",     "uint",     "ulong",     "ushort",       "uchar",
        "restrict", "generic",  "pipe",     "event_t",  "image1d_t", "sampler_t",    "threadIdx",
        "blockIdx", "blockDim", "gridDim"};
    return words.contains(name);
}

std::string kernelFunction(std::string_view name) {
    for (const std::string_view space : {"::", "std::"})
        if (name.starts_with(space)) name.remove_prefix(space.size());
    if (name == "max" || name == "hpspmd::max") return "larger";
    if (name == "min") return "smaller";
    static const std::unordered_set<std::string_view> known = {
        "abs", "fabs",  "fmax",  "fmin",  "fmod",  "hypot", "acos",    "asin", "atan",  "atan2",
        "cos", "sin",   "tan",   "acosh", "asinh", "atanh", "cosh",    "sinh", "tanh",  "cbrt",
        "exp", "exp2",  "expm1", "log",   "log10", "log1p", "log2",    "ceil", "floor", "fma",
        "pow", "round", "sqrt",  "trunc", "erf",   "erfc",  "copysign"};
    return known.contains(name) ? std::string(name) : "";
}

std::string compact(const std::string& text) {
    std::string result;
    for (size_t k = 0; k < text.size(); ++k) {
        if (text.compare(k, 2, "//") == 0) {
            k = std::min(text.find('\n', k), text.size()) - 1;
        } else if (text.compare(k, 2, "/*") == 0) {
            k = text.find("*/", k) + 1;
        } else if (text[k] == '\'') {
            const size_t end = text.find('\'', text[k + 1] == '\\' ? k + 3 : k + 1);
            result += text.substr(k, end - k + 1);
            k = end;
        } else if (std::string_view(" \t\r\n").find(text[k]) == std::string_view::npos) {
            result += text[k];
        } else if (!result.empty() && result.back() != ' ') {
            result += ' ';
        }
    }
    return result;
}

}  // namespace hpcc::nests
