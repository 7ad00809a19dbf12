// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/launch.hpp"

#include <utility>

#include "nests/matrix_product.hpp"

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
    auto written = kernelOf(context, plans, nest, *plan.device, reaches, runs, proven, name);
    if (Obstacle* obstacle = std::get_if<Obstacle>(&written)) {
        plan.onHost = std::move(*obstacle);
        plan.device.reset();
        return onHost;
    }
    const Kernel& kernel = std::get<Kernel>(written);
    plans.kernels.push_back(kernel.text);
    plan.notOpenCl = kernel.notOpenCl;
    const std::string device = context.fresh(std::string(nest.loops.front().variable) + "_device");
    const auto product = plans.callsLibraries ? asMatrixProduct(nest, reaches) : std::nullopt;
    if (product) plan.notes.push_back(onDeviceAsProduct);
    const std::string run =
        product ? ".runOr(" + productCall(context, nest, *product, runs) + ", " : ".run(";
    return context.statement(
        "{\n"
        "    if (const auto " +
            device + " = " + kernel.launch +
            ")\n"
            "        " +
            assignment(plan.device->division.joined) + device + run + kernel.arguments +
            ");\n"
            "    else $host;\n"
            "}",
        {{"$host", onHost}}, nest.loops.front().statement);
}

NodePtr byLibrary(Context& context, Plans& plans, NestPlan& plan, const Reaches& reaches,
                  const RunNames& runs, NodePtr loops) {
    if (!plan.fold || !plans.callsLibraries) return loops;
    const auto product = asFoldedProduct(*plan.nest, *plan.fold, reaches);
    if (!product) return loops;
    plan.notes.push_back(onDeviceAsProduct);
    plan.onHost = {};
    plans.registersDevices = true;
    return context.statement(
        "{\n"
        "    if (!" +
            foldedProductCall(context, *plan.nest, *plan.fold, *product, runs) +
            ") $loops;\n"
            "}",
        {{"$loops", loops}}, plan.nest->loops.front().statement);
}

}  // namespace hpcc::nests
