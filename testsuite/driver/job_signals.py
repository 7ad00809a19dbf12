#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Signals to a job: hpcc run ends within 3 s and leaves no process, and a job that is stopped and continued goes on.

    testsuite/driver/job_signals.py build/bin/hpcc

With HPSPMD_TRANSPORT=node for jobs without MPI.
"""
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from processes import descendants, is_alive, name

SOURCE = """#include <hpspmd>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>
using namespace hpspmd;

/// job <steps> <what>: one process waits in a system call, or for two seconds, all compute, or none obeys signals.
int main(int, char** argv) {
    const int steps = std::atoi(argv[1]);
    const std::string what = argv[2];
    if (what == "deaf")
        for (const int each : {SIGINT, SIGTERM, SIGHUP}) std::signal(each, SIG_IGN);
    Procs1 p;
    on (p) {
        ExtBlockRange x(64, p.dim(0), 1, 1);
        double [[-]] a = new double [[x]];
        overall (i = x for :) a[i] = i`;
        std::printf("ready %d\\n", static_cast<int>(::getpid()));
        std::fflush(stdout);
        for (int k = 0; k < steps; ++k) {
            Adlib::writeHalo(a);
            ::usleep(10000);
            if (what == "waits" && p.rank() == 0) ::sleep(1000);
            if (what == "is late" && p.rank() == 0) ::sleep(2);
        }
        Adlib::gprintln("sum ", Adlib::sum(a));
    }
}
"""
processes = 3
soon = 3.0  # seconds
stop = 2.6  # longer than the runtime takes to find a process that has died


def kill(process):
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        pass  # it has ended meanwhile


class Job:
    def __init__(self, hpcc, *command):
        self.launcher = subprocess.Popen([hpcc, "run", "-n", str(processes), *command], text=True,
                                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        self.processes, self.said = [], ""
        while len(self.processes) < processes:
            line = self.launcher.stdout.readline()
            if not line:
                raise RuntimeError("the job did not start: " + self.said)
            self.said += line
            if line.startswith("ready "):
                self.processes.append(int(line.split()[1]))

    def end(self, seconds):
        try:
            self.said += self.launcher.communicate(timeout=seconds)[0]
        except subprocess.TimeoutExpired:
            return None
        return self.launcher.returncode

    def left(self, patience=1):
        end = time.monotonic() + patience
        while any(map(is_alive, self.processes)) and time.monotonic() < end:
            time.sleep(0.02)
        return [process for process in self.processes if is_alive(process)]

    def clear(self):
        for process in self.left():
            kill(process)
        if self.launcher.poll() is None:
            self.launcher.kill()


def problem_of_end(job, sent, times):
    time.sleep(0.1)
    begin = time.monotonic()
    for _ in range(times):  # a second one tells the launcher that the first was not enough
        job.launcher.send_signal(sent)
        if times > 1:
            time.sleep(0.5)
    code = job.end(20)
    seconds = time.monotonic() - begin
    if code is None or seconds > soon:
        return f"ended after {seconds:.1f} s, not {soon}"
    if code == 0:
        return "ended with 0"
    return f"processes left: {job.left()}" if job.left() else None


def problem_of_stop(job, stopping, targets):
    """`targets`: the processes and, negative, the groups that are stopped and continued."""
    for sent, seconds in ((stopping, stop), (signal.SIGCONT, 0)):
        for target in targets:
            os.kill(target, sent)
        time.sleep(seconds)
    code = job.end(60)
    if code != 0 or "sum 2016" not in job.said:
        return f"ended with {code}: {job.said[-300:]}"
    return None


def problem_of_kill(job, all_of_it, patience):
    """`all_of_it`: what the launcher has started to start processes is killed, too, the innermost first."""
    if all_of_it:
        for process in descendants(job.launcher.pid):
            if process not in job.processes and name(process) != "sh":
                kill(process)
    job.launcher.kill()
    left = job.left(patience)
    return f"processes left: {left}" if left else None


def main():
    hpcc = Path(sys.argv[1]).resolve()
    failed, cases = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "job.hpcpp").write_text(SOURCE)
        subprocess.run([hpcc, "job.hpcpp", "-o", "job"], cwd=folder, check=True)
        program = Path(folder) / "job"

        def attempt(case, arguments, problem, command=(program,)):
            nonlocal failed, cases
            for _ in range(3):  # what takes too long is tried again, as the machine may be busy
                job = Job(hpcc, *command, *arguments)
                wrong = problem(job)
                job.clear()
                if not wrong or not wrong.startswith(("ended after", "processes left")):
                    break
            cases += 1
            failed += wrong is not None
            if wrong:
                print(f"FAILED: {case}: {wrong}")

        for what in ("computes", "waits", "deaf"):
            for sent in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                if what == "deaf" and sent == signal.SIGTERM:
                    continue  # MPICH's launcher waits for it
                attempt(f"{sent.name}, a job that {what}", ("100000", what), lambda job: problem_of_end(job, sent, 2 if what == "deaf" else 1))
        for what, sent, chosen in (
                ("SIGTSTP to the group of the launcher", signal.SIGTSTP, lambda job: [-job.launcher.pid]),
                ("SIGSTOP to the group of the launcher", signal.SIGSTOP, lambda job: [-job.launcher.pid]),
                ("SIGSTOP to all processes", signal.SIGSTOP, lambda job: job.processes),
                ("SIGSTOP to one process", signal.SIGSTOP, lambda job: job.processes[:1])):
            attempt(what, ("150", "computes"), lambda job: problem_of_stop(job, sent, chosen(job)))
        for what in ("computes", "waits", "deaf"):
            for all_of_it in (False, True):
                attempt(f"SIGKILL to the launcher, all of it: {all_of_it}, a job that {what}", ("100000", what),
                        lambda job: problem_of_kill(job, all_of_it, soon))
        shell = ["sh", "-c", f"{program} 100000 'is late'; true"]
        attempt("SIGKILL to the launcher of shells that have started the processes", (),
                lambda job: problem_of_kill(job, True, soon + 2), shell)
    print(f"{cases} cases, {cases - failed} as documented")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
