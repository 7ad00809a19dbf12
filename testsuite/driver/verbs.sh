# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# hpcc new, doctor, devices, manual and completion; words that are nearly verbs.
. "$(dirname "$0")/expect.sh"

expectExit 0 "$HPCC" new heat --make
expectText out 'heat/ is made'
(cd heat && make HPCC="$HPCC" HPCCFLAGS= check) >out 2>err || problem "make check: $(cat out err)"
expectText heat/heat.4.out '^sum = [0-9]'
# hpcc run builds a project first: that of a folder, or of the current one. What is printed on the standard output is the program's.
rm heat/heat
expectExit 0 "$HPCC" run -n 2 heat
expectText out '^sum = [0-9]'
[ "$(wc -l <out)" = 1 ] || problem "the build prints on the output stream: $(cat out)"
expectText err '^make -C heat '
expectFile heat/heat
(cd heat && expectExit 0 "$HPCC" run --quiet -n 2 && expectSame out heat.2.out && expectNoText err .; [ "$failures" = 0 ]) || problem "run in heat"
echo '} // one too many' >>heat/main.hpcpp
expectExit 1 "$HPCC" run --quiet -n 2 heat
expectText err 'main.hpcpp:[0-9]*:'
expectText err 'the project is not built'
sed -i '$d' heat/main.hpcpp
sed -i '1i all: heat' heat/Makefile
expectExit 2 "$HPCC" run -n 2 heat
expectText err "makes no program 'heat/all'; name the one to be run"
expectExit 0 "$HPCC" run --quiet -n 2 heat/heat
mkdir nothing
expectExit 2 "$HPCC" run nothing
expectText err "'nothing' is a directory, and no project"
(cd nothing && "$HPCC" run) 2>err
[ $? = 2 ] || problem "run without a program"
expectText err 'no program given'
expectExit 4 env PATH="$scratch/nothing" "$HPCC" run -n 2 heat
expectText err "'make' is missing"
sed -i 1d heat/Makefile
expectExit 0 "$HPCC" new plate
expectFile plate/CMakeLists.txt
expectText plate/CMakeLists.txt '^project(plate '
expectSame heat/main.hpcpp plate/main.hpcpp
# The build folder that hpcc lies in is found as an installation is.
expectExit 0 "$HPCC" run -n 2 plate
expectText out '^sum = [0-9]'
expectText err '^cmake --build '
expectExit 2 "$HPCC" new heat
expectText err 'is there already'
# A project that could not be configured is, as soon as it can be.
mkdir late
cat >late/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.20)
project(late NONE)
if(NOT EXISTS "${CMAKE_SOURCE_DIR}/ready")
  message(FATAL_ERROR "not ready")
endif()
file(WRITE "${CMAKE_BINARY_DIR}/late" "#!/bin/sh\necho made\n")
file(CHMOD "${CMAKE_BINARY_DIR}/late" PERMISSIONS OWNER_READ OWNER_EXECUTE)
END
expectExit 1 "$HPCC" run -n 1 late
expectText err 'not ready'
touch late/ready
expectExit 0 "$HPCC" run -n 1 late
expectText out '^made$'
for wrong in '' '../x' '7up' '--what'; do expectExit 2 "$HPCC" new $wrong; done

expectExit 0 "$HPCC" doctor
expectText out '^ok *MPI .*2 processes see each other'
expectExit 0 "$HPCC" doctor --json
expectText out '"name": "MPI"'
expectExit 4 env HPCC_MPICXX="$scratch/none" HPCC_MPIEXEC="$scratch/none" "$HPCC" doctor
expectExit 2 "$HPCC" doctor now
expectExit 2 "$HPCC" docter
expectText err "no file and no verb 'docter'; did you mean 'doctor'?"
expectExit 0 "$HPCC" --help
expectText out 'hpcc doctor'

expectExit 0 "$HPCC" devices
expectText out '^threads *[0-9][0-9]* core.* GB .* GB/s '
expectExit 0 "$HPCC" devices --help
expectText out '^usage: hpcc devices'
expectExit 2 "$HPCC" devices now

# The man pages: no complaint of groff's, every option of --help in them, and every verb.
expectExit 0 "$HPCC" manual
cp out hpcc.1
expectExit 0 "$HPCC" manual run
cp out hpcc-run.1
for page in hpcc hpcc-run; do
    command -v groff >/dev/null || break
    expectExit 0 groff -man -ww -Tutf8 -rLL=100n $page.1
    [ ! -s err ] || problem "groff complains of $page.1: $(cat err)"
    sed 's/\x1b\[[0-9;]*m//g' out >$page.txt
done
for option in $("$HPCC" --help | sed -n 's/^  \(-[-A-Za-z]*\).*/\1/p'); do
    expectText hpcc.1 "^.fB$(printf %s "$option" | sed 's/-/\\\\-/g').fR"
done
for verb in run test devices debug new doctor manual completion; do expectText hpcc.1 "^.fB$verb"; done
for option in $("$HPCC" run --help | sed -n 's/^  \(-[-A-Za-z]*\).*/\1/p'); do
    expectText hpcc-run.1 "^.fB$(printf %s "$option" | sed 's/-/\\\\-/g').fR"
done
expectExit 2 "$HPCC" manual walk

# Completion in bash: complete <word..>, the last of which is under way; what is offered is then in the file offered.
expectExit 0 "$HPCC" completion bash
cp out hpcc.bash
cat >complete.bash <<'END'
source ./hpcc.bash
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_hpcc
printf '%s\n' "${COMPREPLY[@]}"
END
complete() { bash complete.bash "$@" >offered 2>&1; }
if command -v bash >/dev/null; then
    complete hpcc do; expectText offered '^doctor$'; expectNoText offered '^run$'
    complete hpcc --em; expectText offered '^--emit$'
    complete hpcc --emit = lo; expectText offered '^lowered$'; expectNoText offered parsed
    complete hpcc run --tr; expectText offered '^--transport$'
    complete hpcc run --ta; expectText offered '^--target$'
    complete hpcc run --target = c; expectText offered '^cuda$'; expectText offered '^check$'
    complete hpcc dev; expectText offered '^devices$'
    complete hpcc run --transport no; expectText offered '^node$'
    complete hpcc run --emi; expectNoText offered '^--emit$'
    complete hpcc -c plate/ma; expectText offered '^plate/main.hpcpp$'
    complete hpcc new --m; expectText offered '^--make$'
    complete hpcc test --th; expectText offered '^--threads$'
    complete hpcc completion z; expectText offered '^zsh$'
fi
expectExit 0 "$HPCC" completion zsh
cp out _hpcc
expectText _hpcc '^#compdef hpcc$'
if command -v zsh >/dev/null; then expectExit 0 zsh -n _hpcc; fi
expectExit 2 "$HPCC" completion fish
ln -s "$HPCC" hpcpp
expectExit 0 ./hpcpp completion bash
expectText out '^complete -F _hpcpp hpcpp$'
finish
