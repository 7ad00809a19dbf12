# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What elements may be: numbers, complex numbers, and classes of plain values with classes and C arrays in them."""
numbers = ["Index", "double"]
all = ["Index", "double"] * 3 + ["Complex", "Cell"]

declarations = """using Complex = std::complex<double>;

struct Vector {
    double x, y;
    double sum() const { return x + y; }
};
Vector operator+(const Vector &a, const Vector &b) { return {a.x + b.x, a.y + b.y}; }
Vector turned(const Vector &v) {
    Vector result = v;
    result.x = -v.y;
    result.y = v.x;
    return result;
}

struct Cell {
    double f[3];
    Vector v;
    Index age = 0;
};
Cell cell(double first) { return {{first, 2 * first, -first}, {first + 1, 0.5 * first}, 3}; }
double weight(const Cell &c) { return c.f[0] + 0.5 * c.v.sum() - 0.25 * double(c.age); }

Index bits(Complex z) { return bits(z.real()) + 3 * bits(z.imag()); }
Index bits(const Vector &v) { return bits(v.x) + 3 * bits(v.y); }
Index bits(const Cell &c) {
    return bits(c.f[0]) + 3 * bits(c.f[1]) + 5 * bits(c.f[2]) + 7 * bits(c.v) + 11 * c.age;
}
"""

readings = {
    "Complex": ["{}.real()", "{}.imag()", "std::abs({})", "(Complex(0.6, 0.8) * {}).real()", "std::conj({}).imag()"],
    "Cell": ["{}.f[0]", "{}.f[2]", "{}.v.x", "{}.v.sum()", "turned({}.v).y", "weight({})", "double({}.age)"]}


def number(rng, element, access):
    """A number that the element at `access` has or is."""
    return access if element in numbers else rng.choice(readings[element]).format(access)


def first(element, value):
    """An element made of a number."""
    return {"Complex": f"Complex({value}, 1)", "Cell": f"cell({value})"}.get(element, value)


def wrapped(element, expression):
    """Keeps numbers small."""
    return f"bits({expression}) % 1009" if element == "Index" else f"0.25 * ({expression})"


def change(program, element, left, expression, others):
    """A statement that changes the element `left`. `expression()` is a number, `others` are elements of the same type."""
    rng, op = program.rng, program.rng.choice(["="] * 4 + ["+=", "-="])
    if element in numbers:
        return f"{left} {op} {wrapped(element, expression())};"
    part, other = wrapped("double", expression()), rng.choice([left, *others])
    if element == "Complex":
        z = program.name("z")
        return rng.choice([
            f"{left} {op} Complex({part}, {wrapped('double', expression())});", f"{left} = std::conj({other}) + {part};",
            f"{left} = 0.5 * (Complex(0.6, 0.8) * {left} - {other});", f"{left} *= Complex(0.6, -0.8);",
            ["{", f"const Complex {z}({part}, 1.0);", f"{left} = {z} * Complex(0.8, 0.6) + 0.5 * {other};", "}"]])
    c, component = program.name("c"), rng.randrange(3)
    return rng.choice([
        f"{left}.f[{component}] {op} {part};", f"{left}.v.x {op} {part};", f"{left}.v = {{{part}, {left}.v.x}};",
        f"{left}.v = turned({other}.v) + Vector{{{part}, 1.0}};", f"{left}.age = {wrapped('Index', expression())};",
        f"{left} = {other};", [f"for (int {c} = 0; {c} < 3; ++{c})", f"{left}.f[{c}] = 0.5 * {other}.f[2 - {c}];"],
        ["{", f"Cell {c} = {other};", f"{c}.f[{component}] {op} {part};", f"{c}.v = {c}.v + turned({c}.v);",
         f"{left} = {c};", "}"]])
