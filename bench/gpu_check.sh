#!/usr/bin/env bash
# Builds and runs every variant of a generated folder on the GPU at hand.
#
#   bench/gpu_check.sh build DIR [ARCH]     nvcc builds DIR/gpu_check (needs no GPU)
#   bench/gpu_check.sh run DIR [options]    runs it; options: see bench/gpu/check.cu
#   bench/gpu_check.sh sanitize DIR [n,..]  under compute-sanitizer's memcheck, racecheck and synccheck
#   bench/gpu_check.sh all DIR [n,..]       all of it, with graphs, two streams and the huge sizes n,..: a record for
#                                         bench/results/
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
verb=${1:?build, run or sanitize} dir=$(cd "${2:?the generated folder}" && pwd)
shift 2
name=$(sed -n 's/.*"spectrum": "\([a-z_A-Z0-9]*\)".*/\1/p' "$dir/manifest.json" | head -n 1)

build() {
  local arch=${1:-sm_90} work=$dir/build-gpu n=0 each=16 types
  rm -rf "$work" && mkdir -p "$work"
  types=$(sed -n 's/^  cudaError_t (\*run_\([a-z0-9_]*\)).*/TYPE(\1)/p' "$dir/$name.h" | tr '\n' ' ')
  ls "$dir"/variants/*.cu | while read -r f; do
    echo "#include \"$f\"" >> "$work/unit$((n / each)).cu"
    n=$((n + 1))
  done
  echo "#include \"$dir/$name.cu\"" > "$work/dispatch.cu"
  cp "$here/bench/gpu/check.cu" "$work/check.cu"
  echo "#define TYPES $types" > "$work/types.h"
  ls "$work"/*.cu | xargs -P "$(nproc)" -I{} nvcc -std=c++17 -O3 -lineinfo -arch="$arch" -I"$dir" \
    -DSPECTRUM_HEADER="\"$name.h\"" -DSPECTRUM="$name" -c {} -o {}.o
  nvcc -arch="$arch" "$work"/{unit*,dispatch,check}.cu.o -o "$dir/gpu_check"
  rm -rf "$work"
  echo "built $dir/gpu_check for $arch"
}

all() {
  local huge=${1:-2147483653} machine variants
  machine=$(sed -n 's/^  "machine": "\(.*\)",/\1/p' "$dir/manifest.json")
  variants=$(grep -c '"file": "variants/' "$dir/manifest.json")
  echo "date      $(date -u +%F)"
  echo "device    $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1)"
  echo "toolkit   CUDA $(nvcc --version 2>/dev/null | sed -n 's/.*V\([0-9.]*\)$/\1/p')"
  echo "folder    $name for $machine, $variants variants"
  echo
  echo "== all sizes, misaligned by 0, 1 and 3 elements, in graphs, on two streams at once, in chains"
  "$dir/gpu_check" --graph --streams --chain --seeds 2
  echo "== n = $huge"
  "$dir/gpu_check" --sizes "$huge"
  sanitize
}

sanitize() {
  local sizes=${1:-0,1,31,33,1025,65537} tool
  for tool in memcheck racecheck synccheck; do
    echo "== compute-sanitizer $tool, n = $sizes"
    compute-sanitizer --tool "$tool" --error-exitcode 9 "$dir/gpu_check" --sizes "$sizes" 2>&1 | tail -n 5
  done
}

case $verb in
  build) build "$@" ;;
  run) "$dir/gpu_check" "$@" ;;
  sanitize) sanitize "$@" ;;
  all) all "$@" ;;
  *) echo "unknown: $verb" >&2; exit 2 ;;
esac
