# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instructions of a step of a with-loop and of the nest, of patterns and of methods on little data, as valgrind counts them: a third
more than were measured (g++ 12) is an error. Usage: instructions.py <hpcc> <instructions.hpcpp>"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

hpcc, source = sys.argv[1:]
measured = {"a step of a with-loop": 3030, "a step of the nest": 2620, "reduce of multiarrays": 510, "reduce of vectors": 280,
            "map of multiarrays": 330, "map of vectors": 270, "a method without an iteration": 3080, "a method of 8 elements": 3190}

if not shutil.which("valgrind"):
    sys.exit(77)
with tempfile.TemporaryDirectory() as folder:
    program = pathlib.Path(folder, "instructions")
    subprocess.run([hpcc, "-O3", "-march=x86-64-v3", source, "-o", program], check=True)

    def instructions(what, thousands):
        done = subprocess.run(["valgrind", "--tool=callgrind", "--toggle-collect=main", "--callgrind-out-file=/dev/null", program,
                               str(what), str(thousands)], check=True, capture_output=True, text=True, timeout=300,
                              env={"HPSPMD_TRANSPORT": "node", "PATH": "/usr/bin:/bin"})
        return int(re.search(r"Collected : (\d+)", done.stderr)[1])

    wrong = False
    for what, (name, usual) in enumerate(measured.items()):
        taken = (instructions(what, 3) - instructions(what, 1)) / 2000
        print(f"{name}: {taken:.0f} instructions, {usual} usually")
        # Fewer than half are a program from which the compiler has removed what is counted.
        wrong |= not 0.5 * usual < taken < 1.33 * usual
    sys.exit(wrong)
