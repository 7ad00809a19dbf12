// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hpcc, the compiler driver of HPspmd C++.

#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "driver/build.hpp"
#include "driver/ending.hpp"
#include "driver/failure.hpp"
#include "driver/options.hpp"
#include "driver/own_name.hpp"
#include "driver/standard_streams.hpp"
#include "driver/verbs.hpp"
#include "threads/deep_stack.hpp"

namespace {

using hpcc::driver::ExitCode;
using hpcc::driver::Failure;

ExitCode perform(std::vector<std::string> words) {
    if (const hpcc::driver::Verb* verb =
            words.empty() ? nullptr : hpcc::driver::verbCalled(words[0])) {
        words.erase(words.begin());
        const ExitCode code = verb->perform(words);
        hpcc::driver::requireMessagesWritten();
        return code;
    }
    if (!words.empty()) hpcc::driver::requireKnownVerb(words[0]);
    const std::optional<hpcc::driver::Options> options = hpcc::driver::parseOptions(words);
    const ExitCode code = options ? hpcc::driver::build(*options) : ExitCode::Ok;
    if (code == ExitCode::Ok) hpcc::driver::requireMessagesWritten();
    return code;
}

ExitCode report(ExitCode code, const char* kind, const std::string& text) {
    std::cerr << hpcc::driver::ownName() << ": " << kind << ": " << text << std::endl;
    return code;
}

}  // namespace

/// Before anything takes memory or opens a file.
[[gnu::constructor(101)]] void beforeAll() {
    hpcc::driver::occupyStandardStreams();
    hpcc::driver::watchTheEnd();
}

int main(int argc, char** argv) {
    ExitCode code = ExitCode::InternalError;
    try {
        hpcc::threads::onDeepStack(
            [&] { code = perform(std::vector<std::string>(argv + 1, argv + argc)); });
    } catch (const Failure& failure) {
        const bool isAboutUse = failure.code() == ExitCode::Usage;
        code = report(failure.code(), "error",
                      isAboutUse ? hpcc::driver::inOwnName(failure.what()) : failure.what());
    } catch (const std::system_error& error) {  // files and folders among them
        code = report(ExitCode::SourceError, "error", error.what());
    } catch (const std::exception& error) {
        code = report(ExitCode::InternalError, "internal error", error.what());
    }
    return static_cast<int>(code);
}
