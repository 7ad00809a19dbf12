# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of numbers, one for each location of a range: sections with names and handles that get other arrays, reductions in loops over
columns, sums in arrays, scratch vectors, lists of elements. All numbers are small integers, so that sums are exact in any order."""


def rows(program):
    """Statements over two tables, whose elements then are part of what the program prints."""
    return Rows(program).all()


class Rows:
    def __init__(self, program):
        self.program, self.rng = program, program.rng
        self.m = self.rng.choice([1, 2, 5, 8, 12, 20])
        self.t, self.u = program.name("w"), program.name("w")

    def all(self):
        rng, name = self.rng, self.program.name
        k, h, sources = name("k"), name("h"), [a for a in self.program.numbers if a.extents == [self.program.x]]
        own = f"Index(kept(double({rng.choice(sources).name}[i])))" if sources else "3"
        kinds = [self.sections, self.reductions, self.sums, self.scratch, self.lists, self.orthogonal, self.stepwise]
        body = [each for _ in range(rng.randint(2, 4)) for each in rng.choice(kinds)()]
        table = f"new double [[x, {self.m}]] on p"
        return ["{", f"double [[-,*]] {self.t} = {table}, {self.u} = {table}, {h} = {self.t};",
                ["overall (i = x for :) {",
                 f"for (int {k} = 0; {k} < {self.m}; ++{k}) {self.t}[i, {k}] = (i` * 3 + {k} * 5 + {own}) % 17, {self.u}[i, {k}] = (i` + {k}) % 5;", "}"],
                *body, f"for (Index {k} = 0; {k} < {self.m}; ++{k})",
                [f"total = (total + Index(Adlib::sum(overall (i = x for :) {self.t}[i, {k}] + 2 * {self.u}[i, {k}] + 3 * {h}[i, {k}]))) % 1009;"], "}"]

    def table(self):
        return self.rng.choice([self.t, self.t, self.u])

    def kept(self, target, value):
        return f"{target} = kept({value});"

    def rebinding(self, handle, other):
        kept = self.program.name("h")
        return self.rng.choice([[]] * 3 + [[f"{handle} = {other};"], [f"{{ auto &{kept} = {handle}; {kept} = {other}; }}"], [f"std::swap({handle}, {other});"],
                                [f"[&] {{ {handle} = {other}; }}();"], [f"{{ auto {kept} = {handle}; {handle} = {other}; {other} = {kept}; }}"], [f"{handle} = clone({other});"]])

    def sections(self):
        """Columns with names, of an array whose handle may get other elements meanwhile."""
        rng, name = self.rng, self.program.name
        a, b, v, w, c = self.table(), self.table(), name("v"), name("v"), name("c")
        kind = rng.choice(["double [[-]]", "auto", "const auto"])
        column = rng.choice([str(rng.randrange(self.m)), c])
        lines = [f"Index {c} = {rng.randrange(self.m)};", f"{kind} {v} = {a}[[:, {column}]];", *self.rebinding(a, b)]
        lines += rng.choice([[], [f"{c} = ({c} + 1) % {self.m};"], [f"{{ auto &r = {c}; r = 0; }}"]])
        lines += [f"double [[-]] {w} = {b}[[:, {c}]];", *self.rebinding(a, b)]
        for _ in range(rng.randint(1, 3)):
            target, read = rng.choice([v, w]), rng.choice([f"{v}[i]", f"{w}[i]", f"{a}[i, {c}]"])
            lines.append(f"overall (i = {rng.choice(['x', f'{v}.rng(0)', f'{a}.rng(0)'])} for :) {self.kept(f'{target}[i]', f'{target}[i] * 2 + {read}')}")
        return ["{", lines, "}"]

    def reductions(self):
        rng, name = self.rng, self.program.name
        k, s, a, b = name("k"), name("s"), self.table(), self.table()
        step = rng.choice([f"{k}", f"({k} + 1) % {self.m}", "0"])
        made = rng.choice([f"Adlib::sum(overall (i = x for :) {a}[i, {k}] * {b}[i, {k}])", f"Adlib::maxval(overall (i = x for :) {a}[i, {k}] - {b}[i, {k}])",
                           f"Adlib::dotProduct({a}[[:, {k}]], {b}[[:, {k}]])", f"Adlib::count(overall (i = x for :) {a}[i, {k}] > {k})"])
        change = self.kept(f"{rng.choice([a, b])}[i, {step}]", f"{a}[i, {k}] + {s}")
        return [f"for (Index {k} = 0; {k} < {self.m}; ++{k}) {{", [f"const double {s} = double(bits(Index({made} + 64)) % 97);" if rng.random() < 0.5 else
                f"const double {s} = kept({made});", f"overall (i = x for {rng.choice([':', '1 :', ': : 2'])}) {change}" if self.program.x.size > 1 else f"overall (i = x for :) {change}"], "}"]

    def orthogonal(self):
        rng, name = self.rng, self.program.name
        k, j, v, w, d, a = name("k"), name("k"), name("v"), name("v"), name("d"), self.table()
        return [f"for (int {k} = 0; {k} < {self.m}; ++{k}) {{",
                [f"double [[-]] {v} = {a}[[:, {k}]];", f"for (int {j} = {k} + 1; {j} < {self.m}; ++{j}) {{",
                 [f"double [[-]] {w} = {rng.choice([a, a, self.u])}[[:, {j}]];", f"const double {d} = kept(Adlib::dotProduct({v}, {w}));",
                  f"overall (i = x for :) {self.kept(f'{w}[i]', f'{w}[i] + {d} * {v}[i]')}"], "}"], "}"]

    def each(self, *body):
        return ["overall (i = x for :) {", list(body), "}"]

    def sums(self):
        """Sums in an array of the iteration, element by element or step by step, into a table that they perhaps read."""
        rng, name = self.rng, self.program.name
        s, j, k, f, a, b = name("s"), name("j"), name("k"), name("f"), self.table(), self.table()
        declared = rng.choice([f"double {s}[{self.m}] = {{}};", f"std::vector<double> {s}({self.m});", f"std::array<double, {self.m}> {s}{{}};"])
        term = rng.choice([f"{a}[i, {k}] * {rng.choice([a, b])}[i, {j}]", f"{a}[i, {k}] * ({k} + {j})", f"({a}[i, {k}] - {j})"])
        loops = [f"for (int {k} = 0; {k} < {self.m}; ++{k})", f"for (int {j} = 0; {j} < {self.m}; ++{j})"]
        if rng.random() < 0.5:
            loops.reverse()
        early = f" {self.kept(f'{b}[i, {j}]', f'{s}[{j}]')}" if loops[0].startswith(f"for (int {j}") and rng.random() < 0.3 else ""
        added = [loops[0] + " {", f"{loops[1]} {s}[{j}] += {term};", early.strip() or ";", "}"]
        return self.each(declared, added, f"for (int {j} = 0; {j} < {self.m}; ++{j}) {self.kept(f'{b}[i, {j}]', f'{s}[{j}] + {j}')}")

    def scratch(self):
        """A vector, outside or inside of the nest, whose elements are perhaps those of another iteration."""
        rng, name = self.rng, self.program.name
        w, k, a, b = name("q"), name("k"), self.table(), self.table()
        declared = f"std::vector<double> {w}({self.m});"
        isOutside = rng.random() < 0.5
        first = rng.choice([0, 0, 0, 1]) if not isOutside else 0  # what other iterations leave depends on the processes
        fill = rng.choice([f"for (int {k} = 0; {k} < {self.m}; ++{k}) {w}[{k}] = {a}[i, {k}];", f"for (int {k} = {self.m} - 1; {k} >= 0; --{k}) {w}[{k}] = {a}[i, {k}] + {k};",
                           f"std::fill({w}.begin(), {w}.end(), {a}[i, 0]);"] + [f"for (int {k} = {first}; {k} < {self.m}; {k} += 2) {w}[{k}] = {a}[i, {k}];"] * (not isOutside))
        scan = rng.choice([f"for (int {k} = 1; {k} < {self.m}; ++{k}) {self.kept(f'{w}[{k}]', f'{w}[{k}] + {w}[{k} - 1]')}",
                           f"for (int {k} = {self.m} - 2; {k} >= 0; --{k}) {self.kept(f'{w}[{k}]', f'{w}[{k}] * 2 + {w}[{k} + 1]')}",
                           f"for (int {k} = 1; {k} < {self.m}; ++{k}) {{ if ({w}[{k}] < 3) continue; if ({w}[{k}] > 800) break; {w}[{k}] -= {w}[{k} / 2]; }}"])
        store = f"for (int {k} = 0; {k} < {self.m}; ++{k}) {self.kept(f'{b}[i, {k}]', f'{w}[{k}] + {w}[{self.m} - 1 - {k}]')}"
        nest = self.each(*([] if isOutside else [declared]), fill, scan, scan if rng.random() < 0.3 else ";", store)
        return ["{", declared, nest, "}"] if isOutside else nest

    def lists(self):
        rng, name = self.rng, self.program.name
        e, s, a, b = name("e"), name("s"), self.table(), self.table()
        parts = [rng.choice([f"{a}[i, {rng.randrange(self.m)}]", f"{b}[i, {rng.randrange(self.m)}] + 1", f"kept({a}[i, 0] * 3)", f"double(i` % 7)"]) for _ in range(rng.randint(2, 4))]
        change = rng.choice(["", f"{a}[i, 0] = {s};", f"if ({e} > 9) continue;", f"if ({s} > 500) break;"])
        return self.each(f"double {s} = 0;", f"for ({rng.choice(['double', 'auto', 'const auto &'])} {e} : {{{', '.join(parts)}}}) {{ {change} {self.kept(s, f'{s} * 2 + {e}')} }}",
                         self.kept(f"{b}[i, {rng.randrange(self.m)}]", s))

    def stepwise(self):
        """Recurrences along rows, in place: by numbers, by the row, from both ends."""
        rng, name = self.rng, self.program.name
        k, p, a, b = name("k"), name("p"), self.table(), self.table()
        return rng.choice([
            self.each(f"double {p} = 1;", f"for (int {k} = 0; {k} < {self.m}; ++{k}) {{ {self.kept(p, f'{p} * 2 + {a}[i, {k}]')} {b}[i, {k}] = {p}; }}"),
            self.each(f"for (int {k} = 1; {k} < {self.m}; ++{k}) {self.kept(f'{b}[i, {k}]', f'{a}[i, {k} - 1] + {b}[i, {k}]')}"),
            self.each(f"int {k} = 0; double {p} = 0;", f"while ({k} < {self.m} && {p} < 40) {{ {p} += {a}[i, {k}]; {b}[i, {k}++] += 1; }}", self.kept(f"{b}[i, 0]", f"{p} + {k}")),
            self.each(f"for (int {k} = 0, {p} = {self.m} - 1; {k} < {p}; ++{k}, --{p}) std::swap({a}[i, {k}], {b}[i, {p}]);")])
