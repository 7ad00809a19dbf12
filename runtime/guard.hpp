// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Guards around the elements of an array, for AddressSanitizer, which does not know where in our
/// memory an array ends. In other builds they do nothing.

#include <cstddef>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

namespace hpspmd::detail {

#ifdef __SANITIZE_ADDRESS__
/// Makes every access to [begin, end) an error, or legal again.
inline void guard(const std::byte* begin, const std::byte* end) {
    __asan_poison_memory_region(begin, static_cast<std::size_t>(end - begin));
}
inline void unguard(const std::byte* begin, const std::byte* end) {
    __asan_unpoison_memory_region(begin, static_cast<std::size_t>(end - begin));
}
#else
inline void guard(const std::byte*, const std::byte*) {}
inline void unguard(const std::byte*, const std::byte*) {}
#endif

}  // namespace hpspmd::detail
