// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/launch.hpp"

#include <utility>

#include "nests/matrix_product.hpp"
#include "nests/texts_in_front.hpp"

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

/// `, "Sor::relax"`, for a nest of which the C++ compiler would not say so.
std::string functionOf(const Nest& nest) {
    return nest.function.empty() ? "" : ", \"" + nest.function + "\"";
}

/// The host runs what the devices leave of the nest, or all of it.
NodePtr inParts(Context& context, const Nest& nest, const Kernel& kernel, const std::string& joined,
                NodePtr loops) {
    const std::string device = context.fresh(std::string(nest.loops.front().variable) + "_device");
    const std::size_t comma = kernel.outermost.find(',');
    const std::string run = kernel.outermost.substr(0, comma);
    const std::string function = functionOf(nest);
    const std::string step = comma == std::string::npos && !function.empty() ? ", 1" : "";
    return context.statement(
        "{\n"
        "    auto " +
            device + " = " + kernel.launch + ", " + kernel.outermost + step + function +
            ");\n"
            "    do {\n"
            "        if (" +
            device + ") " + joined + device + ".run(" + kernel.arguments +
            ");\n"
            "        if (" +
            device +
            ".leavesSome()) {\n"
            "            if (!" +
            device + ") " + askingHome(nest) +
            ";\n"
            "            const auto " +
            run + " = " + device +
            ".left();\n"
            "            $loops;\n"
            "        }\n"
            "    } while (" +
            device +
            ".goesOn());\n"
            "}",
        {{"$loops", loops}}, nest.loops.front().statement);
}

}  // namespace

NodePtr withKernels(Context& context, Plans& plans, NodePtr unit, size_t k, NodePtr changed) {
    std::vector<std::string> lines;
    if (std::exchange(plans.registersDevices, false))
        lines.emplace_back("#include <hpspmd/device/registration.hpp>");
    if (!plans.kernels.empty()) {
        lines.emplace_back("#include <hpspmd/device/kernel.hpp>");
        for (const std::string& kernel : plans.kernels) {
            lines.push_back(kernel);
            plans.kernelTexts += kernel + "\n";
        }
        lines.emplace_back("#include <hpspmd/device/kernel_end.hpp>");
        plans.kernels.clear();
    }
    if (!lines.empty()) return withTextsInFront(context, unit, k, changed, lines);
    return changed != unit->children()[k] ? ast::withChild(context.arena, unit, k, changed) : unit;
}

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
    if (!plan.device) return atHome(context, nest, loops);
    const std::string name = context.names.name(kernelName(nest), plans.kernelNames);
    auto written =
        kernelOf(context, plans, nest, *plan.device, reaches, runs, proven, plan.checked, name);
    if (Obstacle* obstacle = std::get_if<Obstacle>(&written)) {
        plan.onHost = std::move(*obstacle);
        plan.device.reset();
        return atHome(context, nest, loops);
    }
    const Kernel& kernel = std::get<Kernel>(written);
    plans.kernels.push_back(kernel.text);
    plan.notOpenCl = kernel.notOpenCl;
    plan.device->types = kernel.types;
    const std::string joined = assignment(plan.device->division.joined);
    const auto product = plans.callsLibraries ? asMatrixProduct(nest, reaches) : std::nullopt;
    if (!product && !kernel.outermost.empty()) return inParts(context, nest, kernel, joined, loops);
    const std::string device = context.fresh(std::string(nest.loops.front().variable) + "_device");
    if (product) plan.notes.push_back(onDeviceAsProduct);
    const std::string run =
        product ? ".runOr(" + productCall(context, nest, *product, runs) + ", " : ".run(";
    return context.statement(
        "{\n"
        "    if (const auto " +
            device + " = " + kernel.launch + functionOf(nest) +
            "))\n"
            "        " +
            joined + device + run + kernel.arguments +
            ");\n"
            "    else $host;\n"
            "}",
        {{"$host", atHome(context, nest, loops)}}, nest.loops.front().statement);
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
