# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a program that gives different answers as small as it still does.

Candidates are built many at a time, as programs of one text, so that the C++ compiler reads the library once for all."""
import copy
import re

from shapes import isEdge

together = 12


def paths(body, prefix=()):
    """The places of all statements, the outer before the inner."""
    for k, part in enumerate(body):
        if isEdge(part):
            continue
        yield (*prefix, k)
        if isinstance(part, list):
            yield from paths(part, (*prefix, k))


def parentOf(body, path):
    for k in path[:-1]:
        body = body[k]
    return body


def replaced(program, path, parts):
    """The program with `parts` in place of the statement at `path`."""
    smaller = copy.deepcopy(program)
    parentOf(smaller.body, path)[path[-1]:path[-1] + 1] = parts
    return smaller


def simpler(line):
    """Lines with one part less: a term, a shift, a triplet, a 2 *, a condition of two."""
    term = r" [+-] (?:2 \* )?[\w`]+(?:\[[^]]*\])?(?:\.\w+(?:\[\w\]|\(\))?)*"
    for pattern, text in ((term, ""), (r"2 \* ", ""), (r" for [^()]*:[^{]*\)", " for :)"),
                          (r" (?:&&|\|\|) [^(){}]*\)", ")"), (r"bits\((.*)\) % 1009", r"\1"), (r"0\.25 \* \((.*)\)", r"\1"), (r"[+-]=", "=")):
        for match in re.finditer(pattern, line):
            shorter = line[:match.start()] + match.expand(text) + line[match.end():]
            if shorter != line:
                yield shorter


def withoutElse(statement):
    """`if (c) S else T` as `if (c) S`."""
    for k, part in enumerate(statement):
        if isEdge(part) and "else" in part:
            yield statement[:k] + (["}"] if part.startswith("}") else [])


def smallerPrograms(program):
    """Programs with one thing less, the boldest first."""
    count = len(program.body)
    size = count // 2
    while size > 1:
        for first in range(0, count, size):
            smaller = copy.deepcopy(program)
            del smaller.body[first:first + size]
            yield smaller
        size //= 2
    for path in paths(program.body):
        yield replaced(program, path, [])
    for array in program.arrays:
        smaller = copy.deepcopy(program)
        smaller.arrays = [a for a in smaller.arrays if a.name != array.name]
        yield smaller
    for array in program.shown:
        smaller = copy.deepcopy(program)
        smaller.shown.remove(array)
        yield smaller
    for path in paths(program.body):
        statement = parentOf(program.body, path)[path[-1]]
        if isinstance(statement, str):
            for line in simpler(statement):
                yield replaced(program, path, [line])
        elif isinstance(statement[0], str):
            yield replaced(program, path, [part for part in statement if not isEdge(part)])
            yield from (replaced(program, path, [shorter]) for shorter in withoutElse(statement))
            for line in simpler(statement[0]):
                yield replaced(program, path, [[line, *statement[1:]]])


def isValid(program, trials):
    """Whether the first configuration builds and runs it."""
    return not type(trials)(trials.hpcc, trials.mpiexec, trials.backend, trials.names[:1],
                            trials.processes[:1]).differences([program])


def smallestFailing(candidates, trials, hasAnswer):
    """The shortest that still fails: by another answer, or, as the program that they come from, at all."""
    for k, candidate in enumerate(candidates):
        candidate.number = k
    failing = {d.number for d in trials.differences(candidates) if (d.what == "another answer") == hasAnswer}
    for k in sorted(failing, key=lambda k: len(candidates[k].text())):
        if hasAnswer or isValid(candidates[k], trials):
            return candidates[k]
    return None


def shrunk(program, trials, difference):
    """The smallest program found that differs as `difference` says: until no candidate of a whole round does."""
    number, hasAnswer = program.number, difference.what == "another answer"
    first, tried = 0, 0
    candidates = list(smallerPrograms(program))
    while tried < len(candidates):
        first %= len(candidates)
        some = candidates[first:first + together]
        smaller = smallestFailing(some, trials, hasAnswer)
        if smaller:
            program, tried = smaller, 0
            candidates = list(smallerPrograms(program))
        else:
            first, tried = first + len(some), tried + len(some)
    program.number = number
    return program
