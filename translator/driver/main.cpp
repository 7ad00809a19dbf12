// hpcc, the compiler driver of HPspmd C++.

#include <exception>
#include <iostream>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "driver/build.hpp"
#include "driver/failure.hpp"
#include "driver/launch.hpp"
#include "driver/options.hpp"
#include "threads/deep_stack.hpp"

namespace {

using hpcc::driver::ExitCode;
using hpcc::driver::Failure;

ExitCode perform(std::vector<std::string> words) {
    if (!words.empty() && words[0] == "run") {
        words.erase(words.begin());
        hpcc::driver::launch(words);
    }
    const std::optional<hpcc::driver::Options> options = hpcc::driver::parseOptions(words);
    if (!options) return ExitCode::Ok;
    ExitCode code = ExitCode::InternalError;
    hpcc::threads::onDeepStack([&] { code = hpcc::driver::build(*options); });
    return code;
}

ExitCode report(ExitCode code, const char* kind, const char* text) {
    std::cerr << "hpcc: " << kind << ": " << text << std::endl;
    return code;
}

}  // namespace

int main(int argc, char** argv) {
    ExitCode code = ExitCode::InternalError;
    try {
        code = perform(std::vector<std::string>(argv + 1, argv + argc));
    } catch (const Failure& failure) {
        code = report(failure.code(), "error", failure.what());
    } catch (const std::exception& error) {
        code = report(ExitCode::InternalError, "internal error", error.what());
    }
    return static_cast<int>(code);
}
