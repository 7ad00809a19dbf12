#!/bin/sh
# reject_test.sh COMPILER SOURCE FLAGS..: case 0 of SOURCE compiles without a warning, every other one is rejected with
# one of the words in its comment. The headers of all cases are precompiled.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
compiler=$1
source=$2
shift 2
failed=0
folder=$(mktemp -d) || exit 1
trap 'rm -r "$folder"' EXIT
grep '^#include <' "$source" >"$folder/headers.hpp"
"$compiler" "$@" -x c++-header "$folder/headers.hpp" -o "$folder/headers.hpp.gch" || failed=1
set -- "$@" -include "$folder/headers.hpp"

messages=$("$compiler" "$@" -Wall -Wextra -Werror -DCASE=0 -fsyntax-only "$source" 2>&1) || {
    printf 'case 0 must compile:\n%s\n' "$messages"
    failed=1
}

cases=$(sed -n 's/^#.*if CASE == \([1-9][0-9]*\) .*/\1/p' "$source")
[ -n "$cases" ] || failed=1
for case in $cases; do
    words=$(sed -n "s|^#.*if CASE == $case  *// *||p" "$source")
    if messages=$("$compiler" "$@" -DCASE="$case" -fsyntax-only "$source" 2>&1); then
        echo "case $case compiles, but must be rejected ($words)"
        failed=1
    elif ! printf '%s' "$messages" | grep -qE "$words"; then
        printf 'case %s does not say "%s":\n%s\n' "$case" "$words" "$messages"
        failed=1
    fi
done
exit $failed
