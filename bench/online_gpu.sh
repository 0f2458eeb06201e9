#!/bin/sh
# online_gpu.sh SPMV KMEANS [CASE ..]: what online selection costs on this GPU (bench/gpu/online.cu). SPMV and KMEANS are folders of
# these spectra, compiled for it with --types float --online. NVCC names the compiler, ARCH its architecture.
set -eu
spmv=${1:?"which folder of spmv?"}
kmeans=${2:?"which folder of kmeans?"}
shift 2
[ $# -gt 0 ] || set -- kdd_cup bcsstk18 grid1024 grid2048 powerlaw rows500
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for f in "$spmv"/spmv.cu "$spmv"/variants/*.cu "$kmeans"/kmeans.cu "$kmeans"/variants/*.cu "$here"/gpu/online.cu; do echo "$f"; done |
  xargs -P "$(nproc)" -I{} sh -c '"$1" -arch="$2" -std=c++17 -O3 -I "$3" -I "$4" -c "$6" -o "$5/$(echo "$6" | tr / _).o"' \
    sh "${NVCC:-nvcc}" "${ARCH:-sm_90}" "$spmv" "$kmeans" "$work" {}
"${NVCC:-nvcc}" -arch="${ARCH:-sm_90}" "$work"/*.o -o "$work/online"
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
cd "$work"
for c in "$@"; do ./online "$c"; done
