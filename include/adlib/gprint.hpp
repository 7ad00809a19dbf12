#pragma once
/// gprint and gprintln, text once per group.

#include <memory>
#include <ostream>

namespace hpspmd {
namespace detail {

/// Text that the first process of the APG prints, in one piece, and the others drop.
class GroupText {
public:
    GroupText();
    ~GroupText();

    bool isPrinted() const { return stream_ != nullptr; }  ///< on this process
    std::ostream& stream() { return *stream_; }
    void print();

private:
    std::unique_ptr<std::ostream> stream_;
};

template <class... T>
void printOnce(const T&... items) {
    GroupText text;
    if (!text.isPrinted()) return;
    static_cast<void>((text.stream() << ... << items));
    text.print();
}

}  // namespace detail

namespace Adlib {

/// Prints the items, one after the other as `<<` prints them, on standard output: once, by the
/// first process of the APG. The items should be equal on all its processes. No communication.
/// IoError.
template <class... T>
void gprint(const T&... items) {
    detail::printOnce(items...);
}

/// The same and a newline. Example: `gprintln("sum = ", Adlib::sum(a))`.
template <class... T>
void gprintln(const T&... items) {
    detail::printOnce(items..., '\n');
}

}  // namespace Adlib
}  // namespace hpspmd
