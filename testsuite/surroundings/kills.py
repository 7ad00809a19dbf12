#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ends one process of a job in each operation, in each phase, by each signal and without one: the job must end within the
limit, with a status other than 0 (but for one that leaves with 0 itself).
kills.py STRUCK MPIEXEC [--sample N] [--limit SECONDS] [--processes N] [--operations A,B]"""

import argparse
import itertools
import os
import re
import shlex
import signal
import subprocess
import sys
import time

OPERATIONS = ['writeHalo', 'remap', 'transpose', 'cshift', 'sum', 'sumDim', 'gather', 'scatter', 'scan', 'broadcast',
              'shift', 'skew', 'writeHalos', 'maxloc', 'dotProduct', 'reduce', 'reproducibleSum', 'fence']
PHASES = ['before', 'between', 'after']
# By a signal, or without any: the process leaves before MPI knows.
ENDS = {'SIGKILL': signal.SIGKILL, 'SIGSEGV': signal.SIGSEGV, 'SIGTERM': signal.SIGTERM, 'SIGABRT': signal.SIGABRT,
        'SIGINT': signal.SIGINT, '_Exit(0)': -1, 'quick_exit(3)': -2}


def seconds_from_strike_to_end(command, patience):
    """The time, the status, and what was written; the time is None if the job had to be ended from outside."""
    job = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors='replace',
                           start_new_session=True)
    try:
        output, _ = job.communicate(timeout=patience)
    except subprocess.TimeoutExpired:
        os.killpg(job.pid, signal.SIGKILL)
        output, _ = job.communicate()
        return None, job.returncode, output
    struck = re.search(r'struck at ([\d.]+)', output)
    return (time.time() - float(struck.group(1)) if struck else 0.0), job.returncode, output


def problem(took, status, output, limit, end):
    if took is None:
        return 'the job did not end'
    if 'struck at' not in output:
        return 'nobody was struck'
    if status == 0 and end != '_Exit(0)':  # the launcher only sees a process that is content
        return 'exit status 0'
    return f'{took:.1f} s' if took > limit else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('struck')
    parser.add_argument('mpiexec', help='the launcher and its options')
    parser.add_argument('--sample', type=int, default=0, help='so many of the cases, spread over all')
    parser.add_argument('--limit', type=float, default=3.0)
    parser.add_argument('--processes', type=int, default=3)
    parser.add_argument('--operations', default=','.join(OPERATIONS))
    options = parser.parse_args()
    cases = list(itertools.product(options.operations.split(','), PHASES, ENDS))
    if options.sample:
        # A step that has no divisor in common with the numbers of phases and signals meets all of them.
        step = max(1, len(cases) // options.sample) | 1
        cases = [cases[k * step % len(cases)] for k in range(options.sample)]
    environment = dict(os.environ, HWLOC_COMPONENTS='-pci,-opencl')
    os.environ.update(environment)
    failed, longest = 0, 0.0
    for operation, phase, end in cases:
        command = shlex.split(options.mpiexec) + ['-n', str(options.processes), options.struck, operation, phase, str(int(ENDS[end]))]
        took, status, output = seconds_from_strike_to_end(command, 30)
        wrong = problem(took, status, output, options.limit, end)
        longest = max(longest, took or 0.0)
        if wrong:
            failed += 1
            print(f'{operation} {phase} {end}: {wrong}\n{output[-600:]}', flush=True)
    print(f'{len(cases) - failed} of {len(cases)} kills ended as documented, the longest {longest:.2f} s after the signal')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
