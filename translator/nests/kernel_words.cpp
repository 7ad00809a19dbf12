// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/kernel_words.hpp"

#include <algorithm>
#include <cctype>
#include <unordered_set>

namespace hpcc::nests {

namespace {

/// Mathematical functions that have their name in all languages of kernels.
bool isKernelFunction(std::string_view name) {
    static const std::unordered_set<std::string_view> known = {
        "abs", "fabs",  "fmax",  "fmin",  "fmod",  "hypot", "acos",    "asin", "atan",  "atan2",
        "cos", "sin",   "tan",   "acosh", "asinh", "atanh", "cosh",    "sinh", "tanh",  "cbrt",
        "exp", "exp2",  "expm1", "log",   "log10", "log1p", "log2",    "ceil", "floor", "fma",
        "pow", "round", "sqrt",  "trunc", "erf",   "erfc",  "copysign"};
    return known.contains(name);
}

/// Further functions of OpenCL C, some of which are macros somewhere.
bool isOpenClFunction(std::string_view name) {
    static const std::unordered_set<std::string_view> known = {
        "abs_diff", "acospi",    "add_sat",   "all",        "any",      "asinpi",    "atan2pi",
        "atanpi",   "barrier",   "bitselect", "clamp",      "clz",      "cospi",     "cross",
        "ctz",      "degrees",   "distance",  "dot",        "exp10",    "fdim",      "fract",
        "frexp",    "hadd",      "ilogb",     "isequal",    "isfinite", "isgreater", "isinf",
        "isless",   "isnan",     "isnormal",  "isordered",  "ldexp",    "length",    "lgamma",
        "lgamma_r", "logb",      "mad",       "mad24",      "mad_hi",   "mad_sat",   "max",
        "maxmag",   "mem_fence", "min",       "minmag",     "mix",      "modf",      "mul24",
        "mul_hi",   "nan",       "nextafter", "normalize",  "popcount", "pown",      "powr",
        "prefetch", "printf",    "radians",   "remainder",  "remquo",   "rhadd",     "rint",
        "rootn",    "rotate",    "rsqrt",     "select",     "shuffle",  "shuffle2",  "sign",
        "signbit",  "sincos",    "sinpi",     "smoothstep", "step",     "sub_sat",   "tanpi",
        "tgamma",   "upsample",  "vec_step"};
    return known.contains(name) || name.starts_with("get_") || name.starts_with("native_") ||
           name.starts_with("half_") || name.starts_with("fast_") || name.starts_with("atomic_");
}

}  // namespace

bool isReservedInKernels(std::string_view name) {
    static const std::unordered_set<std::string_view> words = {
        // macros and functions of kernel texts
        "IN", "OUT", "INOUT", "LIST", "EXTENT", "JOINED", "AT", "COLUMNS", "MIDDLE", "EACH_ROW",
        "ROWS_OF", "JOIN_SUM", "JOIN_MAX", "JOIN_MIN", "EVERY_ROW_OF", "Run", "Index", "Stride",
        "part", "larger", "smaller", "magnitude", "RECORD", "COMPLEX", "SAME", "MADE", "ZERO",
        "CHECKED", "FIT", "FITTED", "TELL", "OVERLOADED", "UNROLLED", "hasLayoutOf", "Own",
        "Theirs",
        // OpenCL C
        "local", "global", "constant", "private", "kernel", "half", "uint", "ulong", "ushort",
        "uchar", "restrict", "generic", "pipe", "uniform", "complex", "imaginary", "quad",
        "read_only", "write_only", "read_write", "event_t", "image1d_t", "image2d_t", "image3d_t",
        "sampler_t", "queue_t",
        // CUDA
        "threadIdx", "blockIdx", "blockDim", "gridDim"};
    return words.contains(name) || isKernelFunction(name) || isOpenClFunction(name);
}

std::string kernelFunction(std::string_view name) {
    for (const std::string_view space : {"::", "std::"})
        if (name.starts_with(space)) name.remove_prefix(space.size());
    if (name == "max" || name == "hpspmd::max") return "larger";
    if (name == "min") return "smaller";
    return isKernelFunction(name) ? std::string(name) : "";
}

std::string valueWord(std::string word) {
    if (word == "bool") return "unsigned char";
    return localWord(std::move(word));
}

std::string localWord(std::string word) {
    constexpr std::string_view longer = "long long";
    if (const size_t at = word.find(longer); at != std::string::npos)
        word.replace(at, longer.size(), "long");
    return word;
}

bool isOpenClElement(const std::string& word) {
    return word != "bool" && word != "char" && word.find("long long") == word.npos;
}

namespace {

/// True if a text ends in a number, or the first part of one.
bool endsInNumber(const std::string& text) {
    size_t begin = text.size();
    while (begin > 0 && (std::isalnum(static_cast<unsigned char>(text[begin - 1])) ||
                         text[begin - 1] == '_' || text[begin - 1] == '.'))
        --begin;
    return begin < text.size() && std::isdigit(static_cast<unsigned char>(text[begin]));
}

/// Behind the character or string that begins at `begin`.
size_t behindLiteral(const std::string& text, size_t begin) {
    size_t end = begin + 1;
    while (end < text.size() && text[end] != text[begin]) end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
}

/// Behind a comment; the place itself if none begins there.
size_t behindComment(const std::string& text, size_t begin) {
    if (text.compare(begin, 2, "//") == 0) return std::min(text.find('\n', begin), text.size());
    if (text.compare(begin, 2, "/*") != 0) return begin;
    const size_t end = text.find("*/", begin + 2);
    return end == std::string::npos ? text.size() : end + 2;
}

}  // namespace

std::string compact(const std::string& text) {
    std::string result;
    for (size_t k = 0; k < text.size();) {
        const char c = text[k];
        constexpr std::string_view attribute = "[[maybe_unused]]";  // C does not know it
        size_t next = text.compare(k, attribute.size(), attribute) == 0 ? k + attribute.size()
                                                                        : behindComment(text, k);
        if (next > k || (c == '\'' && endsInNumber(result))) {  // nor 1'000
            k = std::max(next, k + 1);
            if (c == '[' && text.compare(k, 1, ";") == 0 && result.ends_with(' '))
                result.pop_back();
            continue;
        }
        next = k + 1;
        if (c == '"' || c == '\'') {
            next = behindLiteral(text, k);
            result += text.substr(k, next - k);
        } else if (std::string_view(" \t\r\n").find(c) == std::string_view::npos) {
            result += c;
        } else if (!result.empty() && result.back() != ' ') {
            result += ' ';
        }
        k = next;
    }
    return result;
}

}  // namespace hpcc::nests
