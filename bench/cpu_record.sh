#!/bin/sh
# cpu_record.sh TO [NAME ..]: the record of this CPU: writes, tunes and compares folders one after another, and leaves
# TO/DATE-NAME.json, .csv and .table. NAMEs: sum min dot scan gemv gemv_columns; by default all. Run it from the root of
# the source, built in build/, on an idle machine: with a load above LOAD (1.2) it waits. TUNE and
# BENCH (--rounds 61) are more words for `tgc tune' and `tgc bench', to try it.
set -eu
to=${1:?"which folder? bench/cpu_record.sh TO [NAME ..]"}
shift
[ $# -gt 0 ] || set -- sum min dot scan gemv gemv_columns
tgc=${TGC:-build/tgc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$to"

quiet() {
  while awk -v most="${LOAD:-1.2}" '{ exit !($1 > most) }' /proc/loadavg; do sleep 10; done
}

# Codelets, how many variants are kept, more words.
for name; do
  case $name in
    sum) set -- codelets/sum.cdl 12 ;;
    min) set -- codelets/reduce.cdl 12 --operator Min ;;
    dot) set -- codelets/dot.cdl 60 ;; # the first 12 lack the fastest below 2^9 and from 2^13 to 2^15
    scan) set -- codelets/scan.cdl 6 ;;
    gemv) set -- codelets/gemv.cdl 20 ;;
    gemv_columns) set -- codelets/gemv_columns.cdl 12 ;;
    *) echo "cpu_record.sh: no $name" >&2; exit 2 ;;
  esac
  codelets=$1 keep=$2
  shift 2
  "$tgc" "$codelets" --arch cpu --types float --keep "$keep" "$@" -o "$work/$name" > "$work/$name.log"
  quiet
  "$tgc" tune "$work/$name" --types float ${TUNE:-} > "$work/$name.log" 2>&1 || { cat "$work/$name.log" >&2; exit 1; }
  quiet
  "$tgc" bench "$work/$name" --types float --results "$work/results" ${BENCH:---rounds 61} > "$work/$name.log" 2>&1 ||
    cat "$work/$name.log" >&2
  sed -n '/ours /,$p' "$work/$name.log"
  date=$(date -u +%Y-%m-%d)
  for ending in json csv; do mv "$work/results"/*."$ending" "$to/$date-$name.$ending"; done
  cp "$work/$name"/*.table "$to/$date-$name.table"
done
