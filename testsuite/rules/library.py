#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""package/build_library.sh, for machines without cmake, compiles the files of the libraries of the build."""
import json
import pathlib
import re
import subprocess
import sys

import project

commands = pathlib.Path(sys.argv[1], "compile_commands.json")
if not commands.exists():
    print(f"{commands} is missing")
    sys.exit(77)
built = {pathlib.Path(each["file"]).relative_to(project.root).as_posix() for each in json.loads(commands.read_text())
         if re.search(r"hpspmd_(runtime|adlib)\.dir/", each["command"]) and "cmake_pch" not in each["file"]}
if "runtime/transport/no_mpi.cpp" in built:
    print("the build has no MPI, which build_library.sh needs")
    sys.exit(77)
listed = set(subprocess.run(["package/build_library.sh", "--files"], cwd=project.root, capture_output=True, text=True, check=True).stdout.split())
if built != listed:
    sys.exit(f"build_library.sh leaves out {sorted(built - listed)} and takes {sorted(listed - built)} besides")
