# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The recipe for Spack read with a stand-in for Spack, which Debian 12 does not have: it is Python that names only directives that
Spack has, its variants are those that it asks for, and what it defines are settings of this project or of CMake."""
import pathlib
import sys
import types

root = pathlib.Path(sys.argv[1])
called, variants, defined = [], set(), {}


def directive(name):
    def call(*words, **settings):
        called.append((name, words))
        if name == "variant":
            variants.add(words[0])
        for word in str(settings.get("when", "")).split("+")[1:]:
            if word not in variants:
                sys.exit(f"{name}{words}: there is no variant '{word}'")
    return call


class CMakePackage:
    def define(self, name, value):
        defined[name] = value

    def define_from_variant(self, name, variant):
        if variant not in variants:
            sys.exit(f"{name}: there is no variant '{variant}'")
        defined[name] = variant


class Spec:
    mpicxx = prefix = bin = mpiexec = property(lambda self: self)

    def satisfies(self, condition):
        return condition.strip("+~") in variants or sys.exit(f"no variant '{condition}'")

    def __getitem__(self, name):
        return self if any(words[0].split("@")[0] == name for _, words in called) else sys.exit(f"'{name}' is no dependency")


package = types.ModuleType("spack.package")
package.CMakePackage = CMakePackage
for name in ("license", "version", "variant", "depends_on", "conflicts"):
    setattr(package, name, directive(name))
sys.modules.update({"spack": types.ModuleType("spack"), "spack.package": package})
recipe = {}
exec((root / "package/spack/packages/hpcpp/package.py").read_text(), recipe)
hpcpp = recipe["Hpcpp"]()
hpcpp.spec = Spec()
hpcpp.cmake_args()
texts = "".join(path.read_text() for path in (root / "CMakeLists.txt", *root.glob("*/CMakeLists.txt"), *root.glob("*/*.cmake")))
unknown = [name for name in defined if name not in texts]
print(f"{len(called)} directives, {len(defined)} settings")
sys.exit(f"settings that no CMakeLists.txt knows: {unknown}" if unknown or len(defined) < 5 else 0)
