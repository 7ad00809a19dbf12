// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/budget.hpp>

#include <string>
#include <utility>

#include "transport/sent.hpp"

namespace hpspmd::Adlib {
namespace {

std::uint64_t allowed(Index number, const char* what, detail::Where where) {
    if (number < 0)
        throw BadExtent(std::string("a budget of ") + std::to_string(number) + " " + what, where);
    return static_cast<std::uint64_t>(number);
}

std::string counted(std::uint64_t number, const std::string& unit) {
    if (number == static_cast<std::uint64_t>(detail::unlimited))
        return "any number of " + unit + "s";
    return std::to_string(number) + " " + unit + (number == 1 ? "" : "s");
}

std::string textOf(std::uint64_t messages, std::uint64_t bytes) {
    return counted(messages, "message") + " with " + counted(bytes, "byte");
}

}  // namespace

Budget::Budget(Index messages, Index bytes, detail::Where where)
    : messages_(allowed(messages, "messages", where)),
      bytes_(allowed(bytes, "bytes", where)),
      where_(where) {
    const detail::transport::SentSoFar sent = detail::transport::sentSoFar();
    sentMessages_ = sent.messages;
    sentBytes_ = sent.bytes;
}

void Budget::check(detail::Where where) {
    const detail::transport::SentSoFar sent = detail::transport::sentSoFar();
    const std::uint64_t messages = sent.messages - std::exchange(sentMessages_, sent.messages);
    const std::uint64_t bytes = sent.bytes - std::exchange(sentBytes_, sent.bytes);
    if (messages <= messages_ && bytes <= bytes_) return;
    throw BudgetExceeded("this process has sent " + textOf(messages, bytes) + "; the budget of " +
                             where_.file + ":" + std::to_string(where_.line) + " allows " +
                             textOf(messages_, bytes_),
                         where);
}

}  // namespace hpspmd::Adlib
