# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# --diagnostics-format: one document on the standard error output, also for what the C++ compiler finds.
. "$(dirname "$0")/expect.sh"

cat >wrong.hpcpp <<'END'
#include <hpspmd>
void f(double [[-]] a) { a[3] = 1; }
END
cat >strange.hpcpp <<'END'
#include <hpspmd>
#include <string>
using namespace hpspmd;
void f(double [[-,*]] a, Range x) {
    std::string [[-]] s = new std::string [[x]];
    Adlib::remap(s, s);
    overall (i = x for :)
        a[i, 0] = unheardOf(a[i, 1]);
}
END

# field <file> <Python expression over the document d>
field() { python3 -c "import json; d = json.load(open('$1')); print($2)" >value || problem "$1 is no JSON"; }
expectField() {
    field "$1" "$2"
    [ "$(cat value)" = "$3" ] || problem "$2 of $1 is '$(cat value)' instead of '$3'"
}

expectExit 1 "$HPCC" --diagnostics-format=json -c wrong.hpcpp
expectField err 'len(d)' 1
expectField err 'd[0]["code"], d[0]["severity"], d[0]["file"]' 'HP2201 error wrong.hpcpp'
expectField err 'd[0]["range"]["begin"]' "{'line': 2, 'column': 28}"
expectField err 'd[0]["range"]["end"]' "{'line': 2, 'column': 29}"

expectExit 1 "$HPCC" --diagnostics-format=sarif -c wrong.hpcpp
expectField err 'd["version"], d["runs"][0]["tool"]["driver"]["name"]' '2.1.0 hpcc'
expectField err 'd["runs"][0]["results"][0]["ruleId"]' HP2201
expectField err 'd["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startColumn"]' 28

expectExit 1 "$HPCC" --diagnostics-format=json -c strange.hpcpp
expectField err 'sorted((e["code"], e["range"]["begin"]["line"]) for e in d)' "[('HP3101', 6), ('HP3101', 8)]"

# As text: at the place in the source, without what stands inside <hpspmd>.
expectExit 1 "$HPCC" -c strange.hpcpp
expectText err '^strange.hpcpp:8:19: error: .unheardOf. .*\[HP3101\]$'
expectText err '^strange.hpcpp:6:.* error: Adlib moves elements as bytes: the element type must be trivially copyable'
expectNoText err 'required from'
expectNoText err 'operand.hpp'

# In a header too.
cat >part.hph <<'END'
inline void g(double [[-]] a, Range x) {
    overall (i = x for :) { a[i] = 1; a[i] = unheardOf(2); }
}
END
printf '#include <hpspmd>\nusing namespace hpspmd;\n#include "part.hph"\n' >user.hpcpp
expectExit 1 "$HPCC" -c user.hpcpp
expectText err '^./part.hph:2:46: error: .unheardOf. \|^part.hph:2:46: error: .unheardOf. '

cat >fine.hpcpp <<'END'
#include <hpspmd>
int f(double [[*]] a) { int unused; return a.size(0) > 1; }
END
expectExit 0 "$HPCC" --diagnostics-format=json -Wall -c fine.hpcpp
expectField err 'd[0]["code"], d[0]["severity"], d[0]["range"]["begin"]["column"]' 'HP3102 warning 29'
expectExit 0 "$HPCC" --diagnostics-format=json -c fine.hpcpp
expectField err d '[]'
expectExit 2 "$HPCC" --diagnostics-format=xml -c fine.hpcpp
expectText err "no format of diagnostics"
finish
