// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/hidden_pages.hpp"

#include <unistd.h>

#include <sys/mman.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

namespace hpspmd::detail {
namespace {

struct Pages {
    std::uintptr_t first, last;  // whole ones
    std::string what;
};

std::mutex& mutex() {
    static std::mutex& one = *new std::mutex;
    return one;
}

/// By what hidePages() was given.
std::map<std::byte*, Pages>& hidden() {
    static auto& all = *new std::map<std::byte*, Pages>;
    return all;
}

bool allow(const Pages& pages, int access) {
    return ::mprotect(reinterpret_cast<void*>(pages.first), pages.last - pages.first, access) == 0;
}

}  // namespace

void hidePages(std::byte* begin, std::byte* end, std::string what) {
    static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const std::uintptr_t first = (reinterpret_cast<std::uintptr_t>(begin) + page - 1) / page * page;
    const std::uintptr_t last = reinterpret_cast<std::uintptr_t>(end) / page * page;
    if (first >= last) return;
    const Pages pages{first, last, std::move(what)};
    const std::lock_guard lock(mutex());
    if (allow(pages, PROT_NONE)) hidden().insert_or_assign(begin, pages);
}

void showPages(std::byte* begin) noexcept {
    const std::lock_guard lock(mutex());
    const auto found = hidden().find(begin);
    if (found == hidden().end()) return;
    allow(found->second, PROT_READ | PROT_WRITE);
    hidden().erase(found);
}

std::string hiddenAt(const void* address) {
    const std::unique_lock lock(mutex(), std::try_to_lock);
    if (!lock.owns_lock()) return "";
    const auto place = reinterpret_cast<std::uintptr_t>(address);
    for (const auto& [begin, pages] : hidden())
        if (pages.first <= place && place < pages.last) return pages.what;
    return "";
}

}  // namespace hpspmd::detail
