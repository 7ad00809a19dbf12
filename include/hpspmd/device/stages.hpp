// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The functions of patterns as texts, of which kernels are made when a program runs.

#include <hpspmd/device/nest_run.hpp>

#include <vector>

namespace hpspmd::detail {

/// What a chain does with the elements of a container.
enum class Lent : unsigned char { Read, Overwritten };

/// Memory that others own, for nests on devices: its elements go there, or come from there, without
/// another copy at home. Those that are overwritten are not copied there.
StorageHandle lentToDevices(const void* address, Index slots, std::size_t elementSize, Lent how,
                            Where where);

/// What a pattern does with elements: `functions`, in parentheses, the last of which is `name`.
struct StageText {
    const char *functions, *name;
    const char* notOpenCl;  // what of the text OpenCL C cannot say; null if it can
};

/// What a function of a pattern captures: integers become constants of the kernel; of an array the
/// word is that of its elements.
struct CapturedValue {
    enum class Kind : unsigned char { Constant, Parameter, Array };
    const char* word;
    Kind kind;
    long long value;
};

/// A stage of a chain.
struct PatternStage {
    const StageText* text;
    std::size_t captures;              // so many of the captured values
    std::vector<const char*> results;  // words for their types
    bool isTuple;
};

/// A chain that is applied to arrays; types as words of OpenCL C.
struct PatternCode {
    Where where;
    std::vector<const char*> written, read;  // elements of the arrays
    const char* joined;                      // what `reduce` adds up; null if it is a map
    std::vector<PatternStage> stages;
    std::vector<CapturedValue> captured;
    bool isInPlace;     // an array is read, or captured, and written
    bool isContiguous;  // all elements follow one another
    void (*onHost)(void** arguments);
    const KernelParameter* parameters;
    std::size_t parameterCount;
};

/// The kernel, made once for each chain and the integers that it captures. After eight of them one
/// serves for all others. Its parameters are the run of elements, arrays that are written, arrays
/// that are read, a step for each of them, the number that is joined, and what is captured.
const KernelText& patternKernel(const PatternCode& code);

/// True if a device runs what has a kernel there. Else the log has been told why not.
bool isForDevice(const Site& site);

}  // namespace hpspmd::detail
