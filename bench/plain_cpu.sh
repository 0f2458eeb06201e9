#!/bin/sh
# plain_cpu.sh FOLDER .. [-- NAME[:SHAPE] ..]: folders for this CPU (--arch cpu --types float, of histogram int) beside plain
# loops with OpenMP, OpenBLAS's transposition and products, std::sort, and memcpy of the same bytes, on one thread and on
# all: bench/cpu/plain.cc. BEST=1 adds the best of all variants, ROUNDS=41 more rounds, THREADS="1" fewer. It takes
# libopenblas and its headers. PREFIX goes before the program: a lock, a profiler.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
includes=""
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  options=$(sed -n 's/.*_OPTIONS \(.*\) CACHE.*/\1/p' "$1/CMakeLists.txt")
  includes="$includes -I $1"
  for f in "$1"/*.c "$1"/variants/*.c; do echo "$f $1"; done >> "$work/sources"
  shift
done
[ $# -eq 0 ] || shift
xargs -P "$(nproc)" -L1 sh -c \
  'gcc -std=c11 -O3 $2 -ffp-contract=off -fwrapv -fopenmp -I "$4" -c "$3" -o "$1/$(basename "$3").o"' \
  sh "$work" "$options" < "$work/sources"
# shellcheck disable=SC2086
g++ -std=c++17 -O3 $options -fopenmp $includes "$here/cpu/plain.cc" "$work"/*.o -lopenblas -lm -o "$work/plain"
sed -n 's/^model name[^:]*: /# /p' /proc/cpuinfo | head -n 1
for threads in ${THREADS:-1 "$(nproc)"}; do
  OMP_NUM_THREADS=$threads ${PREFIX:-} "$work/plain" "$@"
done
