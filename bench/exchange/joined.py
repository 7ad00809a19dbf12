#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""joined.py N PROGRAM [arguments]: N processes that shared memory joins, as `hpcc run --transport=node` starts them, where there is no hpcc;
each is bound to a core, as Open MPI's mpiexec binds two."""
import os
import subprocess
import sys

memory = os.memfd_create("hpspmd-job", 0)
os.set_inheritable(memory, True)
count = int(sys.argv[1])
cores = sorted(os.sched_getaffinity(0))


def start(rank):
    os.sched_setaffinity(0, {cores[rank % len(cores)]})  # which the process has of this one
    return subprocess.Popen(sys.argv[2:], close_fds=False, env={**os.environ, "HPSPMD_NODE_JOB": f"{memory}:{rank}:{count}"})


jobs = [start(rank) for rank in range(count)]
sys.exit(max([job.wait() for job in jobs]))
