# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Short loops whose variables shift an index, as over the neighbours of an element, with the control flow that people
write in them."""
import itertools

import elements


def neighbourhood(program):
    """A nest in which each element of one array is computed from an area around it in another."""
    rng, x, y = program.rng, program.x, program.y
    ranges = [x, y]
    targets = program.targets(ranges)
    sources = [a for a in program.arrays if any(r.ghosts != (0, 0) for r in a.ranges)]
    pairs = [(a, b) for a in sources for b in targets if a is not b]
    if not pairs:
        return None
    source, target = rng.choice(pairs)
    body = Around(program, source, target).statements()
    for r, index in ((y, "j"), (x, "i")):
        margin = r.ghosts if r in source.ranges else (0, 0)
        body = [[f"overall ({index} = {r.name} for {program.triplet(r, margin)}) {{", *body, "}"]]
    return ["{", f"Adlib::writeHalo({source.name});", *body, "}"]


class Around:
    """Statements of one iteration: they sum up what is near to it, or change its element more than once."""

    def __init__(self, program, source, target):
        self.program, self.rng, self.source, self.target = program, program.rng, source, target
        self.indices = {program.x: "i", program.y: "j"}
        self.values = {}  # of the variables of the loops around, and of constants: all that they may have
        self.locals = []  # names of other numbers
        self.sum, self.kind = program.name("s"), self.rng.choice(["Index", "double", "Complex", "Vector"])

    def statements(self):
        first = {"Complex": "(0, 0)", "Vector": "{0, 0}"}.get(self.kind, " = 0")
        loops = [self.loop(2) for _ in range(self.rng.randint(1, 2))]
        result = elements.first(self.target.element, f"bits({self.sum}) % 1009")
        left = self.program.subscripts(self.target, self.indices, {})
        return [f"{self.kind} {self.sum}{first};", *loops, f"{left} = {result};"]

    def change(self, term):
        """The element of this iteration gets another value."""
        left = self.program.subscripts(self.target, self.indices, {})
        return elements.change(self.program, self.target.element, left, lambda: term, [])

    # ---- loops -----------------------------------------------------------------------------------

    def loop(self, depth):
        """A loop over a few distances, whose bounds may depend on the loop around it or be unknown."""
        rng, outer = self.rng, list(self.values)
        isShadow = outer and rng.random() < 0.1
        d = rng.choice(outer) if isShadow else self.program.name("d")
        first, last, step = rng.choice([(-1, 1, 1)] * 5 + [(-1, 0, 1), (0, 1, 1), (-2, 2, 1), (-2, 2, 2), (1, 1, 1), (1, 0, 1)])
        values = list(range(first, last + 1, step))
        bounds = [f"{first}", rng.choice([f"<= {last}", f"< {last + 1}"])]
        if outer and not isShadow and rng.random() < 0.2:
            e = rng.choice(outer)
            bounds, values = [f"{first}", f"<= {e}"], list(range(first, max([first, *self.values[e]]) + 1, step))
        elif rng.random() < 0.1:
            bounds[1] = f"< {last} + {rng.choice(self.program.scalars)} % 2"
        elif rng.random() < 0.05:
            bounds, step = [f"{last}", f">= {first}"], -step
        change = {1: f"++{d}", -1: f"--{d}"}.get(step, f"{d} {'+-'[step < 0]}= {abs(step)}")
        head = f"for ({rng.choice(['int', 'int', 'Index', 'long'])} {d} = {bounds[0]}; {d} {bounds[1]}; {change})"
        return self.inside([head], {d: values}, depth, isLoop=True)

    def inside(self, edges, values, depth, isLoop=False):
        """What an edge leads into, with or without braces; names declared in it are known in it only."""
        outer, self.values = self.values, {**self.values, **values}
        known = len(self.locals)
        body = [each for _ in range(self.rng.choice([1, 1, 1, 1, 2, 3])) for each in self.statement(depth - 1)]
        if isLoop and self.rng.random() < 0.35:
            jump = self.rng.choice(["continue", "continue", "continue", "break"])
            guard = f"if ({self.condition()}) {jump};" if self.rng.random() < 0.7 else [f"if ({self.condition()}) {{", f"{jump};", "}"]
            body.insert(self.rng.randrange(len(body) + 1), guard)
        del self.locals[known:]
        self.values = outer
        if len(body) == 1 and self.rng.random() < 0.6:
            return [*edges, *body]
        return [*edges[:-1], f"{edges[-1]} {{", *body, "}"]

    # ---- statements inside -----------------------------------------------------------------------

    def statement(self, depth):
        """One statement, or the declaration of a name and a statement that uses it."""
        rng = self.rng
        if depth >= 0:
            kind = rng.choice(["loop"] * 3 + ["else"] * 3 + ["if", "count", "add"])
            if kind == "loop" and (depth > 0 or len(self.values) < 2):
                return [self.loop(depth)]
            if kind in ("if", "else"):
                return [self.branch(depth, kind == "else")]
            if kind == "count":
                k = self.program.name("k")
                return [self.inside([f"for (int {k} = 0; {k} < {self.program.columns}; ++{k})"],
                                    {k: list(range(self.program.columns))}, depth)]
        kind = rng.choice(["add"] * 5 + ["if"] * 4 + ["change", "change", "local", "constant"])
        if kind == "if":
            return [f"if ({self.condition()}) {self.addition()}"]
        if kind == "local":
            return self.declaration()
        if kind == "constant":
            return self.constant()
        return [self.change(self.term()) if kind == "change" else self.addition()]

    def branch(self, depth, hasElse):
        then = self.inside([f"if ({self.condition()})"], {}, depth)
        if hasElse and self.rng.random() < 0.3:  # only the braces tell whose else it is
            then = [f"if ({self.condition()}) {{", f"if ({self.condition()}) {self.addition()}", "}"]
        if not hasElse:
            return then
        if then[-1] != "}" and "for (" in str(then):  # an else would perhaps get into a loop that hides a variable
            then = [f"{then[0]} {{", *then[1:], "}"]
        otherwise = self.inside(["} else" if then[-1] == "}" else "else"], {}, depth)
        return [*(then[:-1] if then[-1] == "}" else then), *otherwise]

    def declaration(self):
        """A number of its own; in braces it may have a name that is known outside."""
        isInBraces = self.rng.random() < 0.5
        v = self.rng.choice([*self.locals * isInBraces, self.program.name("v")])
        lines = [f"const Index {v} = bits({self.access()}) % 89;", self.addition(v)]
        if isInBraces:
            return [["{", *lines, "}"]]
        self.locals.append(v)
        return lines

    def constant(self):
        """A constant that hides the variable of a loop."""
        d = self.rng.choice(list(self.values))
        value = self.rng.choice(self.values[d] or [0])
        outer, self.values = self.values, {**self.values, d: [value]}
        addition = self.addition(d)
        self.values = outer
        return [[f"if ({self.condition()}) {{", f"const int {d} = {value};", addition, "}"]]

    def addition(self, term=None):
        """The sum gets more. Numbers are small integers, so that their sum does not depend on the order."""
        term = term or self.term()
        if self.kind == "Complex":
            return f"{self.sum} += Complex({term}, {self.rng.choice(list(self.values) + ['1'])});"
        if self.kind == "Vector":
            return self.rng.choice([f"{self.sum}.x += double({term});",
                                    f"{self.sum} = turned({self.sum}) + Vector{{double({term}), 1.0}};"])
        return f"{self.sum} {self.rng.choice(['+=', '+=', '-='])} {self.kind}({term});"

    # ---- expressions -----------------------------------------------------------------------------

    def term(self):
        rng = self.rng
        choices = [lambda: f"bits({self.number()}) % 97"] * 5 + [lambda: rng.choice(list(self.values))]
        choices += [lambda: f"({rng.choice(list(self.values))} + 3) * (bits({self.number()}) % 31)"]
        choices += [lambda: rng.choice(self.locals)] * bool(self.locals)
        return rng.choice(choices)()

    def number(self):
        return elements.number(self.rng, self.source.element, self.access())

    def access(self):
        """An element of the source near to this iteration."""
        parts = []
        for extent in self.source.extents:
            if extent in self.indices:
                parts.append(self.rng.choice(list(self.shifts(self.indices[extent], extent.ghosts))))
            else:
                parts.append(str(self.rng.randrange(extent)))
        return f"{self.source.name}[{', '.join(parts)}]"

    def shifts(self, index, ghosts):
        """The index, and what shifts it within the ghost cells whatever values the variables have."""
        yield index
        for d, e in itertools.product(self.values, repeat=2):
            for distance in [d, d, d, f"2 * {d}", f"({d} + 1)"] if d == e else [f"{d} * {e}", f"({d} - {e})"]:
                reached = [eval(distance, {}, {d: v, e: w}) for v in self.values[d] for w in self.values[e]]
                if max(reached, default=0) <= ghosts[1] and min(reached, default=0) >= -ghosts[0]:
                    yield f"{index} + {distance}"
                if max(reached, default=0) <= ghosts[0] and min(reached, default=0) >= -ghosts[1]:
                    yield f"{index} - {distance}"

    def condition(self):
        """About variables, about indices, or about elements."""
        rng, names = self.rng, list(self.values)
        d, e = rng.choice(names), rng.choice(names)
        simple = [f"{d} != 0", f"{d} == 0", f"{d} < 0", f"{d} >= {rng.randint(-1, 1)}", f"{d} != {rng.randint(-1, 1)}",
                  f"{d} + {e} == 0", f"({d} + 2) % 2 == 0", f"!({d} > 0)"]
        simple += [f"{d} == {e}", f"{d} <= {e}", f"{d} * {e} != 0"] * (d != e)
        unknown = [f"({rng.choice('ij')}` + {d} + 2) % {rng.randint(2, 3)} == 0", f"bits({self.number()}) % 3 == 0"]
        choices = [rng.choice(simple), rng.choice(unknown)]
        if rng.random() < 0.3:
            return f"{rng.choice(choices)} {rng.choice(['&&', '||'])} {rng.choice(choices)}"
        return rng.choice(choices)
