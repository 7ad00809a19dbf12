# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the rule checks share: the project's files, and how a check reports."""
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parents[2]
parts = ["translator", "include", "runtime", "adlib", "examples", "bench", "testsuite"]


def files(*endings, folders=parts):
    """Paths below the folders with one of the endings, relative to the root, in a fixed order."""
    found = []
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            is_generated = "__pycache__" in path.parts
            if path.is_file() and not is_generated and (not endings or path.suffix in endings):
                found.append(path.relative_to(root))
    return found


def text(path):
    return (root / path).read_text(encoding="utf-8", errors="replace")


def withoutPrecompiled(words):
    """The options of a compilation as another compiler takes them: GCC's precompiled headers are not for it."""
    return [word for word, before in zip(words, ["", *words])
            if word != "-Winvalid-pch" and not (word == "-include" or before == "-include")]


def finish(problems, checked):
    """Prints the problems and ends; a check that looked at nothing has failed as well."""
    for problem in problems:
        print(problem)
    print(f"{checked} checked, {len(problems)} problems")
    sys.exit(1 if problems or not checked else 0)
