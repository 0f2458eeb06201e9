#!/usr/bin/env bash
# From a fresh clone to checked CUDA: installs what is missing, builds the compiler, compiles codelets/sum.cdl for sm_60
# into out/, lists the variants and executes a sample of them on the CPU against the sequential codelet. Then it compiles
# the same codelets for this CPU into out-cpu/, and compares them with OpenMP loops and the bandwidth of memory. Needs no
# CUDA and no GPU, and ends within a minute on two processors once what the build needs is installed.
set -euo pipefail
cd "$(dirname "$0")/.."
echo "== 1/5 what the build needs"
scripts/setup.sh
echo "== 2/5 building build/tgc"
scripts/build.sh build -DBUILD_TESTING=OFF
echo "== 3/5 tgc compile codelets/sum.cdl --arch sm_60 --types float -o out"
build/tgc compile codelets/sum.cdl --arch sm_60 --types float --list -o out
echo "== 4/5 tgc check --quick"
build/tgc check --quick
echo "== 5/5 tgc compile codelets/sum.cdl --arch cpu -o out-cpu, and tgc bench out-cpu --quick, of four sizes"
build/tgc compile codelets/sum.cdl --arch cpu --types float --determinism run_to_run --keep 8 -o out-cpu
build/tgc bench out-cpu --quick --sizes 2^8,2^14,2^20,2^24
echo "demo: done. out/ and out-cpu/ hold the variants; sum.h is what a program includes. \`build/tgc check' checks all of them,"
echo "\`build/tgc tune out-cpu' measures them here, and \`build/tgc help' lists the rest."
