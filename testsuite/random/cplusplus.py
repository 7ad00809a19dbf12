# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What random programs take from C++ at large: names in namespaces, classes and templates, unsigned and narrow types,
unevaluated operands, generic callers, objects that hold arrays and objects with arrays, halo managers, structured
bindings, branches of the preprocessor, every control statement.

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
double kept(double v) { return double(long(v) % 997); }

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
template <class A>
struct Model {
    struct Part {
        A v;
        unsigned char weight = 2;
        short level = -1;
    };
    A u;
    Part part;
    Range r, s;
    template <class F>
    void mix(F wrapped) {
        overall (i = r for :) {
            const short three = short(part.weight + 1);
            overall (j = s for :) u[i, j] = wrapped(u[i, j] + part.weight * part.v[i, j] + three * Cfg::narrow + part.level);
        }
    }
};
template <class A>
struct Bound {
    A u, v;
    unsigned short k;
};
template <class A>
class Halos {
public:
    Halos &add(const A &field) {
        fields_.push_back(field);
        return *this;
    }
    void all() {
        for (auto &each : fields_) Adlib::writeHalo(each);
    }
    A &operator[](std::size_t k) { return fields_[k]; }

private:
    std::vector<A> fields_;
};
template <class A>
struct Keeping {
    Halos<A> halos;
    A target;
    void refresh() { halos.all(); }
};
namespace Cfg {
template <class A, class F>
void shifted(A a, const Range &r, const Range &s, F wrapped) {
    using inner::seven;
    overall (i = r for :, j = s for :) a[i, j] = wrapped(a[i, j] + seven * three - i` % narrow);
}
}  // namespace Cfg
#define CHOSEN 2
"""

constants = ["Cfg::three", "Cfg::level", "Cfg::narrow", "::Cfg::inner::seven", "Cfg::half<int>", "Cfg::half<Index>",
             "Keeper::most", "Keeper::held", "Unit<int>::value", "Unit<Index>::twice(2)", "int(Keeper::Kind::even)"]
counters = ["int"] * 4 + ["Index", "unsigned", "std::size_t", "short", "unsigned char"]
locals = ["const Index"] * 3 + ["const short", "const unsigned char", "unsigned", "const int", "long", "const auto"]
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


def member(program):
    """Arrays in objects that are in objects, in a method and by name."""
    pair = pairOf(program)
    if not pair:
        return None
    a, b = pair
    m = program.name("m")
    value = elements.wrapped(a.element, f"{m}.u[i, j] - {m}.part.level * {m}.part.v[i, j] + {m}.part.weight")
    steps = [f"{m}.mix([](auto e) {{ return {elements.wrapped(a.element, 'e')}; }});",
             [f"overall (i = {m}.r for {program.triplet(program.x)}, j = {m}.s for :)", f"{m}.u[i, j] = {value};"],
             f"Cfg::shifted({m}.u, x, {m}.s, [](auto e) {{ return {elements.wrapped(a.element, 'e')}; }});"]
    return ["{", f"Model<{a.element} [[-,-]]> {m}{{{a.name}, {{{b.name}}}, x, y}};",
            *program.rng.sample(steps, program.rng.randint(1, 3)), "}"]


def manager(program):
    """Fields whose ghost cells an object fills, between nests that change them and read them beyond their blocks."""
    rng, x, y = program.rng, program.x, program.y
    fields = [a for a in program.numbers if a.extents == [x, y]]
    fields = [a for a in fields if a.element == fields[0].element]
    if len(fields) < 2 or (x.ghosts, y.ghosts) == ((0, 0), (0, 0)):
        return None
    target, *fields = rng.sample(fields, len(fields))
    h, indices = program.name("h"), {x: "i", y: "j"}
    reads = [f"overall (i = x for {program.triplet(x, x.ghosts)}) {{",
             [f"overall (j = y for {program.triplet(y, y.ghosts)}) {{",
              program.assignment([target], indices, {each: {x: x.ghosts, y: y.ghosts} for each in fields}), "}"], "}"]
    changed = rng.choice(fields)
    writes = [f"overall (i = x for :, j = y for :) {{",
              f"{changed.name}[i, j] = {elements.wrapped(changed.element, f'{changed.name}[i, j] + i`')};", "}"]
    kind = f"Halos<{target.element} [[-,-]]>"
    adds = "".join(f".add({each.name})" for each in fields)
    made, all = rng.choice([
        ([f"{kind} {h};", f"{h}{adds};"], f"{h}.all();"),
        ([f"auto {h} = std::make_unique<{kind}>();", f"(*{h}){adds};"], f"{h}->all();"),
        ([f"Keeping<{target.element} [[-,-]]> {h}{{{{}}, {target.name}}};", f"{h}.halos{adds};"], f"{h}.refresh();")])
    return ["{", *made, all, reads, writes, all, reads, "}"]


def branches(program):
    """Bodies of a nest in branches of the preprocessor, of which one is there."""
    rng, indices = program.rng, {program.x: "i", program.y: "j"}
    bodies = [program.assignment(program.targets([program.x, program.y]), indices, {}) for _ in range(3)]
    if any(not isinstance(each, str) for each in bodies):
        return None
    first, second = rng.choice([("#if CHOSEN == 1", "#elif CHOSEN == 2"), ("#ifdef CHOSEN", "#elif CHOSEN == 3"),
                                ("#ifndef CHOSEN", "#elif 0")])
    return "\n".join([f"overall (i = x for {program.triplet(program.x)}, j = y for :)", first, bodies[0], second,
                      f"{{ {bodies[1]} }}", "#else", bodies[2], "#endif", ";"])


def binding(program):
    pair = pairOf(program)
    if not pair:
        return None
    a, b = pair
    u, v = program.name("u"), program.name("w")
    k, m = program.name("k"), program.name("m")
    made = program.rng.choice([
        [f"auto [{u}, {v}] = std::make_pair({a.name}, {b.name});"],
        [f"Bound<{a.element} [[-,-]]> {m}{{{a.name}, {b.name}, 3}};", f"auto &[{u}, {v}, {k}] = {m};", f"total += {k};"]])
    return ["{", *made,
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
        lambda: ["{", f"int {w} = 0;", f"{label}:;  //", ["{", inner(), "}"], f"if (++{w} < 2) goto {label};", "}"],
        lambda: [f"for (const short {w} : {{0, 3, 4}}) {{", f"if ({w} % 2 == 1) continue;", inner(), "}"],
        lambda: [f"if (const int {w} = {scalar} % 3; {w} != 1) {{", inner(), f"}} else if ({w} > 5) {{", inner(), "} else {",
                 inner(), "}"],
        lambda: ["if constexpr (Keeper::most > 5) {", inner(), "} else {", inner(), "}"],
        lambda: [f"switch ({scalar} % 3) {{", "default: {", inner(), "}", "[[fallthrough]];  //", "case 1: {", inner(), "}", "}"],
        lambda: ["while (true) {", inner(), "break;", "}"],
        lambda: [f"for (int {w} = 0;; ++{w}) {{", f"if ({w} > 1) break;", inner(), "}"],
    ])()
