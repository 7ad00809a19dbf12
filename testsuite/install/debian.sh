# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The Debian packages in a Debian of their own, which mmdebstrap makes: installed by apt with all that they depend on, used, purged. Needs
# root and Debian's mirror; skipped without.
. "$(dirname "$0")/../driver/expect.sh"

for tool in dpkg-deb dpkg-shlibdeps mmdebstrap; do command -v $tool >/dev/null || exit 77; done
[ "$(id -u)" = 0 ] || exit 77

export DPKG_DEB_COMPRESSOR_TYPE=gzip
expectExit 0 sh "$SOURCE/package/deb.sh" "$SOURCE" "$BUILD" "$scratch/deb"
sh "$SOURCE/package/try_deb.sh" "$scratch/deb" >out 2>err </dev/null
case $?,$(grep -c 'apt-get update .*failed' err) in
0,*) ;;
*,0) problem "$(tail -n 20 out err)" ;;
*) echo "no mirror of Debian's packages"; exit 77 ;;
esac
[ "$(grep -c '^processes 2, sum 4950$' out)" = 2 ] || problem "hpcpp and hpcc have not both run a program: $(grep '^processes' out)"
expectText out '^ok  *C++ compiler '
expectText out '^installed, used and purged$'
finish
