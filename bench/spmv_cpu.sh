#!/bin/sh
# spmv_cpu.sh FOLDER [MATRIX ..]: a folder of spmv for this CPU (--arch cpu --types float,double) against a plain OpenMP
# loop, and Eigen if installed: bench/cpu/spmv.cc. Matrices are named in bench/data/matrices.h, or files.
# ROUNDS=41 for more rounds.
set -eu
folder=${1:?"which folder?"}
shift
[ $# -gt 0 ] || set -- bcsstk18 grid1024 grid2048 powerlaw rows500
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
options=$(sed -n 's/.*_OPTIONS \(.*\) CACHE.*/\1/p' "$folder/CMakeLists.txt")
for f in "$folder"/*.c "$folder"/variants/*.c; do echo "$f"; done |
  xargs -P "$(nproc)" -I{} sh -c 'gcc -std=c11 -O3 $3 -fopenmp -I "$2" -c "$1" -o "$4/$(basename "$1").o"' \
    sh {} "$folder" "$options" "$work"
# shellcheck disable=SC2086
g++ -std=c++17 -O3 $options -fopenmp -I "$folder" "$here/cpu/spmv.cc" "$work"/*.o -lm -o "$work/spmv"
sed -n 's/^model name[^:]*: /# /p' /proc/cpuinfo | head -n 1
"$work/spmv" "$@"
