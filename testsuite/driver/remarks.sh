# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

cat >sums.hpcpp <<'END'
#include <hpspmd>
using namespace hpspmd;
void f(double [[-,-]] c, const double [[-,*]] a, const double [[-,*]] b, double [[-,*]] t, double [[*]] s, Index n) {
    Range x = c.rng(0), y = c.rng(1);
    overall (i = x for :)
        overall (j = y for :) {
            double sum = 0;
            for (Index k = 0; k < n; ++k) sum += a[i, k] * b[i, k];
            c[i, j] = sum;
        }
    double product = 1;
    overall (i = x for :)
        for (Index k = 0; k < n; ++k) t[i, k] = a[i, k];
    overall (i = x for :)
        for (Index k = 0; k < n; ++k) product = 2 * product + a[i, k];
    Adlib::sumDim(s, t, 0);
    Adlib::gprintln(product);
}
END
expectExit 0 "$HPCC" -O3 -Rpass-missed=fast-nests -Rpass-missed=reductions -Rpass=reductions --emit=cpp sums.hpcpp -o sums.cpp
expectText err '^sums.hpcpp:5:13: remark: the sums of this nest are computed one by one \[-Rpass-missed=fast-nests\] \[HP3202\]$'
expectText err "^sums.hpcpp:8:50: note: because it does not go along one row that is the same for each 'i'$"
expectText err '^sums.hpcpp:8:13: remark: several iterations of this loop are computed at once'
expectText err "^sums.hpcpp:15:9: note: because it assigns 'product' other than by adding, multiplying, or keeping"
expectText err "^sums.hpcpp:16:5: remark: the elements of 't' are stored before they are added up"
expectText err "^sums.hpcpp:13:39: note: because it is no new array of this function$"
# What stands in the way may be what a pass has written: the remark has its place then.
cat >home.hpcpp <<'END'
#include <hpspmd>
using namespace hpspmd;
double unseen(double [[-,*]] t);
void f(double [[*]] sums, const double [[-,*]] a, Index n) {
    Range x = a.rng(0);
    double [[-,*]] t = new double [[x, n]];
    overall (i = x for :) t[i, 0] = unseen(t);
    overall (i = x for :)
        for (Index k = 0; k < n; ++k) t[i, k] = a[i, k] * a[i, k];
    Adlib::sumDim(sums, t, 0);
}
END
expectExit 0 "$HPCC" -O3 --device -Rpass-missed=fast-nests --emit=cpp home.hpcpp -o home.cpp
expectText err "^home.hpcpp:10:5: remark: the elements of 't' are stored before they are added up"
expectNoText err made
expectExit 0 "$HPCC" -O3 -Rpass-missed=unroll -Rpass=unroll --emit=cpp nests.hpcpp -o nests.cpp
[ -s err ] && problem "remarks of another pass: $(cat err)"
for option in -Rpass -Rpass-missed; do
    expectExit 2 "$HPCC" -O3 $option=fast-nest --emit=cpp nests.hpcpp -o nests.cpp
    expectText err "^hpcc: error: $option=fast-nest: no pass 'fast-nest' tells what it does; there are .*fast-nests, .*threads, vector-math$"
done
expectExit 0 "$HPCC" -O3 -Rpass=devices -Rpass-missed=threads --emit=cpp nests.hpcpp -o nests.cpp
expectExit 0 "$HPCC" -O3 -Rpass --diagnostics-format=json --emit=cpp nests.hpcpp -o nests.cpp
expectText err '"severity": "remark"'
expectText err '"pass": "fast-nests"'

cat >order.hpcpp <<'END'
#include <hpspmd>
#include <vector>
using namespace hpspmd;
double unseen(double v);
template <class... T> double twice(T... v) { return 2 * (v + ...); }  // of any number of arguments
void f(double [[-,-]] a, double [[-,-]] b, double [[-]] y, double *w, Index m) {
    Range x = a.rng(0), z = a.rng(1);
    overall (i = x for :) y[i] = unseen(y[i]);
    overall (i = x for :) y[i] = twice<double>(y[i]);
    overall (i = x for :) y[i] += w[i`];
    overall (j = z for :)
        overall (i = x for 0 : j`) b[i, j] = 2 * a[i, j];
}
void g(double [[-,*]] c, double [[*]] s, Index m) {
    overall (i = c.rng(0) for :)
        for (Index k = 0; k < m; ++k) c[i, k] = c[i, m - k];
}
// Look-alikes, of which nothing is to be said.
double total(double [[-,-]] a, double [[-,-]] b, const double [[-]] v, double [[-]] y, std::vector<double> &w) {
    Range x = a.rng(0), z = a.rng(1);
    overall (i = x for :) y[i] += w[i`];
    overall (i = x for :)
        overall (j = z for :) b[i, j] = 2 * a[i, j];
    double sum = 0;
    [[hpspmd::independent]] overall (i = x for :) sum += v[i];
    overall (i = x for :)
        for (int k = 0; k < 3; ++k) sum += v[i];
    return sum;
}
END
expectExit 0 "$HPCC" -O3 -Rpass -Rpass-missed --emit=cpp order.hpcpp -o order.cpp
expectText err "^order.hpcpp:8:5: remark: the C++ compiler is not told that the iterations of this loop are independent"
expectText err "^order.hpcpp:8:34: note: because it calls 'unseen', which is not known to compute a value and nothing else"
expectText err "^order.hpcpp:9:34: note: because here it calls 'twice<double>', which"
expectText err "help: a function that is no template is looked into"
expectText err "^order.hpcpp:10:35: note: because it reads or writes memory that is not a multiarray's"
expectText err "^order.hpcpp:12:9: remark: the elements that this loop reaches do not lie side by side"
expectText err "^order.hpcpp:12:36: note: because 'i' is not its last subscript"
expectText err "^order.hpcpp:16:49: note: because it reaches 'c.i, m - k.', which another iteration perhaps changes as 'c.i, k.'"
grep -q "^order.hpcpp:\(8\|10\|12\).*Rpass[-missed]*=\(pre\|strength\|dead\|control\)" err && problem "remarks on what runs where a fast form does not: $(cat err)"
grep -q "^order.hpcpp:\(19\|2.\):.*Rpass-missed" err && problem "a remark on a look-alike: $(cat err)"
cat >columns.hpcpp <<'END'
#include <hpspmd>
using namespace hpspmd;
void f(double [[*]] c, double [[-,*]] a) {
    Range x = a.rng(0);
    for (Index j = 0; j < a.size(1); ++j) c[j] = Adlib::sum(overall (i = x for :) a[i, j]);
    for (Index j = 1; j < a.size(1); ++j) {
        const double s = Adlib::sum(overall (i = x for :) a[i, 0] * a[i, j]);
        overall (i = x for :) a[i, 0] += s;
    }
}
END
expectExit 0 "$HPCC" -O3 -Rpass=sums-together -Rpass-missed=sums-together --emit=cpp columns.hpcpp -o columns.cpp
expectText err '^columns.hpcpp:5:5: remark: what Adlib reduces in the iterations of this loop is computed before it, and joined by one message \[-Rpass=sums-together\]'
expectText err '^columns.hpcpp:6:5: remark: what Adlib reduces in this loop is computed iteration by iteration \[-Rpass-missed=sums-together\]'
expectText err '^columns.hpcpp:8:31: note: because here it perhaps changes an element that a later one reads$'

cat >scalar.hpcpp <<'END'
#include <hpspmd>
using namespace hpspmd;
void relax(double [[-,-]] a, int sweeps) {
    Range x = a.rng(0), y = a.rng(1);
    for (int it = 0; it < sweeps; ++it) {
        Adlib::writeHalo(a);
        overall (i = x for 1 : x.size() - 2)
            overall (j = y for 1 + (i` + it) % 2 : y.size() - 2 : 2)
                a[i, j] = 0.5 * (a[i, j - 1] + a[i, j + 1]);
    }
}
Index next(Index n);
void fill(double [[-,*]] a, Range x, Index start) {
    overall (i = x for :)
        for (Index k = start; k < 4 + i`; k = next(k)) a[i, k] = 1.0;
    overall (i = x for :)
        for (Index k = 0; k < 3; ++k) a[i, k] = 0.0;
}
void shown(double [[-]] a, Range x, void (*show)(const DistributedIndex &)) {
    overall (i = x for :) show(i);
}
void cut(double [[-]] a, Range x) {
#ifdef CUT
    x = a.rng(0);
#endif
    overall (i = x for :) a[i] = 1.0;
}
void towards(double [[-,-]] a, int &it) {
    overall (i = a.rng(0) for :)
        overall (j = a.rng(1) for (i` + it) % 2 : a.size(1) - 1 : 2) a[i, j] = 1.0;
}
END
expectExit 0 "$HPCC" -O2 -Rpass -Rpass-missed --emit=cpp scalar.hpcpp -o scalar.cpp
expectText err "^scalar.hpcpp:7:18: remark: this loop takes two iterations at a time: .* whether 'i.' is odd \[-Rpass=unroll\]"
expectText err "^scalar.hpcpp:8:22: remark: the active group for this loop is set once, before the loop of line 7 \[-Rpass=control\]"
expectText err "^scalar.hpcpp:8:22: remark: what the process holds for this loop is asked once, before the loop of line 7 "
expectText err "^scalar.hpcpp:9:17: remark: the descriptor of 'a' is read once, before the loop of line 5 \[-Rpass=pre\]"
expectText err "^scalar.hpcpp:9:17: remark: the place in 'a' that follows from 'i' is computed once"
expectText err "^scalar.hpcpp:9:48: remark: a distance in 'a' is computed once, before the loop of line 5"
expectText err "^scalar.hpcpp:9:17: remark: the place of this element moves on by an addition in the loop of line 8 \[-Rpass=strength\]"
expectText err "^scalar.hpcpp:7:18: remark: the index 'i' is not made: nothing reads it any more \[-Rpass=dead\]"
expectText err "^scalar.hpcpp:17:.*remark: this loop is written out: 3 iterations \[-Rpass=unroll\]"
expectText err "^scalar.hpcpp:20:.*remark: the index 'i' is made in each iteration \[-Rpass-missed=dead\]"
expectText err "^scalar.hpcpp:20:.*note: because here it is read as a whole"
expectText err "^scalar.hpcpp:22:.*remark: this function is left as it is \[-Rpass-missed=pre\]"
expectText err "^scalar.hpcpp:22:.*note: because lines of the preprocessor stand in it"
expectText err "^scalar.hpcpp:29:.*remark: this loop takes its iterations one by one \[-Rpass-missed=unroll\]"
expectText err "^scalar.hpcpp:30:.*note: because this may change in the loop"
cat >joined.hpcpp <<'END'
#include <hpspmd>
using namespace hpspmd;
void steps(double [[-]] r, const double [[-,*]] a, bool moves) {
    overall (i = r.rng(0) for :) {
        int k = 0;
        double s = a[i, k];
        if (moves) ++k;
        r[i] = s + a[i, k];
    }
}
END
expectExit 0 "$HPCC" -O2 --no-checks -Rpass=pre --emit=cpp joined.hpcpp -o joined.cpp
expectText err "^joined.hpcpp:6:20: remark: the place in 'a' that follows from 'i', 'k' is computed once on each way through the branches"
expectExit 0 "$HPCC" -O2 -Rpass=strength --diagnostics-format=json --emit=cpp scalar.hpcpp -o scalar.cpp
expectText err '"pass": "strength"'
grep -q '"pass": "pre"' err && problem "a remark of another pass as JSON"
expectExit 0 "$HPCC" -O2 -Rpass=dead --diagnostics-format=sarif --emit=cpp scalar.hpcpp -o scalar.cpp
expectText err '"pass": "dead"'
cat >rows.hpcpp <<'END'
#include <hpspmd>
#include <cmath>
using namespace hpspmd;
double unseen(double value);
void f(double [[-,-]] a, double [[-,*]] b, double [[*]] w, double *p, double [[-]] &c) {
    Range x = a.rng(0), y = a.rng(1);
    overall (i = x for :)
        overall (j = y for :) a[i, j] = std::sqrt(2.0);
    overall (i = x for :) b[i, 0] = unseen(1.0);
    overall (i = x for :) w[i` % 3] = 1.0;
    overall (i = x for :) b[i, 1] = p[2];
    overall (i = x for :) c[i] = unseen(2.0);
    overall (i = x for :) b[i, a.rng(1).size() - 1] = 0.5;
    double latest = 0, largest = 0;
    overall (i = x for :) {
        latest = 2 * latest + b[i, 0];
        if (b[i, 1] > largest) largest = b[i, 1];
    }
    Adlib::writeHalo(b);
    overall (i = x for 1 :) if (b[i, 0] > 0) b[i, 1] = b[i - 1, 1];
    Adlib::gprintln(latest + largest);
}
END
expectExit 0 "$HPCC" -O3 -Wno-HP2504 -Rpass=threads -Rpass-missed=threads --emit=cpp rows.hpcpp -o rows.cpp
[ -s err ] && problem "remarks on threads that nobody wanted: $(cat err)"
expectExit 0 "$HPCC" -O3 -fopenmp -Wno-HP2504 -Rpass=threads -Rpass-missed=threads --emit=cpp rows.hpcpp -o rows.cpp
expectText err "^rows.hpcpp:7:13: remark: the iterations of this nest's outermost loop are divided among threads \[-Rpass=threads\]"
for line in 9 10 11 12 15 20; do
    expectText err "^rows.hpcpp:$line:13: remark: one thread computes this nest \[-Rpass-missed=threads\] \[HP3202\]$"
done
expectText err "^rows.hpcpp:9:37: note: because it calls 'unseen', which is not known to be fit for several threads at once"
expectText err "^rows.hpcpp:10:27: note: because it perhaps changes 'w\[i. % 3\]' in several iterations"
expectText err "^rows.hpcpp:11:5: note: because it reaches memory that is no element of a multiarray"
expectText err "^rows.hpcpp:12:34: note: because it has no fast form: it calls 'unseen', which might change 'c'"
expectText err "^rows.hpcpp:13:13: remark: the iterations of this nest's outermost loop are divided among threads \[-Rpass=threads\]"
expectText err "^rows.hpcpp:16:9: note: because it assigns 'latest' other than by adding, multiplying, or keeping the largest or least number"
expectText err "^rows.hpcpp:20:56: note: because it reaches 'b\[i - 1, 1\]', which another iteration perhaps changes as 'b\[i, 1\]'"

# Arrays of templates have a form of their own; of the general one nothing is told. What is no name gets advice.
cat >generic.hpcpp <<'END'
#include <hpspmd>
#include <tuple>
using namespace hpspmd;
#define LARGER(a, b) std::max<double>({a, b})
template <class A> void f(A b, const A &a) {
    overall (i = a.rng(0) for :, j = a.rng(1) for 1 : 2) b[i, j] = a[i, j];
}
void g(Range x) {
    auto copy = [&](auto b, auto a) { overall (i = x for :) b[i] = a[i]; };
}
void h(std::tuple<double [[-,*]], int> t, Range x) {
    overall (i = x for :) std::get<0>(t)[i, 2] = 0;
}
void k(double [[-]] a, Range x) {
    overall (i = x for :) a[i] = LARGER(a[i], 2.0);
}
double seen(double [[-]] a, Range x, unsigned n) {
    double most = 0;
    overall (i = x for std::max(1u, n) :) most += a[i];
    return most;
}
END
expectExit 0 "$HPCC" -O3 -Rpass -Rpass-missed=fast-nests -Rpass-missed=reductions --emit=cpp generic.hpcpp -o generic.cpp
expectText err '^generic.hpcpp:6:13: remark: this nest has a fast form '
expectText err '^generic.hpcpp:9:47: remark: this nest has a fast form '
expectNoText err 'generic.hpcpp:6:.*no fast form'
expectNoText err 'generic.hpcpp:9:.*no fast form'
expectText err "^generic.hpcpp:19:.*: note: because others may see 'most' before the nest is through"
expectNoText err 'other than by adding'
expectText err "as in 'double \[\[-,\*\]\] u = std::get<0>(t);'"
expectText err 'help: a macro that does more than compute a number is not looked into: write an inline function in its place'
for line in 6 9; do
    expectExit 0 "$HPCC" --why generic.hpcpp:$line
    expectText err "^generic.hpcpp:$line:.*: remark: this nest has a fast form "
done

# What nests call with indices stands in them; a call that stays is told of.
cat >calls.hpcpp <<'END'
#include <hpspmd>
using namespace hpspmd;
double middle(const double [[-]] u, DistributedIndex i) { return 0.5 * (u[i - 1] + u[i + 1]); }
double power(const double [[-]] u, DistributedIndex i, int k) { return k == 0 ? 1 : u[i] * power(u, i, k - 1); }
void f(double [[-]] b, const double [[-]] a, Range x) {
    overall (i = x for 1 : 98) b[i] = middle(a, i);
    overall (i = x for :) b[i] = power(a, i, 2);
}
END
expectExit 0 "$HPCC" -O3 -Rpass -Rpass-missed=called-code --emit=cpp calls.hpcpp -o calls.cpp
expectText err '^calls.hpcpp:6:13: remark: this nest has a fast form '
expectText err '^calls.hpcpp:7:34: remark: what this function does is not written in the nest \[-Rpass-missed=called-code\]'
expectText err '^calls.hpcpp:7:34: note: because it calls itself'
expectNoText err 'calls.hpcpp:6:.*not written'

# What is wrong in called code is told at each level, at the access; fresh ghost cells are not.
cat >wrong.hpcpp <<'END'
#include <hpspmd>
using namespace hpspmd;
double below(const double [[-]] u, DistributedIndex i) { return u[i - 1]; }
double farBelow(const double [[-]] u, DistributedIndex i) { return u[i - 2]; }
int main() {
    Procs1 p;
    on (p) {
        ExtBlockRange x(100, p.dim(0), 1, 1);
        double [[-]] a = new double [[x]], b = new double [[x]];
        auto above = [&](auto i) { return a[i + 1]; };
        overall (i = x for :) a[i] = i`;
        overall (i = x for : 98) b[i] = above(i);
        Adlib::writeHalo(a);
        overall (i = x for 1 :) b[i] = below(a, i);
        overall (i = x for 2 :) b[i] = farBelow(a, i);
        overall (i = x for 1 :) a[i] = below(a, i);
    }
}
END
for level in 0 3; do
    expectExit 1 "$HPCC" -O$level --emit=cpp wrong.hpcpp -o wrong.cpp
    expectText err "^wrong.hpcpp:10:.*error: 'a\[i + 1\]' reads stale ghost cells of 'a'.*\[HP2701\]"
    expectText err "^wrong.hpcpp:4:.*error: 'i - 2' leaves the ghost region of dimension 0 of 'a'.*\[HP2401\]"
    expectText err "^wrong.hpcpp:3:.*error: 'a\[i - 1\]' is an element of 'a' that another iteration.*\[HP2503\]"
    expectText err '^wrong.hpcpp:12:.*: note: this nest calls the function'
    expectText err '^3 errors generated'
done

finish
