#!/bin/sh
# build_library.sh FOLDER|--files: FOLDER/library.a, the runtime and Adlib, built by $MPICXX (default mpicxx) alone, for machines
# without cmake. To be run in the root of the source tree. Objects stay in FOLDER, so that an interrupted build goes on
# where it was.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
work=$1
files() {
    find runtime adlib -name '*.cpp' ! -name main.cpp ! -path adlib/pictures/movie.cpp \
        ! -path 'runtime/ahead/*' ! -path 'runtime/invariance/*' ! -path 'runtime/profile/*' \( ! -path 'runtime/devices/*' -o -name '*_list.cpp' -o -name fault.cpp \) \
        ! -path 'adlib/bill/*' ! -path adlib/cost/command_line.cpp ! -path adlib/cost/machine.cpp ! -path adlib/cost/words.cpp ! -path 'adlib/speeds/*' \
        ! -path 'runtime/transport/no_mpi.cpp'
}
[ "$work" != --files ] || { files; exit 0; }
export MPICXX="${MPICXX:-mpicxx}"
command -v "$MPICXX" >/dev/null || { echo "build_library.sh: there is no $MPICXX" >&2; exit 1; }
[ -d runtime ] && [ -d adlib ] || { echo "build_library.sh: run it in the root of the source tree" >&2; exit 1; }
export compile='[ -s "$2" ] || { mkdir -p "$(dirname "$2")"
    "$MPICXX" -std=c++20 -O3 -Iinclude/umbrella -Iinclude -Iruntime -Iadlib -c "$1" -o "$2.part" && mv "$2.part" "$2"; }'
files | while read -r file; do
    echo "$file $work/library/${file%.cpp}.o"
done | xargs -P "${JOBS:-$(nproc)}" -n 2 sh -c "$compile" compile
rm -f "$work/library.a"
find "$work/library" -name '*.o' -print0 | xargs -0 ar rcs "$work/library.a"
