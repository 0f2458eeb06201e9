#!/usr/bin/env bash
# Sets up, builds and runs every test. TGC_LONG=1 adds the fuzzers (a minute each), the sanitized build and valgrind.
set -euo pipefail
cd "$(dirname "$0")/.."
start=$SECONDS
echo "== what the tests need"
scripts/setup.sh tests
echo "== building"
scripts/build.sh build -DBUILD_TESTING=ON
echo "== testing"
ctest --test-dir build --output-on-failure -j "$(nproc)"
if [ "${TGC_LONG:-0}" = 1 ]; then scripts/test_long.sh; fi
echo "test: all tests passed in $((SECONDS - start)) s; the compiler is build/tgc"
