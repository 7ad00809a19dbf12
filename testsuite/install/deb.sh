# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The Debian packages: what they hold and depend on, installed in a folder by dpkg with alternatives, used from there.
. "$(dirname "$0")/../driver/expect.sh"

for tool in dpkg-deb dpkg-shlibdeps; do command -v $tool >/dev/null || exit 77; done
[ "$(id -u)" = 0 ] || exit 77

export DPKG_DEB_COMPRESSOR_TYPE=gzip  # quicker than what users get
expectExit 0 sh "$SOURCE/package/deb.sh" "$SOURCE" "$BUILD" "$scratch/deb"
compiler=$(ls deb/hpcpp-*_*.deb | grep -v -e common -e doc -e 'hpcpp-hpcc')
flavour=$(basename "$compiler" | sed 's/hpcpp-\([a-z]*\)_.*/\1/')
version=$("$HPCC" --version | sed -n '1s/hpcc //p')
for each in "$compiler" deb/hpcpp-common_*_all.deb deb/hpcpp-hpcc_*_all.deb deb/hpcpp-doc_*_all.deb; do
    expectExit 0 dpkg-deb --info "$each"
    expectText out "^ Version: $version"
    expectExit 0 dpkg-deb --contents "$each"
    expectNoText out " $(id -un)/[^r]"
    expectText out 'copyright'
done
expectExit 0 dpkg-deb --contents "$compiler"
for header in patterns.hpp patterns/chain.hpp patterns/applied.hpp; do
    expectText out "/include/hpcpp/hpspmd/$header$"
done
expectExit 0 dpkg-deb --field "$compiler"
expectText out '^Depends: hpcpp-common .*g++.*libc6 (>= '
expectText out '^Provides: hpcpp '
expectExit 0 dpkg-deb --field deb/hpcpp-hpcc_*_all.deb
expectText out '^Conflicts: hpcc$'
# Debian's hpcc owns this name: only the package that conflicts with it may hold it.
for each in "$compiler" deb/hpcpp-common_*_all.deb deb/hpcpp-doc_*_all.deb; do
    expectExit 0 dpkg-deb --contents "$each"
    expectNoText out ' ./usr/bin/'
    expectNoText out '/man1/hpcc'
done

# Debian's own rules, where its lintian is there.
if command -v lintian >/dev/null; then
    expectExit 0 lintian --allow-root --fail-on error,warning deb/hpcpp-*.deb
    expectNoText out '^[EW]: '
fi

# dpkg in a root of its own, which runs the packages' scripts from outside.
root=$scratch/root
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$root/usr/bin" "$root/etc/alternatives" "$root/var/log" \
    "$root/var/lib/dpkg/alternatives"
touch "$root/var/lib/dpkg/status"
install() { dpkg --root="$root" --force-script-chrootless --force-depends --force-not-root "$@"; }
expectExit 0 install -i deb/hpcpp-common_*_all.deb "$compiler" deb/hpcpp-hpcc_*_all.deb
expectText err 'dependency problems'  # nothing else lies in this root
target=$(readlink "$root/etc/alternatives/hpcpp")
[ "$(readlink "$root/usr/bin/hpcpp")" = /etc/alternatives/hpcpp ] || problem "/usr/bin/hpcpp is no alternative"
[ "$(readlink "$root/usr/bin/hpcc")" = hpcpp ] || problem "/usr/bin/hpcc does not lead to hpcpp"
case $target in */hpcpp/$flavour/bin/hpcc) ;; *) problem "the alternative leads to '$target'" ;; esac

# By the name hpcpp, as /usr/bin/hpcpp calls it, it speaks of itself so, and finds its own headers and libraries.
ln -s "$root$target" hpcpp
cat >prog.hpcpp <<'END'
#include <hpspmd>
#include <hpspmd/patterns.hpp>
using namespace hpspmd;
int main() {
    Procs1 p;
    on (p) {
        double [[-]] a = new double [[p.dim(0)]];
        const auto count = patterns::map([](double x) { return x + 1; }) | patterns::reduce(std::plus<>(), 0.0);
        Adlib::gprintln("processes ", p.size(), " ", count(a));
    }
}
END
expectExit 0 ./hpcpp -v prog.hpcpp -o prog
expectText err "$root/usr/lib/.*/include/hpcpp"
expectNoText err "$SOURCE/include"
expectExit 0 ./hpcpp run -n 2 prog
expectText out '^processes 2 2$'
expectExit 0 ./hpcpp --help
expectText out '^  hpcpp run'
expectNoText out 'hpcc run'
expectExit 2 ./hpcpp
expectText err '^hpcpp: error: no input files; see hpcpp --help'
expectExit 0 zcat "$root/usr/share/man/man1/hpcpp.1.gz"
expectText out '^hpcpp .- compiler of'

expectExit 0 install --remove hpcpp-hpcc "hpcpp-$flavour"
expectNoFile "$root/usr/bin/hpcpp"
expectNoFile "$root/usr/bin/hpcc"
finish
