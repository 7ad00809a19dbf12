#!/bin/sh
# one_node_slurm.sh [--outside] COMMAND..: runs the command inside an allocation (salloc -n 2) of a Slurm of one node, whose daemons are
# started for it, as root, without munge, systemd or files outside of a folder that is removed; --outside: without an allocation, to
# submit jobs itself (one that is queued again waits for cred_expire, of which 5 s is the least). 77 if there is no Slurm here.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu

for tool in slurmctld slurmd salloc; do command -v $tool >/dev/null || { echo "no $tool here"; exit 77; }; done
[ "$(id -u)" = 0 ] || { echo "not root"; exit 77; }
allocate="salloc -Q -n $(($(nproc) < 2 ? 1 : 2))"
if [ "$1" = --outside ]; then
    allocate=
    shift
fi
folder=$(mktemp -d)
daemons=
trap 'for each in $daemons; do kill "$each" 2>/dev/null && wait "$each" 2>/dev/null; done; rm -rf "$folder"' EXIT
mkdir "$folder/state" "$folder/spool"
host=$(hostname -s)
export SLURM_CONF=$folder/slurm.conf
cat >"$SLURM_CONF" <<END
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$((20000 + $$ % 20000))
SlurmdPort=$((20001 + $$ % 20000))
AuthType=auth/none
AuthInfo=cred_expire=5
CredType=cred/none
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerParameters=sched_interval=1,sched_min_interval=0,bf_interval=1,batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
END
slurmctld -D >"$folder/slurmctld.log" 2>&1 &
daemons=$!
slurmd -D -d "$(command -v slurmstepd)" >"$folder/slurmd.log" 2>&1 &
daemons="$daemons $!"
for try in $(seq 100); do
    sinfo -h -o %t 2>/dev/null | grep -q idle && break
    sleep 0.2
done
if ! sinfo -h -o %t 2>/dev/null | grep -q idle; then
    echo "this Slurm does not start"
    tail -n 5 "$folder/slurmctld.log" "$folder/slurmd.log"
    exit 77
fi
$allocate "$@"
