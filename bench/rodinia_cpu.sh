#!/bin/sh
# rodinia_cpu.sh KMEANS BFS [POINTSxFEATURESxCLUSTERSxTURNS | GRAPH ..]: folders of kmeans (--arch cpu --types float) and of bfs
# (--arch cpu --types int) beside loops of OpenMP with the structure of Rodinia's: bench/cpu/rodinia.cc. Graphs are named in
# bench/data/graphs.h. ROUNDS=41 for more rounds.
set -eu
kmeans=${1:?"which folder of kmeans?"}
bfs=${2:?"which folder of bfs?"}
shift 2
[ $# -gt 0 ] || set -- 100000x34x5x10 20000x34x16x10 random rmat
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
options=$(sed -n 's/.*_OPTIONS \(.*\) CACHE.*/\1/p' "$kmeans/CMakeLists.txt")
for folder in "$kmeans" "$bfs"; do
  for f in "$folder"/*.c "$folder"/variants/*.c; do echo "$f $folder"; done
done | xargs -P "$(nproc)" -L1 sh -c 'gcc -std=c11 -O3 $2 -ffp-contract=off -fwrapv -fopenmp -I "$4" -c "$3" -o "$1/$(basename "$3").o"' \
  sh "$work" "$options"
# shellcheck disable=SC2086
g++ -std=c++17 -O3 $options -fopenmp -I "$kmeans" -I "$bfs" "$here/cpu/rodinia.cc" "$work"/*.o -lm -o "$work/rodinia"
sed -n 's/^model name[^:]*: /# /p' /proc/cpuinfo | head -n 1
for threads in 1 "$(nproc)"; do
  OMP_NUM_THREADS=$threads "$work/rodinia" "$@"
done
