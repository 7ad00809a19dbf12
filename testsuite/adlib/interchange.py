# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""interchange.py MPIEXEC PROGRAM: what NumPy writes Adlib reads, and the other way round; and the
header of an image of VTK."""
import os
import re
import struct
import subprocess
import sys
import tempfile
import xml.dom.minidom
import zipfile

try:
    import numpy
except ImportError:
    print("skipped: no NumPy for this Python")
    sys.exit(77)

try:
    import h5py
except ImportError:
    h5py = None

launcher, program = sys.argv[1], os.path.abspath(sys.argv[2])


def passed_on(source, target, *part):
    subprocess.run([launcher, "-n", "3", program, source, target, *map(str, part)], check=True)


def all_passed_on(folder, passages):
    """In one job."""
    with open(os.path.join(folder, "list"), "w") as file:
        file.writelines(" ".join(map(str, passage)) + "\n" for passage in passages)
    subprocess.run([launcher, "-n", "3", program], check=True, cwd=folder)


def refused(source, why, *part):
    """On two processes, of which each may find another reason."""
    failed = subprocess.run([launcher, "-n", "2", program, source, source + ".npy", *map(str, part)],
                            capture_output=True, text=True)
    assert failed.returncode == 85 and why in failed.stderr, (failed.returncode, failed.stderr)


def hdf5(name, table):
    for stored in (table, table.astype(">f8")):
        with h5py.File(name("in.h5"), "w") as file:
            file["some/where"] = stored
        passed_on(name("in.h5") + ":some/where", name("out.h5") + ":run/t")
        assert (h5py.File(name("out.h5"), "r")["run/t"][:] == table).all()

    # Packed afterwards: the checksum that Adlib wrote is still looked at.
    for changed in (0, 1):
        with h5py.File(name("out.h5"), "r") as ours, h5py.File(name("in.h5"), "w") as file:
            packed = file.create_dataset("data", data=table, chunks=(4, 8), compression="gzip")
            packed[7, 7] += changed
            packed.attrs["crc32"] = ours["run/t"].attrs["crc32"]
        if changed:
            refused(name("in.h5"), "the checksum of 'data' is wrong")
        else:
            passed_on(name("in.h5"), name("out.npy"))

    # What the library reads: chunks that end within rows and columns, filters, another order of bytes.
    kinds = [dict(chunks=(5, 7)), dict(compression="gzip"), dict(chunks=(1, 29), compression="gzip"),
             dict(chunks=(13, 4), shuffle=True, fletcher32=True), dict(scaleoffset=12),
             dict(chunks=(4, 4), compression="gzip", dtype=">f8"), dict(chunks=(5, 5), dtype="<f4"),
             dict(maxshape=(None, None))]
    passages, wanted = [], {}
    for k, kind in enumerate(kinds):
        source = name(f"in{k}.h5")
        with h5py.File(source, "w") as file:
            file.create_dataset("data", data=table, **kind)
            wanted[name(f"out{k}.npy")] = file["data"][:]
            wanted[name(f"part{k}.npy")] = file["data"][2:11, 5:25]
        passages += [(source, name(f"out{k}.npy")), (source, name(f"part{k}.npy"), 2, 9, 5, 20)]
    with h5py.File(name("in.h5"), "w") as file:  # never written: the value that fills it
        file.create_dataset("chunks", (6, 5), "<f8", chunks=(2, 2), fillvalue=2.5)
        file.create_dataset("none", (6, 5), "<f8")
        compact = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        compact.set_layout(h5py.h5d.COMPACT)
        within = h5py.h5d.create(file.id, b"compact", h5py.h5t.IEEE_F64LE,
                                 h5py.h5s.create_simple((6, 5)), compact)
        within.write(h5py.h5s.ALL, h5py.h5s.ALL, numpy.arange(30.0).reshape(6, 5))
    for dataset, elements in (("chunks", 2.5), ("none", 0), ("compact", numpy.arange(30).reshape(6, 5))):
        passages.append((name("in.h5") + ":" + dataset, name(dataset + ".npy")))
        wanted[name(dataset + ".npy")] = elements
    all_passed_on(name(""), passages)
    assert len(wanted) == len(passages) == 2 * len(kinds) + 3
    for file, elements in wanted.items():
        assert (numpy.load(file) == elements).all(), file

    with h5py.File(name("in.h5"), "w") as file:
        file.create_dataset("lzf", data=table, compression="lzf")
        file["nothing"] = h5py.Empty("<f8")
        file.create_dataset("external", data=table, external=[(name("raw"), 0, table.nbytes)])
        layout = h5py.VirtualLayout((13, 29), "<f8")
        layout[:] = h5py.VirtualSource(name("other.h5"), "data", shape=(13, 29))
        file.create_virtual_dataset("virtual", layout)
        file.create_dataset("data", data=table, chunks=(5, 29), compression="gzip", fletcher32=True)
        where = file["data"].id.get_chunk_info(1).byte_offset
    refused(name("in.h5") + ":lzf", "compressed by filter 32000 (lzf), which this HDF5 does not have")
    refused(name("in.h5") + ":nothing", "it holds nothing")
    refused(name("in.h5") + ":external", "in other files: h5repack")
    refused(name("in.h5") + ":virtual", "in other files: h5repack")
    refused(name("in.h5"), "not the part {{9, 5}, {0, 29}}", 9, 5, 0, 29)
    with open(name("in.h5"), "r+b") as file:
        file.seek(where + 30)
        file.write(b"\xff\x00\xff")
    refused(name("in.h5"), "HDF5 cannot read its elements: they are damaged")


def attributes(name, table):
    given = {"unit": "K", "longer": "\u00e4 " * 500, "step": 7, "big": numpy.array([1.5, -2], ">f8"),
             "flag": True, "phase": 1 - 2j, "wide": numpy.uint64(2**64 - 1), "none": numpy.zeros(0)}
    with h5py.File(name("in.h5"), "w") as file:
        file["data"] = table
        file["data"].attrs.update(given)
        file["data"].attrs["fixed"] = numpy.bytes_(b"abc")
        file["data"].attrs["empty"] = h5py.Empty("<f8")  # neither text nor numbers: left out
        file["data"].attrs["names"] = ["a", "b"]
        file["data"].attrs["link"] = file["data"].ref
    passed_on(name("in.h5"), name("out.h5") + ":run/t")
    found = dict(h5py.File(name("out.h5"), "r")["run/t"].attrs)
    del found["crc32"]
    assert found.pop("fixed") == "abc" and found.keys() == given.keys(), found
    for key, value in given.items():
        assert numpy.all(found[key] == value) and numpy.shape(found[key]) == numpy.shape(value), key
    assert isinstance(found["unit"], str)


def records(name):
    """Records as numpy.dtype(.., align=True) has them, which is how C++ does."""
    kind = numpy.dtype([("kind", "i1"), ("x", "<f8"), ("v", "<f4", (2, 3)), ("isFree", "?")], align=True)
    table = numpy.zeros(41, kind)
    for k, each in enumerate(table):
        each["kind"], each["x"], each["v"], each["isFree"] = k, k / 3, numpy.arange(6).reshape(2, 3) + k, k % 2
    numpy.save(name("in.npy"), table)
    pairs = [(name("in.npy"), name("out.npz"))]
    if h5py:
        with h5py.File(name("in.h5"), "w") as file:
            file["data"] = table
        pairs = [(name("in.npy"), name("out.h5")), (name("in.h5"), name("out.npz"))]
    for source, target in pairs:
        subprocess.run([launcher, "-n", "3", program, "records", source, target], check=True)
    found = [numpy.load(name("out.npz"))["data"]]
    if h5py:
        found.append(h5py.File(name("out.h5"), "r")["data"][:])
    for each in found:
        assert set(each.dtype.names) - {""} >= set(kind.names), each.dtype
        for field in kind.names:
            assert each.dtype[field] == kind[field] and (each[field] == table[field]).all(), field


def main():
    table = numpy.random.default_rng(7).standard_normal((13, 29))
    with tempfile.TemporaryDirectory() as folder:
        name = lambda file: os.path.join(folder, file)
        for kind, stored in (("<f8", table), (">f8", table.astype(">f8"))):
            numpy.save(name("in.npy"), stored)
            passed_on(name("in.npy"), name("out.npy"))
            assert (numpy.load(name("out.npy")) == table).all(), kind
        numpy.lib.format.write_array(open(name("two.npy"), "wb"), table, version=(2, 0))
        passed_on(name("two.npy"), name("out.csv"))
        assert (numpy.loadtxt(name("out.csv"), delimiter=",") == table).all()
        numpy.savetxt(name("in.csv"), table, delimiter=";", fmt="%.17g", header="a; b")
        passed_on(name("in.csv"), name("out.raw"))
        assert (numpy.fromfile(name("out.raw")) == table.ravel()).all()

        for stored in ({"data": table}, {"other": table[:3], "data": table}):
            numpy.savez(name("in.npz"), **stored)
            passed_on(name("in.npz"), name("out.npz") + ":run/t")
            assert zipfile.ZipFile(name("out.npz")).testzip() is None
            assert (numpy.load(name("out.npz"))["run/t"] == table).all()

        records(name)
        if h5py:
            hdf5(name, table)
            attributes(name, table)
        else:
            print("no h5py: .h5 is left out")

        passed_on(name("in.csv"), name("out.vti"))
        text = open(name("out.vti"), "rb").read()
        head, rest = text.split(b'<AppendedData encoding="raw">\n_')
        bytes_, = struct.unpack("<Q", rest[:8])
        assert bytes_ == table.nbytes
        assert (numpy.frombuffer(rest[8 : 8 + bytes_]) == table.ravel()).all()
        image = xml.dom.minidom.parseString(
            head + b'<AppendedData encoding="raw">' + rest[8 + bytes_ :])
        piece = image.getElementsByTagName("Piece")[0]
        assert piece.getAttribute("Extent") == "0 28 0 12 0 0"
        array = image.getElementsByTagName("DataArray")[0]
        assert re.match("Float64$", array.getAttribute("type"))
    print("NumPy and Adlib read each other's files")


main()
