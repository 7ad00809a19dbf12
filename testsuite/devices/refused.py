#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a comment says of the nest on its line, the remarks of --device must say: `// kernel`, or `// host: <first thing in the way>`,
or `// kernel, not OpenCL: <what OpenCL C cannot say>`."""
import re
import subprocess
import sys

hpcc, *sources = sys.argv[1:]


def fits(expected, found):
    return found == expected if expected == "kernel" else found.startswith(expected)


def remarks(messages):
    """What is said of each line."""
    said, line = {}, 0
    for message in messages.splitlines():
        remark = re.match(r".*?:(\d+):\d+: remark: (.*)", message)
        reason = re.match(r".*?:\d+:\d+: note: because (?:it|here it|it has no fast form: it) (.*)", message)
        if remark:
            line = int(remark[1])
            if "no form in OpenCL C" in remark[2]:
                said[line] += ", not OpenCL"
            else:
                said[line] = "kernel" if re.search("is a (part of )?kernel", remark[2]) else "host"
        elif reason:
            said[line] += ": " + reason[1]
        elif "note: because it has no fast form" in message:
            said[line] += ": has no fast form"
    return said


wrong, count, messages = [], 0, ""
for source in sources:
    job = subprocess.run([hpcc, "-O3", "--device", "--fsyntax-only", "-Rpass=devices", "-Rpass-missed=devices", source],
                         capture_output=True, text=True, timeout=200)
    said = remarks(job.stderr)
    count += len(said)
    messages += job.stderr[-3000:]
    for number, text in enumerate(open(source, encoding="utf-8"), 1):
        expected = re.search(r"// (kernel|kernel, not OpenCL: .*|host|host: .*)$", text.rstrip())
        if expected and not any(fits(expected[1], said.get(each, "")) for each in (number, number - 1)):
            wrong.append(f"{source}:{number}: expected '{expected[1]}', said '{said.get(number)}'")
if wrong or count < 30 * len(sources) // 2:
    sys.exit("\n".join(wrong) + "\n" + messages)
