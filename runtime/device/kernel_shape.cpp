// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/kernel_shape.hpp"

#include "compose.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace hpspmd::detail {

std::string KernelShape::definitions() const {
    return compose("-DHPSPMD_WIDTH=", group[0], " -DHPSPMD_HEIGHT=", group[1],
                   " -DHPSPMD_DEPTH=", group[2], " -DHPSPMD_ROWS=", rows,
                   " -DHPSPMD_STRIDE=", strides == Strides::Narrow ? "int" : "long");
}

KernelShape shapeOf(const KernelText& kernel, Strides strides) {
    KernelShape shape;
    shape.strides = strides;
    if (kernel.mappedLoops == 1)
        shape.group = {256, 1, 1};
    else
        shape.group = {64, 4, 1};
    if (std::string_view(kernel.text.nest).find(" ROWS_OF(") != std::string_view::npos)
        shape.rows = 4;
    using Kind = KernelParameter::Kind;
    for (std::size_t k = 0; k < kernel.parameterCount; ++k) {
        shape.joined += kernel.parameters[k].kind == Kind::Joined ? 1 : 0;
        shape.checks = shape.checks || kernel.parameters[k].kind == Kind::Checked;
    }
    return shape;
}

DeviceArguments::DeviceArguments(const KernelText& kernel, Strides strides, void** arguments)
    : kernel_(kernel), strides_(strides) {
    narrow_.reserve(kernel.parameterCount);  // so that addresses stay
    for (std::size_t k = 0; k < kernel.parameterCount; ++k) {
        void* address = arguments[k];
        if (kernel.parameters[k].kind == KernelParameter::Kind::Stride &&
            strides == Strides::Narrow) {
            const Index wide = *static_cast<const kernels::Stride*>(address);
            narrow_.push_back(static_cast<int>(wide));
            address = &narrow_.back();
        }
        addresses_.push_back(address);
    }
}

std::size_t DeviceArguments::size(std::size_t k) const {
    const KernelParameter& parameter = kernel_.parameters[k];
    const bool isNarrow =
        parameter.kind == KernelParameter::Kind::Stride && strides_ == Strides::Narrow;
    return isNarrow ? sizeof(int) : parameter.size;
}

Lanes3 groupsFor(const KernelText& kernel, const KernelShape& shape, void** arguments,
                 std::size_t most) {
    Lanes3 groups{1, 1, 1};
    const auto loops = static_cast<std::size_t>(kernel.mappedLoops);
    for (std::size_t loop = 0; loop < loops; ++loop) {
        const auto& run = *static_cast<const kernels::Run*>(arguments[loop]);
        const std::size_t dimension = loops - 1 - loop;  // the innermost one goes along lanes
        const std::size_t each = shape.group[dimension] * (loop == 0 ? shape.rows : 1);
        const auto count = static_cast<std::size_t>(std::max<Index>(run.last - run.first + 1, 1));
        groups[dimension] = (count + each - 1) / each;
    }
    if (shape.joins()) most = std::clamp<std::size_t>(countOf(groups) / 32, 2048, most);
    while (countOf(groups) > most) {
        std::size_t& largest = *std::max_element(groups.begin(), groups.end());
        largest = (largest + 1) / 2;
    }
    return groups;
}

bool isOfLibrary(const KernelText& kernel) { return kernel.where.line == 0; }

std::string placeOf(const KernelText& kernel) {
    const char* const slash = std::strrchr(kernel.where.file, '/');
    if (isOfLibrary(kernel)) return kernel.where.file;
    return compose(slash != nullptr ? slash + 1 : kernel.where.file, ":", kernel.where.line);
}

std::string functionsOf(const KernelText& kernel) {
    const std::string_view functions = kernel.text.functions;  // in parentheses
    return std::string(functions.substr(1, functions.size() - 2));
}

std::string firstLine(const std::string& text) {
    const std::size_t first = text.find_first_not_of("\r\n ");
    return first == std::string::npos ? "" : text.substr(first, text.find('\n', first) - first);
}

}  // namespace hpspmd::detail
