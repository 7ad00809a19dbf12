# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gdb for HPspmd C++: multiarrays, ranges, indices and groups as the language shows them.

    print a          double [[-,-]], 12 x 12: the ranges, and what this process holds
    hp a[i - 1, j]   an element by the subscripts of the language: numbers, integer expressions, i`, indices, shifted ones
    $at(a, 3, 4)     the same element in expressions and conditions: break lap.hpcpp:13 if $at(a, 3, 4) > 0

`hpcc debug` loads it. It calls nothing in the program, so it works on core files, too."""
import re

import gdb
import gdb.printing

# The classes of the runtime and what is read of them, by name; testsuite/driver/debugger.py compares.
MAPS, GROUP, ADDRESS = "maps_", "group_", "address_"
RECORD = "record_"
LONGEST = 200  # elements of a row, and rows, that print shows

integer = gdb.lookup_type("long")


class NotHeld(gdb.GdbError):
    """The element lies on another process, or nowhere."""


def plain(type_):
    return type_.strip_typedefs().unqualified()


def format_of(record):
    """"BlockRange", by the class of the format, whose vtable has a name even without debug information."""
    address = int(record["format"])
    if not address:
        return "Range"
    table = record["format"].cast(gdb.lookup_type("void").pointer().pointer()).dereference()
    found = re.search(r"vtable for .*?(\w+)Format\b", gdb.execute(f"info symbol {int(table):#x}", to_string=True))
    return found[1] + "Range" if found else "Range"


def format_words(record, count):
    """The first data of a format, behind those that all formats have."""
    begin = record["format"].cast(gdb.lookup_type("char").pointer()) + gdb.lookup_type("hpspmd::detail::Format").sizeof
    words = begin.cast(integer.pointer())
    return [int(words[k]) for k in range(count)]


class RangeView:
    def __init__(self, value):
        self.record = value[RECORD].dereference()
        read = lambda name: int(self.record[name])
        self.extent, self.lo, self.hi = read("extent"), read("lo"), read("hi")
        self.base, self.stride, self.is_whole = read("base"), read("stride"), bool(read("isWhole"))
        self.format = format_of(self.record)
        dimension = self.record["dimension"]
        self.crd, self.processes = (int(dimension["crd"]), int(dimension["size"])) if int(dimension) else (0, 1)
        run = self.record["run"]
        self.run = [int(run[name]) for name in ("count", "globalBase", "localBase")]
        whole = self.record["whole"]
        self.locations = int(whole["extent"]) if int(whole) else self.extent

    def name(self):
        ghosts = f", {self.lo}, {self.hi}" if self.lo or self.hi else ""
        part = "" if self.locations == self.extent else f"[[{self.base} : .. : {self.stride}]]"
        extent = self.locations if part else self.extent
        return ("Ext" if ghosts else "") + f"{self.format}({extent}{ghosts}){part}"

    def place(self, n):
        """(local subscript, is it a ghost cell), or None if this process does not hold location n."""
        if not 0 <= n < self.extent:
            return None
        count, first, local = self.run
        if count > 0:
            if first <= n < first + count or self.is_whole or first - self.lo <= n < first + count + self.hi:
                return local + n - first, not first <= n < first + count
            return None
        location = self.base + self.stride * n
        return self.place_of(location)

    def place_of(self, location):
        if self.format == "CollapsedRange":
            return location, False
        if self.format == "BlockRange":
            size = -(-self.locations // self.processes)
            return (location - size * self.crd, False) if location // size == self.crd else None
        if self.format == "CyclicRange":
            return (location // self.processes, False) if location % self.processes == self.crd else None
        if self.format == "BlockCyclicRange":
            size = format_words(self.record, 1)[0]
            block = location // size
            return (block // self.processes * size + location % size, False) if block % self.processes == self.crd else None
        if self.format == "IrregRange":
            sizes = [int(gdb.Value(format_words(self.record, 1)[0]).cast(integer.pointer())[k])
                     for k in range(self.processes)]
            first = sum(sizes[:self.crd])
            return (location - first, False) if first <= location < first + sizes[self.crd] else None
        return None

    def held(self):
        count, first, _ = self.run
        if count > 0:
            return range(first, first + count)
        return [n for n in range(self.extent) if self.place(n)]

    def held_text(self):
        held = self.held()
        if not len(held):
            return "nothing"
        if held[-1] - held[0] + 1 == len(held):
            return f"{held[0]} : {held[-1]}"
        return ", ".join(map(str, held[:4])) + (", .." if len(held) > 4 else "")


def slots_of(type_):
    """["Dist", "Seq"], of the name of the type: gdb 13 does not see packs of template arguments."""
    found = re.search(r"((?:, hpspmd::(?:Dist|Seq))*)>$", type_.name)
    return re.findall(r"hpspmd::(Dist|Seq)", found[1])


def is_array(type_):
    return (type_.name or "").startswith("hpspmd::Array<")


class ArrayView:
    def __init__(self, value):
        type_ = plain(value.type)
        if type_.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
            value = value.referenced_value()
            type_ = plain(value.type)
        if not is_array(type_):
            raise gdb.GdbError(f"a {type_} is no multiarray")
        self.element, self.slots = type_.template_argument(0), slots_of(type_)
        self.is_null = not int(value[GROUP][RECORD])
        maps = value[MAPS]["maps"]["_M_elems"] if self.slots else None
        self.ranges = [] if self.is_null else [RangeView(maps[r]["range"]) for r in range(len(self.slots))]
        self.strides = [int(maps[r]["stride"]) for r in range(len(self.slots))]
        self.address = int(value[ADDRESS])

    def at(self, subscripts):
        """(element, is it a ghost cell); NotHeld."""
        if self.is_null:
            raise gdb.GdbError("the array is null")
        if len(subscripts) != len(self.slots):
            raise gdb.GdbError(f"{len(subscripts)} subscripts for an array of rank {len(self.slots)}")
        if not self.address:
            raise NotHeld("this process is not in the array's group and holds nothing of it")
        offset, is_ghost = 0, False
        for r, n in enumerate(subscripts):
            place = self.ranges[r].place(n)
            if place is None:
                x = self.ranges[r]
                raise NotHeld(f"subscript {n} of dimension {r} is not held here: {x.name()} here holds {x.held_text()}"
                              if 0 <= n < x.extent else f"subscript {n} of dimension {r} is outside 0 .. {x.extent - 1}")
            offset += place[0] * self.strides[r]
            is_ghost |= place[1]
        return (gdb.Value(self.address).cast(self.element.pointer()) + offset).dereference(), is_ghost

    def title(self):
        if self.is_null:
            return "null multiarray"
        slots = ",".join("-" if slot == "Dist" else "*" for slot in self.slots)
        parts = [f"{self.element} [[{slots}]]", " x ".join(str(x.extent) for x in self.ranges) or "one element"]
        if self.ranges:
            parts.append(", ".join(x.name() for x in self.ranges))
            here = ", ".join(x.held_text() for x in self.ranges)
            parts.append(f"here [{here}]" if self.address else "here nothing")
        return "; ".join(parts)

    def rows(self):
        """Pairs of subscripts and elements: one for each row that is held."""
        if self.is_null or not self.address:
            return
        held = [list(x.held()) for x in self.ranges]
        if not held:
            yield "[]", str(self.at([])[0])
            return

        def walk(subscripts):
            r = len(subscripts)
            if r < len(held) - 1:
                for n in held[r]:
                    yield from walk(subscripts + [n])
                return
            shown = [str(self.at(subscripts + [n])[0]) for n in held[r][:LONGEST]]
            before = "".join(f"{n}, " for n in subscripts)
            yield f"[{before}{self.ranges[r].held_text()}]", " ".join(shown) + (" .." if len(held[r]) > LONGEST else "")
        for k, row in enumerate(walk([])):
            if k == LONGEST:
                yield "..", ""
                return
            yield row


class ArrayPrinter:
    def __init__(self, value):
        self.view = ArrayView(value)

    def to_string(self):
        return self.view.title()

    def children(self):
        return self.view.rows()


class RangePrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        x = RangeView(self.value)
        return f"{x.name()}; here {x.held_text()}; coordinate {x.crd} of {x.processes}"


class IndexPrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return f"{int(self.value['global'])} (local {int(self.value['sub'])}) of {RangeView(self.value['range']).name()}"


class GroupPrinter:
    def __init__(self, value):
        self.record = value[RECORD]

    def to_string(self):
        if not int(self.record):
            return "null group"
        size, rank = int(self.record["size"]), int(self.record["rank"])
        return f"{size} processes, this is {rank}" if rank >= 0 else f"{size} processes, this is none of them"


def printers():
    collection = gdb.printing.RegexpCollectionPrettyPrinter("hpspmd")
    collection.add_printer("Array", r"^hpspmd::Array<", ArrayPrinter)
    collection.add_printer("Range", r"^hpspmd::(Range|Dimension|\w+Range)$", RangePrinter)
    collection.add_printer("DistributedIndex", r"^hpspmd::DistributedIndex$", IndexPrinter)
    collection.add_printer("Group", r"^hpspmd::(Group|Procs\w*(<.*>)?)$", GroupPrinter)
    return collection


def subscript(text):
    """The number that `3`, `n - 1`, i`, `i` or `i - 1` stands for."""
    text = text.replace("`", "").strip()
    shifted = re.match(r"^([A-Za-z_]\w*)\s*([+-].*)?$", text)
    if shifted:
        value = gdb.parse_and_eval(shifted[1])
        if plain(value.type).name == "hpspmd::DistributedIndex":
            distance = int(gdb.parse_and_eval("0 " + shifted[2])) if shifted[2] else 0
            return int(value["global"]) + distance
    return int(gdb.parse_and_eval(text))


def at_top(text):
    """The parts of a text between commas that stand in no brackets."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [part for part in parts if part.strip()]


class Hp(gdb.Command):
    """hp ARRAY[SUBSCRIPTS]: an element, by the subscripts of the language (hp a[i - 1, j]); hp ARRAY: all that is held."""

    def __init__(self):
        super().__init__("hp", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, text, is_tty):
        try:
            self.show(text)
        except gdb.error as error:
            # A breakpoint on a line inside of a nest that reads ghost cells stops there, too.
            before = " (before a nest begins its ghost cells are checked, at the line that reads them; 'continue' goes into it)"
            raise gdb.GdbError(f"{error}" + (before if "No symbol" in str(error) else ""))

    def show(self, text):
        found = re.match(r"^\s*(.*?)\s*\[([^\[\]]*)\]\s*$", text)
        is_element = found and is_array(self.type_of(found[1]))
        if not is_element:
            view = ArrayView(gdb.parse_and_eval(text))
            gdb.write(view.title() + "\n")
            for subscripts, elements in view.rows():
                gdb.write(f"  {subscripts} {elements}\n")
            return
        subscripts = [subscript(part) for part in at_top(found[2])]
        element, is_ghost = ArrayView(gdb.parse_and_eval(found[1])).at(subscripts)
        shown = ", ".join(map(str, subscripts))
        gdb.write(f"{found[1]}[{shown}] = {element}" + ("   (ghost cell)" if is_ghost else "") + "\n")

    @staticmethod
    def type_of(text):
        type_ = plain(gdb.parse_and_eval(text).type)
        return plain(type_.target()) if type_.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF) else type_


class At(gdb.Function):
    """$at(a, 3, 4): the element of a multiarray with these global subscripts."""

    def __init__(self):
        super().__init__("at")

    def invoke(self, array, *subscripts):
        return ArrayView(array).at([int(n) for n in subscripts])[0]


def attach(*processes):
    """Processes that wait for that (hpcc debug) become the program, and stand at its start: each is an inferior."""
    gdb.execute("set pagination off")  # panes have few lines
    gdb.execute("set suppress-cli-notifications on")
    for k, process in enumerate(processes, 1):
        if k > 1:
            gdb.execute("add-inferior -no-connection", to_string=True)
            gdb.execute(f"inferior {k}", to_string=True)
        gdb.execute(f"attach {process}", to_string=True)
        gdb.execute("tcatch exec", to_string=True)
        gdb.execute("continue", to_string=True)
    gdb.execute("set suppress-cli-notifications off")
    if len(processes) > 1:
        gdb.execute("set schedule-multiple on")


gdb.printing.register_pretty_printer(None, printers(), replace=True)
Hp()
At()
# `step` goes into the program's own functions only.
gdb.execute("skip -gfi */hpspmd/*.hpp", to_string=True)
gdb.execute("skip -gfi */adlib/*.hpp", to_string=True)
