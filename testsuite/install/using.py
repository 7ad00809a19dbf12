# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/using_in_your_project.md, executed as it stands in an empty home folder.

    using.py <source folder> <build folder> [--shared]

With --shared the libraries are built as shared ones first, in a folder of their own, packed, and installed with the hpcc of
the build folder. Then: a build without changes does nothing, a changed .hph is translated again, and the moved install tree works."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

source, build = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
shared = "--shared" in sys.argv[3:]
page = (source / "docs" / "using_in_your_project.md").read_text()
scratch = tempfile.TemporaryDirectory()
home = pathlib.Path(scratch.name)
project = home / "project"
project.mkdir()
environment = dict(os.environ, HOME=str(home), MAKEFLAGS="", CCACHE_DISABLE="1")
for name in ("CMAKE_PREFIX_PATH", "PKG_CONFIG_PATH", "CXXFLAGS"):
    environment.pop(name, None)


def run(commands, folder=project, variables=environment, seconds=240):
    done = subprocess.run(["sh", "-e", "-c", commands], cwd=folder, env=variables, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=seconds)
    if done.returncode != 0:
        sys.exit(f"FAILED with {done.returncode}:\n{commands}\n{done.stdout}")
    return done.stdout


def demand(holds, what, text):
    if not holds:
        sys.exit(f"FAILED: {what}:\n{text}")


def sharedTree():
    """A build folder with shared libraries, of objects that the other one has if they are compiled alike, and the programs of
    that one that do not need them."""
    tree = home / "tree"
    cache = dict(re.findall(r"^(\w+):\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.M))
    same = ("CMAKE_BUILD_TYPE", "CMAKE_CXX_COMPILER", "HPCPP_MPICXX", "HPCPP_MPIEXEC", "HPCPP_PRECOMPILED_HEADERS")
    launcher = [sys.executable, source / "testsuite" / "install" / "same_objects.py", build, tree]
    launcher += filter(None, [cache.get("CMAKE_CXX_COMPILER_LAUNCHER")])
    options = " ".join([f"-D{name}='{cache[name]}'" for name in same if cache.get(name)] +
                       [f"-DCMAKE_CXX_COMPILER_LAUNCHER='{';'.join(map(str, launcher))}'"])
    run(f"cmake -S {source} -B {tree} -G '{cache['CMAKE_GENERATOR']}' {options} -DBUILD_SHARED_LIBS=ON -DBUILD_TESTING=OFF\n"
        f"cmake --build {tree} --parallel 2 --target hpspmd_adlib hpspmd_bill hpspmd_cost hpspmd_layout hpspmd_look hpspmd_movie hpspmd_profile hpspmd_speeds hpspmd_test hpspmd_devices hpspmd_kernels hpcc_cpu_check", home, os.environ, 1500)
    shutil.copy2(build / "bin" / "hpcc", tree / "bin")
    shutil.copytree(build / "share", tree / "share")
    tryPackages(tree)
    return tree


def tryPackages(tree):
    """The libraries are a Debian package of their own: programs need nothing else of ours where they run."""
    if not shutil.which("dpkg-deb") or not shutil.which("dpkg-shlibdeps"):
        return
    out = home / "deb"
    run(f"DPKG_DEB_COMPRESSOR_TYPE=none sh {source}/package/deb.sh {source} {tree} {out}", home)
    library, = out.glob("libhpspmd0-*.deb")
    flavour = library.name.split("_")[0].removeprefix("libhpspmd0-")
    compiler, = out.glob(f"hpcpp-{flavour}_*.deb")
    fields, version = run(f"dpkg-deb --field {compiler}"), run(f"dpkg-deb --field {compiler} Version").strip()
    demand(f"Depends: hpcpp-common (= {version}), g++" in fields and f" libhpspmd0-{flavour} (= {version}), lib" in fields, "dependencies", fields)
    fields = run(f"dpkg-deb --field {library}")
    demand("Depends: libc6 (>= " in fields and f"Provides: libhpspmd0 (= {version})" in fields and "Section: libs" in fields, "fields", fields)
    held = [re.findall(r"/([^/]+\.so)$", run(f"dpkg-deb --contents {each}"), re.M) for each in (library, compiler)]
    demand(held == [["libhpspmd_adlib.so", "libhpspmd_runtime.so"], []], "the shared libraries lie elsewhere", str(held))
    program = home / "packaged.hpcpp"
    program.write_text("#include <hpspmd>\nusing namespace hpspmd;\nint main() {\n    Procs1 p;\n    on (p) {\n"
                       "        Adlib::gprintln(\"processes \", p.size());\n    }\n}\n")
    compilers, libraries = home / "compiler", home / "libraries"
    run(f"dpkg-deb -x {compiler} {compilers} && dpkg-deb -x {library} {libraries} && cp -r {libraries}/. {compilers}", home)
    hpcc, = compilers.rglob("bin/hpcc")
    output = run(f"{hpcc} {program} -o packaged && {hpcc} run -n 2 ./packaged", home)
    demand(output.endswith("processes 2\n"), "compiled with the packages", output)
    shutil.rmtree(compilers)
    folder = next(libraries.rglob("*.so")).parent
    output = run(f"LD_LIBRARY_PATH={folder} {build}/bin/hpcc run -n 2 ./packaged", home)
    demand(output.endswith("processes 2\n"), "with the package of the libraries alone", output)
    shutil.rmtree(libraries)


def install(commands):
    """The tree is built already, and maybe elsewhere than in build/."""
    demand("./hpc build\n" in commands and "cmake --install build " in commands, "not the commands known", commands)
    folder = sharedTree() if shared else build
    run(commands.replace("./hpc build\n", "").replace("--install build ", f"--install {folder} "), source)


def energy(output):
    found = re.search(r"^energy (\S+)$", output, re.M)
    demand(found, "no energy printed", output)
    return float(found[1])


# Of b[i] = i for 1 <= i <= 48.
expected = sum(i * i for i in range(1, 49))
ran = 0
for kind, name, text in re.findall(r"<!-- (file|run|ctest)([^>]*) -->\n```\w+\n(.*?)^```$", page, re.M | re.S):
    if kind == "file":
        (project / name.strip()).write_text(text)
    elif name:
        install(text)
    elif kind == "ctest":
        demand("100% tests passed, 0 tests failed out of 5" in run(text), "the tests fail", text)
        kept = (project / "budget.json").read_text()
        for broken in (kept.replace('"bytes": 8', '"bytes": 7'), kept.replace('"messages": 1', '"messages": 0'),
                       kept.replace("smooth.hph:6", "oth.hph:6")):
            demand(broken != kept, "the same budget", broken)
            (project / "budget.json").write_text(broken)
            output = run(f"! {text.strip()} -R budget")
            demand("smooth.hph:6: a process sends 1 message with 8 bytes" in output, "no word of the line", output)
        (project / "budget.json").write_text(kept)
        # A program that depends on the number of processes fails there, and nowhere else.
        right = (project / "main.hpcpp").read_text()
        (project / "main.hpcpp").write_text(right.replace("a[i] = i`", "a[i] = i` * p.size()"))
        demand(right != (project / "main.hpcpp").read_text(), "the same program", right)
        output = run(f"cmake --build build && ! {text}")
        demand("3 tests failed" not in output and "smooth.invariant (Failed)" in output and "main.hpcpp:13, 1st execution" in output, "not invariant", output)
        (project / "main.hpcpp").write_text(right)
        run("cmake --build build")
    else:
        demand(energy(run(text)) == expected, f"the energy is not {expected}", text)
        ran += 1
demand(ran == 3, "there should be three ways to build", page)

rebuild = "cmake --build build && $HOME/hpcpp/bin/hpcc run -n 2 build/smooth"
output = run(rebuild)
demand("Translating" not in output and "Building" not in output, "a build without changes does something", output)
header = project / "smooth.hph"
header.write_text(header.read_text().replace("0.5", "1.0"))
for commands in (rebuild, "export PKG_CONFIG_PATH=$HOME/hpcpp/lib/pkgconfig\nmake && ./smooth.make"):
    demand(energy(run(commands)) == 4 * expected, "a changed header is not translated again", commands)

(home / "hpcpp").rename(home / "moved")
shutil.rmtree(project / "build")
moved = run("cmake -S . -B build -DCMAKE_PREFIX_PATH=$HOME/moved && cmake --build build && "
            "$HOME/moved/bin/hpcc run -n 2 build/smooth && rm main.o main.d && "
            "PKG_CONFIG_PATH=$HOME/moved/lib/pkgconfig make")
demand(energy(moved) == 4 * expected, "the moved tree gives another answer", moved)
for program in ("build/smooth", "./smooth.make", "$HOME/moved/bin/hpspmd-cost"):
    needed = run(f"ldd {program} | grep libhpspmd_ || true")
    ours = [line for line in needed.splitlines() if str(home / "moved") in line]
    demand(len(ours) == len(needed.splitlines()) and bool(ours) == shared, f"{program} needs other libraries", needed)
for wrong, message in (("TARGET smoth NP 1 INVARIANT", "no target 'smoth'"), ("TARGET smooth NP 1 x INVARIANT", "not '1;x'"),
                       ("TARGET smooth NP 1 SUMS near", "SUMS needs INVARIANT"), ("TARGET smooth NP 1 INVARIANT MORE", "unexpected 'MORE'")):
    lists = (project / "CMakeLists.txt").read_text()
    (project / "CMakeLists.txt").write_text(lists.replace("TARGET smooth NP 1 2 3 INVARIANT", wrong))
    output = run("! cmake -S . -B build")
    demand(message in " ".join(output.split()), f"hpcpp_add_test({wrong})", output)
    (project / "CMakeLists.txt").write_text(lists)
for wrong, message in (("smoth NP 2 FILE budget.json", "no target 'smoth'"), ("smooth NP 0 FILE budget.json", "not '0'"),
                       ("smooth FILE budget.json", "not ''"), ("smooth NP 2", "FILE names a budget"),
                       ("smooth NP 2 FILE budget.json more", "unexpected 'more'")):
    lists = (project / "CMakeLists.txt").read_text()
    (project / "CMakeLists.txt").write_text(lists.replace("smooth NP 2 FILE budget.json", wrong))
    output = run("! cmake -S . -B build")
    demand(message in " ".join(output.split()), f"hpcpp_add_budget({wrong})", output)
    (project / "CMakeLists.txt").write_text(lists)
demand(energy(run("$HOME/moved/bin/hpcc main.hpcpp energy.cpp -o alone && $HOME/moved/bin/hpcc run -n 2 ./alone")) ==
       4 * expected, "hpcc alone gives another answer", "")
# Patterns in plain C++, without hpcc.
(project / "saxpy.cpp").write_text("""
#include <hpspmd/patterns.hpp>
#include <cstdio>
using namespace hpspmd::patterns;
int main() {
    const std::vector<float> x = {1, 2, 3}, y = {10, 20, 30};
    const auto saxpy = zip | map([](float x, float y) { return 2 * x + y; });
    std::printf("%g %g\\n", saxpy(x, y)[2], (saxpy | reduce(std::plus<>(), 1.0f))(x, y));
}
""")
flags = "PKG_CONFIG_PATH=$HOME/moved/lib/pkgconfig pkg-config"
saxpy = run(f"$({flags} --variable=mpicxx hpcpp) -std=c++17 saxpy.cpp $({flags} --cflags --libs hpcpp) -o saxpy && ./saxpy")
demand(saxpy == "36 73\n", "patterns give another answer", saxpy)
# hpcc run builds a project first, by CMake, with the hpcpp beside it; in its folder, too, and when it is built already.
run("$HOME/moved/bin/hpcc new heat")
first = run("$HOME/moved/bin/hpcc run -n 2 heat")
demand("cmake -S heat -B heat/build" in first and "mpiexec" in first and re.search("^sum = [0-9]", first, re.M), "hpcc run heat", first)
again = run("cd heat && $HOME/moved/bin/hpcc run --quiet -n 3 2>&1")
demand(again == re.search("^sum = .*\n", first, re.M)[0], "hpcc run in the project's folder prints something else", again)
(project / "heat" / "CMakeLists.txt").write_text((project / "heat" / "CMakeLists.txt").read_text().replace("add_executable(heat)", "add_executable(heat)\nset_target_properties(heat PROPERTIES OUTPUT_NAME plate)"))
renamed = run("rm heat/build/heat && ! $HOME/moved/bin/hpcc run heat")
demand("makes no program 'heat/build/heat'; name the one to be run" in renamed, "a program of another name", renamed)
demand("messages" in run("$HOME/moved/bin/hpspmd-cost writeHalo 4 ext:100:1:1"), "hpspmd-cost does not run", "")
demand(str(source) not in (project / "build" / "CMakeCache.txt").read_text(), "the source tree is used", "")
print("ok")
