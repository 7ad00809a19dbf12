#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gxx_suite.py HPCC FOLDER: the programs of g++'s own test suite that must compile, taken from Debian's package of GCC's source,
pass through hpcc: no message, and the same text byte for byte. FOLDER keeps what has been fetched (84 MB, and 70 MB of
programs). Left out are programs that expect an error, that need further files, or are of extensions of their own (modules,
sanitizers, transactional memory ..); with --compiler a program that the given C++ compiler refuses, too."""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("hpcc")
arguments.add_argument("folder", type=pathlib.Path)
arguments.add_argument("--package", default="gcc-12-source")
arguments.add_argument("--only", default="", help="programs whose path begins so, such as cpp1z/")
arguments.add_argument("--every", type=int, default=1, help="each n-th program")
arguments.add_argument("--compiler", help="such as g++-12: counts only what it compiles too")
arguments.add_argument("--least", type=float, default=0, help="fails if a smaller part in a hundred passes")
options = arguments.parse_args()

apart = {"asan", "charset", "compat", "dfp", "gcov", "goacc", "goacc-gomp", "graphite", "hwasan", "lto", "modules", "pch",
         "plugin", "simulate-thread", "tm", "tsan", "ubsan"}
refused = re.compile(r"dg-(error|bogus|excess-errors|ice|xfail\w*|additional-sources|prune-output)|dg-do\s+preprocess")


def fetched():
    """The folder of programs; what is missing is downloaded by apt and unpacked."""
    found = list(options.folder.glob("*/gcc/testsuite/g++.dg"))
    if found:
        return found[0]
    options.folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["apt-get", "download", options.package], cwd=options.folder, check=True)
    package = next(options.folder.glob(f"{options.package}_*.deb"))
    subprocess.run(["dpkg-deb", "-x", package.name, "package"], cwd=options.folder, check=True)
    archive = next(options.folder.glob("package/usr/src/*/gcc-*.tar.xz"))
    subprocess.run(["tar", "-xf", archive.relative_to(options.folder), "--wildcards", "*/gcc/testsuite/g++.dg/*"],
                   cwd=options.folder, check=True)
    return next(options.folder.glob("*/gcc/testsuite/g++.dg"))


def chosen(root):
    paths = sorted(path for path in root.rglob("*.C") if path.relative_to(root).parts[0] not in apart)
    paths = [path for path in paths if str(path.relative_to(root)).startswith(options.only)]
    return [path for path in paths[:: options.every] if not refused.search(path.read_text(errors="replace"))]


def isCompiled(path):
    """With the options that the program asks for."""
    text = path.read_text(errors="replace")
    words = [word for found in re.findall(r"dg-(?:additional-)?options\s+\"([^\"]*)\"", text) for word in found.split()]
    standards = [each for each in words if each.startswith("-std=")]
    asked = standards or [f"-std=gnu++{year}" for year in ("17", "20", "11", "98")]
    rest = [each for each in words if each.startswith(("-f", "-I", "-D"))]
    return any(subprocess.run([options.compiler, "-w", "-fsyntax-only", standard, *rest, path], capture_output=True).returncode == 0
               for standard in asked)


def passed(path):
    """`` if the program passes, else why not."""
    try:
        done = subprocess.run([options.hpcc, "--emit=lowered", path], capture_output=True, timeout=120)
    except subprocess.TimeoutExpired:
        return "takes more than 120 seconds"
    if done.returncode != 0 or done.stderr:
        return done.stderr.decode(errors="replace").strip() or f"exit status {done.returncode}"
    return "" if done.stdout == path.read_bytes() else "another text"


def judged(path):
    why = passed(path)
    if options.compiler and not isCompiled(path):
        return path, None
    return path, why


def main():
    root = fetched()
    paths = chosen(root)
    counts, good = collections.Counter(), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as several:
        for path, why in several.map(judged, paths):
            if why is None:
                continue
            name = path.relative_to(root)
            part = name.parts[0] if len(name.parts) > 1 else "."
            counts[part] += 1
            good[part] += not why
            if why:
                print(f"{name}: {why}")
    for part in sorted(counts):
        print(f"{part}: {good[part]} of {counts[part]}")
    total = counts.total()
    rate = 100 * good.total() / total if total else 0
    print(f"{good.total()} of {total} programs pass: {rate:.2f} in a hundred")
    sys.exit(1 if not total or rate < options.least else 0)


main()
