#!/usr/bin/env bash
# From a fresh clone to checked CUDA: installs what is missing, builds the compiler, compiles codelets/sum.cdl for sm_60
# into out/, lists the variants and executes every one on the CPU against the sequential codelet. At last it compiles the
# same codelets for this CPU into out-cpu/, checks their results and tells how fast they are beside what memory gives.
# Needs no CUDA and no GPU.
set -euo pipefail
cd "$(dirname "$0")/.."
echo "== 1/5 what the build needs"
scripts/setup.sh
echo "== 2/5 building build/tgc"
scripts/build.sh build -DBUILD_TESTING=OFF
echo "== 3/5 tgc codelets/sum.cdl --arch sm_60 -o out/"
build/tgc codelets/sum.cdl --arch sm_60 -o out/ --list
echo "== 4/5 tgc check out/"
build/tgc check out/
echo "== 5/5 tgc codelets/sum.cdl --arch cpu -o out-cpu/, and tgc bench out-cpu/ --quick"
build/tgc codelets/sum.cdl --arch cpu --types float --determinism run_to_run --keep 8 -o out-cpu/
build/tgc bench out-cpu/ --quick
echo "demo: done. out/ and out-cpu/ hold the variants; sum.h is what a program includes; build/tgc --help tells the rest."
