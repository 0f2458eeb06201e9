#!/usr/bin/env bash
# From a fresh clone to checked CUDA: installs what is missing, builds the compiler, compiles codelets/sum.cdl for sm_60
# into out/, lists the variants and executes every one on the CPU against the sequential codelet. Needs no CUDA and no
# GPU.
set -euo pipefail
cd "$(dirname "$0")/.."
echo "== 1/4 what the build needs"
scripts/setup.sh
echo "== 2/4 building build/tgc"
scripts/build.sh build -DBUILD_TESTING=OFF
echo "== 3/4 tgc codelets/sum.cdl --arch sm_60 -o out/"
build/tgc codelets/sum.cdl --arch sm_60 -o out/ --list
echo "== 4/4 tgc check out/"
build/tgc check out/
echo "demo: done. out/ holds the variants; out/sum.h is what a program includes; build/tgc --help tells the rest."
