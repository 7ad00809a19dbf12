# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hpcc movie: the pictures of Adlib::Frames as a .gif, read here pixel by pixel and compared with the same pictures as .ppm;
and what it cannot join."""
import os
import pathlib
import subprocess
import sys
import tempfile

hpcc = pathlib.Path(sys.argv[1]).resolve()
failures = 0

program = r"""#include <hpspmd>
#include <string>
using namespace hpspmd;

int main() {
    Procs1 p;
    on (p) {
        BlockRange x(40, p.dim(0));
        double [[-,*]] a = new double [[x, 60]];
        double [[-,*,*]] c = new double [[x, 60, 3]];
        const Adlib::Colours colours = Adlib::colours("turbo", 0, 100);
        Adlib::Frames frames("out/rho.a", colours, 2), grey("grey", Adlib::colours("grey", 0, 100));
        for (int step = 0; step < 24; ++step) {
            overall (i = x for :)
                for (int j = 0; j < 60; ++j) a[i, j] = (i` * (step + 1) + 3 * j) % 101;
            frames.add(a);
            if (step % 2 == 0) Adlib::write("frame" + std::to_string(step / 2) + ".ppm", a, colours);
        }
        grey.add(a);
        Adlib::write("grey.ppm", a, Adlib::colours("grey", 0, 100));
        overall (i = x for :)
            for (int j = 0; j < 60; ++j)
                for (int k = 0; k < 3; ++k) c[i, j, k] = (i` * 60 + j) >> (8 * k) & 255;
        Adlib::write("many.png", c);
        Adlib::write("small.png", a[[:, 0 : 49]], colours);
    }
}
"""


def check(condition, text):
    global failures
    if not condition:
        print("FAILED:", text)
        failures += 1


def run(*words, code=0):
    done = subprocess.run([hpcc, *words], capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
    check(done.returncode == code, f"exit code {done.returncode} instead of {code}: {words}\n{done.stdout}{done.stderr}")
    return done


def unpacked(data, bits):
    """The numbers that LZW has packed (the GIF 89a specification, appendix F)."""
    clear, end = 1 << bits, (1 << bits) + 1
    codes = int.from_bytes(data, "little")
    size, table, before, result = bits + 1, [], None, bytearray()
    while True:
        code, codes = codes & ((1 << size) - 1), codes >> size
        if code == clear:
            table, size, before = [bytes([k]) for k in range(clear)] + [b"", b""], bits + 1, None
            continue
        if code == end:
            return bytes(result)
        entry = table[code] if code < len(table) else before + before[:1]
        result += entry
        if before is not None and len(table) < 4096:
            table.append(before + entry[:1])
        if len(table) == 1 << size and size < 12:
            size += 1
        before = entry


class Gif:
    def __init__(self, path):
        self.data, self.at = pathlib.Path(path).read_bytes(), 6
        check(self.data[:6] == b"GIF89a", "the version")
        self.width, self.height = self.number(2), self.number(2)
        flags = self.number(1)
        self.number(2)
        check(flags & 0x80 == 0, "no colours for all pictures")
        self.frames, self.delays, self.repeats = [], [], False
        while (kind := self.number(1)) != 0x3b:
            self.extension() if kind == 0x21 else self.picture()
        check(self.at == len(self.data), "nothing behind the end")

    def take(self, count):
        self.at += count
        return self.data[self.at - count:self.at]

    def number(self, count):
        return int.from_bytes(self.take(count), "little")

    def blocks(self):
        parts = []
        while size := self.number(1):
            parts.append(self.take(size))
        return parts

    def extension(self):
        kind, parts = self.number(1), self.blocks()
        if kind == 0xf9:
            self.delays.append(int.from_bytes(parts[0][1:3], "little"))
        if kind == 0xff:
            self.repeats = parts == [b"NETSCAPE2.0", b"\x01\x00\x00"]

    def picture(self):
        place = [self.number(2) for _ in range(4)]
        check(place == [0, 0, self.width, self.height], f"a picture at {place}")
        flags = self.number(1)
        colours = self.take(3 * (2 << (flags & 7)))
        bits = self.number(1)
        pixels = unpacked(b"".join(self.blocks()), bits)
        self.frames.append(b"".join(colours[3 * k:3 * k + 3] for k in pixels))


def pixels_of(ppm):
    magic, size, most, rest = pathlib.Path(ppm).read_bytes().split(b"\n", 3)
    check(magic == b"P6" and most == b"255", ppm)
    return rest


def test_pictures():
    done = run("movie", "out/rho.a")
    check(done.stdout.startswith("out/rho.a.gif: 12 pictures, "), done.stdout)
    movie = Gif("out/rho.a.gif")
    check((movie.width, movie.height) == (60, 40), f"{movie.width} x {movie.height}")
    check(movie.delays == [10] * 12 and movie.repeats, f"times: {movie.delays}")
    check(len(movie.frames) == 12, f"{len(movie.frames)} pictures")
    for k, frame in enumerate(movie.frames):
        check(frame == pixels_of(f"frame{k}.ppm"), f"picture {k} is another one")
    check(len(set(movie.frames)) == 12, "pictures differ")
    run("movie", "out/rho.a.000003.png", "out/rho.a.000001.png", "--rate=4", "-o", "two.gif")
    two = Gif("two.gif")
    check(two.frames == [movie.frames[3], movie.frames[1]] and two.delays == [25, 25], "pictures by name")
    run("movie", "grey", "--rate", "0.1")
    grey = Gif("grey.gif")
    check(grey.frames == [pixels_of("grey.ppm")] and grey.delays == [1000], "grey")


def test_bad_input():
    check("usage: hpcc movie NAME" in run("movie", "--help").stdout, "help")
    for words in ([], ["--rate"], ["out/rho.a", "--rate", "0"], ["out/rho.a", "--rate=51"], ["out/rho.a", "--rate=x"],
                  ["out/rho.a", "--loud"], ["out/rho.a", "-o"], ["out/rho.a", "grey"]):
        check("see hpcc movie --help" in run("movie", *words, code=2).stderr, f"usage of {words}")
    pathlib.Path("text.png").write_text("no picture")
    pathlib.Path("cut.png").write_bytes(pathlib.Path("many.png").read_bytes()[:200])
    before = pathlib.Path("two.gif").read_bytes()
    first = "out/rho.a.000000.png"
    for words, text in ((["none"], "there are no pictures 'none.000000.png'"), (["nowhere/none"], "there are no pictures"),
                        (["none.png"], "cannot use 'none.png': No such file"), (["text.png"], "cannot use 'text.png': "),
                        ([first, "cut.png"], "cannot use 'cut.png': "), (["many.png"], "more than 256 colours"),
                        ([first, "small.png"], "it has 50 x 40 pixels, the first picture 60 x 40"),
                        ([first, "-o", "nowhere/a.gif"], "cannot write 'nowhere/a.gif': No such file")):
        output = [] if "-o" in words else ["-o", "two.gif"]
        check(text in run("movie", *words, *output, code=1).stderr, f"{words}: {text}")
    check(pathlib.Path("two.gif").read_bytes() == before, "the old file is unchanged")
    check(not list(pathlib.Path(".").glob("*.tmp.*")), "nothing unfinished is left")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    os.mkdir("out")
    pathlib.Path("prog.hpcpp").write_text(program)
    run("prog.hpcpp", "-o", "prog")
    made = subprocess.run([hpcc, "run", "--quiet", "-n", "2", "./prog"], capture_output=True, text=True, timeout=120)
    joined = subprocess.run([hpcc, "movie", "grey"], capture_output=True, text=True, timeout=120)
    if any(text in made.stderr + joined.stderr for text in ("built without lib", "it needs the library")):
        print("skipped: libpng or libgif is missing")
        sys.exit(77)
    check(made.returncode == 0, made.stderr)
    test_pictures()
    test_bad_input()
sys.exit(1 if failures else 0)
