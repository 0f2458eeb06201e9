#!/usr/bin/env bash
# Configures and builds into build/ (or $1), with further CMake options behind it. Tests are built where -DBUILD_TESTING=ON
# is among them, or was before: they take as long as the compiler.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=${1:-build}
shift || true
[ -f "$dir/CMakeCache.txt" ] || set -- -DBUILD_TESTING=OFF "$@"
cmake -S . -B "$dir" "$@" >"$dir.log" 2>&1 || { cat "$dir.log"; rm -f "$dir.log"; exit 1; }
rm -f "$dir.log"
cmake --build "$dir" --parallel "$(nproc)" -- --no-print-directory |
  { grep -E '^\[ *[0-9]*(0|5)%\]|warning|error|Built target (tgc)$' || true; }
