#!/usr/bin/env bash
# How fast tgc writes variants: 125, 250, 500 and 1000 of sum for sm_60, where the time goes, and the peak memory.
#
#   bench/compile_speed.sh [build/tgc]      prints a table; exit status 1 when 500 variants take 1 s or 300 MB
set -euo pipefail
cd "$(dirname "$0")/.."
tgc=${1:-build/tgc}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
late=0
for n in 125 250 500 1000; do
  best=999999
  for _ in 1 2 3 4 5; do
    rm -rf "$folder/out"
    start=${EPOCHREALTIME/[.,]/}
    "$tgc" codelets/sum.cdl --arch sm_60 --keep $n -o "$folder/out" --time >"$folder/log" 2>&1 ||
      { cat "$folder/log"; exit 1; }
    ms=$(((${EPOCHREALTIME/[.,]/} - start) / 1000))
    if [ "$ms" -lt "$best" ]; then
      best=$ms
      parts=$(grep -m1 '^parse' "$folder/log")
      memory=$(sed -n 's/.* \([0-9]*\)\.[0-9]* MB$/\1/p' <<<"$parts")
    fi
  done
  printf '%5d variants  %5d ms  %4d MB   %s\n' "$n" "$best" "$memory" "$parts"
  if [ "$n" -eq 500 ] && { [ "$best" -ge 1000 ] || [ "$memory" -ge 300 ]; }; then late=1; fi
done
[ "$late" -eq 0 ] || { echo "500 variants took more than 1 s or 300 MB"; exit 1; }
