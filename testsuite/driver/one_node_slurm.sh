#!/bin/sh
# one_node_slurm.sh [--outside | --two] COMMAND..: runs the command inside an allocation (salloc -n 2) of a Slurm of one node, whose
# daemons are started for it, as root, without munge, systemd or files outside of a folder that is removed; --outside: without an
# allocation, to submit jobs itself (one that is queued again waits for cred_expire, of which 5 s is the least); --two: of two nodes with
# a process each, of which the second one has processes, shared memory, a host name and an identity of its own, as another host: MPI's
# messages go by TCP. 77 if there is no Slurm here.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu

for tool in slurmctld slurmd salloc; do command -v $tool >/dev/null || { echo "no $tool here"; exit 77; }; done
[ "$(id -u)" = 0 ] || { echo "not root"; exit 77; }
allocate="salloc -Q -n $(($(nproc) < 2 ? 1 : 2))"
nodes=$(hostname -s)
case $1 in
--outside)
    allocate=
    shift ;;
--two)
    unshare --pid --fork --mount-proc --uts --ipc true 2>/dev/null || { echo "no namespaces here"; exit 77; }
    allocate="salloc -Q -N 2 -n 2"
    nodes="first second"
    shift ;;
esac
folder=$(mktemp -d)
daemons=
apart=
leave() {
    # unshare minds no other signal, and takes with it what it has started.
    if [ -n "$apart" ]; then kill -KILL "$apart" && wait "$apart" || true; fi
    for each in $daemons; do kill "$each" && wait "$each" || true; done
    rm -rf "$folder"
}
trap 'leave 2>/dev/null' EXIT
mkdir "$folder/state" "$folder/spool"
# By this UCX tells hosts from one another.
cat /proc/sys/kernel/random/uuid >"$folder/boot_id"
host=$(hostname -s)
port=$((20000 + $$ % 20000))
export SLURM_CONF=$folder/slurm.conf
cat >"$SLURM_CONF" <<END
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
AuthType=auth/none
AuthInfo=cred_expire=5
CredType=cred/none
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool/%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerParameters=sched_interval=1,sched_min_interval=0,bf_interval=1,batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PartitionName=all Nodes=ALL Default=YES State=UP
END
for node in $nodes; do
    port=$((port + 1))
    echo "NodeName=$node NodeHostname=$host NodeAddr=127.0.0.1 Port=$port CPUs=$(nproc) State=UNKNOWN" >>"$SLURM_CONF"
done
slurmctld -D >"$folder/slurmctld.log" 2>&1 &
daemons=$!
for node in $nodes; do
    start="exec slurmd -D -N $node -d '$(command -v slurmstepd)'"
    if [ "$node" = second ]; then
        apartly="hostname second; mount -t tmpfs none /dev/shm; mount --bind '$folder/boot_id' /proc/sys/kernel/random/boot_id"
        unshare --pid --fork --kill-child --mount-proc --uts --ipc sh -c "$apartly; $start" >"$folder/slurmd.$node.log" 2>&1 &
        apart=$!
    else
        sh -c "$start" >"$folder/slurmd.$node.log" 2>&1 &
        daemons="$daemons $!"
    fi
done
areIdle() { [ "$(sinfo -h -N -o %t 2>/dev/null | grep -c idle)" = "$(echo $nodes | wc -w)" ]; }
for try in $(seq 100); do
    areIdle && break
    sleep 0.2
done
if ! areIdle; then
    echo "this Slurm does not start"
    tail -n 5 "$folder"/*.log
    exit 77
fi
$allocate "$@"
