# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The demo's program: right on several numbers of processes, clear about bad pictures.
. "$SOURCE/testsuite/driver/expect.sh"

heat=$SOURCE/examples/heat
expectExit 0 "$HPCC" "$heat/heat.hpcpp" -o heat
for processes in 1 2 3 4 6; do
    rm -f out.png
    expectExit 0 "$HPCC" run -n $processes heat "$heat/coins.pgm" out.png 1 0.1
    expectText out 'the answers agree'
    expectText out '^picture: out.png$'
    head -c 8 out.png | od -An -c | grep -q '211 *P *N *G' || problem "out.png is no PNG"
    grep '^mean temperature' out >mean.$processes
    expectSame mean.1 mean.$processes
done

bad() {
    expectExit 2 "$HPCC" run -n 2 heat "$@"
    [ "$(grep -c '^heat: ' err)" -eq 1 ] || problem "there should be one message"
}
bad missing.pgm out.png
expectText err "cannot read 'missing.pgm': No such file"
echo 'no picture' >text.pgm
bad text.pgm out.png
expectText err 'it is no picture'
head -c 1000 "$heat/coins.pgm" >short.pgm
bad short.pgm out.png
expectText err 'it is truncated'
printf 'P5 0 7 255\n' >empty.pgm
bad empty.pgm out.png
printf 'P2 # grey\n3 3 9\n1 2 3 4 5 6 7 8 10\n' >beyond.pgm
bad beyond.pgm out.png
bad "$heat/coins.pgm" out.png zero
expectText err "'zero' is no number"
bad "$heat/coins.pgm" out.png 0
bad "$heat/coins.pgm" out.png 1 0
bad
expectText err 'usage: heat'

# Small and odd plates, in every kind of NetPBM.
printf 'P2\n1 1\n255\n0\n' >one.pgm
expectExit 0 "$HPCC" run -n 4 heat one.pgm one.png
printf 'P3\n3 2 65535\n0 0 0 65535 65535 65535 9 9 9  1 2 3 40000 40000 40000 7 7 7\n' >colour.ppm
expectExit 0 "$HPCC" run -n 4 heat colour.ppm colour.png 5
expectText out 'the answers agree'

expectExit 2 "$HPCC" run -n 2 heat one.pgm no/such/folder.png
expectText err "heat: .*cannot write 'no/such/folder.png': No such file"
finish
