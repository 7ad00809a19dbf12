# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every source file says under which licence it stands.

    licence.py <build folder>            checks
    licence.py <build folder> --write    adds the line where it is missing

Without the line are: files that hold no comment (pictures, data, JSON, texts for comparison), documentation, settings of
tools (.clang-format, .gitignore ..), and the inputs of tests, whose lines are counted in messages or which are compared as a
whole: what lies in cases/ and corpus/ of the testsuite, its .hpcpp and .hph files."""
import pathlib
import re
import sys

from project import files, finish, parts, root, text

licence = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
slashes = {".cpp", ".hpp", ".h", ".hpcpp", ".hph", ".def", ".yy"}
hashes = {".py", ".sh", ".cmake", ".supp"}
inputs = {".hpcpp", ".hph"}


def comment(path):
    """The line for a file, or nothing if it needs none."""
    in_testsuite = path.parts[0] == "testsuite"
    if in_testsuite and (path.suffix in inputs or {"cases", "corpus"} & set(path.parts)):
        return None
    kind = pathlib.Path(path.stem).suffix if path.suffix == ".in" else path.suffix
    if kind == ".l":
        return f"/* {licence} */"
    if kind in slashes or path.name == "hpspmd":
        return f"// {licence}"
    is_script = text(path).startswith("#!")
    if kind in hashes or kind == ".pc" or path.name == "CMakeLists.txt" or is_script:
        return f"# {licence}"
    return None


def with_line(content, line):
    """Above all; in a script behind its opening comment, which may be its help."""
    if not content.startswith("#!"):
        return line + "\n" + content
    end = re.match(r"(?:#.*\n)*", content).end()
    return content[:end] + line + "\n" + content[end:]


problems, checked = [], 0
for path in files(folders=parts + ["package"]) + [pathlib.Path("hpc"), pathlib.Path("CMakeLists.txt")]:
    line = comment(path)
    if line is None:
        continue
    checked += 1
    if line in text(path).split("\n"):
        continue
    if "--write" in sys.argv:
        (root / path).write_text(with_line(text(path), line))
    else:
        problems.append(f"{path}: no line '{line}'; testsuite/rules/licence.py {sys.argv[1]} --write adds it")
finish(problems, checked)
