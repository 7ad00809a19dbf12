#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Limits of memory, files and containers: each job must end as documented. limits.py LIMITED HPCC MPIEXEC [--sample N]
Groups of version 1 are the machine's own where they can be made, else, as those of version 2, folders that stand in."""

import argparse
import os
import re
import subprocess
import sys
import tempfile

MIB = 1 << 20
REAL = '/sys/fs/cgroup/memory'


class Place:
    """Where cases run: programs, and a folder for what stands in for the system's groups."""

    def __init__(self, options, folder):
        self.limited, self.hpcc, self.folder = options.limited, options.hpcc, folder
        self.mpiexec = options.mpiexec

    def job(self, processes, megabytes, before=''):
        return f"{self.mpiexec} -n {processes} sh -c '{before} exec {self.limited} {megabytes}'"

    def stand_in(self, files):
        folder = tempfile.mkdtemp(dir=self.folder)
        for name, text in files.items():
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            with open(os.path.join(folder, name), 'w') as file:
                file.write(str(text))
        return f'HPSPMD_CGROUPS={folder} '

    def in_group(self, mebibytes, command):
        """In a group of the machine's of version 1; None if none can be made."""
        group = f'{REAL}/hpspmd.{os.getpid()}'
        try:
            os.makedirs(group, exist_ok=True)
            with open(f'{group}/memory.limit_in_bytes', 'w') as file:
                file.write(str(mebibytes * MIB))
        except OSError:
            return None
        return f'echo $$ > {group}/cgroup.procs && exec {command}'

    def with_room(self, megabytes, command):
        """With another /dev/shm; None if that cannot be made."""
        if subprocess.run(['unshare', '-m', 'true'], stderr=subprocess.DEVNULL).returncode != 0:
            return None
        return f"exec unshare -m sh -c 'mount -t tmpfs -o size={megabytes}m tmpfs /dev/shm && exec {command}'"


def cases(place):
    """Name, command (None: not possible here), exit codes (None: any), pattern of what is written."""
    limited = r'OutOfMemory: an array needs .* limited to \d+ MiB \(cgroup\)'
    second = {'self': '0::/\n', 'memory.max': 400 * MIB}
    nested = {'self': '0::/a/b\n', 'memory.max': 'max', 'a/memory.max': 200 * MIB, 'a/b/memory.max': 'max'}
    first = {'self': '4:memory:/a\n0::/\n', 'memory/memory.limit_in_bytes': 1 << 62,
             'memory/a/memory.limit_in_bytes': 400 * MIB}
    elsewhere = {'self': '9:memory:/docker/0123\n', 'memory/memory.limit_in_bytes': 400 * MIB}
    in_use = dict(second, **{'memory.current': 390 * MIB, 'memory.stat': 'inactive_file 1\nactive_file 1\n'})
    yield 'v2, 1 GB in 400 MiB', place.stand_in(second) + place.job(1, 1000), [84], limited
    yield 'v2, 1 GB in 400 MiB, 4 processes', place.stand_in(second) + place.job(4, 1000), [84], limited
    yield 'v2, fits', place.stand_in(second) + place.job(2, 100), [0], 'sum 1.25e'
    yield 'v2, a group around it', place.stand_in(nested) + place.job(2, 300), [84], limited
    yield 'v2, others use it', place.stand_in(in_use) + place.job(2, 100), [84], limited
    yield 'v2, messages only', place.stand_in(second) + 'HPSPMD_NODE_MEMORY=off ' + place.job(2, 1000), [84], limited
    yield 'v1, 1 GB in 400 MiB', place.stand_in(first) + place.job(1, 1000), [84], limited
    yield 'v1 in a container', place.stand_in(elsewhere) + place.job(4, 1000), [84], limited
    yield 'v1, real, 1 GB in 400 MiB', place.in_group(400, place.job(2, 1000)), [84], limited
    yield 'v1, real, fits', place.in_group(400, place.job(2, 100)), [0], 'sum 1.25e'
    yield 'ulimit -v', place.job(2, 4000, 'ulimit -v 2000000;'), [84], r'OutOfMemory: .*\(ulimit -v allows no more\)'
    yield 'ulimit -v, fits', place.job(2, 100, 'ulimit -v 2000000;'), [0], 'sum 1.25e'
    yield 'ulimit -n, enough', place.job(2, 10, 'ulimit -n 64;'), [0], 'sum 1.25e'
    yield 'ulimit -n 12', place.job(2, 10, 'ulimit -n 12;'), [86], r'MpiError: MPI cannot start: .*\(ulimit -n 12\)'
    run = f'{place.hpcc} run -n 4 {place.limited} 10'
    yield 'a /dev/shm of 8 MB', place.with_room(8, run), None, r'hpcc: warning: /dev/shm has room for .*--shm-size='
    yield 'a /dev/shm of 64 MB', place.with_room(64, run), [0], 'sum 1.25e'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('limited')
    parser.add_argument('hpcc')
    parser.add_argument('mpiexec', help='the launcher and its options')
    parser.add_argument('--sample', type=int, default=0, help='every so many-th case only')
    options = parser.parse_args()
    environment = dict(os.environ, HWLOC_COMPONENTS='-pci,-opencl')
    run = failed = impossible = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, command, codes, pattern in list(cases(Place(options, folder)))[::options.sample or 1]:
            if command is None:
                impossible += 1
                continue
            run += 1
            job = subprocess.run(['timeout', '30', 'sh', '-c', command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 text=True, errors='replace', env=environment)
            if (codes and job.returncode not in codes) or job.returncode == 124 or not re.search(pattern, job.stdout):
                failed += 1
                print(f'{name}: exit code {job.returncode}\n{job.stdout[-1500:]}', flush=True)
    group = f'{REAL}/hpspmd.{os.getpid()}'
    if os.path.isdir(group):
        os.rmdir(group)
    print(f'{run - failed} of {run} limits as documented, {impossible} not possible here')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
