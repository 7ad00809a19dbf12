# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Seeds for the fuzzers, from the programs and cases that are there already.

    make_seeds.py <folder>      writes each once, named by its content

Programs of examples and tests, the sources of golden cases, the programs in the pages of docs/diagnostics. Of
long ones come the functions, each with the includes and the classes that it names: small programs are run more often."""
import hashlib
import pathlib
import re
import sys

longest = 1000
root = pathlib.Path(__file__).resolve().parents[2]


def programs():
    for folder in ("examples", "bench", "testsuite"):
        for path in sorted((root / folder).rglob("*.h*")):
            if path.suffix in (".hpcpp", ".hph"):
                yield path.read_bytes()
    for path in sorted((root / "testsuite").rglob("*.golden")):
        yield re.search(rb"^==== source\n(.*?)(?=^====|\Z)", path.read_bytes(), re.S | re.M)[1]
    for path in sorted((root / "docs" / "diagnostics").glob("*.md")):
        yield from re.findall(rb"^```cpp\n(.*?)^```", path.read_bytes(), re.S | re.M)


def pieces(program):
    """The program, if it is short; else its short functions, each behind the includes."""
    if len(program) <= longest:
        return [program]
    head = b"".join(re.findall(rb"^(?:#include.*|using namespace.*;)\n", program, re.M))
    types = re.findall(rb"^((?:struct|class) (\w+) \{\n(?:(?!\}).*\n)*\};\n|using (\w+) = .*;\n)", program, re.M)
    functions = re.findall(rb"^[^\s#/}].*\n(?:(?![}\n]).*\n)*}\n", program, re.M)
    return [piece for piece in (head + declared(types, function) + function for function in functions)
            if len(piece) <= longest]


def declared(types, function):
    """Those types that the function names, and those that they name."""
    result = b""
    for text, *names in reversed(types):
        if any(name and re.search(rb"\b" + name + rb"\b", result + function) for name in names):
            result = text + result
    return result


folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
seeds = {hashlib.sha1(piece).hexdigest(): piece for program in programs() for piece in pieces(program)}
for old in folder.iterdir():
    if old.name not in seeds:
        old.unlink()
for name, program in seeds.items():
    if not (folder / name).exists():
        (folder / name).write_bytes(program)
print(f"{len(seeds)} seeds in {folder}")
