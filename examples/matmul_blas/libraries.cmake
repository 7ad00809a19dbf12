# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Any BLAS with its C interface; Debian's libblas.so has both.
find_path(HPCPP_CBLAS_INCLUDE cblas.h PATH_SUFFIXES openblas)
find_library(HPCPP_BLAS NAMES openblas blas)
mark_as_advanced(HPCPP_CBLAS_INCLUDE HPCPP_BLAS)
if(HPCPP_CBLAS_INCLUDE AND HPCPP_BLAS)
  set(libraries -I${HPCPP_CBLAS_INCLUDE} ${HPCPP_BLAS})
endif()
