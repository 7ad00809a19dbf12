#!/bin/sh
# deb.sh SOURCE BUILD OUT: Debian packages of what has been built in BUILD, for the MPI that it was configured with:
#   hpcpp-mpich, hpcpp-openmpi or hpcpp-node (no MPI)   hpcc, headers and libraries in /usr/lib/<machine>/hpcpp/<MPI>;
#                    several may be installed: alternatives say whose hpcc is /usr/bin/hpcpp
#   libhpspmd0-mpich, ..    its libraries, which are all that programs need where they run; only from a build with
#                    BUILD_SHARED_LIBS=ON, otherwise programs hold them
#   hpcpp-common     man pages and completion
#   hpcpp-hpcc       /usr/bin/hpcc; that name belongs to another package (HPC Challenge), so this one conflicts with it
#   hpcpp-doc        the documentation and the examples
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu

source=$1 build=$2 out=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

setting() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
version=$(setting CMAKE_PROJECT_VERSION)
architecture=$(dpkg --print-architecture)
triplet=$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || cc -print-multiarch)
case $(setting HPCPP_MPI).$(setting HPCPP_MPI_FAMILY) in
    ON.mpich) flavour=mpich launcher=mpich mpiPackages=", mpich, libmpich-dev" priority=50 ;;
    ON.openmpi) flavour=openmpi launcher=openmpi-bin mpiPackages=", openmpi-bin, libopenmpi-dev" priority=40 ;;
    *) flavour=node launcher= mpiPackages= priority=30 ;;
esac
home=/usr/lib/$triplet/hpcpp/$flavour

# control <package> <architecture> <field lines and description>: begins the package's control file.
control() {
    mkdir -p "$work/$1/DEBIAN" "$work/$1/usr/share/doc/$1"
    case $1 in lib*) section=libs ;; *) section=devel ;; esac
    {
        printf 'Package: %s\nVersion: %s\nArchitecture: %s\nSection: %s\nPriority: optional\n' "$1" "$version" "$2" "$section"
        printf 'Maintainer: The HPspmd C++ authors <hpcpp@example.org>\n'
        printf 'Installed-Size: %s\n' "$(du -sk "$work/$1" | cut -f1)"
        printf '%s\n' "$3"
    } >"$work/$1/DEBIAN/control"
    gzip -9n <"$source/CHANGELOG.md" >"$work/$1/usr/share/doc/$1/CHANGELOG.md.gz"
    {
        printf 'hpcpp (%s) unstable; urgency=medium\n\n  * What users see: CHANGELOG.md.gz.\n\n' "$version"
        printf ' -- The HPspmd C++ authors <hpcpp@example.org>  %s\n' "$(date -R -r "$source/CHANGELOG.md")"
    } | gzip -9n >"$work/$1/usr/share/doc/$1/changelog.gz"
    {
        printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: HPspmd C++\n\n'
        printf 'Files: *\nCopyright: 2026 The HPspmd C++ authors\nLicense: Apache-2.0 WITH LLVM-exception\n'
        printf ' The Apache License 2.0 is /usr/share/common-licenses/Apache-2.0; its exceptions are these:\n .\n'
        sed -n '/LLVM Exceptions to the Apache/,$p' "$source/LICENSE" | sed 's/^$/./; s/^/ /'
    } >"$work/$1/usr/share/doc/$1/copyright"
}

pack() {
    find "$work/$1" -type d -exec chmod 755 {} +
    (cd "$work/$1" && find usr -type f -exec md5sum {} +) >"$work/$1/DEBIAN/md5sums"
    dpkg-deb --root-owner-group --build "$work/$1" "$out" >/dev/null
}

# Libraries that the programs are linked with, as "libc6 (>= 2.34), libfmt9 (>= 9.1.0+ds1)", ours apart.
libraries() {
    mkdir -p "$work/shlibs/debian"
    printf 'Source: hpcpp\n\nPackage: hpcpp\nArchitecture: any\n' >"$work/shlibs/debian/control"
    (cd "$work/shlibs" && dpkg-shlibdeps -O --ignore-missing-info -l"$work/$package$home/lib/hpcpp" "$@" 2>/dev/null) | sed -n 's/^shlibs:Depends=//p'
}

mkdir -p "$out"
rm -f "$out"/hpcpp-*.deb "$out"/libhpspmd0-*.deb

# ---- The compiler ------------------------------------------------------------------------------------------------
package=hpcpp-$flavour
DESTDIR=$work/$package cmake --install "$build" --prefix "$home" >/dev/null
strip --strip-unneeded "$work/$package$home"/bin/*
for shared in man bash-completion zsh doc; do rm -rf "$work/$package$home/share/$shared"; done
needs=$(libraries "$work/$package$home"/bin/*)
if [ "$(setting BUILD_SHARED_LIBS)" = ON ]; then
    package=libhpspmd0-$flavour
    mkdir -p "$work/$package$home/lib/hpcpp"
    mv "$work/hpcpp-$flavour$home"/lib/hpcpp/*.so "$work/$package$home/lib/hpcpp"
    strip --strip-unneeded "$work/$package$home"/lib/hpcpp/*.so
    control "$package" "$architecture" "Depends: $(libraries "$work/$package$home"/lib/hpcpp/*.so)
${launcher:+Recommends: $launcher
}Provides: libhpspmd0 (= $version)
Description: libraries of HPspmd C++ that programs need where they run ($flavour)
 The runtime and the collective operations, for programs whose compiler was
 built with shared libraries."
    pack "$package"
    needs="$package (= $version), $needs"
    package=hpcpp-$flavour
fi
control "$package" "$architecture" "Depends: hpcpp-common (= $version), g++$mpiPackages, $needs
Recommends: gdb, gdbserver, tmux, libhdf5-dev, libpng-dev
Provides: hpcpp (= $version)
Description: compiler and libraries of HPspmd C++ ($flavour)
 C++ with distributed arrays: a translator, a library of collective operations
 and a runtime, for programs whose processes are joined by $flavour."
cat >"$work/$package/DEBIAN/postinst" <<END
#!/bin/sh
set -e
if [ "\$1" = configure ]; then
    update-alternatives --install /usr/bin/hpcpp hpcpp $home/bin/hpcc $priority
fi
END
cat >"$work/$package/DEBIAN/prerm" <<END
#!/bin/sh
set -e
if [ "\$1" = remove ]; then
    update-alternatives --remove hpcpp $home/bin/hpcc
fi
END
chmod 755 "$work/$package/DEBIAN/postinst" "$work/$package/DEBIAN/prerm"
pack "$package"

# ---- Pages of the name hpcpp, printed by an hpcc of that name ----------------------------------------------------
package=hpcpp-common
share=$work/$package/usr/share
mkdir -p "$share/man/man1" "$share/bash-completion/completions" "$share/zsh/vendor-completions"
for name in hpcpp hpcc; do ln -s "$build/bin/hpcc" "$work/$name"; done
"$work/hpcpp" manual | gzip -9n >"$share/man/man1/hpcpp.1.gz"
"$work/hpcpp" manual run | gzip -9n >"$share/man/man1/hpcpp-run.1.gz"
"$work/hpcpp" completion bash >"$share/bash-completion/completions/hpcpp"
"$work/hpcpp" completion zsh >"$share/zsh/vendor-completions/_hpcpp"
control "$package" all "Description: man pages and completion of the HPspmd C++ compiler
 What the packages hpcpp-mpich and hpcpp-openmpi share."
pack "$package"

# ---- The name hpcc -----------------------------------------------------------------------------------------------
package=hpcpp-hpcc
share=$work/$package/usr/share
mkdir -p "$work/$package/usr/bin" "$share/man/man1" "$share/bash-completion/completions"
ln -s hpcpp "$work/$package/usr/bin/hpcc"
"$work/hpcc" manual | gzip -9n >"$share/man/man1/hpcc.1.gz"
"$work/hpcc" completion bash >"$share/bash-completion/completions/hpcc"
control "$package" all "Depends: hpcpp
Conflicts: hpcc
Description: HPspmd C++ compiler by its short name
 The command hpcc. The package hpcc, HPC Challenge, has a program of that name,
 so the two cannot be installed together."
pack "$package"

# ---- Documentation -----------------------------------------------------------------------------------------------
package=hpcpp-doc
doc=$work/$package/usr/share/doc/hpcpp-doc
mkdir -p "$doc"
cp -r "$source/docs" "$source/examples" "$source/README.md" "$doc"
find "$doc" -type f -exec chmod 644 {} +
control "$package" all "Description: documentation and examples of HPspmd C++
 The reference of the language and of its library, a page for every error
 message, and one program per idea."
pack "$package"

ls "$out"
