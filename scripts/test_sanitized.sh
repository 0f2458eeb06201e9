#!/usr/bin/env bash
# The unit tests under AddressSanitizer and UndefinedBehaviorSanitizer.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/build_sanitized.sh
export LSAN_OPTIONS=suppressions="$PWD/tests/lsan.supp"
run=(ctest --test-dir build-sanitize --output-on-failure -j "$(nproc)" -R '^unit/')
# What libclang leaves allocated takes a second in each test to be looked up by name: what failed runs again, with names.
ASAN_OPTIONS=detect_leaks=1:symbolize=0 "${run[@]}" || { ASAN_OPTIONS=detect_leaks=1 "${run[@]}" --rerun-failed; exit 1; }
