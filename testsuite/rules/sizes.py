"""Files stay small: 400 lines for a source file (a grammar and tables apart), 30 for the header of a pass."""
from project import files, finish, text

longest = 400
longest_pass_header = 30
pass_headers = ["check/check.hpp", "pretranslate/pretranslate.hpp", "lower/lower.hpp", "emit/emit.hpp"]

problems = []
checked = [path for path in files(".cpp", ".hpp", ".h", ".hpcpp", ".hph", ".py", ".sh")
           if "corpus" not in path.parts]
for path in checked:
    lines = text(path).count("\n")
    if lines > longest:
        problems.append(f"{path}: {lines} lines; would two names tell more?")
for header in pass_headers:
    lines = text("translator/" + header).count("\n")
    if lines > longest_pass_header:
        problems.append(f"translator/{header}: {lines} lines, more than one declaration with its comment")
finish(problems, len(checked))
