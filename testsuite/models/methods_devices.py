# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A method is nests like any other: its loops become kernels, its array is copied once in each direction, and rules name it.

So are marked loops, which all devices of each process share under `on (devices)` (figure 1 of ClusterJaMP, Veldema et al.).

Usage: methods_devices.py <hpcc>"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

hpcc = sys.argv[1]
program = """#include <hpspmd>
#include <cstdio>
using hpspmd::Index;
void relax([[hpspmd::dist]] double [[*,*]] g, int sweeps) {
    for (int half = 0; half < 2 * sweeps; ++half)
        for (Index i = 1; i < g.size(0) - 1; ++i)
            for (Index j = 1 + (i + half) % 2; j < g.size(1) - 1; j += 2)
                g[i, j] = 0.25 * (g[i - 1, j] + g[i + 1, j] + g[i, j - 1] + g[i, j + 1]);
}
void move([[hpspmd::dist(view(1))]] double [[*]] a, [[hpspmd::dist]] double [[*]] b, const int [[*]] far) {
    for (int step = 0; step < 4; ++step) {
        for (Index i = 1; i < a.size(0) - 1; ++i) b[i] = a[i + far[i % 3]];
        for (Index i = 0; i < a.size(0); ++i) a[i] = b[i] + 1;
    }
}
int main() {
    double [[*,*]] g = new double [[20, 30]];
    g[0, 3] = 100;
    relax(g, 100);
    double [[*]] a = new double [[20]], b = new double [[20]];
    int [[*]] far = new int [[3]];
    for (int k = 0; k < 3; ++k) far[k] = k - 1;
    move(a, b, far);
    double sum = 0;
    for (int k = 0; k < 20; ++k) sum += a[k] * k;
    std::printf("%.17g %.17g\\n", g[1, 4] + g[3, 5], sum);
}
"""
marked = """#include <hpspmd>
#include <cstdio>
using hpspmd::Index;
void foo(int [[*]] a) {
    on (hpspmd::targets::devices) {
        [[hpspmd::overall]]
        for (Index i = 0; i < a.size(0); ++i) a[i]++;
    }
}
int main() {
    int [[*]] a = new int [[1000]];
    for (int k = 0; k < 3; ++k) foo(a);
    long sum = 0;
    for (Index i = 0; i < 1000; ++i) sum += a[i] * (i % 13);
    std::printf("%ld\\n", sum);
}
"""
problems = []


def expect(text, *patterns):
    missing = [pattern for pattern in patterns if not re.search(pattern, text)]
    if missing:
        problems.append(f"missing {missing} in\n{text}")


with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder, "relax.hpcpp")
    file.write_text(program)
    rules = pathlib.Path(folder, "my.rules")
    rules.write_text("relax:gpu\n")
    options = ["-O3", "--device", "-ffp-contract=off", str(file)]
    expect(subprocess.run([hpcc, "--emit=kernels", *options], capture_output=True, text=True, check=True).stdout,
           r"HPSPMD_KERNEL\(relax_\w+, .*INOUT\(double, g_part\)")
    told = subprocess.run([hpcc, "--emit=kernels", "-Rpass-missed=devices", "-Rpass-missed=fast-nests", *options], capture_output=True,
                          text=True, check=True).stderr
    if "relax.hpcpp:6:" in told:
        problems.append(f"a remark on what is a kernel:\n{told}")
    expect(subprocess.run([hpcc, "--emit=lowered", "-O0", str(file)], capture_output=True, text=True, check=True).stdout,
           r"relax_range\.localBlocks\(1, ")
    subprocess.run([hpcc, *options, "-o", f"{folder}/relax"], check=True)

    def run(processes=1, **variables):
        job = subprocess.run([hpcc, "run", "-n", str(processes), f"{folder}/relax"], capture_output=True, text=True, timeout=120,
                             env={**os.environ, "HPSPMD_LOG": "1", **variables})
        if job.returncode != 0:
            problems.append(f"{variables}, {processes} processes: exit code {job.returncode}\n{job.stderr}")
        return job

    wanted = run(HPSPMD_TARGET="sequential").stdout
    log = run(HPSPMD_TARGET="check").stderr
    expect(log, r"relax.hpcpp:6 on check: 200 launches", r"to the device 1 x, 4800 bytes; home 1 x, 4800 bytes")
    expect(run(HPSPMD_RULES=str(rules)).stderr, r"relax.hpcpp:6 in relax: target gpu \(line 1 of .*my.rules\)")
    for processes in 1, 2, 3, 8:
        for variables in {"HPSPMD_TARGET": "check"}, {"HPSPMD_RULES": str(rules)}:
            found = run(processes, **variables).stdout
            if found != wanted * processes:
                problems.append(f"{variables}, {processes} processes: {found} for {wanted}")
    other = pathlib.Path(folder, "marked.hpcpp")
    other.write_text(marked)
    subprocess.run([hpcc, "-O3", "--device", "--backend-O", "1", str(other), "-o", f"{folder}/marked"], check=True)
    for processes in 1, 2:
        for devices in "check,check", "":
            job = subprocess.run([hpcc, "run", "-n", str(processes), f"{folder}/marked"], capture_output=True, text=True, timeout=120,
                                 env={**os.environ, "HPSPMD_LOG": "1", "HPSPMD_DEVICES": devices, "OCL_ICD_VENDORS": folder})
            if job.returncode != 0 or job.stdout != "17982\n" * processes:
                problems.append(f"marked, {processes} processes, devices '{devices}': {job.returncode}\n{job.stdout}{job.stderr}")
            for process in range(processes if devices else 0):
                expect(job.stderr, *[rf"process {process}: marked.hpcpp:7 on {each}: 3 launches" for each in ("check", "check:1")])
            if not devices:
                expect(job.stderr, r"marked.hpcpp:7 in foo: target devices \(on\): .*runs on the host")
if problems:
    sys.exit("\n".join(problems))
