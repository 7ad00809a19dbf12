"""Seeds for the fuzzers, from the programs and cases that are there already.

    make_seeds.py <folder>      writes each once, named by its content

Programs of examples and tests, the sources of golden cases, the programs in the pages of docs/diagnostics. Long ones are
left out: small programs are run more often, and every form stands in one."""
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


folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
seeds = {hashlib.sha1(program).hexdigest(): program for program in programs() if len(program) <= longest}
for old in folder.iterdir():
    if old.name not in seeds:
        old.unlink()
for name, program in seeds.items():
    if not (folder / name).exists():
        (folder / name).write_bytes(program)
print(f"{len(seeds)} seeds in {folder}")
