// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/kernel_shape.hpp"

#include "compose.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>

namespace hpspmd::detail {

std::string KernelShape::definitions() const {
    return compose("-DHPSPMD_WIDTH=", group[0], " -DHPSPMD_HEIGHT=", group[1],
                   " -DHPSPMD_DEPTH=", group[2], " -DHPSPMD_ROWS=", rows,
                   " -DHPSPMD_STRIDE=", strides == Strides::Narrow ? "int" : "long");
}

namespace {

/// The number behind so many commas after the first ` COLUMNS(` or the like; 1 if there is none.
std::size_t stepIn(std::string_view text, std::string_view loop, int commas) {
    std::size_t at = text.find(loop);
    for (; commas > 0 && at != std::string_view::npos; --commas) at = text.find(", ", at + 1);
    std::size_t step = 1;
    if (at != std::string_view::npos)
        std::from_chars(text.data() + at + 2, text.data() + text.size(), step);
    return std::max<std::size_t>(step, 1);
}

}  // namespace

KernelShape shapeOf(const KernelText& kernel, Strides strides) {
    KernelShape shape;
    shape.strides = strides;
    if (kernel.mappedLoops == 1)
        shape.group = {256, 1, 1};
    else
        shape.group = {64, 4, 1};
    const std::string_view text = kernel.text.nest;
    if (text.find(" ROWS_OF(") != std::string_view::npos) shape.rows = 4;
    shape.steps[0] = stepIn(text, " COLUMNS(", 2);
    if (kernel.mappedLoops == 3) shape.steps[1] = stepIn(text, " MIDDLE(", 2);
    if (kernel.mappedLoops > 1)
        shape.steps[static_cast<std::size_t>(kernel.mappedLoops - 1)] =
            stepIn(text, " EVERY_ROW_OF(", 3);
    const auto has = [&](const char* word) { return text.find(word) != std::string_view::npos; };
    const std::string_view joined = "JOINED(";
    for (std::size_t at = text.find(joined); at != std::string_view::npos;
         at = text.find(joined, at + 1))
        ++shape.joined;
    shape.checks = has("CHECKED(");
    shape.hasLaneForEach = strides == Strides::Narrow && !shape.joins() && !shape.checks;
    shape.changesWhatItReads = has("INOUT(const ");
    return shape;
}

void DeviceArguments::assign(const KernelText& kernel, Strides strides, void** arguments) {
    kernel_ = &kernel;
    strides_ = strides;
    addresses_.clear();
    narrow_.clear();
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
    const KernelParameter& parameter = kernel_->parameters[k];
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
        auto count = static_cast<std::size_t>(std::max<Index>(run.last - run.first + 1, 1));
        if (!shape.joins()) count = (count + shape.steps[dimension] - 1) / shape.steps[dimension];
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
