# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""images.py MPIEXEC PROGRAM: VTK reads each .vti file that the program writes, on 1, 3 and 4 processes, with the right
extent, type and elements. Needs Debian's python3-vtk9."""
import os
import subprocess
import sys
import tempfile
import xml.dom.minidom

try:
    import numpy
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkCommonCore import vtkVersion
    from vtkmodules.vtkIOHDF import vtkHDFReader
    from vtkmodules.vtkIOXML import vtkXMLImageDataReader
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

launcher, program = sys.argv[1:]
TYPES = ["bool"] + [f"{sign}int{bits}" for bits in (8, 16, 32, 64) for sign in ("", "u")] + [
    "float32", "float64", "complex64", "complex128"]
# By the ends of the names: the number of each element, whose shape is the image's.
NUMBERS = {"line23": numpy.arange(23), "line1": numpy.arange(1), "plate": numpy.arange(63).reshape(9, 7),
           "cube": numpy.arange(120).reshape(5, 4, 6)}
NUMBERS["part"] = NUMBERS["plate"][1:9:3, 2:6]


def elements(number, kind):
    """element<T>() of images.cpp."""
    real = number / 7 - 3
    if kind.startswith("complex"):
        return (real - 1j * real * real).astype(kind)
    if kind.startswith("float"):
        return real.astype(kind)
    if kind == "bool":
        return number % 3 == 0
    return ((number + 1).astype("uint64") * numpy.uint64(0x9E3779B97F4A7C15)).astype(kind)


def require_right(file, number, kind):
    reader = vtkXMLImageDataReader()
    assert reader.CanReadFile(file), file
    reader.SetFileName(file)
    reader.Update()
    assert reader.GetErrorCode() == 0, file
    image = reader.GetOutput()
    extents = (1, 1) + number.shape
    assert image.GetDimensions() == extents[: -4: -1], (file, image.GetDimensions())
    assert image.GetOrigin() == (0, 0, 0) and image.GetSpacing() == (1, 1, 1), file
    assert image.GetPointData().GetNumberOfArrays() == 1, file
    read = vtk_to_numpy(image.GetPointData().GetScalars())
    wanted = elements(number, kind).ravel()
    if kind.startswith("complex"):
        wanted = wanted.view("float32" if kind == "complex64" else "float64").reshape(-1, 2)
    elif kind == "bool":
        wanted = wanted.astype("uint8")
    assert read.dtype == wanted.dtype and read.shape == wanted.shape, (file, read.dtype, read.shape)
    assert (read == wanted).all(), (file, read, wanted)
    return number.size


def arrays(reader, file):
    """The arrays of an image by their names, as NumPy has them."""
    reader.SetFileName(file)
    reader.Update()
    image = reader.GetOutput()
    points = image.GetPointData()
    shape = image.GetDimensions()[::-1]
    return {points.GetArrayName(k): vtk_to_numpy(points.GetArray(k)).reshape(shape)
            for k in range(points.GetNumberOfArrays())}


def require_arrays(found, wanted, file):
    assert found.keys() == wanted.keys(), (file, found.keys())
    for name, (number, kind) in wanted.items():
        elements_ = elements(number, kind).reshape(found[name].shape)
        assert found[name].dtype == elements_.dtype and (found[name] == elements_).all(), (file, name)
    return sum(number.size for number, _ in wanted.values())


def require_series(folder):
    """Two arrays in one image, and series of images: the second run goes on at 0.5."""
    plate, cube = NUMBERS["plate"], NUMBERS["cube"]
    compared = require_arrays(arrays(vtkXMLImageDataReader(), os.path.join(folder, "two.vti")),
                              {"v": (plate, "int32"), 'a<b>&"c"': (plate, "float64")}, "two.vti")
    made = os.path.join(folder, "made")
    steps = [(float(each.getAttribute("timestep")), each.getAttribute("file")) for each in
             xml.dom.minidom.parse(os.path.join(made, "flow.pvd")).getElementsByTagName("DataSet")]
    names = [f"flow.{k:06}.vti" for k in range(5)]
    assert steps == list(zip((0, 0.25, 0.5, 0.75, 1), names)), steps
    assert sorted(os.listdir(made)) == names + ["flow.pvd"], os.listdir(made)
    for name in names:
        found = arrays(vtkXMLImageDataReader(), os.path.join(made, name))
        if name in names[:2]:
            compared += require_arrays(found, {"u": (plate, "float64"), "v": (plate, "int32")}, name)
        else:
            assert not found["u"].any() and not found["v"].any(), name
    return compared + require_arrays(arrays(vtkHDFReader(), os.path.join(folder, "cube.h5")),
                                     {"u": (cube, "float64"), "run_v": (cube, "int32")}, "cube.h5")


def main():
    files = compared = 0
    for processes in ("1", "3", "4"):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([launcher, "-n", processes, program, folder], check=True)
            for kind in TYPES:
                for name, number in NUMBERS.items():
                    compared += require_right(os.path.join(folder, f"{kind}-{name}.vti"), number, kind)
            compared += require_series(folder)
            written = sum("-" in name for name in os.listdir(folder))
            assert written == len(TYPES) * len(NUMBERS), written
            files += written
    print(f"VTK {vtkVersion().GetVTKVersion()} read {files} files, {compared} elements, all right")


main()
