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

launcher, program = sys.argv[1:]


def passed_on(source, target):
    subprocess.run([launcher, "-n", "3", program, source, target], check=True)


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

        if h5py:
            for stored in (table, table.astype(">f8")):
                with h5py.File(name("in.h5"), "w") as file:
                    file["some/where"] = stored
                passed_on(name("in.h5") + ":some/where", name("out.h5") + ":run/t")
                assert (h5py.File(name("out.h5"), "r")["run/t"][:] == table).all()
            with h5py.File(name("in.h5"), "w") as file:
                file.create_dataset("data", data=table, compression="gzip")
            failed = subprocess.run([launcher, "-n", "1", program, name("in.h5"), name("out.h5")],
                                    capture_output=True, text=True)
            assert failed.returncode == 85 and "h5repack" in failed.stderr, failed.stderr
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
