#!/usr/bin/env python3
"""mutate.py TGC: breaks a CPU's variants, as tgc writes them, one thing at a time, and sees that `tgc check' says so,
and how; the variants themselves pass. The normal mode draws some of what is broken, anew in each run."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from drawn import drawn

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TYPES = "int"
SIZES = "0,33,1025,16385,40009"

# What is broken, in the first variant that has it: a name; a text that the variant has besides; what is replaced, and
# by what; the kinds of failure, one of which has to be told.
MUTANTS = (
    # threads
    ("atomic", None, r"  #pragma omp atomic\n", "", {"race"}),
    ("same_partial", None, r"\bpartial\[thread\] =", "partial[thread / 2] =", {"race"}),
    ("no_partial", None, r"\n  partial\[thread\] =", r"\n  if (thread != 1) partial[thread] =", {"wrong"}),
    ("early", None, r"(\n  partial\[thread\] = [^\n]*)",
     r"\1\n  if (thread && partial[thread - 1] == 7) partial[thread] += 0;",
     {"race"}),
    ("late_out", "partial[thread] =", r"(static void OF\(\w+_threads\)\([^)]*T \*restrict partial)\) {",
     r"\1) {\n  partial[0] = 0;", {"race"}),
    ("race_out", "pragma omp atomic", r"( if \(alone\) )", r" if (out[0] == 7) return;\n\1", {"race"}),
    ("all_granted", None,
     r"#pragma omp parallel for schedule\(static\) num_threads\(at_once\(p\)\)\n *"
     r"for \(Index thread = 0; thread < p; \+\+thread\)\n",
     "#pragma omp parallel num_threads(p)\n for (Index thread = omp_get_thread_num(), once = 1; once; once = 0)\n",
     {"wrong"}),
    ("nowait", "partial[thread] =", r"#pragma omp parallel for schedule\(static\) num_threads\(at_once\(p\)\)",
     "#pragma omp parallel num_threads(at_once(p))", {"race", "wrong"}),
    # bounds
    ("past_end", None, r"= i \+ lane < thread_end \?", "= i + lane <= thread_end ?", {"bounds", "wrong"}),
    ("no_least", None, r"min_index\(whole_tile \+ thread \* whole_tile, n\)", "(whole_tile + thread * whole_tile)",
     {"bounds"}),
    ("mask", None, r"= i \+ lane < thread_end \?", "= true ?", {"bounds", "wrong"}),
    ("no_tail", None, r"if \(i < thread_end\)", "if (false)", {"wrong"}),
    ("rest", None, r"  for \(; i \+ 8 <= thread_end; i \+= 8\)", "  for (; i + 8 < i; i += 8)", {"wrong"}),
    ("write_in", None, r"(\n  const Index thread_begin)", r"\n  if (n > 0) *(volatile T *)&in[n - 1] = in[n - 1];\1",
     {"bounds"}),
    ("little_workspace", None, r"need = 16 \+ \(size_t\)p \* sizeof", "need = 16 + (size_t)(p - 1) * sizeof",
     {"bounds", "error"}),
    ("lanes", None, r"T val\[8\];", "T val[7];", {"undefined"}),
    ("slots", None, r"T accum\[loads \* 8\];", "T accum[2 * 8];", {"undefined", "wrong", "crash"}),
    # values
    ("identity", None, r"OF\(sum_identity\)\(out\);", ";", {"wrong"}),
    ("slot_left", None, r"for \(Index i2 = 0; i2 < loads; \+\+i2\)", "for (Index i2 = 0; i2 < 2; ++i2)",
     {"wrong", "undefined"}),
    ("uneven", None, r"\(n \+ p - 1\) / p", "n / p / 128 * 128", {"wrong"}),
    # what is promised of a workspace, an end, a configuration
    ("unchecked", "partial[thread] =", r"  if \(\*workspace_bytes < need\) return EINVAL;\n", "", {"contract"}),
    ("head", "partial[thread] =", r"(\n  T \*partial = )", r"\n  *(int *)workspace = 1;\1", {"contract"}),
    ("any_lanes", None, r"  if \(c->threads && c->threads != threads\) return ENOTSUP;\n", "", {"contract"}),
    ("any_size", None, r"if \(n < 0 \|\| n > PTRDIFF_MAX / 2 \|\| workspace_bytes == NULL\)",
     "if (workspace_bytes == NULL)", {"contract"}),
    ("refuses", None, r"(\n  if \(\*workspace_bytes < need\) return EINVAL;)", r"\1\n  if (n == 33) return ENOTSUP;",
     {"error"}),
    ("endless", None, r"(\n  const Index thread_begin)", r"\n  for (volatile int k = n == 33; k;) ;\1", {"timeout"}),
    ("signal", None, r"(\n  const Index thread_begin)", r"\n  if (n == 33) __builtin_trap();\1", {"crash"}),
    ("text", None, r"(\n  const Index thread_begin)", r"\n  nothing = 0;\1", {"compile"}),
)

# The same of a scan of products whose threads copy their tiles.
COPIES = (
    ("no_rest", "copy_room", r"if \(i \+ lane < elements\)(\n +copy\[)", r"if (0)\1", {"wrong"}),
    ("rest_past_end", "copy_room", r"if \(i \+ lane < elements\)(\n +copy\[)", r"if (i + lane <= elements)\1",
     {"bounds"}),
    ("next_place", "copy_room", r"copy\[i \+ s \* 8 \+ lane\] =", "copy[i + s * 8 + lane + 1] =", {"wrong"}),
    ("first_vectors", "copy_room", r"(\n +)copy\[i \+ s \* 8 \+ lane\] =", r"\1if (i < 4096) copy[i + s * 8 + lane] =",
     {"wrong"}),
    ("other_tile", "copy_room", r"x\[tile_begin \+ \(i \+ s \* 8 \+ lane\)\]", "x[i + s * 8 + lane]", {"wrong"}),
    ("little_room", "copy_room", r"copy_room\[8 \* 1024\]", "copy_room[8 * 512]",
     {"wrong", "crash", "bounds", "undefined"}),
    ("shared_room", "copy_room", r"alignas\(64\) T copy_room", "static alignas(64) T copy_room", {"race"}),
    ("read_first", "copy_room", r"\? copy\[(\w+)\] :", r"? copy[\1 - 1] :", {"wrong", "bounds", "undefined"}),
)

# The same of scans whose threads take tiles, and pass on what stands before the next.
CHAINS = (
    ("not_cleared", "OF(chain)", r"OF\(word\)\(tickets, i\)->passed = 0;", ";", {"race", "wrong"}),
    ("same_tiles", "OF(chain)", r"team \+ next_tile", "next_tile", {"race", "wrong", "timeout"}),
    ("tile_left", "OF(chain)", r"(Index tile\w*) = thread;", r"\1 = thread + 1;", {"wrong", "timeout"}),
    ("too_early", "OF(chain)", r"passed < \(unsigned long long\)tile;", "passed + 1 < (unsigned long long)tile;",
     {"race", "wrong"}),
    ("waits_for_itself", "OF(chain)", r"OF\(word\)\(tickets, tile - 1\)", "OF(word)(tickets, tile)", {"timeout"}),
    ("unordered", "OF(chain)", r"atomic write seq_cst\n( *own)", r"atomic write relaxed\n\1", {"race"}),
    ("small_word", "OF(chain)", r"first_word \+ words \* sizeof", "first_word + sizeof", {"bounds", "error"}),
    ("next_left", "OF(chain)", r"  tickets\[0\] = 0;\n  return 0;", "  return 0;", {"contract"}),
)

# The same of rows of a matrix, which lanes copy and transpose.
ROWS = (
    ("no_swap", "LOAD_ROWS", r"    SWAP_4\(lines\[1\], lines\[5\]\); \\\n", "", {"wrong"}),
    ("four_of_others", "LOAD_ROWS", r"FOUR\(lines\[4\], lines\[5\]", "FOUR(lines[5], lines[4]", {"wrong"}),
    ("weave", "LOAD_ROWS", r"\(c, d, 2, 10, 3, 11,", "(c, d, 2, 10, 11, 3,", {"wrong"}),
    ("next_row", "LOAD_ROWS", r"LOAD_ROWS\(row, &A\[turn \* leading \+ i\]",
     "LOAD_ROWS(row, &A[(turn + 1) * leading + i]",
     {"wrong", "bounds"}),
    ("packed", "LOAD_ROWS", r"(LOAD_ROWS\(row, [^\n]*), leading\)", r"\1, columns)", {"wrong"}),
    ("block_too_many", "LOAD_ROWS", r"for \(; i \+ 8 <= columns; i \+= 8\)", "for (; i + 1 <= columns; i += 8)",
     {"wrong", "bounds", "undefined"}),
    ("no_last_columns", "LOAD_ROWS", r"for \(; i < columns; \+\+i\)", "for (; i < i; ++i)", {"wrong"}),
    ("column_by_row", "LOAD_ROWS", r"row\[(\w+) \* 8 \+ lane\]", r"row[lane * 8 + \1]", {"wrong"}),
    # four at once
    ("jam_past", "turn += 4", r"turn \+ 4 <= last", "turn + 1 <= last", {"bounds", "wrong", "race"}),
    ("jam_step", "turn += 4", r"turn \+= 4\)", "turn += 5)", {"wrong"}),
    ("jam_same", "turn += 4", r"A\[\(turn \+ row\) \* leading", "A[turn * leading", {"wrong"}),
    ("jam_result", "turn += 4", r"y\[turn \+ row\]", "y[turn]", {"wrong"}),
    ("jam_room", "turn += 4", r"T accum\[4 \* loads \* 8\]", "T accum[loads * 8]", {"undefined", "wrong", "crash"}),
    ("jam_rest", "turn += 4", r"  for \(; turn < last; \+\+turn\)", "  for (; turn < turn; ++turn)", {"wrong"}),
)

# The same of rows by columns, of which a thread takes several vectors at a time.
WIDE_ROWS = (
    ("wide_past", None, r"1 : 8 \* loads\) <= last;", "1 : 4 * loads) <= last;", {"bounds", "wrong", "race"}),
    ("wide_step", None, r"turn \+= (loads > 16 \? [^{]*)\) \{", r"turn += 8 + (\1)) {", {"wrong"}),
    ("wide_array", None, r"T accum\[8 \* loads\];", "T accum[8];", {"undefined", "wrong", "crash"}),
    ("wide_lanes", None, r"lane < many; \+\+lane\)\n( *)y\[", r"lane < 8; ++lane)\n\1y[", {"wrong"}),
    ("turns_past", "loads > 16", r"> 256 && \(i \+ 8 <= columns", "> 256 && (i + 1 <= columns", {"bounds", "wrong"}),
    ("same_turn", "loads > 16", r"\(i \+ 7\) \* leading", "(i + 6) * leading", {"wrong"}),
    ("no_rest", "loads > 16", r"  for \(; i < columns; \+\+i\)", "  for (; i < i; ++i)", {"wrong"}),
    ("four_past", None, r"turn \+ 32 <= last;", "turn + 8 <= last;", {"bounds", "wrong", "race"}),
    ("four_lanes", None, r"lane < 32; \+\+lane\)\n( *)y\[", r"lane < 31; ++lane)\n\1y[", {"wrong"}),
)

# The same of rows whose columns threads share, and of segments that they share.
SHARED_ROWS = (
    ("others_results", "_combine", r"partial\[thread \* rows \+ \(turn", "partial[(turn", {"race", "wrong"}),
    ("overlap", "_combine", r"piece_end = min_index\(tile \+ thread", "piece_end = min_index(tile + 1 + thread", {"wrong"}),
    ("gap", "_combine", r"Index i = thread \* tile;", "Index i = thread * tile + 1;", {"wrong"}),
    ("last_piece", "_combine", r"i < pieces; \+\+i", "i + 1 < pieces; ++i", {"wrong"}),
    ("room_of_one", "_combine", r"\(size_t\)rows \* pieces \* sizeof", "(size_t)rows * sizeof", {"bounds", "error"}),
    ("no_barrier", "_combine", r"(\n +OF\(gemv_threads\)\(thread, [^\n]*)",
     r"{\1\n OF(gemv_combine)(0, combined, rows, pieces, partial, y); }", {"race"}),
)
SHARED_SEGMENTS = (
    ("others_segments", "_combine", r"partial\[thread \* out_n \+ turn\]", "partial[turn]", {"race"}),
    ("overlap", "_combine", r"\(whole_tile \+ thread \* whole_tile\)", "(whole_tile + 8 + thread * whole_tile)",
     {"wrong"}),
    ("by_segments", "_combine", r"partial\[thread \* out_n \+ turn\]", "partial[turn * pieces + thread]", {"wrong"}),
    ("last_piece", "_combine", r"i < pieces; \+\+i", "i + 1 < pieces; ++i", {"wrong"}),
)

# The same of lanes that contribute to one place.
LANE_SUMS = (
    ("not_begun", "own_sum_sum[0] += all", r"(\n +own\[s2 \* 8 \+ lane\] =) 0;", r"\1 1;", {"wrong"}),
    ("first_vector", "own_sum_sum[0] += all", r"(int s3 =) 1;", r"\1 2;", {"wrong"}),
    ("same_half", "own_sum_sum[0] += all", r"\(4, 5, 6, 7\), \(4, 5, 6, 7\)", "(0, 1, 2, 3), (4, 5, 6, 7)", {"wrong"}),
    ("next_lane", "own_sum_sum[0] += all", r"own_sum_sum\[0\] \+= all\[0\]", "own_sum_sum[0] += all[1]", {"wrong"}),
    ("other_terms", "own_sum_sum[0] += all", r"(x\[i \+ lane\]) > \(T\)0", r"\1 < (T)0", {"wrong"}),
    ("no_tail", "own_sum_sum[0] += all", r"if \(i < thread_end\)", "if (false)", {"wrong"}),
)

# What all lanes set that did so under a condition.
GREATEST = (
    ("nothing_kept", "best2 = ", r"(const T best2 = [^;]*:) best\[lane\];", r"\1 (T)0;", {"wrong"}),
    ("any_place", "best2 = ", r"(const long long turn\d+ = [^;]*:) turn\d*\[lane\];", r"\1 j + lane;", {"wrong"}),
    ("last_place", "best2 = ", r"(const long long turn\d+ = [^;]*) > (best\[lane\])", r"\1 >= \2", {"wrong"}),
    ("not_stored", "best2 = ", r"(\n +best\[lane\] =) best2;", r"\1 best[lane];", {"wrong"}),
)


def renamed(text, spectrum, old, new):
    """A variant under another name; it includes itself."""
    text = text.replace(f"{spectrum}_{old}", f"{spectrum}_{new}").replace(f'"{old}.', f'"{new}.')
    return text.replace(f"{spectrum}_{old}".upper(), f"{spectrum}_{new}".upper())


def make(folder, base, mutants, some):
    """The folder `base' with the mutants that `some' chooses in place of the variants that they are of; what they should
    be told of. Each mutant, chosen or not, breaks what a variant has."""
    shutil.copytree(base, folder)
    with open(f"{folder}/manifest.json") as f:
        manifest = json.load(f)
    spectrum, rows, expected = manifest["spectrum"], [], {}
    texts = [(row, open(f"{folder}/{row['file']}").read()) for row in manifest["variants"]]
    first = {name: next(((row, text) for row, text in texts if (not has or has in text) and re.search(old, text)), None)
             for name, has, old, _, _ in mutants}
    stale = [f"no variant has what `{name}' breaks: {old}" for name, _, old, _, _ in mutants if not first[name]]
    if stale:
        sys.exit("\n".join(stale))
    for name, _, old, new, kinds in some(mutants):
        row, text = first[name]
        id = f"mutant_{name}"
        mutant = renamed(re.sub(old, new, text), spectrum, row["id"], id)
        with open(f"{folder}/variants/{id}.c", "w") as f:
            f.write(mutant)
        rows.append(dict(row, id=id, file=f"variants/{id}.c",
                         configurations_macro=f"{spectrum}_{id}_CONFIGURATIONS".upper(),
                         functions={t: f"{spectrum}_{id}_{t}" for t in row["functions"]}))
        expected[id] = (kinds, row["id"])
    originals = {original for _, original in expected.values()}
    manifest["variants"] = [row for row in manifest["variants"] if row["id"] in originals] + rows
    with open(f"{folder}/manifest.json", "w") as f:
        json.dump(manifest, f)
    return expected, originals


def check(tgc, folder, *more):
    done = subprocess.run([tgc, "check", folder, "--no-codelets", "--all", *more], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    if done.returncode not in (0, 1) or "variants of" not in done.stdout:
        sys.exit(f"tgc check: status {done.returncode}\n{done.stdout}{done.stderr}")
    found = {}
    for line in done.stdout.splitlines():
        match = re.match(r"(\w+): (\w+)", line)
        if match:
            found.setdefault(match.group(1), set()).add(match.group(2))
    return found, done.stdout


def mutate(tgc, base, codelets, mutants, sizes, wrong):
    """What `tgc check' shows of the mutants of a file of codelets; adds what it does not tell to `wrong'."""
    subprocess.run([tgc, f"{ROOT}/{codelets}.cdl", "--columns", "none", "--arch", "avx2", "--types", TYPES, "--keep", "12", "-o",
                    f"{base}/whole"], check=True, stdout=subprocess.DEVNULL)
    # first of all: `atomic', whose race is told with its lines
    some = lambda mutants: [mutants[0], *drawn(mutants[1:], 3, lambda m: m[0])]
    expected, originals = make(f"{base}/mutants", f"{base}/whole", mutants, some)
    found, shown = check(tgc, f"{base}/mutants", "--sizes", sizes, "--seeds", "2", "--timeout", "3", *sys.argv[2:])
    for id, (kinds, original) in expected.items():
        told = found.pop(id, set())
        if not told & kinds:
            wrong.append(f"{id}, of {original}: told {sorted(told) or 'nothing'}, not {sorted(kinds)}")
        if "compile" in told - kinds:
            wrong.append(f"does not compile: {id}")
    wrong += [f"false alarm: {id}: {sorted(kinds)}" for id, kinds in found.items()]
    print(f"{len(expected)} mutants of {len(originals)} variants", flush=True)
    return shown


# 98000: thousands of rows of 16 columns, a round of 64 vectors for each thread
OTHERS = (("copies", "tests/native/codelets/view_scans", COPIES, SIZES),
          ("chains", "codelets/scan", CHAINS, "1025,40009,300007"), ("rows", "codelets/gemv", ROWS, SIZES),
          ("wide", "codelets/gemv_columns", WIDE_ROWS, "33,1025,98000,300007"),
          ("shared", "codelets/gemv_columns", SHARED_ROWS, "1025,40009"),
          ("lane_sums", "tests/native/codelets/lane_sums", LANE_SUMS, "33,1025,40009"),
          ("greatest", "tests/native/codelets/first_greatest", GREATEST, SIZES),
          ("segments", "codelets/segmented_sum", SHARED_SEGMENTS, "1025,40009"))


def main():
    tgc = os.path.abspath(sys.argv[1])
    wrong = []
    with tempfile.TemporaryDirectory() as base:
        shown = mutate(tgc, f"{base}/sum", "codelets/sum", MUTANTS, SIZES, wrong)
        for name, *more in drawn(OTHERS, 1, lambda row: row[0]):
            mutate(tgc, f"{base}/{name}", *more, wrong)
        race = re.search(r"race: out\+0: .* by one thread, .* by another, and nothing orders them; the first at "
                         r"mutant_atomic\.c:\d+, the second at mutant_atomic\.c:\d+", shown)
        if not race:
            wrong.append("the race of `atomic' is not told with its lines")
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    main()
