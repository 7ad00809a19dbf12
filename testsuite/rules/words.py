# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No unfinished work, no paths of one machine, no file named by a word that says nothing."""
import re

from project import files, finish, root, text

# Written apart, so that this file does not find itself.
unfinished = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]) + r")\b|not " + r"(yet )?implemented")
machine_path = re.compile(r"(^|[^A-Za-z0-9_.])/(work|farm|home|root)/")
empty_names = re.compile(r"(^|_)(utils?|helpers?|common|misc|mgr|manager|ctx|tmp)(_|$)")

problems = []
checked = [path for path in files() if "corpus" not in path.parts and path.suffix not in (".pgm", ".png", ".pyc")]
checked += [path.relative_to(root) for path in sorted(root.glob("*")) + sorted(root.glob("docs/**/*"))
            if path.is_file()]
for path in checked:
    if empty_names.search(path.stem):
        problems.append(f"{path}: the name says nothing")
    for number, line in enumerate(text(path).splitlines(), 1):
        if unfinished.search(line) or machine_path.search(line):
            problems.append(f"{path}:{number}: {line.strip()[:100]}")
finish(problems, len(checked))
