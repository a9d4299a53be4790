#!/usr/bin/env bash
# The whole test suite: installs what is missing, builds, runs; the last line is "N passed, N failed".
#   --sanitize        address and undefined-behaviour sanitizers, in a build of their own
#   --compiler CXX    another compiler, in a build of its own
#   --build DIR       where to build
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../examples/support/packages.sh
. "$root/examples/support/packages.sh"

build=$root/build
place=
options=()
while [ $# -gt 0 ]; do
  case $1 in
    --sanitize)
      build=$build-sanitize
      options+=(-Db_sanitize=address,undefined -Db_lundef=false -Doptimization=1)
      ;;
    --compiler)
      [ $# -gt 1 ] || { echo "tests/run.sh: --compiler needs a name" >&2; exit 2; }
      export CXX=$2
      build=$build-$(basename "$2")
      shift
      ;;
    --build)
      [ $# -gt 1 ] || { echo "tests/run.sh: --build needs a folder" >&2; exit 2; }
      place=$2
      shift
      ;;
    *)
      echo "tests/run.sh: expected --sanitize, --compiler CXX or --build DIR, found $1" >&2
      exit 2
      ;;
  esac
  shift
done

build=${place:-$build}

failed() {
  printf '%s\n\n0 passed, 1 failed\n' "$1"
  exit 1
}

try_packages $test_packages || failed "packages are missing"
if [ -z "${LOGITOPE_DATA:-}" ] && [ -d "$root/../shared/data" ]; then
  LOGITOPE_DATA=$(cd "$root/../shared/data" && pwd)
  export LOGITOPE_DATA
fi
if [ ! -f "$build/build.ninja" ]; then
  echo "configuring $build"
  meson setup "$build" "$root" "${options[@]}" </dev/null >"$build.log" 2>&1 || { cat "$build.log"; failed "meson setup"; }
  mv "$build.log" "$build/setup.log"
fi
echo "building the tests"
ninja -C "$build" >"$build/ninja.log" 2>&1 </dev/null || { tail -n 60 "$build/ninja.log"; failed "the build"; }
echo "running the tests"
rm -f "$build"/tests/*.xml "$build/meson-logs/testlog.json"
meson test -C "$build" --no-rebuild --print-errorlogs </dev/null
[ -s "$build/meson-logs/testlog.json" ] || failed "meson test"
python3 "$root/tests/meta/count.py" "$build"
