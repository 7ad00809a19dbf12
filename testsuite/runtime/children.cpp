// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Children that a program makes by fork(), vfork(), system(), popen() and posix_spawn():
/// children_test runs this. Each process makes one child after the other; between them all
/// processes meet in collectives, which must go on as if there were none.

#include "fork.hpp"

#include <hpspmd/mpi.hpp>
#include <hpspmd/plain.hpp>
#include <hpspmd>

#include <spawn.h>
#include <unistd.h>

#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

using namespace hpspmd;

namespace {

using Vector = Array<double, Dist>;

int failures = 0;

void expect(bool holds, const std::string& what) {
    if (holds) return;
    ++failures;
    std::fprintf(stderr, "rank %d: %s\n", apg().rank(), what.c_str());
}

struct Leave {  // as by return from main
    int status;
};

/// The exit status of a child that runs f, or 1000 + the signal that ended it. A child that comes
/// to the end of f ends by _exit(0).
template <class F>
int inChild(const F& f) {
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        f();
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

Vector vector(Index perProcess, double value) {
    const ExtBlockRange x(perProcess * apg().size(), detail::freeDimensions(apg()).at(0), 1, 1);
    Vector a = create<double>(apg(), x);
    for (auto i : overall(x)) a(i) = value;
    Adlib::writeHalo(a);
    return a;
}

bool all(const Vector& a, double value) {
    const Range x = a.rng(0);
    bool same = true;
    for (auto i : overall(x)) same = same && a(i) == value;
    return same;
}

void set(const Vector& a, double value) {
    const Range x = a.rng(0);
    for (auto i : overall(x)) a(i) = value;
}

/// A child computes on its copy, while and after the parent changes its array.
void snapshot(Index perProcess) {
    const Vector a = vector(perProcess, 1);
    int toChild[2];
    if (::pipe(toChild) != 0) throw std::runtime_error("no pipe");
    const pid_t child = ::fork();
    if (child == 0) {
        char go = 0;
        const bool isAsked = ::read(toChild[0], &go, 1) == 1;  // the parent has written
        const bool isOld = all(a, 1);
        set(a, 3);
        const Vector fresh = create<double>(apg(), CollapsedRange(1000));
        ::_exit(isAsked && isOld && all(a, 3) ? 0 : 1);
    }
    set(a, 2);
    Adlib::writeHalo(a);  // the others read it where it lies
    expect(::write(toChild[1], "g", 1) == 1, "no write");
    int status = 0;
    ::waitpid(child, &status, 0);
    ::close(toChild[0]);
    ::close(toChild[1]);
    expect(WIFEXITED(status) && WEXITSTATUS(status) == 0,
           "a child did not see the array as it was: " + std::to_string(perProcess));
    expect(all(a, 2), "a child has changed its parent's array of " + std::to_string(perProcess));
    expect(Adlib::sum(a) == 2.0 * static_cast<double>(a.rng(0).size()), "sum");
}

void snapshots() {
    snapshot(10);
    snapshot(100'000);  // below 1 MiB
    snapshot(400'000);  // beyond
    const Vector large = vector(400'000, 1), small = vector(10, 1);
    Adlib::remap(large, clone(large));  // pages of both have been visible
    expect(inChild([&] {                // a child of a child
               set(large, 5);
               const int inner = inChild([&] { set(large, 6), set(small, 6); });
               ::_exit(inner == 0 && all(large, 5) && all(small, 1) ? 0 : 1);
           }) == 0,
           "a child of a child changes the array of its parent");
    expect(all(large, 1) && all(small, 1), "children have changed arrays");
}

void ends() {
    const Vector a = vector(10, 1);
    Adlib::WriteHalo underWay(a);
    const auto goesOn = [&] {
        expect(Adlib::sum(a) == static_cast<double>(a.rng(0).size()), "sum behind a child");
    };
    expect(inChild([] { std::exit(3); }) == 3, "exit");
    goesOn();
    expect(inChild([] { ::_exit(4); }) == 4, "_exit");
    goesOn();
    expect(inChild([] { std::quick_exit(5); }) == 5, "quick_exit");
    goesOn();
    expect(inChild([] { throw Leave{6}; }) == 6, "return from main");
    goesOn();
    expect(inChild([] { throw std::runtime_error("expected"); }) == 90, "an exception");
    goesOn();
    expect(inChild([] { throw OutOfBounds("expected"); }) == 82, "an error");
    goesOn();
    expect(inChild([] { std::abort(); }) == 1000 + SIGABRT, "abort");
    goesOn();
    expect(inChild([] { ::raise(SIGKILL); }) == 1000 + SIGKILL, "a signal");
    goesOn();
    expect(inChild([&] { Adlib::sum(a); }) == 83, "a collective");
    goesOn();
    expect(inChild([] { comm(apg()); }) == 83, "a communicator");
    underWay.start();
    const int expected = apg().size() > 1 ? 83 : 0;  // alone there is nothing under way
    expect(inChild([&] { underWay.finish(); }) == expected, "a collective under way");
    underWay.finish();
    goesOn();
    if (::vfork() == 0) ::execlp("true", "true", nullptr), ::_exit(1);
    ::wait(nullptr);
    goesOn();
}

void programs() {
    const Vector a = vector(100'000, 1);
    const long copies = detail::forks::copies;
    for (int k = 0; k < 5; ++k) {
        expect(std::system("exit 3") == 3 << 8, "system");
        FILE* const pipe = ::popen("cat", "w");
        expect(pipe != nullptr && ::pclose(pipe) == 0, "popen");
        char name[] = "true";
        char* const arguments[] = {name, nullptr};
        pid_t child = 0;
        int status = 1;
        expect(::posix_spawnp(&child, name, nullptr, nullptr, arguments, environ) == 0, "spawn");
        ::waitpid(child, &status, 0);
        expect(status == 0, "posix_spawn");
    }
    expect(detail::forks::copies == copies, "arrays have been copied for another program");
    expect(Adlib::sum(a) == static_cast<double>(a.rng(0).size()), "sum");
    if (apg().rank() == 0) std::puts("programs end");
}

}  // namespace

int main() {
    try {
        const Procs1 p;
        const On active{p};
        snapshots();
        ends();
        programs();
    } catch (const Leave& leave) {
        return leave.status;
    }
    return failures == 0 ? 0 : 1;
}
