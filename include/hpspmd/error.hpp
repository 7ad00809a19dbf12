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

/// An error class: `Named<Tag>` is called Tag::name and ends the job with Tag::exitCode.
template <class Tag>
class Named : public Error {
public:
    explicit Named(const std::string& text, Where where = Where::here())
        : Error(Tag::name, Tag::exitCode, text, where) {}
};

// clang-format off
struct ProcsArrayTooLargeTag { static constexpr const char *name = "ProcsArrayTooLarge"; static constexpr int exitCode = 80; };
struct GroupNotContainedTag  { static constexpr const char *name = "GroupNotContained";  static constexpr int exitCode = 80; };
struct DimensionNotInGroupTag{ static constexpr const char *name = "DimensionNotInGroup";static constexpr int exitCode = 80; };
struct ShiftTooWideTag       { static constexpr const char *name = "ShiftTooWide";       static constexpr int exitCode = 81; };
struct OutOfBoundsTag        { static constexpr const char *name = "OutOfBounds";        static constexpr int exitCode = 82; };
struct IndexMismatchTag      { static constexpr const char *name = "IndexMismatch";      static constexpr int exitCode = 82; };
struct NullArrayTag          { static constexpr const char *name = "NullArray";          static constexpr int exitCode = 82; };
struct RangeNotCollapsedTag  { static constexpr const char *name = "RangeNotCollapsed";  static constexpr int exitCode = 82; };
struct SeveralBlocksTag      { static constexpr const char *name = "SeveralBlocks";      static constexpr int exitCode = 82; };
struct BadExtentTag          { static constexpr const char *name = "BadExtent";          static constexpr int exitCode = 82; };
struct AdlibErrorTag         { static constexpr const char *name = "AdlibError";         static constexpr int exitCode = 83; };
struct OutOfMemoryTag        { static constexpr const char *name = "OutOfMemory";        static constexpr int exitCode = 84; };
struct IoErrorTag            { static constexpr const char *name = "IoError";            static constexpr int exitCode = 85; };
struct MpiErrorTag           { static constexpr const char *name = "MpiError";           static constexpr int exitCode = 86; };
// clang-format on

constexpr int wrongLauncherCode = 88;  ///< the launcher belongs to another MPI library
constexpr int otherErrorCode = 90;     ///< any other uncaught exception

}  // namespace detail

using ProcsArrayTooLarge =
    detail::Named<detail::ProcsArrayTooLargeTag>;  ///< grid larger than the APG
using GroupNotContained =
    detail::Named<detail::GroupNotContainedTag>;  ///< group not inside the APG
using DimensionNotInGroup =
    detail::Named<detail::DimensionNotInGroupTag>;  ///< missing from a group, or used twice
using ShiftTooWide =
    detail::Named<detail::ShiftTooWideTag>;  ///< shifted index beyond the ghost region
using OutOfBounds = detail::Named<detail::OutOfBoundsTag>;  ///< subscript, triplet, location
using IndexMismatch =
    detail::Named<detail::IndexMismatchTag>;            ///< index does not fit the dimension
using NullArray = detail::Named<detail::NullArrayTag>;  ///< null or moved-from handle
using RangeNotCollapsed =
    detail::Named<detail::RangeNotCollapsedTag>;  ///< `-` to `*` cast of a distributed range
using SeveralBlocks =
    detail::Named<detail::SeveralBlocksTag>;            ///< localBlock() where there are several
using BadExtent = detail::Named<detail::BadExtentTag>;  ///< negative, overflowing, not fitting sum
using AdlibError = detail::Named<detail::AdlibErrorTag>;    ///< misuse of a collective
using OutOfMemory = detail::Named<detail::OutOfMemoryTag>;  ///< storage arena exhausted
using IoError = detail::Named<detail::IoErrorTag>;          ///< input or output failed
using MpiError = detail::Named<detail::MpiErrorTag>;        ///< an MPI call failed

}  // namespace hpspmd
