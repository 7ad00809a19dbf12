# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recipe for Spack. Read with a stand-in for Spack only (install.spack_recipe); nobody has built it. `spack repo add
package/spack`, then, in a clone of the sources, `spack dev-build hpcpp@main`: there is no released archive so far."""

from spack.package import *


class Hpcpp(CMakePackage):
    """HPspmd C++: programs over distributed arrays, in C++, without hidden communication. A translator, a library
    of collective operations, and a runtime over MPI or over the shared memory of one machine."""

    license("Apache-2.0 WITH LLVM-exception")

    version("main")

    variant("mpi", default=True, description="programs run by MPI too")
    variant("shared", default=False, description="runtime and Adlib as shared libraries")
    variant("hdf5", default=True, description="Adlib reads and writes .h5")
    variant("png", default=True, description="Adlib reads and writes .png and .gif")

    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("flex", type="build")
    depends_on("bison@3.8:", type="build")
    depends_on("boost+program_options")
    depends_on("fmt@9:")
    depends_on("nlohmann-json")
    depends_on("mimalloc")
    depends_on("mpi", when="+mpi", type=("build", "link", "run"))
    depends_on("hdf5~mpi", when="+hdf5")
    depends_on("libpng", when="+png")
    depends_on("giflib", when="+png")
    conflicts("%gcc@:10")

    def cmake_args(self):
        args = [self.define_from_variant("HPCPP_MPI", "mpi"), self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
                self.define("BUILD_TESTING", False)]
        if self.spec.satisfies("+mpi"):
            args.append(self.define("HPCPP_MPICXX", self.spec["mpi"].mpicxx))
            args.append(self.define("HPCPP_MPIEXEC", self.spec["mpi"].prefix.bin.mpiexec))
        return args
