# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Who may include whom: driver -> stages -> analysis -> ast -> diagnostics -> source; examples, bench -> adlib -> runtime ->
include; the translator includes nothing of the runtime; nothing includes the testsuite but itself."""
import re

from project import files, finish, text

# Folder of the translator -> folders it may include besides itself.
core = ["analysis", "ast", "diagnostics", "source"]
translator = {
    "threads": [],
    "source": [],
    "diagnostics": ["source"],
    "ast": ["diagnostics", "source"],
    "analysis": ["ast", "diagnostics", "source"],
    "driver": core + ["threads", "syntax", "check", "regions", "pretranslate", "nests", "lower", "optimize", "emit"],
}
for stage in translator["driver"][4:]:
    translator[stage] = core + (["threads"] if stage == "check" else [])

# What a build without MPI leaves out (runtime/CMakeLists.txt), and programs.
mpi_allowed = ("include/hpspmd/mpi.hpp", "runtime/mpi.cpp", "runtime/comms.", "runtime/transport/mpi_transport.cpp",
               "testsuite/", "bench/", "examples/")
include = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.M)


def reason(path, included):
    """Why this file may not include that, or nothing."""
    folder = path.parts[0]
    target = included.split("/")[0]
    if target == "testsuite" and folder != "testsuite":
        return "only tests include the testsuite"
    if included in ("mpi.h", "hpspmd/mpi.hpp") and not str(path).startswith(mpi_allowed):
        return "MPI belongs to runtime/transport/mpi_transport.cpp, the rest is built without it too"
    if folder == "translator":
        own = path.parts[1]
        isOfPrograms = "translator/driver/startup" in str(path)  # compiled with the user's programs
        if target in ("hpspmd", "adlib", "runtime") and not isOfPrograms:
            return "the translator knows the runtime's names only from ast/runtime_names.def"
        if target in translator and target != own and target not in translator[own]:
            return f"{own} may include only {', '.join(translator[own]) or 'itself'}"
    elif target in translator and "/" in included and folder != "testsuite":
        return "only the translator includes its own folders"
    if folder == "runtime" and target == "adlib":
        return "adlib stands above the runtime"
    isPattern = str(path).startswith("include/hpspmd/patterns")  # functions of arrays, above both
    if str(path).startswith("include/hpspmd") and not isPattern and target in ("adlib", "runtime"):
        return "public headers of the runtime stand below adlib and the sources"
    if str(path).startswith("include/adlib") and target == "runtime":
        return "public headers include public headers"
    if folder in ("examples", "bench") and target == "runtime":
        return "programs include public headers"
    return None


problems = []
checked = files(".cpp", ".hpp", ".hpcpp", ".hph", ".h", ".l", ".yy")
for path in checked:
    if "corpus" in path.parts:
        continue
    for included in include.findall(text(path)):
        why = reason(path, included)
        if why:
            problems.append(f"{path}: includes {included}: {why}")
finish(problems, len(checked))
