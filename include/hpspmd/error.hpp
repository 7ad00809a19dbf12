// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The errors that a program can provoke at run time. What nobody catches ends the whole job with
/// exitCode().

#include <hpspmd/where.hpp>

#include <stdexcept>
#include <string>

namespace hpspmd {

/// Base of all errors; what() is "file:line: rank r: Name: text".
class Error : public std::runtime_error {
public:
    Error(const char* name, int exitCode, const std::string& text, detail::Where where);

    const char* name() const noexcept { return name_; }
    int exitCode() const noexcept { return exitCode_; }
    int rank() const noexcept { return rank_; }  ///< of the process that failed, -1 if not known
    detail::Where where() const noexcept { return where_; }

private:
    const char* name_;
    int exitCode_;
    int rank_;
    detail::Where where_;
};

namespace detail {

/// The error class called `className`, which ends the job with exit code `code`.
template <const char* className, int code>
class Named : public Error {
public:
    explicit Named(const std::string& text, Where where = Where::here())
        : Error(className, code, text, where) {}
};

inline constexpr char procsArrayTooLarge[] = "ProcsArrayTooLarge";
inline constexpr char groupNotContained[] = "GroupNotContained";
inline constexpr char dimensionNotInGroup[] = "DimensionNotInGroup";
inline constexpr char shiftTooWide[] = "ShiftTooWide";
inline constexpr char staleGhosts[] = "StaleGhosts";
inline constexpr char outOfBounds[] = "OutOfBounds";
inline constexpr char indexMismatch[] = "IndexMismatch";
inline constexpr char nullArray[] = "NullArray";
inline constexpr char rangeNotCollapsed[] = "RangeNotCollapsed";
inline constexpr char severalBlocks[] = "SeveralBlocks";
inline constexpr char badExtent[] = "BadExtent";
inline constexpr char dependentIterations[] = "DependentIterations";
inline constexpr char adlibError[] = "AdlibError";
inline constexpr char conflictingWrites[] = "ConflictingWrites";
inline constexpr char outOfMemory[] = "OutOfMemory";
inline constexpr char ioError[] = "IoError";
inline constexpr char mpiError[] = "MpiError";
inline constexpr char checkpointError[] = "CheckpointError";
inline constexpr char targetUnavailable[] = "TargetUnavailable";

constexpr int wrongLauncherCode = 88;  ///< the launcher belongs to another MPI library
constexpr int otherErrorCode = 90;     ///< any other uncaught exception

}  // namespace detail

/// A grid larger than the active process group.
using ProcsArrayTooLarge = detail::Named<detail::procsArrayTooLarge, 80>;
/// A group that does not lie inside another.
using GroupNotContained = detail::Named<detail::groupNotContained, 80>;
/// A process dimension that is missing from a group, or used twice.
using DimensionNotInGroup = detail::Named<detail::dimensionNotInGroup, 80>;
/// A shifted index beyond the ghost region.
using ShiftTooWide = detail::Named<detail::shiftTooWide, 81>;
/// A nest that reads ghost cells which have not been filled since elements were written.
using StaleGhosts = detail::Named<detail::staleGhosts, 81>;
/// A subscript, triplet, location or dimension outside its bounds.
using OutOfBounds = detail::Named<detail::outOfBounds, 82>;
/// An index that does not fit the array's dimension.
using IndexMismatch = detail::Named<detail::indexMismatch, 82>;
/// Use of a null or moved-from handle, or of a range or group that was never assigned.
using NullArray = detail::Named<detail::nullArray, 82>;
/// A cast from `-` to `*` where the range is distributed.
using RangeNotCollapsed = detail::Named<detail::rangeNotCollapsed, 82>;
/// localBlock() where there are several.
using SeveralBlocks = detail::Named<detail::severalBlocks, 82>;
/// An extent that is negative, overflows, or does not fit the others.
using BadExtent = detail::Named<detail::badExtent, 82>;
/// Two iterations of a nest that was declared `[[hpspmd::independent]]` need one another.
using DependentIterations = detail::Named<detail::dependentIterations, 82>;
/// Misuse of a collective.
using AdlibError = detail::Named<detail::adlibError, 83>;
/// Two processes have changed the same element of an array that all hold whole.
using ConflictingWrites = detail::Named<detail::conflictingWrites, 83>;
/// The storage arena is exhausted.
using OutOfMemory = detail::Named<detail::outOfMemory, 84>;
/// Input or output failed.
using IoError = detail::Named<detail::ioError, 85>;
/// An MPI call failed.
using MpiError = detail::Named<detail::mpiError, 86>;
/// There are checkpoints, but none can be used.
using CheckpointError = detail::Named<detail::checkpointError, 89>;
/// A target without fallback that is not there, or words that name none.
using TargetUnavailable = detail::Named<detail::targetUnavailable, 87>;

}  // namespace hpspmd
