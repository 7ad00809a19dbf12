// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variables that hold multiarrays, fields of variables included.
#pragma once

#include "check/types.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hpcc::check::halo {

// a: {a, ""}.   level.u: {level, ".u"}.   The field u of *this: {u, ""}.
struct Path {
    const Symbol* root = nullptr;
    std::string fields;

    auto operator<=>(const Path&) const = default;
};

// The path that an expression is; nothing for levels[k].u, p->u, f().
std::optional<Path> writtenPath(NodePtr expression);

bool hasDistributedSlot(const Type* type);
bool isVague(const Type* type);  // `auto`, or named by a template's parameter: perhaps an array
bool isAdlibClass(const Type* type, std::string_view name);
bool isWriteHaloSchedule(const Type* type);  // Adlib::WriteHalo

// The handles of one function, numbered. Those that exist when the function begins come twice:
// their twins keep naming the array that they named at the beginning.
class Handles {
public:
    static constexpr std::size_t limit = 48;

    explicit Handles(NodePtr function);

    std::size_t count() const { return handles_.size(); }
    bool areTooMany() const { return areTooMany_; }
    const Path& path(std::size_t handle) const { return handles_[handle].path; }
    const Type* type(std::size_t handle) const { return handles_[handle].type; }

    std::optional<std::size_t> find(NodePtr expression) const;  // references are resolved
    std::optional<std::size_t> find(const Path& path) const;
    std::optional<Path> pathOf(NodePtr expression) const;
    std::vector<std::size_t> under(const Path& path) const;  // the path itself and its fields

    bool isOuter(std::size_t handle) const { return handles_[handle].isOuter; }
    // The caller's, or of an object that others know: they may make it name another array.
    bool isOfOthers(std::size_t handle) const;
    bool isTwin(std::size_t handle) const { return handles_[handle].isTwin; }
    std::size_t twin(std::size_t handle) const { return handles_[handle].twin; }

private:
    friend class HandleCollector;
    struct Handle {
        Path path;
        const Type* type;
        bool isOuter = false, isTwin = false;
        std::size_t twin = 0;
    };
    void add(const Path& path, const Type* type);
    void addTwins();

    std::vector<Handle> handles_;
    std::map<Path, std::size_t> numbers_;
    std::map<const Symbol*, Path> references_;  // auto &b = a;
    std::vector<const Symbol*> locals_;
    bool areTooMany_ = false;
};

}  // namespace hpcc::check::halo
