#!/usr/bin/env bash
# What the long mode of the tests adds: fuzzers, a minute each; the compiler under valgrind.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${TGC_FUZZ_SECONDS:-60}

echo "== the compiler under valgrind"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite \
  --suppressions=tests/valgrind.supp build/tgc codelets/sum.cdl --arch sm_60 -o "$folder/out"
valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite \
  --suppressions=tests/valgrind.supp build/tgc codelets/sum.cdl --arch sm_90 --types half,int64 -o "$folder/hopper"
valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite \
  --suppressions=tests/valgrind.supp build/tgc codelets/reduce.cdl --operator Moments --arch sm_90 -o "$folder/moments"
for input in tests/errors/several.cdl tests/errors/garbage.cdl; do
  status=0
  valgrind --quiet --error-exitcode=99 --suppressions=tests/valgrind.supp \
    build/tgc "$input" --arch sm_60 --list >/dev/null 2>&1 || status=$?
  [ "$status" -eq 1 ] || { echo "valgrind: $input: status $status"; exit 1; }
done

echo "== what nvcc says of the generated text, where there is one"
TGC_LONG=1 python3 tests/native/nvcc_test.py build/tgc || [ $? -eq "$(sed -n 's/^ALL_SKIPPED = //p' tests/drawn.py)" ]

echo "== random programs"
python3 tests/random/run.py build/tgc --programs "${TGC_RANDOM_PROGRAMS:-500}" --shrink --counts build/random-counts.txt

echo "== tgc tune under AddressSanitizer and UndefinedBehaviorSanitizer"
scripts/build_sanitized.sh
cmake --build build-sanitize --parallel "$(nproc)" --target tgc-tune -- --no-print-directory --quiet
cp build/tgc build-sanitize/tgc-tune "$folder/" # tgc looks for tgc-tune beside itself
TGC_LONG=1 ASAN_OPTIONS=detect_leaks=0 TGC_DATA_DIR="$PWD" \
  python3 tests/cli/run.py --tgc "$folder/tgc" --root . --module tuning_failures

echo "== files that somebody mistyped"
cmake --build build-sanitize --parallel "$(nproc)" --target tgc -- --no-print-directory --quiet
for kind in codelets machines tables; do
  python3 tests/fuzz/mutated.py build-sanitize/tgc . --kind $kind --programs "${TGC_MUTATED:-1000}" --keep build/mutated
done

echo "== fuzzing, $seconds s a target"
CC=clang-19 CXX=clang++-19 \
  scripts/build.sh build-fuzz -DTGC_FUZZ=ON -DBUILD_TESTING=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo
for target in front arch prepare; do
  mkdir -p "$folder/$target"
  seeds=(archspec/*.yaml)
  [ "$target" = arch ] || seeds=(codelets/*.cdl codelets/common/*.cdl tests/listings/*.cdl tests/errors/*.cdl)
  for seed in "${seeds[@]}"; do cp "$seed" "$folder/$target/${seed//\//-}"; done # some have the same name
  log=$folder/$target.log
  (cd "$folder" && "$OLDPWD/build-fuzz/tests/fuzz_$target" -max_total_time="$seconds" -timeout=20 \
    -rss_limit_mb=4096 -print_final_stats=1 "$folder/$target" >"$log" 2>&1) || { tail -40 "$log"; exit 1; }
  grep -E 'stat::(number_of_executed_units|average_exec_per_sec)' "$log" | sed "s/^/fuzz_$target: /"
done
echo "long: everything passed"
