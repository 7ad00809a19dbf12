# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Methods and marked loops have parts in proportion to HPSPMD_SPEEDS, without a message, and the same answers. So have those of
programs with kernels under `on (devices)`, to speeds that are measured in the first call of each method.

Usage: methods_speeds.py <hpcc> <folder of methods.hpcpp>"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

hpcc, source = sys.argv[1], pathlib.Path(sys.argv[2])
parts = """#include <hpspmd>
#include <cstdio>
#include <vector>
using namespace hpspmd;
int held = 0;
void inMethod([[hpspmd::dist]] std::vector<int>& a) { for (std::size_t i = 0; i < a.size(); ++i) a[i] = int(i); }
Index heldBy(std::vector<int>& a, int crd) {
    return hpspmd::detail::Method("heldBy", {hpspmd::detail::divided<0>(a)}, {}, 0).range().blocks(crd).front().count;
}
int main() {
    Procs1 p;
    on (p) {
        std::vector<int> a(1000), b(7);
        [[hpspmd::budget(messages = 0)]] {
            const Index first = heldBy(a, 0), last = heldBy(a, p.size() - 1), few = heldBy(b, 0);
            held = int(first * 1000000 + last * 1000 + few);
        }
        inMethod(a);
        Index wrong = 0;
        for (int i = 0; i < 1000; ++i) wrong += a[std::size_t(i)] != i;
        Adlib::gprintln(held / 1000000, " ", held / 1000 % 1000, " ", held % 1000, " ", wrong);
        const Procs1 alone(1);
        on (alone) held = int(heldBy(b, 0));
        Adlib::gprintln(Adlib::sum(p.dim(0).crd() == 0 ? held : 0));
    }
}
"""
measured = """#include <hpspmd>
#include <vector>
using namespace hpspmd;
std::vector<int> a(1000);
Index first(const hpspmd::detail::Method& m) { return m.range().blocks(0).front().count; }
#define HELD hpspmd::detail::Method("held", {hpspmd::detail::divided<0>(a)}, {}, 0)
Index heldAtHome() { return first(HELD); }
Index heldOnDevices() { return first(HELD); }
Index heldOnOneDevice() { return first(HELD); }
void twice([[hpspmd::dist]] std::vector<int>& b) { for (std::size_t i = 0; i < b.size(); ++i) b[i] *= 2; }
int main() {
    Procs1 p;
    on (p) {
        const bool isFirst = p.dim(0).crd() == 0;
        Index parts[6];
        parts[0] = heldAtHome();
        on (targets::devices) {
            parts[1] = heldOnDevices();
            [[hpspmd::budget(messages = 0)]] {
                parts[2] = heldAtHome();
                parts[3] = heldOnDevices();
            }
        }
        on (isFirst ? Target(targets::threads) : Target(targets::devices)) parts[4] = heldOnOneDevice();
        parts[5] = heldOnOneDevice();
        for (int i = 0; i < 1000; ++i) a[std::size_t(i)] = i;
        on (targets::devices) twice(a);
        Index wrong = 0;
        for (int i = 0; i < 1000; ++i) wrong += a[std::size_t(i)] != 2 * i;
        for (const Index part : parts) {
            Adlib::gprint(part, " ");
            wrong += Adlib::maxval(part) != Adlib::minval(part);
        }
        Adlib::gprintln(wrong);
    }
}
"""
problems = []


def run(program, processes, speeds, **variables):
    job = subprocess.run([hpcc, "run", "-n", str(processes), program], capture_output=True, text=True, timeout=120,
                         env={**os.environ, "HPSPMD_TRANSPORT": "node", **variables, **({"HPSPMD_SPEEDS": speeds} if speeds else {})})
    if job.returncode != 0:
        problems.append(f"{program} with speeds {speeds}: exit code {job.returncode}\n{job.stderr}")
    return job.stdout


def wrong_measured(printed, kernels, speeds):
    """What is wrong in a run of `measured`: nothing, "speeds" if only the measured ones are not as expected, or what it prints."""
    home, devices, kept, again, one, later, wrong = map(int, printed.split())
    equal = 250 if speeds else 500
    measures = kernels and not speeds
    if home != equal or kept != home or again != devices or later != one or wrong:
        return printed
    if not measures and (devices != equal or one != equal):
        return printed
    return "speeds" if measures and one < 600 else ""


with tempfile.TemporaryDirectory() as folder:
    def compiled(file, *options):
        subprocess.run([hpcc, "-O0", *options, "-Wno-HP2901", "-Wno-HP2912", "-ffp-contract=off", file, "-o", f"{folder}/{file.stem}"], check=True)
        return f"{folder}/{file.stem}"

    file = pathlib.Path(folder, "parts.hpcpp")
    file.write_text(parts)
    program = compiled(file)
    for speeds, held in {"": "500 500 4 0", "1,3": "250 750 2 0", "3,1": "750 250 5 0", "1,1.05": "500 500 4 0",
                         "1,2,1": "250 250 2 0", "1,1,8": "100 800 1 0"}.items():
        found = run(program, max(2, len(speeds.split(","))), speeds)
        if found.splitlines() != [held, "7"]:
            problems.append(f"speeds {speeds}: {found} for {held}")
    file = pathlib.Path(folder, "measured.hpcpp")
    file.write_text(measured)
    for kernels in False, True:
        program = compiled(file, *(["-O3", "--backend-O=1", "--device"] if kernels else []))
        for speeds in "", "1,3":
            # Measured speeds are those of a moment: of several runs one shows that they are measured at all.
            found = [wrong_measured(run(program, 2, speeds, HPSPMD_DEVICES="check"), kernels, speeds)]
            while found[-1] == "speeds" and len(found) < 5:
                found.append(wrong_measured(run(program, 2, speeds, HPSPMD_DEVICES="check"), kernels, speeds))
            if found[-1]:
                problems.append(f"with{'' if kernels else 'out'} kernels, speeds '{speeds}': {found}")
    for name in "methods", "methods_lines", "methods_marked":
        file = pathlib.Path(folder, f"{name}.hpcpp")
        file.write_text(re.sub(r"\[\[hpspmd::budget.*?\]\]", "", (source / file.name).read_text()))
        program = compiled(file)
        wanted = sorted(set(run(program, 1, "").splitlines()))
        for speeds in "1,4", "5,1,2", "1,2,1,9":
            found = sorted(set(run(program, len(speeds.split(",")), speeds).splitlines()))
            if found != wanted:
                problems.append(f"{name} with speeds {speeds} prints other lines: {set(found) ^ set(wanted)}")
if problems:
    sys.exit("\n".join(problems))
