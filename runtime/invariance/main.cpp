// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// hpspmd-test, which `hpcc test` starts: says whether what a program computes depends on the
/// number of its processes, and where that begins.

#include <iostream>

#include "invariance/names.hpp"
#include "invariance/report.hpp"
#include "invariance/values.hpp"

namespace hpspmd::invariance {
namespace {

constexpr int agree = 0, differ = 1, misused = 2, broken = 3;

std::vector<Setting> settingsOf(const Options& options) {
    std::vector<Setting> settings;
    for (const bool isCyclic : {false, true})
        for (const int threads : options.threads)
            for (const int processes : options.processes)
                if (!isCyclic || options.withCyclicRanges)
                    settings.push_back({processes, threads, isCyclic});
    return settings;
}

/// The runs of one program, each compared with the first.
class Test {
public:
    explicit Test(Options options)
        : options_(std::move(options)), settings_(settingsOf(options_)) {}

    int perform() {
        const std::string name = options_.program;
        if (name.ends_with(".hpcpp") && !compile()) return differ;
        if (const int code = run(0); code != 0) return code;
        const Witness reference = told(0);
        std::string agreeing = settings_[0].text();
        for (size_t k = 1; k < settings_.size(); ++k) {
            if (const int code = run(k); code != 0) return code;
            const Witness other = told(k);
            const Comparison comparison = compare(reference, other, options_.tolerance);
            const LineDifference output =
                options_.comparesOutput
                    ? compareFiles(file("output", 0), file("output", k), options_.tolerance)
                    : LineDifference();
            const std::string notes =
                describeUnevenness(comparison, reference, other, settings_[0], settings_[k]);
            if (comparison.first || output.line > 0) {
                std::cout << "test " << name << ": " << settings_[k].text() << " differ from "
                          << agreeing << '\n';
                tell(comparison, output, k, reference, other);
                std::cout << notes;
                return differ;
            }
            std::cout << notes;
            agreeing += "; " + settings_[k].text();
        }
        std::cout << "test " << name << ": " << agreeing << " agree (" << reference.events().size()
                  << (reference.events().size() == 1 ? " event)\n" : " events)\n");
        return agree;
    }

private:
    std::string file(const char* kind, size_t k) const {
        return folder_.file(kind + std::to_string(k));
    }
    std::string witness(size_t k) const { return file("witness", k); }
    Witness told(size_t k) const {
        return {witness(k), settings_[k].processes, options_.tolerance > 0};
    }

    /// Statements stay apart, so that the first of them can be named.
    bool compile() {
        const std::string program = folder_.file("program");
        if (runCommand({options_.hpcc, "--pass=no-fusion", options_.program, "-o", program}, {},
                       "") != 0)
            return false;
        options_.program = program;
        return true;
    }

    int run(size_t k, const std::string& at = "") {
        const std::string run = at.empty() ? witness(k) : file("again", k);
        const std::string output = at.empty() ? file("output", k) : file("output-again", k);
        const int code = runProgram(options_, settings_[k], run, at, output);
        if (code != 0)
            std::cout << "test " << options_.program << ": on " << settings_[k].text()
                      << " the program ends with exit code " << code << '\n';
        return code;
    }

    void tell(const Comparison& comparison, const LineDifference& output, size_t k,
              const Witness& reference, const Witness& other) {
        if (!comparison.first) {
            std::cout << "  what nests and collectives write is the same, but not the output; line "
                      << output.line << ":\n    " << output.first << "\n    " << output.second
                      << '\n';
            return;
        }
        const Event& event = *comparison.first;
        const Told &mine = *reference.told(event), &others = *other.told(event);
        std::cout << "  first at " << describeEvent(options_, event, others);
        if (comparison.isIncoherent)
            std::cout << "  the copies of it differ from process to process\n";
        if (event.array == Event::result) {
            std::cout << "  " << valueText(bytesOf(mine.value), mine.kind) << " on "
                      << settings_[0].text() << ", "
                      << valueText(bytesOf(others.value), others.kind) << " on "
                      << settings_[k].text() << '\n';
            return;
        }
        const std::string at = std::to_string(event.site.line) + ' ' +
                               std::to_string(event.execution) + ' ' + std::to_string(event.array) +
                               ' ' + event.site.name + ' ' + event.site.file;
        if (run(0, at) != 0 || run(k, at) != 0) return;
        const auto elements = [&](size_t which) {
            return Elements::read(file("again", which), settings_[which].processes, others.bytes);
        };
        const ElementDifference difference =
            compareElements(elements(0), elements(k), others, options_.tolerance);
        if (difference.differing > 0 || !comparison.isIncoherent)
            std::cout << describeElements(arrayName(options_.hpcc, event.site, event.array),
                                          difference, settings_[0], settings_[k]);
    }

    Options options_;
    const std::vector<Setting> settings_;
    const ScratchFolder folder_;
};

int performed(const std::vector<std::string>& words) {
    try {
        std::optional<Options> options = parseOptions(words);
        return options ? Test(std::move(*options)).perform() : agree;
    } catch (const UsageError& error) {
        std::cerr << "hpcc: error: " << error.what() << "; see hpcc test --help\n";
        return misused;
    } catch (const std::exception& error) {
        std::cerr << "hpcc: error: " << error.what() << '\n';
        return broken;
    }
}

}  // namespace
}  // namespace hpspmd::invariance

int main(int argc, char** argv) {
    std::cout << std::unitbuf;
    return hpspmd::invariance::performed({argv + 1, argv + argc});
}
