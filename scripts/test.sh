#!/usr/bin/env bash
# Sets up, builds and runs the tests, the unit tests under sanitizers too: tests/README.md has what each proves and
# takes. TGC_LONG=1 leaves nothing out of them, and adds the fuzzers (a minute each) and valgrind.
set -euo pipefail
cd "$(dirname "$0")/.."
start=$SECONDS
# The tests write, and flush, many thousands of small files: in memory, where there are 4 GB of it that programs may run from.
memory=/dev/shm/tgc-tests-$$
if [ -z "${TMPDIR:-}" ] && [ "$(df --output=avail -k /dev/shm 2>/dev/null | tail -n 1 || echo 0)" -gt 4000000 ] &&
  mkdir "$memory" 2>/dev/null; then
  trap 'rm -rf "$memory"' EXIT
  cp /bin/true "$memory/"
  if "$memory/true"; then export TMPDIR=$memory; fi
fi
echo "== what the tests need"
scripts/setup.sh tests
echo "== building"
scripts/build.sh build -DBUILD_TESTING=ON
export TGC_SEED=${TGC_SEED:-$RANDOM}
echo "== testing, with TGC_SEED=$TGC_SEED"
again=(-LE as_much_sanitized) # unit tests that the sanitized build runs as they are
if [ "${TGC_LONG:-0}" = 1 ]; then again=(); fi
ctest --test-dir build --output-on-failure -j "$(nproc)" "${again[@]}"
echo "== what was skipped"
grep -hE '(: |  )skipped: ' build/Testing/Temporary/LastTest.log || echo "nothing"
echo "== the unit tests under AddressSanitizer and UndefinedBehaviorSanitizer"
scripts/test_sanitized.sh
if [ "${TGC_LONG:-0}" = 1 ]; then scripts/test_long.sh; fi
echo "test: all tests passed in $((SECONDS - start)) s; the compiler is build/tgc"
