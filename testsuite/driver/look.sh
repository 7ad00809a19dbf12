# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# hpcc look: arrays and values in files, whole or damaged, and the checkpoint before.
. "$(dirname "$0")/expect.sh"

cat >prog.hpcpp <<'EOP'
#include <hpspmd>
#include <string>
#include <vector>
using namespace hpspmd;

int main() {
    std::string name = "plate";
    Procs1 p;
    on (p) {
        BlockRange x(1000, p.dim(0));
        float [[-,*]] a = new float [[x, 3]];
        overall (i = x for :) for (int j = 0; j < 3; ++j) a[i, j] = i`;
        Adlib::write("plain.npy", a);
        Adlib::File described("described.h5");
        described.write("t", a, {{"unit", "K"}, {"origin", std::vector<double>{0, 0.5}}});
        described.attribute("time", 2.5);
        for (int step : {7, 8}) {
            Adlib::Checkpoint state("state.npz");
            state("a", a)("step", step)("name", name).now();
        }
    }
}
EOP
expectExit 0 "$HPCC" prog.hpcpp -o prog
expectExit 0 "$HPCC" run --quiet --transport=node -n 2 prog
expectExit 0 "$HPCC" look plain.npy state.npz
expectText out '^plain.npy: 1000 x 3 float32$'
expectText out '^  a: 1000 x 3 float32, whole$'
expectText out '^  step: one int32 = 8, whole$'
expectText out 'plate'
expectText out '^state.npz.1$'
expectText out '^  step: one int32 = 7, whole$'
expectExit 0 "$HPCC" look described.h5
expectText out '^  @time = 2.5$'
expectText out '^  t: 1000 x 3 float32, whole$'
expectText out '^    @unit = "K"$'
expectText out '^    @origin = 0 0.5$'
expectNoText out 'crc32'
expectExit 0 "$HPCC" look state.npz.1
expectNoText out '= 8'

# One byte in the middle, in an element of a.
printf '\377\377' | dd of=state.npz bs=1 seek=6000 conv=notrunc 2>/dev/null
expectExit 1 "$HPCC" look state.npz
expectText out '^  a: 1000 x 3 float32, damaged: the checksum is wrong$'
expectText out '^  step: one int32 = 8, whole$'
head -c 3000 state.npz.1 >cut.npz
expectExit 1 "$HPCC" look cut.npz
expectText err "cannot read 'cut.npz': "
expectExit 1 "$HPCC" look none.npy
expectText err "cannot read 'none.npy': No such file"
expectExit 1 "$HPCC" look prog.hpcpp
expectText err 'known are .npy'
expectExit 2 "$HPCC" look
expectText err 'hpcc look needs a file'
expectExit 2 "$HPCC" look --all state.npz
expectExit 0 "$HPCC" look --help
expectText out '^usage: hpcc look FILE'
finish
