# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the system says about processes. One may end between any two questions, even between open and read of its files."""
from pathlib import Path


def stat(process):
    """The fields behind the name of /proc/<process>/stat: the letter of the state, the parent, ..; [] if it is gone."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")")[-1].split()
    except (FileNotFoundError, ProcessLookupError):
        return []


def is_alive(process):
    """False if it is gone, or only its parent has not yet asked for its end."""
    return stat(process)[:1] not in ([], ["Z"], ["X"])


def name(process):
    """At most 15 characters; "" if it is gone."""
    try:
        return Path(f"/proc/{process}/comm").read_text().strip()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def descendants(process):
    """Those below come first."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        if stat(path.name)[1:2] == [str(process)]:
            found += descendants(int(path.name)) + [int(path.name)]
    return found
