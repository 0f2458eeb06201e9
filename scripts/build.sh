#!/usr/bin/env bash
# Configures and builds into build/ (or $1), with further CMake options behind it.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=${1:-build}
shift || true
cmake -S . -B "$dir" "$@" >"$dir.log" 2>&1 || { cat "$dir.log"; rm -f "$dir.log"; exit 1; }
rm -f "$dir.log"
cmake --build "$dir" --parallel "$(nproc)" -- --no-print-directory |
  { grep -E '^\[ *[0-9]*(0|5)%\]|warning|error|Built target (tgc)$' || true; }
