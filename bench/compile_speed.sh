#!/usr/bin/env bash
# How fast tgc writes variants: 125, 250, 500 and 1000 of sum for sm_60, where the time goes, and the peak memory.
#
#   bench/compile_speed.sh [TGC] [OTHER..]   prints a table; exit status 1 when 500 variants take 0.6 s or 150 MB
#
# Other builds of tgc, such as of an earlier commit, are measured alternately with it, so that other load on the machine
# affects all of them alike. The shortest of nine runs counts, in real and in user time. Each run has its own folder
# until the end (400 MB a build): where files were just deleted, ext4 is slow to create others.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- build/tgc
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
late=0 run=0
TIMEFORMAT='%R %U'

# once TGC VARIANTS NAME: prints milliseconds of real and of user time, MB, and the line of --time.
once() {
  { time "$1" codelets/sum.cdl --arch sm_60 --keep "$2" -o "$folder/$3" --time >"$folder/log" 2>&1; } \
    2>"$folder/time" || { cat "$folder/log" >&2; exit 1; }
  read -r real user <"$folder/time"
  parts=$(grep -m1 '^parse' "$folder/log")
  memory=$(sed -n 's/.* \([0-9]*\)\.[0-9]* MB$/\1/p' <<<"$parts")
  echo "$((10#${real/[.,]/})) $((10#${user/[.,]/})) $memory $parts"
}

for n in 125 250 500 1000; do
  for i in $(seq $#); do real[i]=999999 user[i]=999999; done
  for _ in 1 2 3 4 5 6 7 8 9; do
    for i in $(seq $#); do
      run=$((run + 1))
      read -r ms cpu mb line < <(once "${!i}" "$n" "$run")
      if [ "$cpu" -lt "${user[i]}" ]; then user[i]=$cpu; fi
      if [ "$ms" -lt "${real[i]}" ]; then real[i]=$ms memory[i]=$mb parts[i]=$line; fi
    done
  done
  for i in $(seq $#); do
    printf '%5d variants  %5d ms  %5d ms user  %4d MB   %s\n' "$n" "${real[i]}" "${user[i]}" "${memory[i]}" \
      "$([ $# -eq 1 ] || echo "${!i}:") ${parts[i]}"
  done
  if [ "$n" -eq 500 ] && { [ "${real[1]}" -ge 600 ] || [ "${memory[1]}" -ge 150 ]; }; then late=1; fi
done
[ "$late" -eq 0 ] || { echo "500 variants took 0.6 s or 150 MB, or more"; exit 1; }
