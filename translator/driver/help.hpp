// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include <boost/program_options/options_description.hpp>

namespace hpcc::driver {

struct OptionGroup {
    const char* title;
    boost::program_options::options_description options;
};

/// The options that hpcc itself understands, as --help shows them.
const std::vector<OptionGroup>& optionGroups();

/// The options that hpcc itself understands, with their descriptions.
const boost::program_options::options_description& describedOptions();

/// Of the options with two dashes.
std::vector<std::string> longOptionNames();

/// Names that --emit takes, in the order of the pipeline.
const std::vector<std::string>& stageNames();

/// What stands before and behind the options in --help.
std::string usageText();
std::string notesText();

void printHelp();
void printVersion();

}  // namespace hpcc::driver
