"""clang-tidy agrees with every name in the translation units of translator, runtime and adlib and their headers.

Usage: naming.py <build folder>. Units that passed before and have not changed, nor anything they include, are
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

from project import finish, root

build = pathlib.Path(sys.argv[1]).resolve()
stamps = build / "naming_stamps"


def units():
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"])
        if path.is_relative_to(root) and path.relative_to(root).parts[0] in ("translator", "runtime", "adlib"):
            if not path.is_relative_to(build):
                yield path, entry


def fingerprint(entry):
    """Hash of the rules and of every project file that the unit includes."""
    words = shlex.split(entry["command"])
    words = words[1:] if words[0].endswith("ccache") else words
    words = words[:words.index("-o")] + ["-MM", entry["file"]]
    rule = subprocess.run(words, cwd=entry["directory"], capture_output=True, text=True).stdout
    names = rule.replace("\\\n", " ").split()[1:]
    digest = hashlib.sha256((root / ".clang-tidy").read_bytes())
    for name in names:
        digest.update((pathlib.Path(entry["directory"]) / name).read_bytes())
    return digest.hexdigest()


def check(unit):
    path, entry = unit
    stamp = stamps / str(path.relative_to(root)).replace("/", "-")
    print_of_unit = fingerprint(entry)
    if stamp.exists() and stamp.read_text() == print_of_unit:
        return []
    result = subprocess.run(["clang-tidy", "-quiet", "-p", str(build), "-checks=-*,readability-identifier-naming",
                             str(path)], cwd=root, capture_output=True, text=True)
    named = [line for line in result.stdout.splitlines() if "readability-identifier-naming" in line]
    found = [line for line in named if not line.startswith(str(build))]  # Bison chose those names
    if result.returncode and not named:
        found = [f"{path}: clang-tidy failed: {result.stdout[:500]} {result.stderr[-300:]}"]
    if not found:
        stamp.write_text(print_of_unit)
    return found


if not shutil.which("clang-tidy"):
    print("clang-tidy is not installed: nothing checked")
    sys.exit(77)
stamps.mkdir(exist_ok=True)
everything = list(units())
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    problems = sorted({line for found in pool.map(check, everything) for line in found})
finish(problems, len(everything))
