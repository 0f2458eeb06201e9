#!/bin/sh
# gemm_cpu.sh FOLDER [SIZE | MxNxK ..]: a folder of gemm for this CPU (--arch cpu --types float,double) beside OpenBLAS, on one
# thread and on all: bench/cpu/gemm.cc. ROUNDS=41 for more rounds; VARIANT=942b1c5d for one of the folder's, whatever its
# table says. It takes libopenblas and its headers.
set -eu
folder=${1:?"which folder?"}
shift
[ $# -gt 0 ] || set -- 16 64 256 1024 2048 4096 1000 1531x777x2049
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
options=$(sed -n 's/.*_OPTIONS \(.*\) CACHE.*/\1/p' "$folder/CMakeLists.txt")
for f in "$folder"/*.c "$folder"/variants/*.c; do echo "$f"; done |
  xargs -P "$(nproc)" -I{} sh -c 'gcc -std=c11 -O3 $3 -ffp-contract=off -fwrapv -fopenmp -I "$2" -c "$1" -o "$4/$(basename "$1").o"' \
    sh {} "$folder" "$options" "$work"
# shellcheck disable=SC2086
g++ -std=c++17 -O3 $options ${VARIANT:+-DVARIANT=$VARIANT} -fopenmp -I "$folder" "$here/cpu/gemm.cc" "$work"/*.o -lopenblas -lm -o "$work/gemm"
sed -n 's/^model name[^:]*: /# /p' /proc/cpuinfo | head -n 1
for threads in 1 "$(nproc)"; do
  OMP_NUM_THREADS=$threads "$work/gemm" "$@"
done
