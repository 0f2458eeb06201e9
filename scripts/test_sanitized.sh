#!/usr/bin/env bash
# The unit tests under AddressSanitizer and UndefinedBehaviorSanitizer, built into build-sanitize/.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/build.sh build-sanitize -DTGC_SANITIZE=ON -DBUILD_TESTING=ON -DTGC_TEST_UNITS_ONLY=ON -DCMAKE_BUILD_TYPE=None \
  -DCMAKE_C_FLAGS="-O1 -g1"
ASAN_OPTIONS=detect_leaks=1 LSAN_OPTIONS=suppressions="$PWD/tests/lsan.supp" \
  ctest --test-dir build-sanitize --output-on-failure -j "$(nproc)" -R '^unit/'
