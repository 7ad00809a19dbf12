# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Translates programs into an archive of plain C++, which another machine builds and runs (elsewhere.sh)."""
import concurrent.futures
import io
import pathlib
import subprocess
import tarfile
import tempfile

import programs
import trials


def translated(hpcc, name, source):
    """The text that hpcc emits in a configuration."""
    command = [hpcc, *trials.configurations[name], "--emit=cpp", source]
    return subprocess.run(command, check=True, capture_output=True).stdout


def write(archive, hpcc, names, groups, jobs):
    """One file <configuration>/<first program>.cpp per configuration and group of programs; device/<first program>.cpp for all targets."""
    folders = {("device" if name in trials.targets else name): name for name in names}
    with (tempfile.TemporaryDirectory(prefix="hpspmd_random_") as folder, tarfile.open(archive, "w:gz") as tar,
          concurrent.futures.ThreadPoolExecutor(jobs) as pool):
        for some in groups:
            source = pathlib.Path(folder) / f"{some[0].number:05}.hpcpp"
            source.write_text(programs.text(some))
            texts = pool.map(lambda name: translated(hpcc, name, source), folders.values())
            for name, text in zip(folders, texts):
                entry = tarfile.TarInfo(f"{name}/{source.stem}.cpp")
                entry.size = len(text)
                tar.addfile(entry, io.BytesIO(text))
    print(f"{archive}: {archive.stat().st_size / 2**20:.1f} MiB")
