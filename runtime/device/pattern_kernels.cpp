// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compose.hpp"

#include <hpspmd/device/stages.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace hpspmd::detail {
namespace {

constexpr std::size_t mostVariants = 8;

/// `(int)-7`
std::string constant(const CapturedValue& number) {
    const auto bits = static_cast<unsigned long long>(number.value);
    const bool isInt = number.value >= 0 && number.value <= std::numeric_limits<int>::max();
    return isInt ? compose('(', number.word, ')', number.value)
                 : compose('(', number.word, ')', bits, "UL");
}

std::string listed(const std::vector<std::string>& all) {
    std::string text;
    for (const std::string& each : all) text += (text.empty() ? "" : ", ") + each;
    return text;
}

/// The text of a chain: its parameters, and one loop.
class Writer {
public:
    Writer(const PatternCode& code, bool hasConstants) : code_(code), hasConstants_(hasConstants) {}

    std::string text() const {
        return compose("(", listed(parameters()), ") { COLUMNS(i, i_run, 1) { ", body(), "} ",
                       code_.joined != nullptr ? compose("JOIN_SUM(", code_.joined, ", sum) ") : "",
                       "}");
    }

private:
    std::vector<std::string> parameters() const {
        std::vector<std::string> all{"Run i_run"}, steps;
        for (std::size_t k = 0; k < code_.written.size(); ++k) {
            const std::string name = compose('r', k);
            const char* const way = code_.isInPlace ? "INOUT(" : "OUT(";
            all.push_back(compose(way, code_.written[k], ", ", name, ')'));
            steps.push_back("Stride " + name + "_step");
        }
        for (std::size_t k = 0; k < code_.read.size(); ++k) {
            const std::string name = compose('a', k);
            all.push_back(read(code_.read[k], name));
            steps.push_back("Stride " + name + "_step");
        }
        all.insert(all.end(), steps.begin(), steps.end());
        if (code_.joined != nullptr) all.push_back(compose("JOINED(", code_.joined, ", sum)"));
        for (std::size_t k = 0; k < code_.captured.size(); ++k) {
            const CapturedValue& each = code_.captured[k];
            const std::string name = compose('c', k);
            all.push_back(isArray(each) ? read(each.word, name) : compose(each.word, ' ', name));
        }
        return all;
    }

    static bool isArray(const CapturedValue& each) {
        return each.kind == CapturedValue::Kind::Array;
    }
    std::string read(const char* type, const std::string& name) const {
        return compose(code_.isInPlace ? "INOUT(const " : "IN(", type, ", ", name, ')');
    }

    std::string at(const std::string& type, const std::string& name) const {
        return compose("AT(", type, ", ", name, ", i",
                       code_.isContiguous ? "" : " * " + name + "_step", ") ");
    }

    std::string body() const {
        std::string text;
        std::vector<std::string> values;
        for (std::size_t k = 0; k < code_.read.size(); ++k) {
            text += at(compose("const ", code_.read[k]), compose('a', k));
            values.push_back(compose('a', k, "_at[0]"));
        }
        std::size_t captured = 0;
        for (std::size_t k = 0; k < code_.stages.size(); ++k) text += stage(k, values, captured);
        if (code_.joined != nullptr)
            return text + compose("sum += (", code_.joined, ")", values.front(), "; ");
        for (std::size_t k = 0; k < code_.written.size(); ++k)
            text += at(code_.written[k], compose('r', k)) +
                    compose('r', k, "_at[0] = ", values[k], "; ");
        return text;
    }

    /// Behind it the values are its results.
    std::string stage(std::size_t k, std::vector<std::string>& values,
                      std::size_t& captured) const {
        const PatternStage& stage = code_.stages[k];
        std::string text;
        for (std::size_t end = captured + stage.captures; captured < end; ++captured) {
            const CapturedValue& each = code_.captured[captured];
            const std::string name = compose('c', captured);
            const bool isConstant = hasConstants_ && each.kind == CapturedValue::Kind::Constant;
            if (isArray(each)) text += compose("AT(const ", each.word, ", ", name, ", 0) ");
            values.push_back(isArray(each) ? name + "_at" : isConstant ? constant(each) : name);
        }
        std::vector<std::string> results;
        for (std::size_t r = 0; r < stage.results.size(); ++r) {
            results.push_back(compose('v', k, '_', r));
            if (stage.isTuple) {
                text += compose(stage.results[r], ' ', results.back(), "; ");
                values.push_back("&" + results.back());
            }
        }
        if (!stage.isTuple)
            text += compose("const ", stage.results.front(), ' ', results.front(), " = ");
        text += compose(stage.text->name, '(', listed(values), "); ");
        values = results;
        return text;
    }

    const PatternCode& code_;
    const bool hasConstants_;
};

/// With the strings that it points to.
struct Made {
    std::string name, functions, nest;
    KernelText text{};

    Made(const PatternCode& code, bool hasConstants)
        : name(code.stages.back().text->name), nest(Writer(code, hasConstants).text()) {
        std::vector<const StageText*> seen;
        const char* notOpenCl = nullptr;
        for (const PatternStage& stage : code.stages) {
            if (std::find(seen.begin(), seen.end(), stage.text) != seen.end()) continue;
            seen.push_back(stage.text);
            const std::string_view all = stage.text->functions;  // in parentheses
            functions += all.substr(1, all.size() - 2);
            if (notOpenCl == nullptr) notOpenCl = stage.text->notOpenCl;
        }
        functions = "(" + functions + ")";
        text = {name.c_str(),    {functions.c_str(), nest.c_str()},
                code.where,      1,
                notOpenCl,       code.onHost,
                code.parameters, code.parameterCount};
    }
};

/// Of one chain, by the integers that it captures.
struct Variants {
    std::map<std::vector<long long>, std::unique_ptr<Made>> constant;
    std::unique_ptr<Made> general;
};

}  // namespace

const KernelText& patternKernel(const PatternCode& code) {
    using Key = std::tuple<void (*)(void**), bool, bool>;
    static std::mutex& oneAfterTheOther = *new std::mutex;
    static auto& known = *new std::map<Key, Variants>;
    const std::lock_guard lock(oneAfterTheOther);
    Variants& variants = known[{code.onHost, code.isInPlace, code.isContiguous}];
    std::vector<long long> integers;
    for (const CapturedValue& each : code.captured)
        if (each.kind == CapturedValue::Kind::Constant) integers.push_back(each.value);
    const auto found = variants.constant.find(integers);
    if (found != variants.constant.end()) return found->second->text;
    const bool hasConstants = variants.constant.size() < mostVariants;
    std::unique_ptr<Made>& made = hasConstants ? variants.constant[integers] : variants.general;
    if (made == nullptr) made = std::make_unique<Made>(code, hasConstants);
    return made->text;
}

}  // namespace hpspmd::detail
