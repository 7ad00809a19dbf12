# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clang-tidy agrees with every name in the translation units of translator, runtime and adlib and their headers.

Usage: naming.py <build folder>. Most of clang-tidy's time goes into the standard headers, so it is asked about many
units of a folder as one, which includes them. Units that passed before and have not changed, nor anything they include, are
skipped: a stamp beside them holds the hash of all that text."""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

from project import finish, root, withoutPrecompiled

build = pathlib.Path(sys.argv[1]).resolve()
stamps = build / "naming_stamps"
together = 16


def units():
    """Path and options of each unit."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"])
        if path.is_relative_to(root) and path.relative_to(root).parts[0] in ("translator", "runtime", "adlib"):
            if not path.is_relative_to(build):
                words = shlex.split(entry["command"])
                words = words[1:] if words[0].endswith("ccache") else words
                yield path, withoutPrecompiled(words[1:words.index("-o")])


def included():
    """The project's files that each unit includes, itself among them, as Ninja has noted them; none without Ninja."""
    ninja = shutil.which("ninja")
    text = subprocess.run([ninja, "-C", build, "-t", "deps"], capture_output=True, text=True).stdout if ninja else ""
    found = {}
    for block in text.split("\n\n"):
        names = [(build / line.strip()).resolve() for line in block.splitlines()[1:]]
        names = [name for name in names if name.is_relative_to(root) and name.suffix != ".gch"]
        if names:
            found[names[0]] = names
    return found


def fingerprint(names):
    """Hash of the rules and of these files."""
    digest = hashlib.sha256((root / ".clang-tidy").read_bytes())
    for name in names:
        digest.update(name.read_bytes())
    return digest.hexdigest()


def stamp(path):
    return stamps / str(path.relative_to(root)).replace("/", "-")


def check(paths, options):
    """What is wrong in these units, which are compiled with the same options. A unit whose names collide with those of
    one before it is asked about again, without that one."""
    whole = stamps / (stamp(paths[0]).name + f"-{len(paths)}.cpp")
    whole.write_text("".join(f'#include "{path}"\n' for path in paths))
    result = subprocess.run(["clang-tidy", "-quiet", "-checks=-*,readability-identifier-naming", str(whole), "--",
                             *options, "-ferror-limit=0"], cwd=root, capture_output=True, text=True)
    errors = [line for line in result.stdout.splitlines() if " error: " in line]
    named = [line for line in errors if "readability-identifier-naming" in line]
    places = {line.split(":")[0] for line in errors if line not in named}
    again = [path for path in paths if str(path) in places]
    if places - {str(path) for path in paths} or (result.returncode and not errors):
        again = paths
    found = [line for line in named if not line.startswith(str(build))]  # Bison chose those names
    if not again:
        return found
    if len(paths) == 1:
        return [f"{paths[0]}: clang-tidy failed: {result.stdout[:500]} {result.stderr[-300:]}"]
    if len(again) < len(paths):
        return found + check(again, options)
    half = len(paths) // 2
    return check(paths[:half], options) + check(paths[half:], options)


if not shutil.which("clang-tidy"):
    print("clang-tidy is not installed: nothing checked")
    sys.exit(77)
stamps.mkdir(exist_ok=True)
everything = sorted(units())
headers = included()
prints = {path: fingerprint(headers[path]) for path, _ in everything if path in headers}
groups = {}
for path, options in everything:
    if not (path in prints and stamp(path).exists() and stamp(path).read_text() == prints[path]):
        groups.setdefault((path.parent, tuple(options)), []).append(path)
chunks = [(paths[k:k + together], options) for (_, options), paths in groups.items()
          for k in range(0, len(paths), together)]
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    found = list(pool.map(lambda chunk: check(*chunk), chunks))
for (paths, _), problems in zip(chunks, found):
    for path in paths if not problems else []:
        if path in prints:
            stamp(path).write_text(prints[path])
finish(sorted({line for problems in found for line in problems}), len(everything))
