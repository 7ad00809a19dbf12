#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Megabytes in a second that h5py writes and reads, of the array of files.hpcpp: by_h5py.py FOLDER [ROWS] [TIMES].
Also with checksums, as Adlib::write makes them: those of HDF5 (fletcher32, for which the array has to lie in chunks), and one
of the whole array by zlib."""
import os
import pathlib
import statistics
import sys
import time
import zlib

import h5py
import numpy

folder = pathlib.Path(sys.argv[1])
rows, times = ([int(word) for word in sys.argv[2:]] + [4096, 5][len(sys.argv) - 2:])[:2]
array = numpy.add.outer(numpy.arange(float(rows)), numpy.arange(rows + 1.0))


def write():
    with h5py.File(folder / "h5py.tmp", "w") as file:
        file["data"] = array
    os.rename(folder / "h5py.tmp", folder / "h5py.h5")


def write_fletcher32():
    with h5py.File(folder / "h5py.tmp", "w") as file:
        file.create_dataset("data", data=array, chunks=(min(rows, 128), rows + 1), fletcher32=True)
    os.rename(folder / "h5py.tmp", folder / "h5py.h5")


def write_crc32():
    with h5py.File(folder / "h5py.tmp", "w") as file:
        file["data"] = array
        file["data"].attrs["crc32"] = zlib.crc32(array)
    os.rename(folder / "h5py.tmp", folder / "h5py.h5")


def read():
    with h5py.File(folder / "h5py.h5") as file:
        return file["data"][:]


actions = (write, write_fletcher32, write_crc32, read)
taken = {action: ([], []) for action in actions}  # seconds, and those of the processor, which other work on the machine changes less
for _ in range(times):
    for action in actions:
        start, processor = time.perf_counter(), time.process_time()
        action()
        taken[action][0].append(time.perf_counter() - start)
        taken[action][1].append(time.process_time() - processor)
for action, both in taken.items():
    words = (f"best {array.nbytes / min(each) / 1e6:6.0f} MB/s, median {array.nbytes / statistics.median(each) / 1e6:6.0f}" for each in both)
    print(f"h5py {action.__name__:16} {'; processor '.join(words)}")
(folder / "h5py.h5").unlink()
