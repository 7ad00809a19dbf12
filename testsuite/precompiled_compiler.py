#!@Python3_EXECUTABLE@ -ISE
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C++ compiler of the programs that tests build: half of the time that one takes goes into the headers of <hpspmd>,
so GCC precompiles them once for each set of flags.

    HPCPP_COMPILER=<g++> HPCPP_INCLUDE=<folder of headers> HPCPP_PRECOMPILED=<folder> precompiled_compiler.py <words of g++>

MPI's wrapper calls it instead of g++ (MPICH_CXX, OMPI_CXX). Only a program that includes <hpspmd>, and defines nothing
before, is compiled so; what is precompiled are the files that it would include. Anything else goes to g++ as it is.
Headers are precompiled when a set of flags is asked for the third time, and again when a file that went into them has
changed. What does not compile so is compiled without. CMake writes the interpreter into the first line."""
import os
import sys

compiler, include, store = (os.environ[f"HPCPP_{name}"] for name in ("COMPILER", "INCLUDE", "PRECOMPILED"))
if not {"-c", "-fsyntax-only"}.intersection(sys.argv):  # it links
    os.execv(compiler, [compiler, *sys.argv[1:]])

import hashlib  # noqa: E402
import re  # noqa: E402
import subprocess  # noqa: E402
import time  # noqa: E402

withArgument = {"-o", "-I", "-iquote", "-x", "-isystem", "-include", "-L", "-D", "-MF", "-MQ", "-MT"}
# Other goals, and flags whose meaning a precompiled header does not keep.
others = re.compile(r"-(MM?$|MG|g|E$|S$|U|d|v$|###|imacros|save-temps)")


def pairs(words):
    """Each word, with its argument where that is a word of its own."""
    rest = iter(words)
    return [(word, next(rest, "")) if word in withArgument else (word,) for word in rest]


def foldersOf(given):
    """The program's own folders of headers."""
    return [(word[2:], *rest)[-1] for word, *rest in given if word.startswith("-I")]


def sourceOf(given):
    """The only source, if headers may be precompiled for these words."""
    files = [word for word, *_ in given if not word.startswith("-")]
    isCompiled = any(word in ("-c", "-fsyntax-only") for word, *_ in given) and ("-x", "c++") in given
    isOther = any(others.match(word) for word, *_ in given)
    areOwn = all(folder.startswith(include) for word, *rest in given if word == "-isystem" for folder in rest)
    isShadowed = any(os.path.exists(folder + "/hpspmd") for folder in foldersOf(given))
    return files[0] if len(files) == 1 and isCompiled and areOwn and not isShadowed and not isOther else None


def includesFirst(path):
    """True if no directive but inclusions stands before that of <hpspmd>."""
    with open(path, encoding="utf-8", errors="replace") as file:
        directives = re.findall(r"^[ \t]*#[ \t]*(\w+)[ \t]*([^\n]*)", file.read(), re.M)
    for directive, rest in directives:
        if directive == "include" and rest.startswith("<hpspmd>"):
            return True
        if directive not in ("include", "line", "pragma"):
            return False
    return False


def settingsOf(given):
    """The words that decide what headers become: not folders of the program, nor warnings."""
    return [word for pair in given for word in pair
            if re.match(r"-(O|f|m|std|D|isystem|pthread)", pair[0])
            and not re.match(r"-f(macro-prefix-map|syntax-only|diagnostics)", pair[0])]


def isFresh(made):
    """True if no file that went into it has changed since, the compiler among them."""
    try:
        begun = os.stat(made).st_mtime_ns
        with open(made + ".files", encoding="utf-8") as file:
            return all(os.stat(name).st_ctime_ns < begun for name in file.read().split("\n"))
    except OSError:
        return False


def isThirdTime(folder):
    os.makedirs(folder, exist_ok=True)
    with open(folder + "/asked", "ab") as file:
        file.write(b".")
        return file.tell() >= 3


def isOurTurn(lock):
    """False if another process is at it, or failed less than 15 minutes ago."""
    try:
        os.mkdir(lock)
        return True
    except FileExistsError:
        try:
            isOver = time.time() - os.stat(lock).st_mtime > 900
        except FileNotFoundError:
            return False
        if isOver:
            os.utime(lock)
        return isOver


def make(folder, settings):
    """Precompiles what <hpspmd> includes; nobody finds it before it is complete. True if it is there."""
    lock, header = folder + "/making", folder + "/hpspmd.hpp"
    if not isOurTurn(lock):
        return False
    with open(include + "/umbrella/hpspmd", encoding="utf-8") as file:
        inclusions = re.findall(r"^#include .*\n", file.read().split("#if")[0], re.M)
    with open(header, "w", encoding="utf-8") as file:
        file.write("".join(inclusions))
    begun = os.stat(header).st_ctime_ns
    part = lock + "/part"
    command = [compiler, *settings, "-x", "c++-header", header, "-o", part, "-MD", "-MF", part + ".d"]
    quiet = subprocess.DEVNULL
    if subprocess.run(command, stdin=quiet, stdout=quiet, stderr=quiet).returncode != 0:
        return False
    with open(part + ".d", encoding="utf-8") as file:
        files = file.read().split(":", 1)[1].replace("\\\n", " ").split()
    with open(part + ".files", "w", encoding="utf-8") as file:
        file.write("\n".join([os.path.realpath(compiler), include + "/umbrella/hpspmd", *files]))
    os.utime(part, ns=(begun + 1, begun + 1))
    os.replace(part + ".files", header + ".gch.files")
    os.replace(part, header + ".gch")
    os.remove(part + ".d")
    os.rmdir(lock)
    return True


def precompiled(words):
    """The header to include first, or None."""
    given = pairs(words)
    source = sourceOf(given)
    if not source or not includesFirst(source):
        return None
    settings = settingsOf(given)
    folder = store + "/" + hashlib.sha256("\n".join(settings).encode()).hexdigest()[:16]
    header = folder + "/hpspmd.hpp"
    return header if isFresh(header + ".gch") or (isThirdTime(folder) and make(folder, settings)) else None


try:
    found = precompiled(sys.argv[1:])
    if found:
        done = subprocess.run([compiler, "-include", found, *sys.argv[1:]], stderr=subprocess.PIPE)
        if done.returncode == 0:
            sys.stderr.buffer.write(done.stderr)
            sys.exit()
except OSError:  # No space, say.
    pass
os.execv(compiler, [compiler, *sys.argv[1:]])  # errors are those of the text alone
