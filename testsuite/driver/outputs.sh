# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Outputs are written whole or not at all: an old file survives an error, and no temporary file stays.
. "$(dirname "$0")/expect.sh"

echo 'int f() { return 1; }' >good.hpcpp
echo 'int f() { return undeclared; }' >bad.hpcpp
printf '#include <hpspmd>\nvoid f(int [[-]] a) { a[0] = 1; }\n' >rule.hpcpp

for source in bad rule; do
    echo old >kept.o
    expectExit 1 "$HPCC" -c $source.hpcpp -o kept.o -MD -MF kept.d
    echo old | cmp - kept.o || problem "kept.o was touched"
    expectNoFile kept.d
    expectExit 1 "$HPCC" $source.hpcpp -o program
    expectNoFile program
done
expectExit 1 "$HPCC" --emit=cpp rule.hpcpp -o rule.cpp
expectNoFile rule.cpp

expectExit 1 "$HPCC" -c good.hpcpp -o no/such/folder/good.o
expectText err "cannot write 'no/such/folder/good.o'"
expectExit 1 "$HPCC" -c good.hpcpp -o good.hpcpp/x.o
mkdir folder
expectExit 1 "$HPCC" -c good.hpcpp -o folder
expectText err 'it is a directory'
expectExit 1 "$HPCC" --emit=cpp good.hpcpp -o folder
expectExit 0 "$HPCC" -c good.hpcpp -o /dev/null
[ -c /dev/null ] || problem "/dev/null was replaced"
if [ "$(id -u)" -ne 0 ]; then
    mkdir closed
    chmod 555 closed
    expectExit 1 "$HPCC" -c good.hpcpp -o closed/good.o
    expectText err 'Permission denied'
fi
expectNothingLeft

# The temporary folder goes as well, after an error and after ctrl-C.
mkdir tmp
expectExit 1 env TMPDIR="$scratch/tmp" "$HPCC" -c bad.hpcpp
[ -z "$(ls tmp)" ] || problem "temporary folder left: $(ls tmp)"

cat >interrupted <<'END'
#!/bin/sh
case "$*" in *-dM*) echo '#define MPICH_VERSION "4"' ;; *) kill -INT 0; sleep 10 ;; esac
END
printf '#!/bin/sh\necho HYDRA\n' >launcher
chmod +x interrupted launcher
cat >session.py <<'END'
import os, signal, sys
os.setsid()
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
END
if command -v python3 >/dev/null; then
    expectExit 1 env TMPDIR="$scratch/tmp" HPCC_MPICXX="$scratch/interrupted" HPCC_MPIEXEC="$scratch/launcher" \
        python3 session.py "$HPCC" -c good.hpcpp -o late.o
    expectNoFile late.o
    [ -z "$(ls tmp)" ] || problem "temporary folder left: $(ls tmp)"
fi
expectNothingLeft
finish
