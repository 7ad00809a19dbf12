// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invariance/jobs.hpp"

namespace hpspmd::invariance {

std::string Setting::text() const {
    std::string result = std::to_string(processes) + (processes == 1 ? " process" : " processes");
    if (threads > 0)
        result += ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads each");
    if (isCyclic) result += ", cyclic ranges";
    return result;
}

int runProgram(const Options& options, const Setting& setting, const std::string& witness,
               const std::string& witnessAt, const std::string& output) {
    std::vector<std::string> words = {options.hpcc, "run", "--quiet", "-n",
                                      std::to_string(setting.processes)};
    if (setting.threads > 0)
        words.insert(words.end(), {"--threads", std::to_string(setting.threads)});
    words.push_back(options.program);
    words.insert(words.end(), options.arguments.begin(), options.arguments.end());
    std::map<std::string, std::string> variables = {
        {"HPSPMD_WITNESS", witness},
        {"HPSPMD_PROGRESS", "off"},
        {options.tolerance > 0 ? "HPSPMD_WITNESS_NEAR" : "HPSPMD_REPRODUCIBLE", "1"}};
    if (!witnessAt.empty()) variables["HPSPMD_WITNESS_AT"] = witnessAt;
    if (setting.isCyclic) variables["HPSPMD_RANGES"] = "cyclic";
    return runCommand(words, variables, output);
}

}  // namespace hpspmd::invariance
