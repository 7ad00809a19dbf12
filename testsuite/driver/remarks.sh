# -Rpass and -Rpass-missed: what passes did to which nest, and why not to others.
. "$(dirname "$0")/expect.sh"

cat >nests.hpcpp <<'END'
#include <hpspmd>
using namespace hpspmd;
Index unseen(Index n);
void f(double [[-]] a, double [[-]] &b, Range x) {
    overall (i = x for :) a[i] = 1.0;
    overall (i = x for :) b[i] = double(unseen(i`));
}
END
expectExit 0 "$HPCC" -O3 --emit=cpp nests.hpcpp -o nests.cpp
[ -s err ] && problem "remarks that nobody wanted: $(cat err)"
expectExit 0 "$HPCC" -O3 -Rpass --emit=cpp nests.hpcpp -o nests.cpp
expectText err '^nests.hpcpp:5:13: remark: this nest has a fast form .*\[-Rpass=fast-nests\] \[HP3201\]$'
grep -q missed err && problem "-Rpass tells what a pass missed"
expectExit 0 "$HPCC" -O3 -Rpass-missed=fast-nests --emit=cpp nests.hpcpp -o nests.cpp
expectText err '^nests.hpcpp:6:13: remark: this nest has no fast form \[-Rpass-missed=fast-nests\] \[HP3202\]$'
expectText err "^nests.hpcpp:6:41: note: because here it calls 'unseen', which might change 'b'"
expectExit 0 "$HPCC" -O3 -Rpass-missed=another -Rpass=another --emit=cpp nests.hpcpp -o nests.cpp
[ -s err ] && problem "remarks of another pass: $(cat err)"
expectExit 0 "$HPCC" -O3 -Rpass --diagnostics-format=json --emit=cpp nests.hpcpp -o nests.cpp
expectText err '"severity": "remark"'
finish
