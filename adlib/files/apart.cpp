// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/apart.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <utility>

#include "files/disk_file.hpp"
#include "fork.hpp"

namespace hpspmd::detail::files {
namespace {

struct Head {
    std::size_t bytes;
    int seconds;    ///< of a question
    bool isFailed;  ///< of an answer: the text is what a Failure says
};

/// False if the other end is not there any more.
bool send(int connection, const void* data, std::size_t bytes) {
    const char* from = static_cast<const char*>(data);
    while (bytes > 0) {
        const ssize_t sent = ::send(connection, from, bytes, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        from += sent;
        bytes -= static_cast<std::size_t>(sent);
    }
    return true;
}
bool receive(int connection, void* data, std::size_t bytes) {
    char* to = static_cast<char*>(data);
    while (bytes > 0) {
        const ssize_t received = ::recv(connection, to, bytes, 0);
        if (received < 0 && errno == EINTR) continue;
        if (received <= 0) return false;
        to += received;
        bytes -= static_cast<std::size_t>(received);
    }
    return true;
}
bool send(int connection, Head head, const std::string& text) {
    head.bytes = text.size();
    return send(connection, &head, sizeof head) && send(connection, text.data(), text.size());
}
bool receive(int connection, Head& head, std::string& text) {
    if (!receive(connection, &head, sizeof head)) return false;
    text.resize(head.bytes);
    return receive(connection, text.data(), text.size());
}

/// This is a process that answers questions.
bool isApart = false;

/// A crash of this process is seen by the other one only; from now on it may take so many seconds.
void endQuietly() {
    isApart = true;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU, SIGTERM, SIGUSR1})
        std::signal(signal, SIG_DFL);
    const rlimit noCore{0, 0};
    ::setrlimit(RLIMIT_CORE, &noCore);
    const int nowhere = ::open("/dev/null", O_WRONLY);  // what the C library says of a heap
    if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
}
void allow(int seconds) {
    rusage used{};
    rlimit limit{};
    ::getrusage(RUSAGE_SELF, &used);
    ::getrlimit(RLIMIT_CPU, &limit);
    const auto wanted = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec + seconds);
    limit.rlim_cur = limit.rlim_max == RLIM_INFINITY ? wanted : std::min(wanted, limit.rlim_max);
    ::setrlimit(RLIMIT_CPU, &limit);
}

}  // namespace

Apart::Apart(std::string library, Answer answer) : library_(std::move(library)) {
    if (isApart) {
        answer_ = std::move(answer);
        return;
    }
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw Failure(std::strerror(errno));
    process_ = forkToAsk();
    if (process_ == 0) {
        ::close(ends[0]);
        serve(ends[1], answer);
    }
    const int error = errno;
    ::close(ends[1]);
    connection_ = ends[0];
    if (process_ > 0) return;
    ::close(connection_);
    throw Failure(std::strerror(error));
}

void Apart::serve(int connection, const Answer& answer) const {
    endQuietly();
    Head head{};
    std::string text;
    while (receive(connection, head, text)) {
        allow(head.seconds);
        head.isFailed = false;
        try {
            text = answer(text);
        } catch (const std::exception& error) {
            head.isFailed = true;
            text = error.what();
        } catch (...) {
            std::abort();
        }
        if (!send(connection, head, text)) break;
    }
    ::_exit(0);
}

Apart::~Apart() {
    if (connection_ >= 0) ::close(connection_);
    if (process_ > 0) ::waitpid(process_, nullptr, 0);
}

std::string Apart::ask(const std::string& question, int seconds) {
    if (answer_) return answer_(question);
    Head head{0, seconds, false};
    std::string text;
    if (process_ < 0 || !send(connection_, head, question) || !receive(connection_, head, text))
        raiseEnded();
    if (head.isFailed) throw Failure(text);
    return text;
}

void Apart::raiseEnded() {
    int status = 0;
    const pid_t process = std::exchange(process_, -1);
    const bool isKnown = process > 0 && ::waitpid(process, &status, 0) == process;
    const int signal = isKnown && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (signal == SIGXCPU)
        throw Failure("it is damaged: " + library_ + " does not come to an end with it");
    throw Failure("it is damaged: " + library_ + " crashes when it reads it" +
                  (signal == 0 ? "" : " (" + std::string(::strsignal(signal)) + ")"));
}

}  // namespace hpspmd::detail::files
