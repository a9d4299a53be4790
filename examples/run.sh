#!/usr/bin/env bash
# The main job: installs what is missing, builds head_audit, audits a head. Arguments go to head_audit;
# without any, a head is trained on a real phone 3-gram model from Debian and audited.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${LOGITOPE_BUILD:-$root/build}
# shellcheck source=support/packages.sh
. "$root/examples/support/packages.sh"

say() { printf '%s\n' "run.sh: $*" >&2; }

need_packages $example_packages
if [ ! -f "$build/build.ninja" ]; then
  say "configuring $build"
  meson setup "$build" "$root" >"$root/.setup.log" 2>&1 || { cat "$root/.setup.log" >&2; exit 1; }
  mv "$root/.setup.log" "$build/setup.log"
fi
say "building head_audit (nothing to do if it is up to date)"
ninja -C "$build" examples/head_audit >"$build/examples.log" 2>&1 || { cat "$build/examples.log" >&2; exit 1; }

if [ $# -gt 0 ]; then
  exec "$build/examples/head_audit" "$@"
fi

arpa=$build/phone-3gram.arpa
model=/usr/share/pocketsphinx/model/en-us/en-us-phone.lm.bin
if [ ! -s "$arpa" ]; then
  if try_packages pocketsphinx-en-us sphinxbase-utils && [ -s "$model" ] &&
    sphinx_lm_convert -i "$model" -o "$arpa.part" -ofmt arpa >"$build/convert.log" 2>&1; then
    mv "$arpa.part" "$arpa"
  else
    rm -f "$arpa.part"
    say "the phone model (Debian packages pocketsphinx-en-us, sphinxbase-utils) cannot be had here:"
    say "falling back to a seeded Zipf 3-gram source of our own"
    exec "$build/examples/head_audit" --zipf --json "$build/head_audit.json"
  fi
fi
say "training a head of dimension 16 on $arpa, then auditing it"
exec "$build/examples/head_audit" --arpa "$arpa" --json "$build/head_audit.json"
