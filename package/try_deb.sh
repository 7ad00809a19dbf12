#!/bin/sh
# try_deb.sh DEBS: makes a Debian 12 of its own with mmdebstrap, installs the packages of deb.sh there by apt, with all
# that they depend on, and compiles and runs a program as a user would. Needs root, a Debian mirror and about 1 GB.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu

[ $# = 1 ] || { echo "usage: try_deb.sh FOLDER-OF-DEBS" >&2; exit 2; }
command -v mmdebstrap >/dev/null || { echo "try_deb.sh: no mmdebstrap here" >&2; exit 77; }
root=$(mktemp -d)
trap 'rm -rf --one-file-system "$root"' EXIT

mmdebstrap --variant=apt bookworm "$root"
cp /etc/resolv.conf "$root/etc/" 2>/dev/null || :
mkdir "$root/debs"
cp "$1"/hpcpp-*.deb "$root/debs"
cat >"$root/try.sh" <<'END'
set -eu
export DEBIAN_FRONTEND=noninteractive OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
apt-get update -q
apt-get install -q -y --no-install-recommends /debs/hpcpp-*.deb
cd /tmp
cat >prog.hpcpp <<'PROGRAM'
#include <hpspmd>
using namespace hpspmd;
int main() {
    Procs1 p;
    on (p) {
        BlockRange x(100, p.dim(0));
        double [[-]] a = new double [[x]];
        overall (i = x for :) a[i] = i`;
        Adlib::gprintln("processes ", p.size(), ", sum ", Adlib::sum(a));
    }
}
PROGRAM
for name in hpcpp hpcc; do
    $name prog.hpcpp -o prog
    $name run -n 2 prog
done
hpcpp new heat
hpcpp doctor
for page in hpcpp hpcpp-run hpcc; do test -s /usr/share/man/man1/$page.1.gz; done
apt-get purge -q -y 'hpcpp-*'
for left in /usr/bin/hpcpp /usr/bin/hpcc /usr/lib/*/hpcpp; do
    if [ -e "$left" ]; then echo "left behind: $left" >&2; exit 1; fi
done
echo "installed, used and purged"
END
mount -t proc proc "$root/proc"
mount -t sysfs sys "$root/sys"
trap 'umount "$root/proc" "$root/sys"; rm -rf --one-file-system "$root"' EXIT
chroot "$root" sh /try.sh
