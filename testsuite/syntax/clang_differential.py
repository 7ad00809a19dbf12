# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Our parser and clang agree on what real C++ declares, and where.

    clang_differential.py <build folder> <declared_names> [step]

Parses every step-th translation unit of translator, runtime and adlib (default 30) with libclang, takes the variables,
parameters, fields, functions and type names that clang declares in the file itself, and compares name, line and column
with what our parser declares: nothing may be declared that clang does not declare, and nothing be missed. (Structured
bindings are left out: libclang does not show them; operators too, whose names have several tokens, and
what a macro declares.) Statements, lambdas, casts and the like that clang has must be nodes of ours with the same start,
and next to all of ours nodes of clang's, whose walk leaves some out."""
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
step = int(sys.argv[3]) if len(sys.argv) > 3 else 30
root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "testsuite/rules"))
from project import withoutPrecompiled  # noqa: E402
kinds = {getattr(cindex.CursorKind, name) for name in (
    "VAR_DECL", "PARM_DECL", "FIELD_DECL", "FUNCTION_DECL", "CXX_METHOD", "FUNCTION_TEMPLATE", "CONSTRUCTOR",
    "TYPEDEF_DECL")}
# clang's kind -> ours, and the word that it begins with in the text: what a macro makes begins elsewhere.
nodes = {getattr(cindex.CursorKind, name): ("@" + ours, word) for name, ours, word in (
    ("IF_STMT", "If", "if"), ("WHILE_STMT", "While", "while"), ("DO_STMT", "DoWhile", "do"), ("FOR_STMT", "For", "for"),
    ("CXX_FOR_RANGE_STMT", "RangeFor", "for"), ("SWITCH_STMT", "Switch", "switch"), ("CASE_STMT", "Case", "case"),
    ("RETURN_STMT", "Return", "return"), ("BREAK_STMT", "Break", "break"), ("CONTINUE_STMT", "Continue", "continue"),
    ("CXX_TRY_STMT", "Try", "try"), ("LAMBDA_EXPR", "Lambda", "["), ("CSTYLE_CAST_EXPR", "Cast", "("),
    ("CXX_NEW_EXPR", "New", "new"), ("CXX_DELETE_EXPR", "Delete", "delete"), ("CXX_THROW_EXPR", "Throw", "throw"),
    ("CXX_STATIC_CAST_EXPR", "NamedCast", "static_cast"), ("COMPOUND_STMT", "Compound", "{"))}


def units():
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"])
        if path.is_relative_to(root) and not path.is_relative_to(build):
            if path.relative_to(root).parts[0] in ("translator", "runtime", "adlib"):
                yield str(path), entry


def arguments(entry):
    words = shlex.split(entry["command"])
    words = words[2:] if words[0].endswith("ccache") else words[1:]
    return [word for word in withoutPrecompiled(words[:words.index("-o")]) if not word.startswith(("-W", "-O"))]


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


def held(cursor, path, lines, found):
    for child in cursor.get_children():
        place = child.extent.start
        if place.file is None or place.file.name != path:
            continue
        ours, word = nodes.get(child.kind, ("", ""))
        if word and lines[place.line - 1].startswith(word, place.column - 1):
            found.add((place.line, place.column, ours))
        held(child, path, lines, found)


def of_clang(path, entry):
    unit = cindex.Index.create().parse(path, args=arguments(entry))
    errors = [str(d) for d in unit.diagnostics if d.severity >= cindex.Diagnostic.Error]
    if errors:
        sys.exit(f"clang does not parse {path}: {errors[0]}")
    lines = pathlib.Path(path).read_text().splitlines()
    found, inside = set(), set()
    declared(unit.cursor, path, lines, found)
    held(unit.cursor, path, lines, inside)
    return unit, found, inside


def confirmed(unit, path, names):
    """Those that clang finds by their place: its walk leaves out lambdas that become function pointers."""
    for line, column, name in names:
        place = cindex.SourceLocation.from_position(unit, cindex.File.from_name(unit, path), line, column)
        if cindex.Cursor.from_location(unit, place).spelling == name:
            yield line, column, name


def behind_attributes(lines, row, column):
    """Of `[[unlikely]] return x;` ours begins with the attribute, clang's behind it."""
    text = "\n".join(lines[row - 1:])
    attributes = re.match(r"(\[\[[^\]]*\]\]\s*)*", text[column - 1:]).group()
    newlines = attributes.count("\n")
    return row + newlines, len(attributes.rsplit("\n", 1)[-1]) + (1 if newlines else column)


def of_ours(path):
    listed = subprocess.run([tool, path], capture_output=True, text=True, check=True).stdout
    lines = pathlib.Path(path).read_text().splitlines()
    found = set()
    for line in listed.splitlines():
        place, name = line.rsplit(" ", 1)
        row, column = map(int, place.rsplit(":", 2)[1:])
        found.add((*behind_attributes(lines, row, column), name))
    return found


problems, agreed, agreed_nodes, alone = [], 0, 0, 0
for path, entry in list(units())[::step]:
    unit, clang, inside = of_clang(path, entry)
    all_ours = of_ours(path)
    ours = {each for each in all_ours if not each[2].startswith("@")}
    own_nodes = {each for each in all_ours if each[2] in {kind for kind, _ in nodes.values()}}
    agreed_nodes += len(inside & own_nodes)
    alone += len(own_nodes - inside)
    problems += [f"{path}:{line}:{column}: {kind[1:]} is missed" for line, column, kind in sorted(inside - own_nodes)]
    clang |= set(confirmed(unit, path, ours - clang))
    agreed += len(clang & ours)
    for word, names in (("missed", clang - ours), ("not declared for clang", ours - clang)):
        problems += [f"{path}:{line}:{column}: {name} is {word}" for line, column, name in sorted(names)]
print(f"{agreed} declared names and {agreed_nodes} nodes agree with clang; {alone} nodes are not seen by clang's walk")
print("\n".join(problems))
sys.exit(bool(problems) or agreed < 100 or agreed_nodes < 100 or alone > agreed_nodes // 50)
