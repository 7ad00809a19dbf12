# hpcc new and hpcc doctor; words that are nearly verbs.
. "$(dirname "$0")/expect.sh"

expectExit 0 "$HPCC" new heat --make
expectText out 'heat/ is made'
(cd heat && make HPCC="$HPCC" HPCCFLAGS= check) >out 2>err || problem "make check: $(cat out err)"
expectText heat/heat.4.out '^sum = [0-9]'
expectExit 0 "$HPCC" new plate
expectFile plate/CMakeLists.txt
expectText plate/CMakeLists.txt '^project(plate '
expectSame heat/main.hpcpp plate/main.hpcpp
expectExit 2 "$HPCC" new heat
expectText err 'is there already'
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
finish
