# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Iterations that go step by step, each its own way: with numbers of their own, loops that end apart, and jumps.

All numbers stay small integers, so that no rounding depends on the level."""


class Steps:
    """The body of an iteration, whose names and counters hold numbers, its flag a truth, its table four numbers."""

    def __init__(self, program):
        self.program, self.rng = program, program.rng
        self.doubles = [program.name("d") for _ in range(2)]
        self.integers = [program.name("m") for _ in range(2)]
        self.flag, self.table = program.name("b"), program.name("v")
        self.hasFlag, self.counters = False, []
        self.kinds = [self.rng.choice(kinds) for kinds in (["double", "double", "float"], ["int", "int", "long", "Index", "unsigned"])]

    def declarations(self, number):
        """`number` gives an element or a place of the iteration."""
        lines = [f"{self.kinds[0]} {name} = {number()} % 97;" for name in self.doubles]
        lines += [f"{self.kinds[1]} {name} = {number()} % 89;" for name in self.integers]
        table = self.rng.choice([f"double {self.table}[4] = {{1, 2, 3}};", f"std::array<int, 4> {self.table} = {{}};"])
        lines += [table, f"bool {self.flag} = {self.condition()};"]
        self.hasFlag = True
        return lines

    def operand(self):
        return self.rng.choice(self.doubles * 2 + self.integers * 2 + self.counters
                               + [f"{self.table}[{self.place()}]", str(self.rng.randint(0, 9)), self.program.rng.choice(self.program.scalars)])

    def place(self):
        return self.rng.choice([str(self.rng.randint(0, 3))] + [f"{c} % 4" for c in self.counters])

    def term(self, depth=2):
        if depth == 0:
            return self.operand()
        a, b = self.term(depth - 1), self.term(0)
        return self.rng.choice([self.operand(), f"({a} + {b})", f"({a} - {b})", f"{self.operand()} * {self.rng.randint(2, 5)}", f"-{self.operand()}",
                                f"std::max(double({a}), double({b}))", f"std::min(double({a}), double({b}))", f"std::abs(double({a}))",
                                f"({self.condition()} ? {a} : {b})", f"std::fmax({a}, {b})", f"kept(std::fmax({a}, {b}) / 2)"])

    def condition(self):
        a, b = self.operand(), self.operand()
        simple = [f"double({a}) {self.rng.choice(['<', '>', '<=', '!='])} double({b})", f"{self.rng.choice(self.integers)} % {self.rng.randint(2, 4)} == 1",
                  f"{self.rng.choice(self.doubles)} > {self.rng.randint(0, 60)}"]
        if self.hasFlag:
            simple += [self.flag, f"!{self.flag}"]
        left, right = self.rng.choice(simple), self.rng.choice(simple)
        return self.rng.choice([left, left, f"{left} && {right}", f"({left} || {right})", f"!({left})"])

    def assignment(self):
        d, m = self.rng.choice(self.doubles), self.rng.choice(self.integers)
        return self.rng.choice([f"{d} = kept({self.term()});"] * 3 + [
            f"{m} = int(kept({self.term()})) {self.rng.choice(['', '% 7', '/ 3', '& 31'])};", f"++{m};",
            f"{m} = {m} > 90 ? {m} / 2 : {m} + 3;", f"{self.flag} = {self.condition()};",
            f"{self.table}[{self.place()}] = kept({self.term()});", f"if ({d} < 500) {d} += {self.operand()};"])

    def statement(self, depth, inLoop):
        kind = self.rng.choice(["set"] * 5 + ["if"] * 3 + (["jump"] * 2 if inLoop else []) + (["loop"] * 3 if depth else []))
        if kind == "set" or (depth == 0 and kind == "if" and self.rng.random() < 0.5):
            return self.assignment()
        if kind == "jump":
            return f"if ({self.condition()}) {self.rng.choice(['break;', 'continue;'])}"
        if kind == "if":
            others = ["} else {", *self.block(max(depth - 1, 0), inLoop)] if self.rng.random() < 0.4 else []
            return [f"if ({self.condition()}) {{", *self.block(max(depth - 1, 0), inLoop), *others, "}"]
        return self.loop(depth)

    def block(self, depth, inLoop):
        return [self.statement(depth, inLoop) for _ in range(self.rng.randint(1, 3))]

    def loop(self, depth):
        k = self.program.name("k")
        start = self.rng.choice(["0"] * 5 + ["1"] * 4 + [f"int({self.rng.choice(self.integers)}) % 4"])
        rounds = self.rng.choice([2, 5, 17, 20, "int(n) + 17"])
        self.counters.append(k)
        body = self.block(depth - 1, True)
        self.counters.remove(k)
        condition = self.condition()
        form = self.rng.choice(["for"] * 4 + ["while"] * 3 + ["do"] * 3 + ["endless"])
        if form == "for":
            return [f"for (int {k} = {start}; {k} < {rounds}; ++{k}) {{", *body, "}"]
        if form == "while":
            return ["{", f"int {k} = {start};", [f"while ({k}++ < {rounds} && ({condition})) {{", *body, "}"], "}"]
        if form == "do":
            return ["{", f"int {k} = {start};", ["do {", *body, f"}} while (++{k} < {rounds} && ({condition}));  //"], "}"]
        return [f"for (int {k} = {start};; ++{k}) {{", f"if ({k} > {rounds}) break;", *body, "}"]


def iterations(program):
    """Of each element of a matrix numbers that loops change step by step."""
    rng, x, y = program.rng, program.x, program.y
    targets = [a for a in program.numbers if a.extents == [x, y]]
    if not targets:
        return None
    target, steps = rng.choice(targets), Steps(program)
    sources = [f"Index(kept(double({a.name}[i, j])))" for a in targets]
    body = steps.declarations(lambda: rng.choice([*sources, f"(3 * i` + 5 * j` + {rng.randint(0, 9)})"]))
    for _ in range(rng.randint(2, 4)):
        body.append(steps.statement(2, False))
        if rng.random() < 0.2:
            body.append(f"{target.name}[i, j] = kept({rng.choice(steps.doubles)});")
    result = " + ".join([f"kept({name})" for name in steps.doubles + steps.integers] + [f"kept({steps.table}[1])", f"({steps.flag} ? 5 : 0)"])
    body.append(f"{target.name}[i, j] = {result};")
    outer, inner = f"overall (i = x for {program.triplet(x)}) {{", f"overall (j = y for {program.triplet(y)}) {{"
    if rng.random() < 0.3:
        outer, inner = inner, outer
    return [outer, [inner, *body, "}"], "}"]
