"""Our parser and clang agree on what real C++ declares, and where.

    clang_differential.py <build folder> <declared_names> [step]

Parses every step-th translation unit of translator, runtime and adlib (default 10) with libclang, takes the variables,
parameters, fields, functions and type names that clang declares in the file itself, and compares name, line and column
with what our parser declares: nothing may be declared that clang does not declare, and nothing be missed. (Structured
bindings are left out: libclang does not show them; operators too, whose names have several tokens, and
what a macro declares.)"""
import json
import pathlib
import re
import shlex
import subprocess
import sys

try:
    from clang import cindex
except ImportError:
    print("python3-clang is not installed: nothing compared")
    sys.exit(77)

build, tool = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
step = int(sys.argv[3]) if len(sys.argv) > 3 else 10
root = pathlib.Path(__file__).resolve().parents[2]
kinds = {getattr(cindex.CursorKind, name) for name in (
    "VAR_DECL", "PARM_DECL", "FIELD_DECL", "FUNCTION_DECL", "CXX_METHOD", "FUNCTION_TEMPLATE", "CONSTRUCTOR",
    "TYPEDEF_DECL")}


def units():
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"])
        if path.is_relative_to(root) and not path.is_relative_to(build):
            if path.relative_to(root).parts[0] in ("translator", "runtime", "adlib"):
                yield str(path), entry


def arguments(entry):
    words = shlex.split(entry["command"])
    words = words[2:] if words[0].endswith("ccache") else words[1:]
    return [word for word in words[:words.index("-o")] if not word.startswith(("-W", "-O"))]


def declared(cursor, path, lines, found):
    for child in cursor.get_children():
        place = child.location
        if place.file is None or place.file.name != path:
            continue
        name = child.spelling.split("<")[0]
        if child.kind in kinds and name and lines[place.line - 1].startswith(name, place.column - 1):
            if not re.match(r"operator\W", child.spelling):
                found.add((place.line, place.column, name))
        declared(child, path, lines, found)


def of_clang(path, entry):
    unit = cindex.Index.create().parse(path, args=arguments(entry))
    errors = [str(d) for d in unit.diagnostics if d.severity >= cindex.Diagnostic.Error]
    if errors:
        sys.exit(f"clang does not parse {path}: {errors[0]}")
    found = set()
    declared(unit.cursor, path, pathlib.Path(path).read_text().splitlines(), found)
    return unit, found


def confirmed(unit, path, names):
    """Those that clang finds by their place: its walk leaves out lambdas that become function pointers."""
    for line, column, name in names:
        place = cindex.SourceLocation.from_position(unit, cindex.File.from_name(unit, path), line, column)
        if cindex.Cursor.from_location(unit, place).spelling == name:
            yield line, column, name


def of_ours(path):
    listed = subprocess.run([tool, path], capture_output=True, text=True, check=True).stdout
    found = set()
    for line in listed.splitlines():
        place, name = line.rsplit(" ", 1)
        _, row, column = place.rsplit(":", 2)
        found.add((int(row), int(column), name))
    return found


problems, agreed = [], 0
for path, entry in list(units())[::step]:
    unit, clang = of_clang(path, entry)
    ours = of_ours(path)
    clang |= set(confirmed(unit, path, ours - clang))
    agreed += len(clang & ours)
    for word, names in (("missed", clang - ours), ("not declared for clang", ours - clang)):
        problems += [f"{path}:{line}:{column}: {name} is {word}" for line, column, name in sorted(names)]
print(f"{agreed} declared names agree with clang")
print("\n".join(problems))
sys.exit(bool(problems) or agreed < 100)
