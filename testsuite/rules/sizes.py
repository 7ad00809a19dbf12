# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files stay small: 400 lines for a source file (a grammar and tables apart), 30 for the header of a pass. The line with the
licence does not count."""
from project import files, finish, text

longest = 400
longest_pass_header = 30
pass_headers = ["check/check.hpp", "pretranslate/pretranslate.hpp", "lower/lower.hpp", "emit/emit.hpp"]



def length(path):
    return sum("SPDX-License-Identifier:" not in line for line in text(path).split("\n")[:-1])


problems = []
checked = [path for path in files(".cpp", ".hpp", ".h", ".hpcpp", ".hph", ".py", ".sh")
           if "corpus" not in path.parts]
for path in checked:
    lines = length(path)
    if lines > longest:
        problems.append(f"{path}: {lines} lines; would two names tell more?")
for header in pass_headers:
    lines = length("translator/" + header)
    if lines > longest_pass_header:
        problems.append(f"translator/{header}: {lines} lines, more than one declaration with its comment")
finish(problems, len(checked))
