# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Other spellings of a program: what people write for a loop that counts, a sum, a condition, an element.

A kind is a pattern, and a function that gives for a match other texts of the same number of lines. They need not mean
the same, nor compile: who asks compares the levels of one text, and leaves out what its lines do not compile with."""
import random
import re

name = r"[A-Za-z_]\w*"
element = rf"{name}(?:\.{name})*\[[^\[\]\n;]+\]"
place = rf"{name}(?:(?:\.|->){name})*(?:\[[^\[\]\n;]+\])*"
begin = r"(?:^[ \t]*|(?<=[{;)] )|(?<=else ))"
value = r"[^;{}\n]+?"
prelude = "template <class Any> Any same(Any given) { return given; } template <class Any> using Plain = Any;"


def tests(k, end):
    """How a counter is compared with its end."""
    return [f"{k} < {end}"] * 3 + [f"{end} > {k}", f"{k} <= {end} - 1", f"!({k} >= {end})"]


def steps(k):
    return [f"++{k}"] * 2 + [f"{k}++", f"{k} += 1", f"{k} = {k} + 1"]


def counted(text, rng):
    """Loops that count, in spellings that keep their meaning and bring no warning."""
    def head(match):
        k, first, end = match.groups()
        kind = rng.choice(["int"] * 3 + ["auto"] * 3 + ["long", "Index", "short"])
        return f"for ({kind} {k} = {first}; {rng.choice(tests(k, end))}; {rng.choice(steps(k))})"

    return re.sub(r"for \(int (\w+) = ([^;]+); \1 < ([^;]+); \+\+\1\)", head, text)


class Edit:
    """A kind of spelling for a part of a text."""

    def __init__(self, kind, start, end, text):
        self.kind, self.start, self.end, self.text = kind, start, end, text


def isOne(expression):
    """Without a comma of its own, and closed."""
    depth = 0
    for c in expression:
        depth += (c in "([{") - (c in ")]}")
        if depth < 0 or (c == "," and depth == 0):
            return False
    return depth == 0


def choice(condition):
    """c, a, b of `c ? a : b`."""
    depth, at = 0, {}
    for k, c in enumerate(condition):
        depth += (c in "([{") - (c in ")]}")
        if depth == 0 and c in "?:" and condition[k - 1:k] == " " and condition[k + 1:k + 2] == " ":
            at.setdefault(c, k)
    if len(at) < 2 or at["?"] > at[":"]:
        return None
    return condition[:at["?"]].strip(), condition[at["?"] + 1:at[":"]].strip(), condition[at[":"] + 1:].strip()


class Speller:
    def __init__(self, rng):
        self.rng, self.count = rng, 0

    def fresh(self, word):
        self.count += 1
        return f"{word}{self.count}"

    def wrapped(self, statement):
        """A statement in other statements."""
        once = self.fresh("once")
        return [f"{{ {statement} }}", f"if (true) {{ {statement} }}", f"do {{ {statement} }} while (false);",
                f"for (int {once} = 0; {once} < 1; ++{once}) {{ {statement} }}", f"[&] {{ {statement} }}();",
                f"switch (1) {{ default: {statement} }}"]

    def values(self, e):
        return [f"({e})", f"same({e})", f"[&] {{ return {e}; }}()", f"[=] {{ return {e}; }}()"]

    def counting(self, m):
        kind, k, first, op, end, step = m.groups()
        kinds = [kind] * 3 + ["auto"] * 2 + ["int", "long", "Index", "short", "std::size_t", "unsigned"]
        start = self.rng.choice([f" = {first}"] * 2 + [f"{{{first}}}", f"({first})"])
        last = self.fresh("end")
        if op == "<":
            test = self.rng.choice([*tests(k, end), f"{k} != {end}"])
            moves = [*steps(k), f"{k} = 1 + {k}"] if step in (f"++{k}", f"{k}++") else [step]
            heads = [f"for ({self.rng.choice(kinds)} {k}{start}; {test}; {self.rng.choice(moves)})"] * 3
            if kind != "auto":
                heads.append(f"for ({kind} {k} = {first}, {last} = {end}; {k} < {last}; {step})")
            if len(moves) > 1:
                own = self.rng.choice(["int", "Index", kind])
                heads += [f"for ({own} {k} = {end}; {k}-- > {first};)", f"for ({own} {k} = {end} - 1; {k} >= {first}; --{k})",
                          f"for ({own} {k} = {first} - 1; ++{k} < {end};)", f"{own} {k} = {first}; for (; {k} < {end}; ++{k})"]
            return heads
        return [f"for ({self.rng.choice(kinds)} {k}{start}; {k} {op} {end}; {step})"]

    def compound(self, m):
        target, op, e = m.groups()
        if not isOne(e):
            return []
        term, slot = self.fresh("term"), self.fresh("slot")
        forms = [f"{target} = {target} {op} ({e});", f"{target} = ({target}) {op} ({e});", f"{{ const auto {term} = {e}; {target} {op}= {term}; }}",
                 f"{{ auto &{slot} = {target}; {slot} {op}= {e}; }}", f"{target} {op}= same({e});", f"{target} {op}= {self.rng.choice(self.values(e))};"]
        if op in "+*":
            forms.append(f"{target} = std::{'plus' if op == '+' else 'multiplies'}<>{{}}({target}, {e});")
            forms += [f"{target} = ({e}) {op} {target};"] * 2
        if op in "+-":
            forms.append(f"{target} {'-+'[op == '-']}= -({e});")
        return forms + self.reads(target, f" {op}= ", e) + self.chosen(target, f"{op}=", e) + [self.rng.choice(self.wrapped(m[0].strip()))]

    def reads(self, target, op, e):
        """With a name for an element that it reads."""
        found = re.findall(element, e)
        if not found:
            return []
        read, kept = self.rng.choice(found), self.fresh("read")
        kind = self.rng.choice(["const auto &", "auto &", "const auto ", "const double &", "auto &&", "const auto *"])
        if kind.endswith("*"):
            return [f"{{ {kind}{kept} = &{read}; {target}{op}{e.replace(read, f'*{kept}')}; }}"]
        return [f"{{ {kind}{kept} = {read}; {target}{op}{e.replace(read, kept)}; }}"]

    def chosen(self, target, op, e):
        parts = choice(e)
        if not parts:
            return []
        c, a, b = parts
        return [f"{{ if ({c}) {target} {op} {a}; else {target} {op} {b}; }}", f"{{ if (!({c})) {{ {target} {op} {b}; }} else {{ {target} {op} {a}; }} }}"]

    def assignment(self, m):
        target, e = m.groups()
        if not isOne(e) or e.lstrip().startswith(("{", "new ", "=")):
            return []
        kept, slot = self.fresh("kept"), self.fresh("slot")
        forms = [f"[&](auto {kept}) {{ {target} = {kept}; }}({e});", f"{{ const auto {kept} = {e}; {target} = {kept}; }}", f"{{ auto &{slot} = {target}; {slot} = {e}; }}", f"({target}) = {e};",
                 f"{{ auto *{slot} = &{target}; *{slot} = {e}; }}", f"{target} = {self.rng.choice(self.values(e))};"]
        return forms + self.reads(target, " = ", e) * 2 + self.chosen(target, "=", e) * 3 + [self.rng.choice(self.wrapped(m[0].strip()))]

    def declaration(self, m):
        const, kind, variable, e = m.groups()
        const = const or ""
        if not isOne(e) or e.lstrip().startswith(("{", "new ")):
            return []
        forms = [f"{const}{kind} {variable}{{{e}}};", f"{const}{kind} {variable}({e});", f"{const}auto {variable} = {kind}({e});" if kind != "auto" else "",
                 f"{const}{kind} {variable} = {self.rng.choice(self.values(e))};", f"{const}Plain<{kind}> {variable} = {e};" if kind != "auto" else ""]
        if not re.fullmatch(r"-?\d+", e):
            forms.append(f"{const}auto {variable} = {e};")
        elif kind in ("double", "float"):
            forms += [f"{const}auto {variable} = {e}.0;", f"{const}{kind} {variable} = {e}.{'f' if kind == 'float' else ''};"]
        if const:
            forms += [f"const auto &{variable} = {e};", f"const {kind} &{variable} = {e};", f"{kind} {variable} = {e};", f"constexpr {kind} {variable} = {e};"]
        else:
            if kind == "double":
                forms.append(f"float {variable} = {e};")
            forms += [f"{kind} {variable}; {variable} = {e};", f"auto &&{variable} = {e};"]
            if kind in ("int", "Index", "long"):
                forms.append(f"{self.rng.choice(['int', 'long', 'Index', 'short', 'unsigned', 'std::size_t'])} {variable} = {e};")
        parts = choice(e)
        if parts and not const and kind != "auto":
            forms += [f"{kind} {variable}; if ({parts[0]}) {variable} = {parts[1]}; else {variable} = {parts[2]};"] * 2
        return [form for form in forms if form]

    def condition(self, m):
        c, statement = m.groups()
        if not isOne(c) or ";" in c or statement.startswith(("if ", "for ", "while ")):
            return []
        forms = [f"if ({c}) {{ {statement}; }}", f"if (!({c})) {{}} else {{ {statement}; }}", f"if (bool({c})) {{ {statement}; }}",
                 f"if (const bool {(holds := self.fresh('holds'))} = {c}; {holds}) {{ {statement}; }}", f"if (({c}) == true) {{ {statement}; }}"]
        if " && " in c and "||" not in c and isOne(c.split(" && ", 1)[0]):
            a, b = c.split(" && ", 1)
            forms += [f"if ({a}) {{ if ({b}) {{ {statement}; }} }}"] * 2
        if not re.match(r"(?:continue|break|return|throw|goto)\b", statement):
            forms += [f"do {{ if (!({c})) break; {statement}; }} while (false);", f"switch (int({c})) {{ case 0: break; default: {statement}; }}"]
            if "=" in statement or "(" in statement:
                forms.append(f"({c}) ? void({statement}) : void();")
        return forms

    def comparison(self, m):
        a, op, b = m.groups()
        mirrored = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}[op]
        opposite = {"<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!=", "!=": "=="}[op]
        return [f"{b} {mirrored} {a}", f"!({a} {opposite} {b})", f"({a}) {op} ({b})", f"{a} - {b} {op} 0" if re.search(r"`|\d$", a + b) else f"{b} {mirrored} {a}"]

    def subscripts(self, m):
        base, inside = m.groups()
        parts = inside.split(", ")
        if not isOne(inside.replace(",", " ")) or not all(map(isOne, parts)):
            return []
        k = self.rng.randrange(len(parts))
        e = parts[k]
        parts[k] = self.rng.choice([f"({e})", f"{e} + 0", f"0 + {e}", f"({e}) + 0", f"{e} - 0", f"same({e})"])
        return [f"{base}[{', '.join(parts)}]", f"({base})[{inside}]", f"({base}[{inside}])"]

    def index(self, m):
        i = m[1]
        return [f"({i}`)", f"int({i}`)", f"Index({i}`)", f"same({i}`)", f"({i}` + 0)", f"static_cast<long>({i}`)"]

    def headers(self, m):
        i, x, triplet = m.groups()
        if triplet.strip() == ":":
            return [f"{i} = {x} for 0 : {x}.size() - 1", f"{i} = {x} for 0 :", f"{i} = {x} for : : 1", f"{i} = ({x}) for :",
                    f"{i} = {x} for : : 2", f"{i} = {x} for 1 :", f"{i} = {x} for : {x}.size() - 2", f"{i} = {x} for : : -1"]
        forms = [f"{i} = {x} for ({triplet.split(' : ')[0]}) :{triplet.split(' :', 1)[1]}"] if " : " in triplet and isOne(triplet) else []
        return forms + ([f"{i} = {x} for {triplet} : 1"] if re.fullmatch(r"[^:?]+ : [^:?]+", triplet) else [])

    def apart(self, m):
        first, second = m.groups()
        return [f"overall ({first}) overall ({second})", f"overall ({first}) if (true) overall ({second})"] if isOne(first) else []

    def largest(self, m):
        which, a, b = m.groups()
        if not isOne(a) or not isOne(b):
            return []
        less = f"{a} < {b}"
        return [f"({less} ? {b} : {a})" if which == "max" else f"({b} < {a} ? {b} : {a})", f"[&] {{ if ({less}) return {[a, b][which == 'max']}; return {[b, a][which == 'max']}; }}()"]

    def extreme(self, m):
        target, which, other = m.groups()
        if not isOne(other):
            return []
        less = "<" if which == "max" else ">"
        return [f"if ({target} {less} {other}) {target} = {other};", f"{target} = {other} {'>' if which == 'max' else '<'} {target} ? {other} : {target};",
                f"{{ const auto {(kept := self.fresh('kept'))} = {other}; if (!({target} {less} {kept})) {{}} else {target} = {kept}; }}"]

    def step(self, m):
        op, k = m.groups()
        return [f"{k}{op};", f"{k} {op[0]}= 1;", f"{k} = {k} {op[0]} 1;", f"{k} {op[0]}= same(1);"]

    def result(self, m):
        e = m[1]
        if not isOne(e) or e.startswith("{"):
            return []
        kept = self.fresh("result")
        parts = choice(e)
        return [f"return ({e});" if "(" not in e[:1] else f"return {e};", f"{{ const auto {kept} = {e}; return {kept}; }}", f"return same({e});"] + \
            ([f"{{ if ({parts[0]}) return {parts[1]}; return {parts[2]}; }}", f"{{ if (!({parts[0]})) return {parts[2]}; else return {parts[1]}; }}"] * 2 if parts else [])

    def whiles(self, m):
        c = m[1]
        return [f"for (; {c};) {{", f"while (!!({c})) {{", f"while (true) {{ if (!({c})) break;"] if isOne(c) and c != "true" else ["for (;;) {"] * (c == "true")

    def number(self, m):
        n = m[1]
        return [f"({n})", f"same({n})", f"({n} + 0)", f"1 * {n}"]

    def body(self, m):
        head, kind, k, first, test, step, statement = m.groups()
        if statement.startswith(("for ", "if ", "overall ")):
            return []
        outside = f"{kind} {k} = {first};"
        return [f"{head} {{ {statement}; }}", f"{{ {outside} while ({test}) {{ {statement}; {step}; }} }}", f"{{ {outside} for (;; {step}) {{ if (!({test})) break; {statement}; }} }}",
                f"{{ {outside} if ({test}) do {{ {statement}; {step}; }} while ({test}); }}", f"{{ {outside} auto &{(own := self.fresh('own'))} = {k}; while ({test}) {{ {statement}; {step.replace(k, own)}; }} }}"]

    def boxed(self, m):
        """A number that is a member, or an element, of something with another name."""
        kind, variable, e = m.groups()
        if not isOne(e) or e.lstrip().startswith(("{", "new ")):
            return []
        box, rest = self.fresh("box"), self.fresh("rest")
        return [f"struct {{ {kind} held; }} {box} = {{{e}}}; {kind} &{variable} = {box}.held;", f"{kind} {box}[2] = {{{e}}}; auto &{variable} = {box}[0];",
                f"std::array<{kind}, 1> {box}{{{e}}}; {kind} &{variable} = {box}[0];", f"{kind} {box} = {e}; auto &{variable} = {box};",
                f"struct {{ {kind} held, other; }} {box} = {{{e}, 0}}; auto &[{variable}, {rest}] = {box}; (void){rest};"]

    def handle(self, m):
        """The name of an array: another name, a member, an element, a reference."""
        kind, variable, e = m.groups()
        box = self.fresh("box")
        auto = e if not e.startswith("{") else f"{kind}{e}"
        return [f"auto {variable} = {auto};", f"const auto &{variable} = {auto};", f"{kind} {box} = {e}; auto &{variable} = {box};", f"{kind} {box} = {e}; {kind} {variable} = {box};",
                f"struct {{ {kind} held; }} {box}{{{e}}}; {kind} &{variable} = {box}.held;", f"std::vector<{kind}> {box}{{{auto}}}; auto &{variable} = {box}[0];",
                f"{kind} {variable}; {variable} = {e};", f"{kind} {box} = {e}; {kind} {variable} = std::move({box});"]

    def given(self, m):
        kind, variable = m.groups()
        return [f"{kind} &{variable}", f"auto {variable}", f"const auto &{variable}", f"auto &{variable}"]

    def rebound(self, m):
        """Handles get other elements, or their own ones again, in front of a nest."""
        arrays = sorted(set(re.findall(rf"(?<![\w.])({name}(?:\.{name})*)\[[^\[\]\n;]+\]", m.string[m.start():m.end() + 200])))
        if not arrays:
            return []
        a, b, kept = self.rng.choice(arrays), self.rng.choice(arrays), self.fresh("kept")
        return [f"{{ auto {kept} = {a}; {a} = {kept}; }} {m[0]}", f"{{ auto {kept} = {a}; std::swap({a}, {kept}); }} {m[0]}", f"{a} = {b}; {m[0]}", f"std::swap({a}, {b}); {m[0]}",
                f"{a} = clone({b}); {m[0]}", f"{{ auto &{kept} = {a}; {kept} = {b}; }} {m[0]}",
                f"[&](auto &{kept}) {{ {kept} = {b}; }}({a}); {m[0]}"]

    def skips(self, m):
        index = m[1] + "`" if m[1] else m[2]
        return [f"{m[0]} if ({index} % 5 == 3) continue;", f"{m[0]} if ({index} == 2) {{ continue; }}", f"{m[0]} if (!({index} != 4)) {'continue' if '`' in index else 'break'};"]


def kindsOf(speller):
    number = r"(?:unsigned|int|long|short|Index|std::size_t|auto)"
    array = r"(?:const )?\w+ \[\[[-*,]+\]\]"
    operand = rf"(?:{place}`?|\d+(?:\.\d+)?)"
    return {
        "counting": (rf"for \(({number}) (\w+) = ([^;\n]+); \2 (<|<=|>|>=|!=) ([^;\n]+); ([^;()\n]+)\)", speller.counting),
        "compound": (rf"{begin}({place}) ([-+*])= ({value});", speller.compound),
        "assignment": (rf"{begin}({place}) = ({value});", speller.assignment),
        "declaration": (rf"{begin}(const )?(double|float|int|long|Index|auto|unsigned|bool) ({name}) = ({value});", speller.declaration),
        "condition": (rf"{begin}if \(([^;{{}}\n]+)\) ([^;{{}}\n]+);(?!\s*else)", speller.condition),
        "comparison": (rf"(?<![\w.\]`] )(?<![-+*/%.\]\w])({operand}) (<|>|<=|>=|==|!=) ({operand})(?! ?[-+*/%.\[(])(?!\w)", speller.comparison),
        "subscripts": (rf"({name}(?:\.{name})*)\[([^\[\]\n;:]+)\](?!\])", speller.subscripts),
        "index": (r"(?<![\w.])(\w+)`", speller.index),
        "headers": (r"(\w+) = (\w+) for ((?:[^,()\n]|\([^()\n]*\))+)(?=[,)])", speller.headers),
        "apart": (r"overall \((\w+ = \w+ for (?:[^,()\n]|\([^()\n]*\))+), (\w+ = \w+ for (?:[^,()\n]|\([^()\n]*\))+)\)(?! [a-z]+\()", speller.apart),
        "extreme": (rf"{begin}({place}) = std::(max|min)\(\1, ({value})\);", speller.extreme),
        "largest": (r"std::(max|min)\(([^(){},\n]+), ([^(){},\n]+)\)", speller.largest),
        "step": (rf"{begin}(\+\+|--)({place});", speller.step),
        "result": (rf"{begin}return ({value});", speller.result),
        "whiles": (rf"{begin}while \(([^;{{}}\n]+)\) {{", speller.whiles),
        "number": (r"(?<![\w.\[\"'-])(\d+\.\d+|\d+)(?=[-+*/ ;)])(?! :)(?!\.)", speller.number),
        "body": (rf"(for \(({number}) (\w+) = ([^{{}}\n;]*?); ([^{{}}\n;]*?); ([^;{{}}()\n]*)\)) ([^;{{}}\n]+);", speller.body),
        "boxed": (rf"{begin}(double|float|int|long|Index) ({name}) = ({value});", speller.boxed),
        "handle": (rf"{begin}({array}) ({name}) = ([^;\n]+);", speller.handle),
        "given": (rf"(?<=[(,])\s*({array}) ({name})(?=[,)])", speller.given),
        "rebound": (rf"{begin}overall \(", speller.rebound),
        "skips": (rf"(?:overall \((\w+) = [^{{}},\n]*\)|for \({number} (\w+) = [^{{}}\n]*\)) {{", speller.skips),
    }


def isText(text, at):
    """In a comment, a directive, a macro, or a line with a string."""
    line = text[text.rfind("\n", 0, at) + 1:(text + "\n").find("\n", at)]
    before = text[text.rfind("\n", 0, at) + 1:at]
    return "//" in before or line.lstrip().startswith("#") or '"' in line or line.endswith("\\") or "template" in line or "operator" in line


def editsOf(text, seed, kinds=None):
    """Spellings that do not overlap, about half of those that there are."""
    rng = random.Random(seed)
    speller = Speller(rng)
    all = kindsOf(speller)
    chosen = kinds or [kind for kind in all if rng.random() < 0.6]
    found = [(kind, m) for kind in chosen for m in re.finditer(all[kind][0], text, re.M)]
    rng.shuffle(found)
    edits, share = [], rng.choice([0.3, 0.6, 0.9])
    for kind, m in found:
        start, end = m.span()
        start += len(m[0]) - len(m[0].lstrip())
        if rng.random() > share * (0.2 if kind == "number" else 1) or isText(text, start) or any(start < e.end and e.start < end for e in edits):
            continue
        forms = [form for form in all[kind][1](m) if form != m[0]]
        if forms:
            edits.append(Edit(kind, start, end, rng.choice(forms)))
    return sorted(edits, key=lambda e: e.start)


def applied(text, edits):
    at = len(text)
    for e in sorted(edits, key=lambda e: -e.start):
        assert e.end <= at and "\n" not in e.text
        text, at = text[:e.start] + e.text + text[e.end:], e.start
    using = re.search(r"^using namespace hpspmd;", text, re.M)
    inclusion = list(re.finditer(r"^#include [^\n]*\n", text, re.M))
    if using:
        return text[:using.end()] + " " + prelude + text[using.end():]
    blank = re.compile(r"^$", re.M).search(text, inclusion[-1].end()) if inclusion else None
    return text[:blank.start()] + prelude + text[blank.start():] if blank else text
