#!/bin/sh
# online_cpu.sh SPMV KMEANS [CASE ..]: what online selection costs on this CPU (bench/cpu/online.cc). SPMV and KMEANS are folders
# of these spectra, compiled with --arch cpu --types float --online.
set -eu
spmv=${1:?"which folder of spmv?"}
kmeans=${2:?"which folder of kmeans?"}
shift 2
[ $# -gt 0 ] || set -- grid512 grid1024 powerlaw kmeans
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
options=$(sed -n 's/.*_OPTIONS \(.*\) CACHE.*/\1/p' "$spmv/CMakeLists.txt")
for folder in "$spmv" "$kmeans"; do
  for f in "$folder"/*.c "$folder"/variants/*.c; do echo "$f $folder"; done
done | xargs -P "$(nproc)" -L1 sh -c 'gcc -std=c11 -O3 $2 -fopenmp -I "$4" -c "$3" -o "$1/$(basename "$3").o"' sh "$work" "$options"
# shellcheck disable=SC2086
g++ -std=c++17 -O3 $options -fopenmp -I "$spmv" -I "$kmeans" "$here/cpu/online.cc" "$work"/*.o -lm -o "$work/online"
sed -n 's/^model name[^:]*: /# /p' /proc/cpuinfo | head -n 1
cd "$work"
./online "$@"
