# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes the pages of a folder as elements of a C++ array: {"HP2201", R"page(...)page"},
file(GLOB pages ${folder}/HP*.md)
set(elements "")
foreach(page ${pages})
  get_filename_component(code ${page} NAME_WE)
  file(READ ${page} text)
  string(APPEND elements "{\"${code}\", R\"page(${text})page\"},\n")
endforeach()
file(WRITE ${output} "${elements}")
