# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# hpcc run: prints the mpiexec line, passes arguments and exit codes, checks what it is given.
. "$(dirname "$0")/expect.sh"

cat >prog.hpcpp <<'END'
#include <hpspmd>
#include <cstdlib>
int main(int argc, char** argv) {
    hpspmd::Procs1 p;
    hpspmd::Adlib::gprintln("processes ", p.size(), " arguments ", argc - 1, " last ", argv[argc - 1]);
    return argc > 1 ? std::atoi(argv[1]) : 0;
}
END
expectExit 0 "$HPCC" prog.hpcpp -o prog
expectExit 0 "$HPCC" run -n 2 prog 0 -n 'two words'
expectText out '^processes 2 arguments 3 last two words$'
expectText err "mpiexec.* -n 2 ./prog 0 -n 'two words'"
expectExit 5 "$HPCC" run -n 2 ./prog 5
expectExit 0 "$HPCC" run -np 9 prog
expectText out '^processes 9 '
expectExit 0 "$HPCC" run prog

for count in 0 -1 two 99999999999 3x; do
    expectExit 2 "$HPCC" run -n "$count" prog
    expectText err '-n takes a number'
done
expectExit 2 "$HPCC" run -n '' prog
expectText err '-n needs a value'
expectExit 2 "$HPCC" run
expectExit 2 "$HPCC" run -n
expectExit 2 "$HPCC" run --what prog
expectExit 2 "$HPCC" run -n 2 ./missing
expectExit 2 "$HPCC" run -n 2 missing-everywhere
expectText err "no program 'missing-everywhere'"
expectExit 2 "$HPCC" run -n 2 prog.hpcpp
expectExit 4 env HPCC_MPIEXEC="$scratch/no-mpiexec" "$HPCC" run -n 1 prog
expectText err 'no-mpiexec'
expectExit 0 "$HPCC" run -n 2 --host localhost prog
expectText out '^processes 2 '
expectText err ' -*hosts* localhost .*./prog$'

# A launcher of another MPI is refused.
printf '#!/bin/sh\necho "mpiexec (OpenRTE) 4.1.4"\n' >foreign
printf '#!/bin/sh\necho "HYDRA build details: MPICH"\n' >foreign_mpich
chmod +x foreign foreign_mpich
case $("$HPCC" --version) in *'(openmpi)'*) foreign=foreign_mpich ;; *) foreign=foreign ;; esac
expectExit 4 env HPCC_MPIEXEC="$scratch/$foreign" "$HPCC" run -n 1 prog
expectText err 'belong to different MPIs'

# A launcher that MPI does not know starts jobs of one process each: they say so, by what each launcher sets. PBS starts none
# itself, so that one process may be right there.
started() { env -u PMI_SIZE -u PMI_RANK "$@" ./prog; }
for setting in 'SLURM_STEP_NUM_TASKS=2 Slurm' 'FLUX_JOB_SIZE=2 Flux' 'PALS_SIZE=2 PALS' 'PALS_RANKID=1 PALS'; do
    expectExit 88 started "${setting% *}"
    expectText err "${setting#* }.* started .*${setting% *}"
    expectNoText out processes
done
for setting in SLURM_STEP_NUM_TASKS=1 FLUX_JOB_SIZE=1 PALS_RANKID=0; do
    expectExit 0 started "$setting"
    expectNoText err launcher
done
printf 'localhost\nlocalhost\nlocalhost\n' >places
expectExit 0 started PBS_NODEFILE=places
expectText out '^processes 1 '
expectText err '^warning: PBS gives this job 3 places (PBS_NODEFILE), but one process runs; .* hpcc run -n 3$'
for count in 1 2; do
    expectExit 0 env PBS_NODEFILE=places "$HPCC" run -n "$count" prog
    expectNoText err warning
done

# Inside of an allocation of Slurm srun starts the program, on as many processes as there are tasks, but not in a step.
mkdir bin
printf '#!/bin/sh\necho srun "$@"\n' >bin/srun
chmod +x bin/srun
allocated() { env PATH="$scratch/bin:$PATH" SLURM_JOB_ID=7 SLURM_NTASKS=3 "$@"; }
unset HPCC_MPIEXEC
case $("$HPCC" --version) in *'(openmpi)'*) interface=pmix ;; *) interface=pmi2 ;; esac
expectExit 0 allocated "$HPCC" run prog 0 -n
expectText out "^srun --mpi=$interface -K1 -n 3 ./prog 0 -n$"
expectExit 0 allocated "$HPCC" run --quiet -n 2 --label --host a,b prog
expectText out "^srun --mpi=$interface -K1 -n 2 --label -w a,b ./prog$"
expectExit 0 allocated env SLURM_STEP_ID=0 "$HPCC" run -n 2 --launcher mpiexec prog
expectText out '^processes 2 '
expectExit 0 allocated "$HPCC" run --transport=node -n 2 prog
expectText out '^processes 2 '
expectExit 0 env PATH="$scratch/bin:$PATH" "$HPCC" run --launcher srun -n 4 prog
expectText out '^srun .*-n 4 ./prog$'
expectExit 0 env PATH="$scratch/bin:$PATH" "$HPCC" run -n 2 prog
expectNoText out srun
# Its code is that of the signal by which Slurm ends the other processes; what was told before that is the job's.
cat >bin/srun <<'END'
#!/bin/sh
echo "$TOLD" >&2
exit 137
END
told() { code=$1; TOLD=$2; export TOLD; shift 2; expectExit "$code" allocated "$HPCC" run "$@" prog; }
abort='(rank 1 in comm 0): application called MPI_Abort(MPI_COMM_WORLD'
for option in -v --label --quiet; do
    told 137 'srun: error: vm: tasks 0-1: Killed' $option
    told 83 "Abort(83) on node 1 $abort, 83) - process 1" $option
    told 85 "1: Abort(85) on node 1 $abort, 85) - process 1
srun: error: vm: tasks 0-1: Killed" $option
    told 91 "$abort, 82)
$abort, 91)
$abort, 83)" $option
    told 5 'srun: error: vm: task 0: Exited with exit code 5' $option
    told 137 'words of the program' $option
    expectText err '^words of the program$'
    told 139 'srun: error: vm: task 1: Segmentation fault (core dumped)
srun: error: vm: task 0: Terminated' $option
    told 137 'srun: error: vm: task 1: Out Of Memory
srun: error: vm: task 0: Terminated' $option
    told 137 'srun: error: vm: task 1: Killed
prog.hpcpp:1: rank 0: AdlibError: rank 0 is in sum and waits for rank 1, which has died
Abort(83) on node 0 (rank 0 in comm 0): application called MPI_Abort(MPI_COMM_WORLD, 83) - process 0' $option
    told 83 "srun: error: vm: task 1: Killed
$abort, 83)" $option
done
# Job scripts: sbatch reads one, gives the job its tasks and starts it; srun there is the one of above, then one that ends with 143.
printf '#!/bin/sh\necho srun "$@" threads $SRUN_CPUS_PER_TASK\n' >bin/srun
cat >bin/sbatch <<'END'
#!/bin/bash
cat >job.sh
bash -n job.sh || exit 99
read -r first <job.sh
[ "$first" = '#!/bin/bash' ] || exit 98
SLURM_JOB_ID=7 SLURM_NTASKS=$(sed -n 's/^#SBATCH --ntasks=//p' job.sh) exec bash job.sh
END
cat >bin/scontrol <<'END'
#!/bin/sh
echo scontrol "$@"
END
chmod +x bin/sbatch bin/scontrol
submitted() {
    PATH="$scratch/bin:$PATH" "$HPCC" run --sbatch "$@" >script || return
    PATH="$scratch/bin:$PATH" sbatch <script
}
expectExit 0 submitted -n 64 --threads 2 --timeout 90m --host a,b --profile=run.json --log prog 0 'two words' --sbatch
expectText out "^srun --mpi=$interface -K1 -n 64 ./prog 0 two words --sbatch threads 2$"
for line in ntasks=64 cpus-per-task=2 time=90 nodelist=a,b job-name=prog; do expectText job.sh "^#SBATCH --$line$"; done
expectText job.sh " run -n 64 --threads=2 --profile=run.json --log ./prog 0 'two words' --sbatch$"
expectNoText job.sh 'signal\|requeue'
expectExit 0 submitted -np 3 --timeout=61 prog
expectText job.sh '^#SBATCH --time=2$'
expectExit 0 submitted -n 2 --transport=node prog 0
expectText job.sh '^#SBATCH --nodes=1$'
expectText out '^processes 2 '
# A program that writes checkpoints is told before its time is over, and queued again if it has written one.
cat >saves.hpcpp <<'END'
#include <hpspmd>
int main() {
    int step = 0;
    hpspmd::Adlib::Checkpoint state("saves.npz");
    state("step", step);
    state.now();
}
END
expectExit 0 "$HPCC" saves.hpcpp -o saves
expectExit 0 submitted -n 2 saves
for line in signal=USR1@120 requeue open-mode=append; do expectText job.sh "^#SBATCH --$line$"; done
expectNoText out scontrol
printf '#!/bin/sh\necho srun\nexit 143\n' >bin/srun
expectExit 0 submitted -n 2 --restarts 2 saves
expectText out '^scontrol requeue 7$'
[ "$(grep -c srun out)" = 1 ] || problem "a job that was asked to stop was started again: $(cat out)"
printf '#!/bin/sh\nexit 1\n' >bin/scontrol
expectExit 143 submitted -n 2 saves
printf '#!/bin/sh\nexit 85\n' >bin/srun
expectExit 85 submitted -n 2 saves
expectExit 2 "$HPCC" run --sbatch prog
expectText err '^hpcc: error: --sbatch needs -n'
expectExit 2 "$HPCC" run --sbatch -n 2 missing
expectNoText out .
expectExit 2 "$HPCC" run --launcher slurm prog
expectText err "'slurm' is no launcher"
finish
