#!/usr/bin/env bash
# Builds and runs every variant of a generated folder on the GPU at hand.
#
#   bench/gpu_check.sh build DIR [ARCH]     nvcc builds DIR/gpu_check (needs no GPU)
#   bench/gpu_check.sh run DIR [options]    runs it; options: see bench/gpu/check.cu
#   bench/gpu_check.sh sanitize DIR [n,..]  under compute-sanitizer's memcheck, racecheck and synccheck
#   bench/gpu_check.sh all DIR [n,..]       all of it, with graphs, two streams and the huge sizes n,..: a record for
#                                         bench/results/
#   bench/gpu_check.sh stress DIR [ARCH]    nvcc builds DIR/gpu_stress; with a GPU it runs too: bench/gpu/stress.cu
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
verb=${1:?build, run or sanitize} dir=$(cd "${2:?the generated folder}" && pwd)
shift 2
name=$(sed -n 's/.*"spectrum": "\([a-z_A-Z0-9]*\)".*/\1/p' "$dir/manifest.json" | head -n 1)

# The folder's texts as sources in $1, so many variants in each.
sources() {
  local work=$1 each=$2 n=0
  for f in "$dir"/variants/*.cu; do
    echo "#include \"$f\"" >> "$work/unit$((n / each)).cu"
    n=$((n + 1))
  done
  echo "#include \"$dir/$name.cu\"" > "$work/dispatch.cu"
}

build() {
  local arch=${1:-sm_90} work=$dir/build-gpu types
  rm -rf "$work" && mkdir -p "$work"
  types=$(sed -n 's/^  cudaError_t (\*run_\([a-z0-9_]*\)).*/TYPE(\1)/p' "$dir/$name.h" | tr '\n' ' ')
  sources "$work" 16
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

# What the linker puts failing calls in the place of: bench/gpu/injection.h.
stress() {
  local arch=${1:-sm_90} work=$dir/build-stress wrapped='' call types
  rm -rf "$work" && mkdir -p "$work"
  types=$(sed -n 's/^  cudaError_t (\*run_\([a-z0-9_]*\)).*/-DTYPE_\1/p' "$dir/$name.h" | tr '\n' ' ')
  grep -q '"operator": "mul"' "$dir/manifest.json" && types="$types -DPRODUCTS"
  for call in cudaMallocAsync cudaFreeAsync cudaMemsetAsync cudaLaunchKernel cudaLaunchKernelExC; do
    wrapped="$wrapped -Xlinker --wrap=$call"
  done
  sources "$work" 16
  { echo "#pragma nv_diag_suppress 177"; cat "$dir/check/reference.cc"; } > "$work/reference.cu"
  echo "#include \"$here/bench/gpu/stress.cu\"" > "$work/stress.cu"
  # shellcheck disable=SC2086
  ls "$work"/*.cu | xargs -P "$(nproc)" -I{} nvcc -std=c++17 -O2 -lineinfo -arch="$arch" -I"$dir" -I"$here/bench/gpu" \
    -DSPECTRUM_HEADER="\"$name.h\"" -DSPECTRUM="$name" $types -c {} -o {}.o
  # shellcheck disable=SC2086
  nvcc -arch="$arch" $wrapped "$work"/*.cu.o -o "$dir/gpu_stress"
  rm -rf "$work"
  echo "built $dir/gpu_stress for $arch"
  if nvidia-smi -L > /dev/null 2>&1; then "$dir/gpu_stress"; fi
}

case $verb in
  build) build "$@" ;;
  stress) stress "$@" ;;
  run) "$dir/gpu_check" "$@" ;;
  sanitize) sanitize "$@" ;;
  all) all "$@" ;;
  *) echo "unknown: $verb" >&2; exit 2 ;;
esac
