// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/launch.hpp"

#include <utility>

namespace hpcc::nests {

using ast::NodePtr;

namespace {

/// What the result of a launch is assigned to: `sum = `.
std::string assignment(const std::vector<Reduction>& joined) {
    std::vector<std::string> names;
    for (const Reduction& each : joined) names.emplace_back(each.name);
    if (names.empty()) return "";
    return names.size() == 1 ? names.front() + " = " : "std::tie(" + listed(names) + ") = ";
}

}  // namespace

NodePtr atHome(Context& context, const Nest& nest, NodePtr statement) {
    return context.statement(
        "{\n"
        "    " +
            askingHome(nest) +
            ";\n"
            "    $statement;\n"
            "}",
        {{"$statement", statement}}, nest.loops.front().statement);
}

NodePtr onDevice(Context& context, Plans& plans, NestPlan& plan, Reaches& reaches,
                 const RunNames& runs, const ArrayPairs& proven, NodePtr loops) {
    const Nest& nest = *plan.nest;
    const NodePtr onHost = atHome(context, nest, loops);
    if (!plan.device) return onHost;
    const std::string name = context.names.name(kernelName(nest), plans.kernelNames);
    auto written = kernelOf(context, plans.scope, nest, *plan.device, reaches, runs, proven, name);
    if (Obstacle* obstacle = std::get_if<Obstacle>(&written)) {
        plan.onHost = std::move(*obstacle);
        plan.device.reset();
        return onHost;
    }
    const Kernel& kernel = std::get<Kernel>(written);
    plans.kernels.push_back(kernel.text);
    plan.notOpenCl = kernel.notOpenCl;
    const std::string device = context.fresh(std::string(nest.loops.front().variable) + "_device");
    return context.statement(
        "{\n"
        "    if (const auto " +
            device + " = " + kernel.launch +
            ")\n"
            "        " +
            assignment(plan.device->division.joined) + device + ".run(" + kernel.arguments +
            ");\n"
            "    else $host;\n"
            "}",
        {{"$host", onHost}}, nest.loops.front().statement);
}

}  // namespace hpcc::nests
