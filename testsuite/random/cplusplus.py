"""What random programs take from C++ at large: names in namespaces, classes and templates, unsigned and narrow types,
unevaluated operands, generic callers, objects that hold arrays, structured bindings, every control statement.

The global variables are what a name would find that has lost its qualifier."""
import elements

declarations = """
namespace Cfg {
const int three = 3;
int level = 2;
unsigned char narrow = 5;
namespace inner { const Index seven = 7; }
template <class T>
constexpr T half = T(4);
}  // namespace Cfg
struct Keeper {
    static constexpr int most = 6;
    static inline unsigned held = 2;
    enum class Kind { odd = 1, even = 2 };
};
template <class T>
struct Unit {
    static constexpr T value = T(9);
    static T twice(T x) { return x + x; }
};
int three = -1000, level = -1000, narrow = -1000, seven = -1000, half = -1000, most = -1000, held = -1000, value = -1000;

Index bits(unsigned v) { return v; }
Index bits(unsigned long v) { return bits(Index(v)); }

template <class A, class I>
auto elementOf(const A &a, I i) {
    return a[i];
}
template <class A, class I, class J>
auto elementOf(const A &a, I i, J j) {
    return a[i, j];
}
template <class A>
struct Holder {
    A u, v;
    Range r, s;
    int held = 3;
    template <class F>
    void step(F wrapped) {
        overall (i = r for :, j = s for :) u[i, j] = wrapped(u[i, j] + held * v[i, j] + this->held);
    }
};
"""

constants = ["Cfg::three", "Cfg::level", "Cfg::narrow", "::Cfg::inner::seven", "Cfg::half<int>", "Cfg::half<Index>",
             "Keeper::most", "Keeper::held", "Unit<int>::value", "Unit<Index>::twice(2)", "int(Keeper::Kind::even)"]
counters = ["int"] * 4 + ["Index", "unsigned", "std::size_t", "short", "unsigned char"]
distances = ["int", "unsigned", "std::size_t", "unsigned char", "short", "const unsigned", "const Index"]


def leaf(program, indices, element):
    """A number that is no element; `element()` is one."""
    rng = program.rng
    ranks = [a for a in program.numbers if a.ranges == a.extents and set(a.ranges) <= set(indices)]
    kind = rng.choice(["constant"] * 4 + ["size", "generic"])
    if kind == "size":
        return rng.choice(["Index(sizeof({}))", "Index(sizeof(decltype({})))", "int(noexcept({}))"]).format(element())
    if kind == "generic" and ranks:
        a = rng.choice(ranks)
        return f"elementOf({a.name}, {', '.join(indices[r] for r in a.ranges)})"
    return rng.choice(constants)


def pairOf(program):
    """Two matrices of numbers with the same elements, or nothing."""
    pairs = [(a, b) for a in program.numbers for b in program.numbers if a is not b and a.element == b.element
             and a.extents == b.extents == [program.x, program.y]]
    return program.rng.choice(pairs) if pairs else None


def holder(program):
    pair = pairOf(program)
    if not pair:
        return None
    a, b = pair
    h = program.name("h")
    return ["{", f"Holder<{a.element} [[-,-]]> {h}{{{a.name}, {b.name}, x, y}};",
            f"{h}.step([](auto e) {{ return {elements.wrapped(a.element, 'e')}; }});", "}"]


def binding(program):
    pair = pairOf(program)
    if not pair:
        return None
    a, b = pair
    u, v = program.name("u"), program.name("w")
    return ["{", f"auto [{u}, {v}] = std::make_pair({a.name}, {b.name});",
            ["overall (i = x for :, j = y for :) {",
             f"{u}[i, j] = {elements.wrapped(a.element, f'{u}[i, j] + {v}[i, j] + j`')};", "}"], "}"]


def control(program, inner):
    """`inner()` under a statement of C++. What ends in a comment is no statement for shrink.py."""
    rng, scalar = program.rng, program.rng.choice(program.scalars)
    w, label = program.name("w"), program.name("after")
    condition = f"({scalar} + {rng.randint(0, 3)}) % 2 == 0"
    return rng.choice([
        lambda: [f"switch ({scalar} % 3) {{", "case 0: {", inner(), "break;", "}", "case 1: {", inner(), "break;", "}",
                 "default: {", inner(), "}", "}"],
        lambda: ["{", f"int {w} = 0;", [f"while ({w}++ < 2) {{", f"if ({condition}) continue;", inner(), "}"], "}"],
        lambda: ["{", f"int {w} = 0;", ["do {", inner(), f"}} while (++{w} < 2);  //"], "}"],
        lambda: [f"for (unsigned {w} = 3; {w}-- > 0;) {{", f"if ({w} == 1) break;", inner(), "}"],
        lambda: ["try {", inner(), f"if ({condition}) throw std::runtime_error(\"\");",
                 "} catch (const std::runtime_error &) {", inner(), "}"],
        lambda: ["[&] {", f"if ({condition}) return;", inner(), "}();  //"],
        lambda: ["{", f"if ({condition}) goto {label};", ["{", inner(), "}"], f"{label}:;  //", "}"],
    ])()
