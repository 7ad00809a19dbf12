# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No two classes or enumerations of one name stand in one namespace: the linker would take the functions of one for those
of the other, and says nothing.

Usage: one_class.py <build folder>. Looks at namespaces that have names; unnamed ones are for one source each."""
import collections
import re

from project import files, finish, text

opened = re.compile(r"(?:inline )?namespace ?([\w:]*) \{$")
closed = re.compile(r"\}\s*// namespace")
defined = re.compile(r"(?:class|struct|union|enum(?: class| struct)?) (?:\w+\([^()]*\) )?(\w+)(?: final)?(?: ?: [^:].*| \{.*)?$")


def classes(content):
    """The qualified names of the classes that are defined in the named namespaces."""
    inside = []
    for line in content.splitlines():
        if namespace := opened.match(line):
            inside.append(namespace[1])
        elif closed.match(line) and inside:
            inside.pop()
        elif "" not in inside and (found := defined.match(line)) and not line.endswith(";"):
            yield "::".join([*inside, found[1]])


places = collections.defaultdict(set)
for path in files(".hpp", ".cpp", folders=["translator", "include", "runtime", "adlib"]):
    for name in classes(text(path)):
        places[name].add(str(path))
finish([f"{name} stands in {' and in '.join(sorted(paths))}" for name, paths in places.items() if len(paths) > 1], len(places))
