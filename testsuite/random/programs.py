# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random HPspmd programs: always valid, and with one answer for every level and number of processes.

A program is a function. Its statements are a tree, [head, children.., tail] or a line, which shrink.py cuts down.
Integers are kept small by remainders; floating-point elements are never added up across processes, only their bits."""
import random

import cplusplus
import elements
import idioms
import respellings
from shapes import Array, Range, digestFor, isEdge, main, prelude


class Program:
    def __init__(self, seed, number):
        self.rng = rng = random.Random(f"{seed}/{number}")
        self.number, self.fresh = number, 0
        self.x, self.y = Range(rng, "x", 0), Range(rng, "y", 1)
        m = self.columns = rng.randint(1, 4)
        shapes = [[self.x, self.y]] * 3 + [[self.x], [self.y], [self.x, m], [m, self.y], [self.x, self.y, m]]
        self.arrays = []
        for shape in shapes[:2] + rng.sample(shapes[2:], 4):
            self.arrays.append(Array("abcdefgh"[len(self.arrays)], rng.choice(elements.all), shape))
        self.shown = [a.name for a in self.arrays]  # whose elements the program prints
        self.scalars = ["n"]  # names of integers that all processes know
        self.distances = [rng.choice(cplusplus.distances) for _ in range(2)]  # types of `one` and `two`
        self.body = [self.initial(a, k) for k, a in enumerate(self.arrays)]
        self.body += [self.statement(2) for _ in range(rng.randint(3, 7))]

    @property
    def numbers(self):
        """Arrays whose elements are numbers."""
        return [a for a in self.arrays if a.element in elements.numbers]

    def name(self, letter):
        self.fresh += 1
        return f"{letter}{self.fresh}"

    def initial(self, array, k):
        indices = {self.x: "i", self.y: "j"}
        subscripts = [indices[e] if isinstance(e, Range) else "k" for e in array.extents]
        terms = [f"{k + 2} * {indices[r]}`" for r in array.ranges] + [str(3 * k)] + ["7 * k"] * ("k" in subscripts)
        nest = f"{array.name}[{', '.join(subscripts)}] = {elements.first(array.element, ' + '.join(terms))};"
        if "k" in subscripts:
            nest = [f"for (int k = 0; k < {self.columns}; ++k) {{", nest, "}"]
        for r in reversed(array.ranges):
            nest = [f"overall ({indices[r]} = {r.name} for :) {{", nest, "}"]
        return nest

    # ---- statements of the function --------------------------------------------------------------

    def statement(self, depth):
        rng = self.rng
        kind = rng.choice(["nest"] * 7 + ["idiom"] * 6 + ["at", "sum", "swap", "section", "branch", "loop", "control"] * 2 + ["loop"]
                          + ["holder", "binding", "member", "manager", "branches"])
        if kind == "loop" and depth > 0:
            t = self.name("t")
            self.scalars.append(t)
            inner = [self.statement(depth - 1) for _ in range(rng.randint(1, 3))]
            self.scalars.remove(t)
            first = rng.randint(0, 1)
            return [f"for (int {t} = {first}; {t} < {first + rng.randint(0, 3)}; ++{t}) {{", *inner, "}"]
        if kind == "branch" and depth > 0:
            condition = f"({rng.choice(self.scalars)} + {rng.randint(0, 3)}) % 2 == 0"
            return [f"if ({condition}) {{", self.statement(0), "} else {", self.statement(0), "}"]
        if kind == "control" and depth > 0:
            return cplusplus.control(self, lambda: self.statement(0))
        if kind in ("holder", "binding", "member", "manager", "branches"):
            return getattr(cplusplus, kind)(self) or self.nest([self.x, self.y])
        if kind == "idiom":
            found = rng.choice(idioms.all)(self)
            return found or self.nest([self.x, self.y])
        if kind == "sum":
            return self.reduction()
        if kind == "swap":
            return self.swap()
        if kind == "section":
            return self.section()
        if kind == "at":
            return self.at()
        return self.nest(rng.choice([[self.x], [self.y], [self.x, self.y], [self.x, self.y], [self.y, self.x]]))

    def reduction(self):
        array = self.rng.choice([a for a in self.arrays if len(a.extents) == len(a.ranges)])
        header = ", ".join(f"{'ij'[k]} = {r.name} for {self.triplet(r)}" for k, r in enumerate(array.ranges))
        element = f"{array.name}[{', '.join('ij'[:len(array.ranges)])}]"
        return f"total = (total + Adlib::sum(overall ({header}) bits({element}) % 997)) % 1009;"

    def swap(self):
        pairs = [(a, b) for a in self.arrays for b in self.arrays
                 if a.name < b.name and a.element == b.element and a.extents == b.extents]
        if not pairs:
            return self.nest([self.x, self.y])
        a, b = self.rng.choice(pairs)
        return f"std::swap({a.name}, {b.name});"

    def at(self):
        r = self.rng.choice([self.x, self.y])
        if r.size == 0:
            return self.nest([r])
        other = self.y if r is self.x else self.x
        targets = self.targets([self.x, self.y])
        index, inner = ("i", "j") if r is self.x else ("j", "i")
        body = self.assignment(targets, {self.x: "i", self.y: "j"}, {})
        return [f"at ({index} = {r.name}[{self.rng.randrange(r.size)}]) {{",
                [f"overall ({inner} = {other.name} for {self.triplet(other)}) {{", body, "}"], "}"]

    def section(self):
        """A part of a matrix, changed through its own ranges."""
        array = self.rng.choice(self.targets([self.x, self.y]))
        if len(array.extents) != 2 or array not in self.numbers:
            return self.nest([self.x, self.y])
        part = self.name("part")
        slots = ", ".join(self.triplet(r) for r in array.ranges)
        return ["{", f"{array.element} [[-,-]] {part} = {array.name}[[{slots}]];",
                [f"overall (i = {part}.rng(0) for :) {{",
                 [f"overall (j = {part}.rng(1) for :) {{",
                  f"{part}[i, j] = {self.wrapped(array, f'{part}[i, j] + i` - j` + 1')};", "}"], "}"], "}"]

    # ---- nests -----------------------------------------------------------------------------------

    def triplet(self, r, margin=(0, 0)):
        """Locations of r that keep `margin` away from its ends."""
        low, high = margin[0], r.size - 1 - margin[1]
        if low == 0 and high == r.size - 1 and (r.size == 0 or self.rng.random() < 0.4):
            return ":"
        if high < low:
            return f"{low} : {low - 1}"
        l, u = sorted((self.rng.randint(low, high), self.rng.randint(low, high)))
        if self.rng.random() < 0.5:
            l, u = low, high
        step = self.rng.choice([1, 1, 1, 2, 3])
        if margin == (0, 0) and self.rng.random() < 0.15:
            return f"{u} : {l} : -{step}"
        return f"{l} : {u}" if step == 1 else f"{l} : {u} : {step}"

    def targets(self, ranges):
        """Arrays that a nest over these ranges may change: distributed over all of them."""
        return [a for a in self.arrays if set(a.ranges) == set(ranges)]

    def nest(self, ranges):
        rng = self.rng
        targets = self.targets(ranges)
        if not targets:
            ranges = [self.x, self.y]
            targets = self.targets(ranges)
        indices = {self.x: "i", self.y: "j"}
        indices = {r: indices[r] for r in ranges}
        target = rng.choice(targets)
        shifted, margin = {}, {r: (0, 0) for r in ranges}
        halos = []
        if rng.random() < 0.6:
            readable = [a for a in self.arrays if a is not target and a.ranges and set(a.ranges) <= set(ranges)
                        and any(r.ghosts != (0, 0) for r in a.ranges)]
            for array in rng.sample(readable, min(len(readable), rng.randint(1, 2))):
                shifted[array] = {r: r.ghosts for r in array.ranges}
                halos.append(f"Adlib::writeHalo({array.name});")
                for r in array.ranges:
                    margin[r] = (max(margin[r][0], r.ghosts[0]), max(margin[r][1], r.ghosts[1]))
        headers = []
        for depth, r in enumerate(ranges):
            triplet = self.triplet(r, margin[r])
            if depth == 1 and r.size - 1 - margin[r][1] > margin[r][0] and rng.random() < 0.4:
                outer = indices[ranges[0]]
                e = rng.choice(["", f" + {rng.choice(self.scalars)}", f" + {rng.randint(0, 4)}"])
                triplet = f"{margin[r][0]} + ({outer}`{e}) % 2 : {r.size - 1 - margin[r][1]} : 2"
            headers.append(f"overall ({indices[r]} = {r.name} for {triplet}) {{")
        inner = [self.inner([target], indices, shifted) for _ in range(rng.randint(1, 3))]
        for depth in reversed(range(len(ranges))):
            outside = []
            if depth == 1 and rng.random() < 0.3:
                rows = [a for a in self.arrays if a.ranges == [ranges[0]] and a not in shifted]
                if rows:
                    outside = [self.inner([rng.choice(rows)], {ranges[0]: indices[ranges[0]]}, {})]
            inner = outside + [[headers[depth], *inner, "}"]] if depth > 0 else [[headers[depth], *inner, "}"]]
        return inner[0] if not halos else ["{", *halos, inner[0], "}"]

    def inner(self, targets, indices, shifted):
        rng = self.rng
        kind = rng.choice(["assign"] * 4 + ["if", "else", "for", "local"])
        if kind == "if":
            return [f"if ({self.condition(indices)}) {{", self.assignment(targets, indices, shifted), "}"]
        if kind == "else":
            return [f"if ({self.condition(indices)}) {{", self.assignment(targets, indices, shifted), "} else {",
                    self.assignment(targets, indices, shifted), "}"]
        if kind == "for":
            k = self.name("k")
            jump = rng.choice(["", "", "continue;", "break;"])
            lines = [f"if (({k} + {self.rng.choice(list(indices.values()))}`) % 3 == 1) {jump}"] if jump else []
            return [f"for ({rng.choice(cplusplus.counters)} {k} = 0; {k} < {self.columns}; ++{k}) {{", *lines,
                    self.assignment(targets, indices, shifted, k), "}"]
        if kind == "local" and targets[0] in self.numbers:
            v = self.name("v")
            return ["{", f"{rng.choice(cplusplus.locals)} {v} = bits({self.element(indices, shifted)}) % 89;",
                    self.assignment(targets, indices, shifted, None, v), "}"]
        return self.assignment(targets, indices, shifted)

    # ---- expressions -----------------------------------------------------------------------------

    def condition(self, indices):
        index = self.rng.choice(list(indices.values()))
        return f"({index}` + {self.rng.choice(self.scalars)}) % {self.rng.randint(2, 3)} == {self.rng.randint(0, 1)}"

    def subscripts(self, array, indices, shifts, k=None):
        parts = []
        for extent in array.extents:
            if isinstance(extent, Range):
                lo, hi = shifts.get(extent, (0, 0))
                distance = self.rng.randint(-lo, hi) if (lo, hi) != (0, 0) else 0
                by = str(abs(distance)) if self.rng.random() < 0.7 else ["", "one", "two"][abs(distance)]
                sign = f" {'+' if distance > 0 else '-'} {by}" if distance else ""
                parts.append(indices[extent] + sign)
            elif k and extent == self.columns and self.rng.random() < 0.7:
                parts.append(self.rng.choice([k, k, f"{extent} - 1 - {k}", f"({k} + 1) % {extent}"]))
            else:
                parts.append(str(self.rng.randrange(extent)))
        return f"{array.name}[{', '.join(parts)}]"

    def element(self, indices, shifted, k=None):
        readable = [a for a in self.arrays if set(a.ranges) <= set(indices)]
        array = self.rng.choice(list(shifted) * 2 + readable)
        return elements.number(self.rng, array.element, self.subscripts(array, indices, shifted.get(array, {}), k))

    def leaf(self, indices, shifted, k, v):
        choices = [lambda: self.element(indices, shifted, k)] * 5
        choices += [lambda: f"{self.rng.choice(list(indices.values()))}`", lambda: str(self.rng.randint(0, 9)),
                    lambda: self.rng.choice(self.scalars)]
        choices += [lambda: cplusplus.leaf(self, indices, lambda: self.element(indices, shifted, k))]
        choices += [lambda name=name: name for name in (k, v) if name]
        return self.rng.choice(choices)()

    def wrapped(self, array, expression):
        """Keeps the elements small."""
        return elements.wrapped(array.element, expression)

    def expression(self, indices, shifted, k=None, v=None):
        """A sum of numbers."""
        terms = [self.leaf(indices, shifted, k, v) for _ in range(self.rng.randint(1, 4))] + ([v] if v else [])
        result = terms[0]
        for term in terms[1:]:
            result += f" {self.rng.choice('++-')} {self.rng.choice(['', '', '2 * '])}{term}"
        return result

    def assignment(self, targets, indices, shifted, k=None, v=None):
        target = self.rng.choice(targets)
        others = [self.subscripts(a, indices, shifted.get(a, {}), k) for a in self.arrays
                  if a is not target and a.element == target.element and set(a.ranges) <= set(indices)]
        return elements.change(self, target.element, self.subscripts(target, indices, {}, k),
                               lambda: self.expression(indices, shifted, k, v), others)

    # ---- text ------------------------------------------------------------------------------------

    def text(self):
        lines = [f"void program{self.number}(const Procs2 &p) {{", "    on (p) {",
                 "        " + self.x.declaration, "        " + self.y.declaration,
                 "        [[maybe_unused]] const Index n = x.size();", "        Index total = n;"]
        for by, (name, kind) in enumerate(zip(["one", "two"], self.distances), 1):
            lines.append(f"        [[maybe_unused]] {kind} {name} = {by};")
        lines += ["        " + a.declaration for a in self.arrays]
        for statement in self.body:
            self.write(statement, "        ", lines)
        for a in self.shown:
            lines.append(f'        Adlib::gprintln("{self.number} {a} ", digest({a}));')
        lines += [f'        Adlib::gprintln("{self.number} total ", total);', "    }", "}", ""]
        return respellings.counted("\n".join(lines), random.Random(self.number))

    def write(self, statement, indent, lines):
        if isinstance(statement, str):
            lines.append(indent + statement)
            return
        for part in statement:
            if isEdge(part):
                lines.append(indent + part)
            else:
                self.write(part, indent + "    ", lines)


def text(programs):
    calls = "".join(f"    if (only < 0 || only == {p.number}) program{p.number}(p);\n" for p in programs)
    digests = {(a.element, len(a.extents)) for p in programs for a in p.arrays if a.name in p.shown}
    parts = [prelude, *(digestFor(*each) for each in sorted(digests)), "\n", *(p.text() + "\n" for p in programs), main % calls]
    return "".join(parts)
