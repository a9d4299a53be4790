#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds the benches in build-bench (release, no -march) and runs them, under a minute of running; every answer is
# checked against double first. The tables are Markdown: bench/RESULTS.md keeps the last ones worth quoting.
set -euo pipefail
cd "$(dirname "$0")/.."
. examples/support/packages.sh
need_packages $test_packages
build=${LOGITOPE_BENCH_BUILD:-build-bench}
benches="simd_softmax simd_axis simd_select simd_panel loss_select loss_kl"
[ -f "$build/build.ninja" ] ||
  meson setup "$build" --buildtype=release -Dtests=disabled -Dexamples=disabled -Dbench=enabled >&2
# shellcheck disable=SC2086
ninja -C "$build" $(printf 'bench/bench_%s ' $benches) >&2
printf 'CPU: %s\n' "$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1)"
printf 'Compiler: %s; flags: Meson buildtype release (-O3), no -march\n' "$(${CXX:-g++} --version | head -n 1)"
printf 'Commit: %s\n' "$(git rev-parse --short HEAD 2>/dev/null || echo unknown)"
for bench in $benches; do timeout 60 "$build/bench/bench_$bench"; done
