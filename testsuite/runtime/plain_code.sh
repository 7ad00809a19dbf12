#!/bin/sh
# plain_code.sh COMPILER SOURCE FLAGS..: GCC makes vector code of every line of SOURCE that says `// vector`.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
compiler=$1
source=$2
shift 2

lines=$(grep -n '// vector$' "$source" | cut -d: -f1)
[ -n "$lines" ] || exit 1
report=$("$compiler" "$@" -O3 -march=x86-64-v3 -fopt-info-vec-optimized -c "$source" -o /dev/null 2>&1) || {
    printf '%s\n' "$report"
    exit 1
}

failed=0
for line in $lines; do
    if ! printf '%s' "$report" | grep -q "plain_kernels.cpp:$line:.*loop vectorized"; then
        echo "line $line of $source is not vector code"
        failed=1
    fi
done
[ $failed = 0 ] || printf '%s\n' "$report"
exit $failed
