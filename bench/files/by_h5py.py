#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Megabytes in a second that h5py writes and reads, of the array of files.hpcpp: by_h5py.py FOLDER [ROWS] [TIMES]."""
import os
import pathlib
import statistics
import sys
import time

import h5py
import numpy

folder = pathlib.Path(sys.argv[1])
rows, times = ([int(word) for word in sys.argv[2:]] + [4096, 5][len(sys.argv) - 2:])[:2]
array = numpy.add.outer(numpy.arange(float(rows)), numpy.arange(rows + 1.0))


def write():
    with h5py.File(folder / "h5py.tmp", "w") as file:
        file["data"] = array
    os.rename(folder / "h5py.tmp", folder / "h5py.h5")


def read():
    with h5py.File(folder / "h5py.h5") as file:
        return file["data"][:]


taken = {write: [], read: []}
for _ in range(times):
    for action, list_of in taken.items():
        start = time.perf_counter()
        action()
        list_of.append(time.perf_counter() - start)
for action, list_of in taken.items():
    print(f"h5py {action.__name__:5} best {array.nbytes / min(list_of) / 1e6:6.0f} MB/s, median {array.nbytes / statistics.median(list_of) / 1e6:6.0f} MB/s")
(folder / "h5py.h5").unlink()
