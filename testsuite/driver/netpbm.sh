# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Pictures beside netpbm's own programs: what they write is read, and what is written they read, pixel by pixel the same.
. "$(dirname "$0")/expect.sh"
for tool in pgmramp ppmpat pnmtopng pngtopnm pamtogif giftopnm pnmtoplainpnm pamdepth pamfile ppmtopgm; do
    command -v $tool >/dev/null || { echo "skipped: netpbm's $tool is missing"; exit 77; }
done

# copy grey|colour IN OUT..: IN, read on a grid of processes, as each OUT.
cat >copy.hpcpp <<'END'
#include <hpspmd>
#include <cstring>
using namespace hpspmd;
int main(int argc, char** argv) {
    const auto shape = Adlib::look(argv[2]).shape;
    const auto grey = Adlib::colours("grey", 0, 255);
    Procs2 p;
    on (p) {
        CyclicRange x(shape[0], p.dim(0));
        BlockRange y(shape[1], p.dim(1));
        if (std::strcmp(argv[1], "grey") == 0) {
            double [[-,-]] a = new double [[x, y]];
            Adlib::read(a, argv[2]);
            for (int k = 3; k < argc; ++k) Adlib::write(argv[k], a, grey);
        } else {
            double [[-,-,*]] a = new double [[x, y, 3]];
            Adlib::read(a, argv[2]);
            for (int k = 3; k < argc; ++k) Adlib::write(argv[k], a, grey);
        }
    }
}
END
expectExit 0 "$HPCC" -w copy.hpcpp -o copy
copy() { expectExit 0 "$HPCC" run --quiet -n 3 copy "$@"; }
read_by_them() {  # as plain text
    case $1 in
        *.png) pngtopnm -quiet "$1" ;;
        *.gif) giftopnm -quiet "$1" ;;
        *) cat "$1" ;;
    esac | pnmtoplainpnm
}
expectAlike() { # what netpbm reads of $2 is $1
    read_by_them "$1" >wanted 2>/dev/null
    read_by_them "$2" | if head -c 2 wanted | grep -q P2; then ppmtopgm | pnmtoplainpnm; else cat; fi >found
    [ "$(wc -c <wanted)" -gt 100 ] || problem "netpbm cannot read its $1"
    expectSame wanted found
}

pgmramp -lr 41 29 | pamdepth -quiet 255 >ramp.pgm
pgmramp -ellipse 1 1 >one.pgm
ppmpat -gingham -randomseed 3 37 23 >gingham.ppm
ppmpat -poles -randomseed 5 64 50 | pnmquant -quiet 200 >poles.ppm 2>/dev/null
for picture in ramp.pgm gingham.ppm poles.ppm; do
    kind=colour
    case $picture in *.pgm) kind=grey ;; esac
    name=${picture%.*} end=${picture##*.}
    pnmtoplainpnm $picture >plain-$picture
    pnmtopng -quiet $picture >$name.png
    pnmtopng -quiet -interlace $picture >interlaced-$name.png
    pamtogif $picture >$name.gif 2>/dev/null
    [ $kind = grey ] || pnmtopng -quiet -force $picture >rgb-$name.png
    for theirs in $picture plain-$picture *$name.png $name.gif; do
        rm -f ours.*
        copy $kind "$theirs" ours.$end ours.png
        expectAlike $picture ours.$end
        expectAlike $picture ours.png
    done
    if [ $kind = grey ]; then
        copy grey $picture ours.gif
        expectAlike $picture ours.gif
    else
        copy grey $picture ours.pgm  # the luminance
        pamfile ours.pgm >out
        expectText out 'PGM raw'
    fi
done
copy grey one.pgm ours.pgm ours.png
[ "$(pngtopnm ours.png | pnmtoplainpnm | tail -1)" = "$(pnmtoplainpnm one.pgm | tail -1)" ] || problem "a picture of one pixel"
finish
