#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hpcc is ended by a signal while the C++ compiler runs: it dies of that signal, and neither files nor processes stay.

    testsuite/driver/ended.py build/bin/hpcc
"""
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from processes import is_alive

# As a wrapper it starts the compiler proper, which writes and does not end; a copy of it lives on when the wrapper dies.
WRAPPER = """#!/bin/sh
case "$*" in *-dM*) echo '#define MPICH_VERSION "4"'; exit ;; esac
sh -c 'for word; do case "$last" in -o) echo part >"$word" ;; esac; last=$word; done
       echo $$ >>"$LOG"; while :; do sleep 0.1; done' compiler "$@"
exit 0
"""
LAUNCHER = "#!/bin/sh\necho HYDRA\n"
soon = 3.0  # seconds


def wait_for(condition, seconds=20.0):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()


def end_of(process):
    try:
        return process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        return "nothing within 20 s"


def problem(hpcc, words, sent, folder, is_ignored=False):
    """Why the end is wrong; None if nothing is."""
    work, temporary, log = folder / "work", folder / "tmp", folder / "log"
    for new in (work, temporary):
        new.mkdir()
    for name, text in (("wrapper", WRAPPER), ("launcher", LAUNCHER)):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    for name in ("a.hpcpp", "b.hpcpp"):
        (work / name).write_text("void f(double [[*]] a) { a[0] = 1; }\n")
    (work / "kept").write_text("old")
    before = sorted(work.iterdir())
    environment = dict(os.environ, TMPDIR=str(temporary), LOG=str(log), HPCC_MPICXX=str(folder / "wrapper"),
                       HPCC_MPIEXEC=str(folder / "launcher"))
    before_start = (lambda: signal.signal(sent, signal.SIG_IGN)) if is_ignored else (lambda: signal.signal(sent, signal.SIG_DFL))
    started = subprocess.Popen([hpcc, *words], cwd=work, env=environment, preexec_fn=before_start, stderr=subprocess.DEVNULL)
    if not wait_for(lambda: log.exists() and log.read_text().endswith("\n")):
        started.kill()
        return "the compiler was not started"
    compiler = int(log.read_text().split()[0])
    begin = time.monotonic()
    started.send_signal(sent)
    if is_ignored:
        time.sleep(0.3)
        wrong = None if started.poll() is None else "a signal that its caller ignores has ended it"
        started.send_signal(signal.SIGTERM)
        end_of(started)
        return wrong
    code = end_of(started)
    if code != -sent:
        if is_alive(compiler):
            os.kill(compiler, signal.SIGKILL)
        return f"ended with {code}"
    if time.monotonic() - begin > soon:
        return f"ended after {time.monotonic() - begin:.1f} s"
    if is_alive(compiler):
        os.kill(compiler, signal.SIGKILL)
        return "the compiler lives on"
    if sorted(work.iterdir()) != before or (work / "kept").read_text() != "old":
        return f"left {sorted(path.name for path in work.iterdir())}"
    return f"left {os.listdir(temporary)}" if os.listdir(temporary) else None


def main():
    hpcc = Path(sys.argv[1]).resolve()
    commands = (["-c", "a.hpcpp", "-o", "kept"], ["a.hpcpp", "b.hpcpp", "-o", "kept", "-MD"], ["-c", "a.hpcpp", "b.hpcpp"])
    cases = [(words, sent, False) for words in commands
             for sent in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)]
    cases.append((commands[0], signal.SIGHUP, True))
    failed = 0
    for words, sent, is_ignored in cases:
        for _ in range(3):  # what takes too long is tried again, as the machine may be busy
            with tempfile.TemporaryDirectory() as folder:
                wrong = problem(hpcc, words, sent, Path(folder), is_ignored)
            if not wrong or not wrong.startswith("ended after"):
                break
        if wrong:
            failed += 1
            print(f"FAILED: {' '.join(words)} and {sent.name}: {wrong}")
    print(f"{len(cases)} ends, {len(cases) - failed} as documented")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
