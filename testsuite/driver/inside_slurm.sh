# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sourced by tests of jobs in a real Slurm; they are skipped where there is none.
folder=$(cd "$(dirname "$0")" && pwd)
. "$folder/expect.sh"
command -v slurmctld >/dev/null || exit 77

# inSlurm <options of one_node_slurm.sh> <command...>: its streams are then in the files slurm.out and slurm.err.
inSlurm() {
    sh "$folder/one_node_slurm.sh" "$@" >slurm.out 2>slurm.err
    case $? in 0) ;; 77) cat slurm.out; exit 77 ;; *) problem "$(cat slurm.out slurm.err)" ;; esac
}
