# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ScaLAPACK for the same MPI: the package libscalapack-mpich-dev or libscalapack-openmpi-dev. For MPICH ./hpc test
# unpacks it below the build folder.
find_library(HPCPP_SCALAPACK NAMES scalapack-${HPCPP_MPI_FAMILY} HINTS ${PROJECT_BINARY_DIR}/scalapack)
mark_as_advanced(HPCPP_SCALAPACK)
if(HPCPP_SCALAPACK)
  get_filename_component(folder_of_library ${HPCPP_SCALAPACK} DIRECTORY)
  set(libraries ${HPCPP_SCALAPACK} -Wl,-rpath,${folder_of_library})
endif()
