# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sourced by the tests beside it. A test works in a scratch folder of its own, calls "$HPCC", and ends with `finish`.
set -u

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failures=0

problem() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# expectExit <code> <command...>: its streams are then in the files out and err.
expectExit() {
    wanted=$1
    shift
    "$@" >out 2>err </dev/null
    got=$?
    [ "$got" -eq "$wanted" ] && return
    problem "exit code $got instead of $wanted: $*"
    cut -c 1-200 out err | sed 's/^/    /' | head -20
}

# expectText <file> <pattern>, expectNoText <file> <pattern>: basic regular expressions of grep.
expectText() {
    grep -q -e "$2" "$1" && return
    problem "no line with '$2' in $1:"
    cut -c 1-200 "$1" | sed 's/^/    /' | head -20
}

expectNoText() {
    grep -q -e "$2" "$1" || return 0
    problem "a line with '$2' in $1:"
    grep -e "$2" "$1" | head -5 | sed 's/^/    /'
}

expectFile() { [ -s "$1" ] || problem "no file $1, or an empty one"; }
expectNoFile() { [ ! -e "$1" ] || problem "there should be no file $1"; }
expectSame() { cmp "$1" "$2" || problem "$1 and $2 differ"; }
expectNothingLeft() {
    left=$(find . -name '*hpcc-tmp*')
    [ -z "$left" ] || problem "temporary files left: $left"
}

finish() {
    [ "$failures" -eq 0 ] || exit 1
    echo "ok"
    exit 0
}
