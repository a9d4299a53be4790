#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Configures, builds the benches (release, no -march) and runs them; at most a minute of running.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${LOGITOPE_BENCH_BUILD:-build/bench}
[ -f "$build/build.ninja" ] || meson setup "$build" --buildtype=release -Dtests=disabled -Dexamples=disabled -Dbench=enabled
ninja -C "$build" bench/bench_simd_softmax
for bench in "$build"/bench/bench_*; do
  if [ -x "$bench" ] && [ -f "$bench" ]; then timeout 60 "$bench" --benchmark_min_time=0.2; fi
done
