# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hpcc debug with several processes: one gdb for one of them or for all, gdbserver where there is no terminal, a window of tmux
where there is one, and what is said where a program is missing."""
import fcntl
import os
import pathlib
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time

hpcc = sys.argv[1]
if not shutil.which("gdb") or "True" not in subprocess.run(
        ["gdb", "-batch", "-ex", "python print(True)"], capture_output=True, text=True).stdout:
    sys.exit(77)

LAP = """#include <hpspmd>
using namespace hpspmd;
int main(int, char** argv) {
    Procs1 p;
    on (p) {
        ExtBlockRange x(12, p.dim(0), 1, 1);
        double [[-]] a = new double [[x]], b = new double [[x]];
        overall (i = x for :) a[i] = 10 * i`;
        Adlib::writeHalo(a);
        overall (i = x for 1 : 10) b[i] = a[i - 1] + i`;
        Adlib::gprintln(argv[1], " ", Adlib::sum(b));
    }
}
"""
HELD = ["  [0 : 5] 0 10 20 30 40 50", "  [6 : 11] 60 70 80 90 100 110"]
SUM = "two words 505"
problems = []


def expect(what, is_right, text):
    if not is_right:
        problems.append(f"{what}:\n{text}")


def without(folder, *programs):
    """A PATH on which these programs are not."""
    bin = folder / ("no_" + "_".join(programs))
    bin.mkdir()
    for path in os.environ["PATH"].split(":"):
        for program in pathlib.Path(path).glob("*"):
            if program.name not in programs and not (bin / program.name).exists():
                (bin / program.name).symlink_to(program)
    return {**os.environ, "PATH": str(bin)}


def debug(folder, *words, env=None):
    run = subprocess.run([hpcc, "debug", "-n", "2", *words, "lap", "two words"], cwd=folder, capture_output=True, text=True,
                         timeout=120, stdin=subprocess.DEVNULL, env=env)
    return run.returncode, run.stdout + run.stderr


def test_one_process(folder):
    (folder / "commands").write_text("break lap.hpcpp:11\ncontinue\nhp a\nhp a[3]\ndelete\ncontinue\n")
    for setting in ({}, {"HPSPMD_TRANSPORT": "node"}):
        code, said = debug(folder, "--attach", "1", "--batch", "commands", env={**os.environ, **setting})
        expect(f"gdb on process 1 {setting}", code == 0 and HELD[1] in said and HELD[0] not in said and SUM in said and
               "subscript 3 of dimension 0 is not held here" in said, said)
    code, said = debug(folder, "--attach", "2", "--batch", "commands")
    expect("gdb on process 2 of 2", code == 2 and "there is no process 2 of 2" in said, said)


def test_one_gdb(folder):
    """All stop when one does. Each comes to the line by itself, perhaps both at once, in either order."""
    (folder / "commands").write_text("""break lap.hpcpp:11
continue
python
def stands_there(inferior):
    next(thread for thread in inferior.threads() if thread.ptid[0] == thread.ptid[1]).switch()
    return gdb.selected_frame().find_sal().line == 11
left = list(gdb.inferiors())
while left:
    for each in list(left):
        if stands_there(each):
            gdb.execute("hp a")
            left.remove(each)
    if left:
        gdb.execute("continue")
end
delete
""")
    code, said = debug(folder, "--one", "--batch", "commands")
    expect("one gdb for both", code == 0 and all(line in said for line in HELD) and SUM in said, said)


def start(folder, *words, env=None):
    return subprocess.Popen([hpcc, "debug", "-n", "2", *words, "lap", "two words"], cwd=folder, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, env=env)


def finish(job, what):
    try:
        output, errors = job.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        job.terminate()
        output, errors = job.communicate()
    expect(what, job.returncode == 0 and SUM in output, output + errors)


def test_ports(folder):
    """As the lines that each process prints say; gdb then stands at the start of the program."""
    job = start(folder)
    lines = []
    while len(lines) < 2 and (line := job.stderr.readline()):
        lines += [line.strip()] if " waits on " in line else []
    said = ["", ""]
    debuggers = {}
    for line in lines:
        number, command = re.fullmatch(r"process (\d) waits on \S+: (gdb .*)", line).groups()
        debuggers[int(number)] = subprocess.Popen(
            [*["sh", "-c", command + " -batch -ex 'break lap.hpcpp:11' -ex continue -ex 'hp a' -ex delete -ex continue"]], cwd=folder,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    for number, debugger in debuggers.items():
        said[number] = debugger.communicate(timeout=100)[0]
        expect(f"gdb by port, process {number}", HELD[number] in said[number], said[number])
    expect("ports of both", len(debuggers) == 2, lines)
    finish(job, "a job by ports")


def test_missing(folder):
    """Without gdbserver a process waits until gdb attaches; the other runs."""
    job = start(folder, "--attach", "1", env=without(folder, "gdbserver", "tmux"))
    expect("no gdbserver", "gdbserver is not installed" in (line := job.stdout.readline()), line)
    waiting = re.search(r"process 1 waits for a debugger: gdb -p (\d+)", job.stderr.readline())
    if waiting:
        attached = subprocess.run(["gdb", "-q", "-batch", "-p", waiting[1], "-ex", "bt", "-ex", "continue"],
                                  capture_output=True, text=True, timeout=60)
        expect("attached", "main (" in attached.stdout, attached.stdout + attached.stderr)
    else:
        job.kill()
    finish(job, "a job that waited for gdb")
    code, said = debug(folder, env=without(folder, "gdb"))
    expect("no gdb", code == 4 and "'gdb'" in said, said)


class Terminal:
    """hpcc debug with a terminal, whose tmux this program asks and writes to."""

    def __init__(self, folder, env=None):
        self.process, self.end = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execve(hpcc, [hpcc, "debug", "-n", "2", "lap", "two words"], {**(env or os.environ), "TERM": "xterm"})
        fcntl.ioctl(self.end, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
        self.name, self.output = f"hpcc-debug-{self.process}", ""

    def tmux(self, *words):
        return subprocess.run(["tmux", "-L", self.name, *words], capture_output=True, text=True).stdout

    def type(self, pane, *lines):
        for line in lines:
            self.tmux("send-keys", "-t", f":{self.name}.{pane}", line, "Enter")

    def read(self):
        """Takes what the terminal shows, so that it goes on; false at its end."""
        try:
            while select.select([self.end], [], [], 0.05)[0]:
                if not (piece := os.read(self.end, 65536)):
                    return False
                self.output += piece.decode(errors="replace")
        except OSError:
            return False
        return True

    def wait(self, pane, wanted):
        """True if the pane comes to show it."""
        end = time.time() + 20
        while time.time() < end and self.read():
            if re.search(wanted, self.shown(pane)):
                return True
        return False

    def shown(self, pane):
        return self.tmux("capture-pane", "-p", "-J", "-t", f":{self.name}.{pane}")


def test_window(folder):
    if not shutil.which("tmux"):
        print("no tmux: no window")
        return
    terminal = Terminal(folder, {name: value for name, value in os.environ.items() if name != "TMUX"})
    for pane in (1, 2):
        expect(f"pane {pane}", terminal.wait(pane, r"\(gdb\)"), terminal.shown(pane))
    for pane in (1, 2):
        terminal.type(pane, "set confirm off", "break lap.hpcpp:11", "continue")
    for pane, line in enumerate(HELD, 1):
        terminal.wait(pane, r"\n11\s")
        terminal.type(pane, "hp a")
        expect(f"hp a in pane {pane}", terminal.wait(pane, re.escape(line.strip())), terminal.shown(pane))
        terminal.type(pane, "delete", "continue", "quit")
    end = time.time() + 20
    while terminal.read() and time.time() < end:
        pass
    code = os.waitstatus_to_exitcode(os.waitpid(terminal.process, 0)[1])
    expect("the job in a window", code == 0 and SUM in terminal.output.splitlines()[-1], f"{code} {terminal.output[-500:]}")


def test_no_tmux(folder):
    """Said once; then as without a terminal."""
    terminal = Terminal(folder, without(folder, "tmux", "gdbserver", "nothing"))
    end = time.time() + 20
    while terminal.output.count("waits for a debugger") < 2 and terminal.read() and time.time() < end:
        pass
    expect("no tmux", "tmux is not installed" in terminal.output and "gdbserver is not installed" in terminal.output, terminal.output)
    os.kill(terminal.process, 15)
    os.waitpid(terminal.process, 0)


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    (folder / "lap.hpcpp").write_text(LAP)
    subprocess.run([hpcc, "-g", "lap.hpcpp", "-o", "lap"], cwd=folder, check=True)
    tests = [test_one_process, test_one_gdb, test_missing, test_window, test_no_tmux]
    if shutil.which("gdbserver"):
        tests.append(test_ports)
    for test in tests:
        begin = time.time()
        test(folder)
        print(f"{test.__name__}: {time.time() - begin:.1f} s")
print(*problems, sep="\n")
print(f"{len(tests)} tests, {len(problems)} problems")
sys.exit(1 if problems else 0)
