// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Without libFuzzer: runs all inputs of some folders, then blind mutations of them.
//
//     fuzz_parser -runs=20000 -seed=1 -max_len=2000 folder ..
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "harness.hpp"
#include "threads/deep_stack.hpp"

namespace hpcc::fuzz {
namespace {

std::string current;         // the input that is being run
std::string artifactPrefix;  // where it is left if it is a finding

void leaveFinding(int signal) {
    std::ofstream(artifactPrefix + "crash") << current;
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void runCurrent(std::string input) {
    current = std::move(input);
    run(current);
}

std::vector<std::string> inputsOf(const std::vector<std::string>& folders) {
    std::map<std::string, std::string> byName;
    for (const std::string& folder : folders)
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            std::ifstream file(entry.path(), std::ios::binary);
            byName[entry.path().filename().string()] = {std::istreambuf_iterator<char>(file), {}};
        }
    std::vector<std::string> inputs;
    for (const auto& [name, input] : byName) inputs.push_back(input);
    return inputs;
}

std::string withByteChanged(std::string text, Random& random) {
    if (!text.empty()) text[random.below(text.size())] = static_cast<char>(random.below(256));
    return text;
}

struct Settings {
    long runs = 0;
    unsigned seed = 1;
    std::size_t longest = 2000;
    std::vector<std::string> folders;
};

Settings settingsOf(int count, char** words) {
    Settings settings;
    for (int i = 1; i < count; ++i) {
        const std::string word = words[i], value = word.substr(word.find('=') + 1);
        if (word.starts_with("-runs="))
            settings.runs = std::stol(value);
        else if (word.starts_with("-seed="))
            settings.seed = static_cast<unsigned>(std::stoul(value));
        else if (word.starts_with("-max_len="))
            settings.longest = std::stoul(value);
        else if (word.starts_with("-artifact_prefix="))
            artifactPrefix = value;
        else if (!word.starts_with("-"))
            settings.folders.push_back(word);
    }
    return settings;
}

void runAll(const Settings& settings) {
    const std::vector<std::string> inputs = inputsOf(settings.folders);
    for (const std::string& input : inputs) runCurrent(input);
    if (inputs.empty()) return;
    Random random(settings.seed);
    Mutator mutator(mix, HPCPP_FUZZ_DICTIONARY);
    for (auto i = static_cast<long>(inputs.size()); i < settings.runs; ++i) {
        std::string text = random.oneOf(inputs);
        if (random.oneIn(4)) text = mutator.crossed(text, random.oneOf(inputs), random);
        for (std::size_t n = 1 + random.below(4); n > 0; --n) {
            const std::string changed = mutator.mutated(text, random);
            text = changed.empty() ? withByteChanged(text, random) : changed;
        }
        if (text.size() <= settings.longest) runCurrent(text);
    }
}

}  // namespace
}  // namespace hpcc::fuzz

int main(int count, char** words) {
    using namespace hpcc::fuzz;
    for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE}) std::signal(signal, leaveFinding);
    hpcc::threads::onDeepStack([&] { runAll(settingsOf(count, words)); });
    tellCounts();
}
