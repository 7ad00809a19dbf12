// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <set>
#include <string>
#include <variant>
#include <vector>

#include "nests/context.hpp"
#include "nests/nest.hpp"
#include "nests/reaches.hpp"
#include "nests/threads.hpp"

namespace hpcc::nests {

/// How a nest runs on a device.
struct DeviceForm {
    std::vector<const Loop*> mapped;  // computed by lanes: the outermost first, up to three
    ArrayPairs apart;                 // arrays that must share no element
    std::set<size_t> shared = {};     // arrays of which another one is a part
    Division division;
    bool byRows = false;  // each lane takes several iterations of the outermost loop
    std::vector<std::string> types = {};  // of a template, which must be numbers
};

/// That of a nest of which `divisionOf` says that its iterations are independent: its outermost
/// loop, and those inside of which each is all that the one round it does, as long as they are
/// independent, too. Else the first thing in the way.
std::variant<DeviceForm, Obstacle> deviceFormOf(const Nest& nest, const Reaches& reaches);

/// The word for the type of a number in a kernel; "" if it is none that kernels know.
std::string numberWord(const ast::Type* type);

/// What a loop of a nest is called in its fast form: its run, or what it holds of the whole range,
/// from which each iteration round the loop takes its part.
struct RunName {
    std::string run, held;
    bool isAtEntry() const { return run == held; }
};
using RunNames = std::unordered_map<const Loop*, RunName>;

/// A kernel and its launch.
struct Kernel {
    std::string name, text;          // `HPSPMD_KERNEL(..)`
    std::string launch;              // `deviceFor(..`
    std::string outermost;           // `i_run`, by which the nest can be cut
    std::string arguments;           // of run()
    Obstacle notOpenCl;              // the first thing that OpenCL C cannot say
    std::vector<std::string> types;  // parameters of a template, which must be numbers
};

class Plans;

/// Or what in the body keeps it from being written.
std::variant<Kernel, Obstacle> kernelOf(Context& context, const Plans& plans, const Nest& nest,
                                        const DeviceForm& form, Reaches& reaches,
                                        const RunNames& runs, const ArrayPairs& proven,
                                        const std::vector<ast::NodePtr>& checked,
                                        const std::string& name);

/// `hpspmd::detail::atHome({hpspmd::detail::reads(a), hpspmd::detail::writes(b)})`
std::string askingHome(const Nest& nest);

/// `smooth_14_9`, of the nest's file, line and column.
std::string kernelName(const Nest& nest);
std::string kernelName(ast::NodePtr place);

}  // namespace hpcc::nests
