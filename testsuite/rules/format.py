# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clang-format agrees with every C++ file (it does not know the extensions, so not with .hpcpp and .hph)."""
import shutil
import subprocess
import sys

from project import files, finish, root

tool = shutil.which("clang-format-14") or shutil.which("clang-format")
version = subprocess.run([tool, "--version"], capture_output=True, text=True).stdout if tool else "none"
if " version 14." not in version:  # versions differ in details, and Debian 12's decides
    print(f"clang-format 14 is not installed ({version.strip()}): nothing checked")
    sys.exit(77)
checked = [path for path in files(".cpp", ".hpp", ".h") if "corpus" not in path.parts]
result = subprocess.run([tool, "--dry-run", "-Werror", *map(str, checked)], cwd=root,
                        capture_output=True, text=True)
wrong = sorted({line.split(":")[0] for line in result.stderr.splitlines() if "clang-format-violations" in line})
problems = [f"{path}: run clang-format -i" for path in wrong]
if result.returncode and not problems:
    problems = [result.stderr]
finish(problems, len(checked))
