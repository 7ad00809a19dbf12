# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The launcher of the compiler for a second build folder: what the first one, which is built, has made by the same words is
copied, and anything else compiled.

    same_objects.py <first build folder> <second one> <compiler, after its own launcher if there is one> <word>.."""
import json
import os
import shlex
import shutil
import sys

first, second, *words = sys.argv[1:]


def after(option):
    return words[words.index(option) + 1] if option in words else None


def wordsOfFirst(made):
    """By which the first build folder makes this file."""
    with open(first + "/compile_commands.json", encoding="utf-8") as file:
        commands = [entry["command"] for entry in json.load(file)]
    found = [shlex.split(command) for command in commands if f" -o {made} " in command]
    return found[0] if found else None


def isSame(made):
    """True if the words are those of the first folder, but for the folder, a launcher and a file of dependencies."""
    rest, given = iter(words), []
    for word in rest:
        if word in ("-MT", "-MF"):
            next(rest)
        elif word != "-MD":
            given.append(word.replace(second, first))
    wanted = wordsOfFirst(made)
    return wanted is not None and wanted[0] in given and wanted == given[given.index(wanted[0]):]


made, dependencies = after("-o"), after("-MF")
if made and dependencies and os.path.exists(f"{first}/{made}") and isSame(made):
    shutil.copyfile(f"{first}/{made}", made)
    with open(dependencies, "w", encoding="utf-8") as file:
        file.write(f"{made}: {after('-c')}\n")
    sys.exit()
os.execvp(words[0], words)
