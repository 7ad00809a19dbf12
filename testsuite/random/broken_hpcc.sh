#!/bin/sh
# hpcc with an error at -O3: what a nest accumulates begins at 1. The test of run.py must find and shrink it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
level=
for option; do
    case $option in
    -O*) level=$option ;;
    *.hpcpp) source=$option ;;
    esac
done
if [ "$level" = -O3 ]; then
    sed -i.whole 's/ s\([0-9]*\) = 0;/ s\1 = 1;/' "$source"
    "$HPCC" "$@"
    status=$?
    mv "$source.whole" "$source"
    exit $status
fi
exec "$HPCC" "$@"
