# Sourced by examples/run.sh and tests/run.sh: which Debian packages each needs, and how to get those that are missing.

example_packages="g++ meson ninja-build pkg-config libxtensor-dev libxsimd-dev libboost-dev
  liblapacke-dev libopenblas-dev librandom123-dev nlohmann-json3-dev libcli11-dev libfmt-dev"
test_packages="$example_packages ccache python3 binutils clang cmake make libboost-test-dev libbenchmark-dev
  pocketsphinx-en-us sphinxbase-utils"

missing_packages() {
  local package
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || printf '%s ' "$package"
  done
}

# try_packages NAME...: installs what is missing; false if that cannot be done.
try_packages() {
  local missing sudo=
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  printf 'installing %s\n' "$missing" >&2
  [ "$(id -u)" = 0 ] || sudo=sudo
  { $sudo apt-get update && $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing; } \
    >/dev/null 2>&1 </dev/null
}

# need_packages NAME...: the same, but the script ends with one clear line if it cannot be done.
need_packages() {
  try_packages "$@" && return 0
  printf 'cannot install with apt-get: %s\n' "$(missing_packages "$@")" >&2
  exit 1
}
