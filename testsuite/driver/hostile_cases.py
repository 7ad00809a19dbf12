# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cases of hostile.py: hostile command lines and files, and how hpcc ends."""
from dataclasses import dataclass

FILES = {
    "a.hpcpp": "int one();\nint main() { return one() - 1; }\n",
    "b.hpcpp": "int one() { return 1; }\n",
    "sub/a.hpcpp": "int two() { return 2; }\n",
    "wrong.hpcpp": "void f(double [[-]] a) { a[3] = 1; }\n",
    "reads.hpcpp": '#include "plain.hpp"\n#include "arrays.hph"\nint use() { return plain() + 0; }\n',
    "plain.hpp": "inline int plain() { return 1; }\n",
    "arrays.hph": "namespace arrays { inline int none = 0; }\n",
    "object.o": "not an object\n",
    "lib/libmine.a": "!<arch>\n",
    "prog": "#!/bin/sh\nexit 0\n",
    "old": "an old file\n",
}


def write_files(folder):
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    (folder / "prog").chmod(0o755)


@dataclass
class Case:
    name: str
    line: str
    codes: tuple
    says: str = ""
    prepare: str = ""
    slow: bool = False
    writes: bool = False     # it may leave outputs of what succeeded before
    compilers: bool = False  # a program that hpcc calls may call something an internal error of its own


def case(name, line, code, says, prepare="", **more):
    codes = code if isinstance(code, tuple) else (code,)
    return Case(name, line.replace("hpcc ", '"$HPCC" '), codes, says, prepare, **more)


# Names of a file, and what makes them.
ALIASES = {
    "same": ("{0}", ""),
    "dot": ("./{0}", ""),
    "folder": ("lib/../{0}", ""),
    "absolute": ('"$PWD/{0}"', ""),
    "hard": ("hard", "ln {0} hard"),
    "soft": ("soft", "ln -s {0} soft"),
    "links": ("far", 'ln -s "$PWD/{0}" soft; ln -s soft far'),
}
GOALS = {
    "program": "", "object": "-c", "assembly": "-S", "preprocessed": "-E", "cpp": "--emit=cpp",
    "lowered": "--emit=lowered", "parsed": "--emit=parsed", "tokens": "--emit=tokens",
}
OVERWRITTEN = r"hpcc: error: .* would be overwritten, but this command (reads|also writes) it.*; give the output another name"


def inputs_as_outputs():
    for goal, option in GOALS.items():
        for alias, (name, prepare) in ALIASES.items():
            yield case(f"input.{goal}.{alias}", f"hpcc {option} a.hpcpp -o {name.format('a.hpcpp')}", 2, OVERWRITTEN,
                       prepare.format("a.hpcpp"))
    for alias, (name, prepare) in ALIASES.items():
        for goal in ("-c", "-fopenmp"):
            yield case(f"input.depfile{goal}.{alias}", f"hpcc {goal} a.hpcpp -o new -MD -MF {name.format('a.hpcpp')}", 2,
                       OVERWRITTEN, prepare.format("a.hpcpp"))
    yield case("input.emit.depfile", "hpcc --emit=cpp a.hpcpp -o new -MD -MF a.hpcpp", 2, OVERWRITTEN)
    for goal in ("", "-c", "-S", "-E", "--emit=cpp", "--emit=checked"):
        for header in ("plain.hpp", "arrays.hph"):
            yield case(f"header{goal}.{header}", f"hpcc {goal} reads.hpcpp -o {header}", 2, OVERWRITTEN)
        yield case(f"header{goal}.hard", f"hpcc {goal} reads.hpcpp -o hard", 2, OVERWRITTEN, "ln plain.hpp hard")
    for other in ("b.hpcpp", "object.o", "lib/libmine.a", "-o"):
        name = "-Llib -lmine -o lib/libmine.a" if other == "-o" else f"{other} -o ./{other}"
        yield case(f"input.linked.{other}", f"hpcc a.hpcpp {name}", 2, OVERWRITTEN)
    for option in ("--emit=cpp", "-E", "-show -c"):
        yield case(f"input.appended.{option}", f"hpcc {option} a.hpcpp >>a.hpcpp", 2, OVERWRITTEN)


def outputs_twice():
    for goal in ("", "-c", "-S", "--emit=cpp"):
        for alias, (name, prepare) in ALIASES.items():
            yield case(f"twice{goal}.{alias}", f"hpcc {goal} a.hpcpp -o old -MD -MF {name.format('old')}", 2, OVERWRITTEN,
                       prepare.format("old"))
        yield case(f"twice.new{goal}", f"hpcc {goal} a.hpcpp -o new -MD -MF ./new", 2, OVERWRITTEN)
    yield case("twice.objects", "hpcc -c a.hpcpp sub/a.hpcpp", 2, OVERWRITTEN)
    yield case("twice.assembly", "hpcc -S a.hpcpp sub/a.hpcpp", 2, OVERWRITTEN)
    yield case("twice.depfiles", "hpcc -MD a.hpcpp sub/a.hpcpp -o new", 2, OVERWRITTEN)
    yield case("twice.depfile", "hpcc -MD -MF rules a.hpcpp b.hpcpp -o new", 2, OVERWRITTEN)
    yield case("twice.beside", "hpcc -c -MD a.hpcpp -o new.d", 2, OVERWRITTEN)


PRINTS = {
    "help": "--help", "version": "--version", "explain": "--explain HP2201", "show": "-show a.hpcpp", "preprocessed": "-E a.hpcpp",
    "assembly": "-S -o - a.hpcpp", "output": "-o - --emit=cpp a.hpcpp",
    **{stage: f"--emit={stage} a.hpcpp" for stage in
       ("tokens", "parsed", "checked", "pretranslated", "nests", "lowered", "optimized", "cpp", "header")},
}
TELLS = {
    "error": "-c wrong.hpcpp", "verbose": "-v -c b.hpcpp", "times": "--time-passes --emit=cpp -o new a.hpcpp",
    "after": "--print-after=parsed --emit=cpp -o new a.hpcpp", "json": "--diagnostics-format=json -c b.hpcpp",
    "sarif": "--diagnostics-format=sarif -c b.hpcpp", "missing": "-c missing.hpcpp", "run": "run -n 1 prog",
}
# A reader that has gone before anything is written.
GONE = "mkfifo gone; { sleep 0.02; } <gone & exec 9>gone; wait; %s >&9"


def streams():
    for name, words in PRINTS.items():
        yield case(f"stdout.full.{name}", f"hpcc {words} >/dev/full", 1, "No space left on device")
        yield case(f"stdout.closed.{name}", f"hpcc {words} >&-", 1, "Bad file descriptor")
        yield case(f"stdout.pipe.{name}", GONE % f"hpcc {words}", 1, "Broken pipe", writes=True)
    for name, words in TELLS.items():
        yield case(f"stderr.full.{name}", f"hpcc {words} 2>/dev/full", 1, "", writes=True)
        yield case(f"stderr.closed.{name}", f"hpcc {words} 2>&-", 1, "", writes=True)
    for goal in ("", "-c", "-S", "-E", "--emit=cpp"):
        yield case(f"output.full{goal}", f"hpcc {goal} a.hpcpp b.hpcpp -o /dev/full" if not goal else
                   f"hpcc {goal} a.hpcpp -o /dev/full", 1, "No space left on device")
        yield case(f"output.limit{goal}", f"ulimit -f 0; hpcc {goal} b.hpcpp -o new", 1, "File too large|size limit|large", slow=not
                   goal.startswith("--"))
    yield case("depfile.full", "hpcc -c b.hpcpp -o new -MD -MF /dev/full", 1, "No space left on device")


NO_SOURCES = {
    "pipe": ("mkfifo bad.hpcpp", "it is a pipe"),
    "folder": ("mkdir bad.hpcpp", "it is a directory"),
    "zero": ("ln -s /dev/zero bad.hpcpp", "it is a device"),
    "null": ("ln -s /dev/null bad.hpcpp", "it is a device"),
    "missing": ("", "No such file or directory"),
    "dangling": ("ln -s nowhere bad.hpcpp", "No such file or directory"),
    "circle": ("ln -s other bad.hpcpp; ln -s bad.hpcpp other", "Too many levels of symbolic links"),
    "huge": ("truncate -s 400M bad.hpcpp", "more than 256 MiB"),
    "endless": ("truncate -s 100T bad.hpcpp || truncate -s 8G bad.hpcpp", "more than 256 MiB"),
    "utf16": ("printf '\\377\\376i\\0n\\0t\\0 \\0x\\0;\\0' >bad.hpcpp", "1:4: error: this is not a text file.*HP1043(.|\n)*UTF-16; save it as"),
    "utf16.big": ("printf '\\376\\377\\0i\\0n\\0t\\0 \\0x\\0;' >bad.hpcpp", "1:3: error: this is not a text file(.|\n)*UTF-16; save it as"),
    "nul": ("printf 'int x;\\n\\0' >bad.hpcpp", "bad.hpcpp:2:1: error: this is not a text file"),
    "mark": ("printf '\\357\\273\\277void f(double [[-]] a) { a[3] = 1; }' >bad.hpcpp", "bad.hpcpp:1:28: error: .*HP2201"),
    "latin1": ("printf 'on (\\351) { a[[\\344' >bad.hpcpp", "bad.hpcpp:1:"),
}


def accepted():
    """What only looks hostile."""
    mark = "printf '\\357\\273\\277' | cat - b.hpcpp >marked.hpcpp"
    yield case("accepted.mark", "hpcc -c marked.hpcpp", 0, "", mark, writes=True)
    yield case("accepted.again", "hpcc -c b.hpcpp -o new; hpcc -c b.hpcpp -o new -MD -MF rules -MT new -MT rules", 0, "")
    yield case("accepted.header", "hpcc -c reads.hpcpp -o object.new -MD; hpcc -c reads.hpcpp -o object.new -MD -MP", 0, "")
    yield case("accepted.null", "hpcc -c b.hpcpp -o /dev/null -MD -MF /dev/null", 0, "")
    yield case("accepted.stdout", "hpcc --emit=cpp b.hpcpp -o /dev/stdout", 0, "")
    yield case("accepted.folders", "hpcc -c a.hpcpp && hpcc -c sub/a.hpcpp -o sub/a.o", 0, "")
    yield case("accepted.pipe", "hpcc --emit=cpp a.hpcpp | cat", 0, "")


def sources():
    for name, (prepare, says) in NO_SOURCES.items():
        for goal, option in (("program", ""), ("object", "-c"), ("cpp", "--emit=cpp"), ("rules", "-fsyntax-only")):
            yield case(f"source.{name}.{goal}", f"hpcc {option} bad.hpcpp", 1, says, prepare)
        if name in ("pipe", "folder", "zero", "circle", "missing"):
            says = "cannot find header|" + says
            yield case(f"header.{name}", "hpcc -c includes.hpcpp", 1, says,
                       prepare.replace("bad.hpcpp", "bad.hph") + "\necho '#include \"bad.hph\"' >includes.hpcpp")
            yield case(f"object.{name}", "hpcc b.hpcpp bad.o -o new", 1, "cannot read 'bad.o'", prepare.replace("bad.hpcpp", "bad.o"))
            yield case(f"run.{name}", "hpcc run -n 1 ./bad", 2, "hpcc: error: ", prepare.replace("bad.hpcpp", "bad"))
    long = "$(head -c 5000 /dev/zero | tr '\\0' x)"
    yield case("source.long", f"hpcc -c {long}.hpcpp", 1, "File name too long")
    yield case("header.long", "hpcc -c long.hpcpp", 1, "cannot find header", f"echo '#include \"'{long}'.hph\"' >long.hpcpp")
    yield case("object.long", f"hpcc b.hpcpp {long}.o -o new", 1, "File name too long")
    yield case("run.long", f"hpcc run -n 1 {long}", 2, "File name too long")
    for goal in ("", "-c", "--emit=cpp"):
        yield case(f"output.long{goal}", f"hpcc {goal} b.hpcpp -o {long}", 1, "File name too long")
        yield case(f"output.name{goal}", f"hpcc {goal} b.hpcpp -o $(head -c 256 /dev/zero | tr '\\0' x)", 1, "File name too long")
        yield case(f"output.folder{goal}", f"hpcc {goal} b.hpcpp -o lib", 1, "cannot write 'lib': it is a directory")
        yield case(f"output.nowhere{goal}", f"hpcc {goal} b.hpcpp -o no/such/new", 1, "No such file or directory")
        yield case(f"output.below{goal}", f"hpcc {goal} b.hpcpp -o old/new", 1, "Not a directory")
        yield case(f"output.circle{goal}", f"hpcc {goal} b.hpcpp -o c1", 1, "symbolic links", "ln -s c2 c1; ln -s c1 c2")
        yield case(f"output.link.nowhere{goal}", f"hpcc {goal} b.hpcpp -o dangling", 1, "No such file", "ln -s no/such dangling")
    yield case("object.name", "hpcc -c b.hpcpp -o $(head -c 255 /dev/zero | tr '\\0' x)", 0, "", writes=True)
    yield case("braces", "hpcc --emit=cpp braces.hpcpp", 1, "braces.hpcpp:|not enough memory",
               "printf 'void use(int [[*]] a) { a[0] = 1; }\\n' >braces.hpcpp; head -c 300000 /dev/zero | tr '\\0' '{' >>braces.hpcpp")


def limits():
    memory = "not enough memory|Cannot allocate memory|out of memory|memory exhausted|cannot run|failed to map|error"
    nested = "{ printf 'void use(int [[*]] a) { a[0] = 1; }\\nint f() { return '; head -c %d /dev/zero | tr '\\0' '('; printf 1; " \
             "head -c %d /dev/zero | tr '\\0' ')'; echo '; }'; } >deep.hpcpp"
    for kibibytes in (20000, 24000, 28000, 32000, 36000, 40000, 50000, 60000, 70000, 80000, 90000, 100000, 150000, 200000, 400000):
        yield case(f"memory.{kibibytes}", f"ulimit -v {kibibytes}; hpcc --emit=cpp a.hpcpp", (0, 1, 127), memory)
    for kibibytes in (60000, 100000, 130000, 160000, 200000, 300000):
        yield case(f"memory.compiles.{kibibytes}", f"ulimit -v {kibibytes}; hpcc -c b.hpcpp -o new", (0, 1), memory, compilers=True,
                   writes=True)
        yield case(f"memory.deep.{kibibytes}", f"ulimit -v {kibibytes}; hpcc --emit=cpp deep.hpcpp", (0, 1),
                   "not enough memory|nested too deeply", nested % (100000, 100000))
    for kibibytes in (600000, 1500000):
        yield case(f"memory.braces.{kibibytes}", f"ulimit -v {kibibytes}; hpcc --emit=cpp braces.hpcpp", 1,
                   "not enough memory|nested too deeply", "head -c 100000000 /dev/zero | tr '\\0' '{' >braces.hpcpp", slow=True)
    for handles in range(4, 14):
        yield case(f"handles.{handles}", f"ulimit -n {handles}; hpcc -c b.hpcpp -o new", (0, 1), "Too many open files|rror",
                   writes=True, compilers=True)
    for kibibytes in (64, 256, 1024):
        yield case(f"stack.{kibibytes}", f"ulimit -s {kibibytes}; hpcc --emit=cpp deep.hpcpp", 0, "", nested % (20000, 20000))


USAGE = {
    "": "no input files", "-o": "", "-o '' a.hpcpp": "needs a file name", "-o new": "no input files", "--nonsense a.hpcpp": "unknown option",
    "--emitt=cpp a.hpcpp": "did you mean", "--emit= a.hpcpp": "", "--emit": "", "--emit=nonsense a.hpcpp": "no stage",
    "--emit=cp a.hpcpp": "did you mean", "-O7 a.hpcpp": "no level", "-O-1 a.hpcpp": "no level", "-Ox a.hpcpp": "no level",
    "--pass=nonsense a.hpcpp": "no pass", "--pass=no- a.hpcpp": "no pass", "--pass": "", "--print-after=x a.hpcpp": "no such stage",
    "-c a.hpcpp b.hpcpp -o new": "several inputs", "--emit=cpp a.hpcpp b.hpcpp -o new": "several inputs", "-c object.o": "no source file",
    "-c arrays.hph": "emit=header", "arrays.hph": "emit=header", "-M a.hpcpp": "-MD", "-MM a.hpcpp": "-MD", "-MF": "",
    "--headers=x a.hpcpp": "goes with", "--emit=cpp -MD a.hpcpp": "needs -o", "--explain": "", "--explain x": "no diagnostic",
    "--explain HP9999": "near are", "--explain HP": "no diagnostic", "--explain ''": "no diagnostic", "--color=red a.hpcpp": "when to use color",
    "-fdiagnostics-color=red a.hpcpp": "when to use color", "--diagnostics-format=xml a.hpcpp": "no format",
    "--error-limit=-1 a.hpcpp": "no number", "--error-limit=x a.hpcpp": "no number", "-ferror-limit=1e9 a.hpcpp": "no number",
    "--error-limit=99999999999999999999 a.hpcpp": "no number", "-Wno-HP2201 a.hpcpp": "stays one", "-Werror=HP9999 a.hpcpp": "no diagnostic",
    "run": "no program", "run -n": "needs a value", "run -n 0 prog": "takes a number", "run -n -1 prog": "takes a number",
    "run -n 1e3 prog": "takes a number", "run -n 99999999999 prog": "takes a number", "run -n '' prog": "needs a value",
    "run --what prog": "no option", "run lib": "is a directory", "run old": "not an executable", "run missing": "no program",
    "run ''": "is a directory", "run a.hpcpp": "not an executable",
}


def usage():
    for number, (words, says) in enumerate(USAGE.items()):
        yield case(f"usage.{number}", f"hpcc {words}", 2, f"hpcc: error: .*{says}")


def surroundings():
    long = "$(head -c 5000 /dev/zero | tr '\\0' x)"
    for name, folder in (("missing", "/no/such"), ("file", "$PWD/old"), ("long", "/" + long)):
        yield case(f"tmpdir.{name}", f"TMPDIR={folder} hpcc -c b.hpcpp", 1, "TMPDIR|cannot make the folder")
    yield case("gone", 'mkdir gone; cd gone; rmdir ../gone; hpcc --emit=cpp ../reads.hpcpp', 1, "No such file|rror")
    for name, program in (("missing", "/no/such"), ("folder", "/tmp"), ("file", "$PWD/old"), ("long", "/" + long)):
        yield case(f"mpicxx.{name}", f"HPCC_MPICXX={program} hpcc -c b.hpcpp", 4, "is missing")
        yield case(f"mpiexec.{name}", f"HPCC_MPIEXEC={program} hpcc run -n 1 prog", 4, "is missing")
    yield case("mpicxx.other", "HPCC_MPICXX=$PWD/prog hpcc -c b.hpcpp", 4, "belong to different MPIs")
    yield case("mpiexec.other", "HPCC_MPIEXEC=$PWD/prog hpcc run -n 1 prog", 4, "belong to different MPIs")
    yield case("arguments", f"hpcc {'-DX=1 ' * 3000} --emit=cpp a.hpcpp", 0, "")
    yield case("inputs", "hpcc -c " + " ".join(f"no{k}.hpcpp" for k in range(300)), 1, "cannot read 'no0.hpcpp'")


def all_cases():
    for group in (accepted, inputs_as_outputs, outputs_twice, streams, sources, limits, usage, surroundings):
        yield from group()
