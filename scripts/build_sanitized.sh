#!/usr/bin/env bash
# The unit tests with AddressSanitizer and UndefinedBehaviorSanitizer, into build-sanitize/.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/build.sh build-sanitize -DTGC_SANITIZE=ON -DBUILD_TESTING=ON -DTGC_TEST_UNITS_ONLY=ON -DTGC_INSTALL=OFF \
  -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-O1 -g1"
