#pragma once

#include <string>
#include <vector>

namespace boost::program_options {
class options_description;
}

namespace hpcc::driver {

/// The options that hpcc itself understands, with their descriptions.
const boost::program_options::options_description& describedOptions();

/// Of the options with two dashes.
std::vector<std::string> longOptionNames();

/// Names that --emit takes, in the order of the pipeline.
const std::vector<std::string>& stageNames();

void printHelp();
void printVersion();

}  // namespace hpcc::driver
