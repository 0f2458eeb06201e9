#!/bin/sh
# executor.sh FOLDER [CLANGXX]: compiles the CPU executor into FOLDER, with the very words that tgc check has for it
# (check_build.c), so that ccache, where there is one, compiles it once for all tests and checks.
set -e
simt=$(cd "$(dirname "$0")/../runtime/simt" && pwd -P)
once=$(command -v ccache >/dev/null && echo "env CCACHE_DEPEND=1 CCACHE_NOHASHDIR=1 ccache" || true)
mkdir -p "$1"
cd "$1"
for source in "$simt"/*.cc; do
  $once "${2:-clang++-19}" -std=c++17 -fPIE -w -I "$simt/include" -I "$simt" -O2 -fno-strict-aliasing -ffp-contract=off \
    -c "$source" -o "$(basename "$source" .cc).o" -MD
done
