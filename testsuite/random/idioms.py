# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements as people write them, which passes on whole nests look for: relaxation in place, a sum of products, a
number that a nest accumulates, a temporary array between two nests, sums of all pairs in a row.

Each takes the program and gives a statement, or nothing if the program's arrays do not admit it."""
from iterations import iterations
from neighbours import neighbourhood
from rows import rows


def relaxation(program):
    """Every second element of a matrix, from its neighbours in the same matrix."""
    rng, x, y = program.rng, program.x, program.y
    targets = [a for a in program.numbers if a.extents == [x, y]]
    if not targets or (0, 0) in (x.ghosts, y.ghosts) or min(x.size, y.size) < 3:
        return None
    a = rng.choice(targets)
    neighbours = [f"{a.name}[i - 1, j]", f"{a.name}[i + 1, j]", f"{a.name}[i, j - 1]", f"{a.name}[i, j + 1]"]
    value = " + ".join(rng.sample(neighbours, rng.randint(2, 4)))
    e = rng.choice(["", f" + {rng.choice(program.scalars)}", f" + {rng.randint(0, 4)}"])
    return ["{", f"Adlib::writeHalo({a.name});",
            [f"overall (i = x for 1 : {x.size - 2}) {{",
             [f"overall (j = y for 1 + (i`{e}) % 2 : {y.size - 2} : 2) {{",
              f"{a.name}[i, j] = {program.wrapped(a, value)};", "}"], "}"], "}"]


def contraction(program):
    """Sums of products over a sequential dimension, of arrays of one row and one column of processes."""
    rng, x, y, m = program.rng, program.x, program.y, program.columns
    rows = [a for a in program.arrays if a.extents == [x, m]]
    columns = [a for a in program.arrays if a.extents == [m, y]]
    targets = [a for a in program.numbers if a.extents == [x, y]]
    if not rows or not columns or not targets:
        return None
    a, b, c = rng.choice(rows), rng.choice(columns), rng.choice(targets)
    s, k = program.name("s"), program.name("k")
    factors = [f"{a.name}[i, {k}]", f"{b.name}[{k}, j]"]
    kind = "Index"
    if (a.element, b.element) != ("Index", "Index"):  # sums in any order must be exact
        kind, factors = "double", [f"double(bits({factor}) % 97)" for factor in factors]
    return [f"overall (i = x for {program.triplet(x)}) {{",
            [f"overall (j = y for {program.triplet(y)}) {{", f"{kind} {s} = 0;",
             f"for (Index {k} = 0; {k} < {m}; ++{k}) {s} += {factors[0]} * {factors[1]};",
             f"{c.name}[i, j] = {program.wrapped(c, s)};", "}"], "}"]


def accumulation(program):
    """A number that a nest over all processes makes: a sum of integers, or an extreme value."""
    rng, x, y = program.rng, program.x, program.y
    indices = {x: "i", y: "j"}
    isSummed = not (x.isCollapsed or y.isCollapsed) and rng.random() < 0.6
    s = program.name("s")
    term = f"bits({program.element(indices, {})}) % 97"
    if isSummed:
        kind = rng.choice(["Index", "double"])
        change = rng.choice([f"{s} += {kind}({term});", f"{s} = {s} + {kind}({term});",
                             f"if ({program.condition(indices)}) {s} += {kind}({term});"])
        first, collective = "0", f"Index(Adlib::sum({s})) % 1009"
    else:
        kind = "Index"
        change = rng.choice([f"{s} = std::max({s}, Index({term}));", f"if ({term} > {s}) {s} = {term};"])
        first, collective = "-1", f"Adlib::maxval({s})"
    return ["{", f"{kind} {s} = {first};",
            [f"overall (i = x for {program.triplet(x)}) {{",
             [f"overall (j = y for {program.triplet(y)}) {{", change, "}"], "}"],
            f"total = (total + {collective}) % 1009;", "}"]


def temporary(program):
    """An array between two nests over the same locations."""
    rng, x, y = program.rng, program.x, program.y
    targets = [a for a in program.numbers if a.extents == [x, y]]
    if not targets:
        return None
    t, target = program.name("w"), rng.choice(targets)
    first, second = program.triplet(x), program.triplet(y)
    headers = [f"overall (i = x for {first}) {{", f"overall (j = y for {second}) {{"]
    indices = {x: "i", y: "j"}
    writes = f"{t}[i, j] = {program.element(indices, {})} {rng.choice('+-')} {program.leaf(indices, {}, None, None)};"
    reads = f"{target.name}[i, j] = {program.wrapped(target, f'{t}[i, j] + {program.element(indices, {})}')};"
    between = [] if rng.random() < 0.7 else [program.nest([x])]
    return ["{", f"double [[-,-]] {t} = new double [[x, y]] on p;", [headers[0], [headers[1], writes, "}"], "}"],
            *between, [headers[0], [headers[1], reads, "}"], "}"], "}"]


def chain(program):
    """Adjacent nests over the same locations, each with its own names, and a temporary that some of them use."""
    rng, x, y = program.rng, program.x, program.y
    ranges = rng.choice([[x, y], [x, y], [x], [y]])
    targets = [a for a in program.targets(ranges) if a.element == "double"]  # others need a function
    if not targets:
        return None
    t, triplets = program.name("w"), [program.triplet(r) for r in ranges]
    slots = ",".join("-" * len(ranges))
    nests = []
    for number in range(rng.randint(2, 4)):
        names = rng.choice([["i", "j"], ["i", "j"], ["ii", "jj"], ["j", "i"]])[:len(ranges)]
        indices = dict(zip(ranges, names))
        own = f"{t}[{', '.join(names)}]"
        body = []
        if number == 0 or rng.random() < 0.2:
            body.append(f"{own} = {program.element(indices, {})};")
        for _ in range(rng.randint(0 if body else 1, 2)):
            k = program.name("k") if rng.random() < 0.3 else None
            target = rng.choice(targets)
            value = program.wrapped(target, f"{own} {rng.choice('+-')} {program.leaf(indices, {}, k, None)}")
            line = f"{program.subscripts(target, indices, {}, k)} = {value};"
            body.append([f"for (int {k} = 0; {k} < {program.columns}; ++{k}) {{", line, "}"] if k else line)
        for name, r, triplet in reversed(list(zip(names, ranges, triplets))):
            body = [[f"overall ({name} = {r.name} for {triplet}) {{", *body, "}"]]
        nests.append(body[0])
    return ["{", f"double [[{slots}]] {t} = new double [[{', '.join(r.name for r in ranges)}]] on p;", *nests, "}"]


def column(program):
    """A sequential dimension read to both sides of a counter."""
    rng, m = program.rng, program.columns
    targets = [a for a in program.numbers if a.extents == [program.x, program.y, m]]
    sources = [a for a in targets if a.element == "double"]
    if m < 3 or not targets or not sources:
        return None
    a, b, k = rng.choice(targets), rng.choice(sources), program.name("k")
    value = f"{b.name}[i, j, {k} - 1] + {b.name}[i, j, {k} + 1] - {b.name}[i, j, {k}]"
    return [f"overall (i = x for {program.triplet(program.x)}) {{",
            [f"overall (j = y for {program.triplet(program.y)}) {{",
             f"for (Index {k} = 1; {k} < {m} - 1; ++{k}) {a.name}[i, j, {k}] = {program.wrapped(a, value)};", "}"], "}"]


def pairs(program):
    """Of each pair of numbers in the rows of a matrix the sum over all rows."""
    rng, x, columns = program.rng, program.x, program.columns
    rows = [a for a in program.numbers if a.extents == [x, columns]]
    if not rows:
        return None
    a, w, t, s = rng.choice(rows), program.name("w"), program.name("t"), program.name("s")
    k, h, m = program.name("k"), program.name("h"), rng.choice([columns, 9, 26])
    left, right, number = f"{w}[i, {k}]", f"{w}[i, {h}]", rng.randint(1, 5)
    term = rng.choice([f"{left} * {right}", f"{number} * ({right} * {left}) - ({left} + {right})",
                       f"{left} - {number} * {right}"])
    rowEnd, columnEnd = rng.choice([(m, m), (m, m), (m - 1, m), (m, max(m - 1, 1))])
    size = rowEnd * columnEnd
    return ["{", f"double [[-,*]] {w} = new double [[x, {m}]] on p, {t} = new double [[x, {size}]] on p;",
            f"double [[*]] {s} = new double [[{size}]] on p;",
            ["overall (i = x for :) {",
             f"for (int {k} = 0; {k} < {m}; ++{k})",
             [f"{w}[i, {k}] = double(bits({a.name}[i, {k} % {columns}] + {k}) % 97);"], "}"],
            ["overall (i = x for :) {",
             [f"for (Index {k} = 0; {k} < {rowEnd}; ++{k}) {{",
              f"for (int {h} = 0; {h} < {columnEnd}; ++{h}) {t}[i, {k} * {columnEnd} + {h}] = {term};", "}"], "}"],
            f"Adlib::sumDim({s}, {t}, 0);",
            f"for (int {k} = 0; {k} < {size}; ++{k}) total = (total + {k} * (Index({s}[{k}]) % 1009)) % 1009;", "}"]


all = [relaxation, relaxation, contraction, accumulation, accumulation, temporary, temporary, chain, chain,
       column, pairs, *[rows] * 5, *[iterations] * 4, *[neighbourhood] * 5]
