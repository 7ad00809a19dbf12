#!/bin/sh
# `./hpc test --ci` leaves the slow tests out, and says so, where building takes 25 minutes; `--all` does not. Builds and runs nothing:
# the tools that it calls say what they were asked for, and the clock is one of this test.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/tools" "$folder/build/scalapack"
cp "$SOURCE/hpc" "$folder/hpc"
for tool in cmake ctest apt-get sudo; do
    printf '#!/bin/sh\necho "%s $*"\n' $tool > "$folder/tools/$tool"
done
cat > "$folder/tools/date" <<'END'
#!/bin/sh
read -r now < "$CLOCK"
echo "$now"
echo $((now + BUILDING)) > "$CLOCK"
END
chmod +x "$folder"/tools/*
CLOCK=$folder/clock PATH=$folder/tools:$PATH
export CLOCK PATH

asked() {  # asked <option> <seconds that building takes>
    echo 0 > "$CLOCK"
    BUILDING=$2 "$folder/hpc" test "$1" < /dev/null
}
fail() { printf 'FAILED: %s\n%s\n' "$1" "$2"; exit 1; }

said=$(asked --ci 1500)
case $said in *"THE SLOW TESTS ARE LEFT OUT"*"-LE ^(slow|longest)\$"*) ;; *) fail "slow machine" "$said" ;; esac
case $said in *slow_programs*) fail "their programs are built" "$said" ;; esac
for command in "--ci 1499" "--all 9000"; do
    said=$(asked $command)
    case $said in *"LEFT OUT"*) fail "$command" "$said" ;; *slow_programs*"-LE ^longest\$"*) ;; *) fail "$command" "$said" ;; esac
done
said=$(asked --longest 1)
case $said in *longest_programs*"-L ^longest\$"*) ;; *) fail "longest" "$said" ;; esac
grep -q 'hpc test --ci$' "$SOURCE/.ci/run" || fail "CI asks otherwise" "$(cat "$SOURCE/.ci/run")"
