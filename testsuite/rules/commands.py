# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""README's commands are the ones that exist and the ones that CI runs."""
import re

from project import finish, root, text

problems = []
readme, hpc, ci = text("README.md"), text("hpc"), text(".ci/run")
blocks = re.findall(r"```sh\n(.*?)```", readme, re.S)
commands = [line.split("#")[0].strip() for block in blocks for line in block.splitlines()]
commands = [command for command in commands if command]
if commands[:2] != ["./hpc demo", "./hpc test"]:
    problems.append(f"README.md begins with {commands[:2]}, not with ./hpc demo and ./hpc test")
if "exec ./hpc test" not in ci:
    problems.append(".ci/run does not end with ./hpc test")
for command in commands:
    words = command.split()
    if words[0] == "./hpc" and not re.search(rf"^ *{words[1]}\)", hpc, re.M):
        problems.append(f"README.md: '{command}' is no command of hpc")
    for word in words:
        if word.startswith("examples/") and not (root / word).exists():
            problems.append(f"README.md: '{command}': no file {word}")
for part in re.findall(r"`((?:docs|examples|translator|testsuite|adlib|runtime|include|bench)/[\w./-]*)`", readme):
    if not (root / part).exists():
        problems.append(f"README.md names {part}, which does not exist")
finish(problems, len(commands))
