"""Rows of tables that ask something of a call beside its size: which variant each call is served by, in libraries for
GPUs and CPUs, from tables that were compiled and from those that are loaded (tests/library/conditions.c)."""
import json, random

from harness import LONG, Failed
from tables import compiler
from tuning import equal

WORDS = {1: "aligned", 2: "tall", 4: "wide"}
ORDERS = ([3, 5, 2, 4, 1, 0], [5, 3, 1, 4, 2, 0], [3, 2, 5, 1, 4, 0], [1, 0], [2, 4, 0], [0])


def words(when):
    return "".join(f",{word}" for bit, word in WORDS.items() if when & bit)


def draw_table(rng, ids):
    """[(size, results or None for any, conditions, variant, threads)], those that ask for most ahead."""
    rows = []
    for when in rng.choice(ORDERS):
        sizes = sorted(rng.sample([16, 64, 200, 513, 4096, 70000], rng.randint(1, 4)))
        for n in sizes + ([None] if when == 0 or rng.random() < 0.5 else []):
            counts = sorted(rng.sample([64, 1000, 4096, 1 << 18, 1 << 24], rng.randint(0, 3)))
            for count in counts + ([None] if when == 0 or rng.random() < 0.7 or not counts else []):
                rows.append((n, count, when, rng.choice(ids), 0))
    return rows


def text_of(kind, rows):
    return "# rows with conditions\n" + "".join(
        f"{kind} {'inf' if n is None else n}{f'x{count}' if count else ''}{words(when)} {id} {threads} 0 0\n"
        for n, count, when, id, threads in rows)


def draw_call(rng):
    shape = rng.choice(["square", "tall", "wide", "any"])
    m = int(2 ** rng.uniform(0, 14))
    n = {"square": m, "tall": max(1, m // rng.choice([15, 16, 17, 400])), "wide": m * rng.choice([15, 16, 17, 400]),
         "any": int(2 ** rng.uniform(0, 14))}[shape]
    k = int(2 ** rng.uniform(0, 17))
    up = (lambda x: (x + 7) // 8 * 8) if rng.random() < 0.6 else (lambda x: x + rng.randint(0, 2))
    at = [rng.choice([0, 0, 0, 0, 0, 8, 1, 2, 4]) for _ in range(3)]
    return [m, k, up(k), n, up(n), n + rng.randint(0, 3), *at]


def like(call, size):
    """By hand, what a call is like."""
    m, _, la, n, lb, _, a, b, _ = call
    aligned = all(x * size % 16 == 0 for x in (la, lb, a, b))
    return (1 if aligned else 0) | (2 if m >= 16 * n else 4 if n >= 16 * m else 0)


def serving(rows, call, size):
    have = like(call, size)
    for n, count, when, id, threads in rows:
        if when & ~have == 0 and (n is None or call[1] <= n) and (count is None or call[0] * call[3] <= count):
            return f"{id} {threads}"
    raise Failed("no row serves")


def write_stand_ins(t, kind, cpu):
    """Each variant as a function that notes its call."""
    ids = [v["id"] for v in json.loads(t.read("out/manifest.json"))["variants"]]
    element = "float" if kind == "float" else "__half"
    operands = f"const {element} *A, uint64_t rows, uint64_t columns, uint64_t leading, const {element} *B, " \
               "uint64_t B_columns, uint64_t B_leading, float *C, uint64_t C_leading"
    stream = "" if cpu else ", cudaStream_t stream"
    unused = "(void)A, (void)rows, (void)columns, (void)leading, (void)B, (void)B_columns, (void)B_leading, (void)C, " \
             "(void)C_leading;"
    text = f"#define ELEMENT {element}\n#define ELEMENT_BYTES {4 if kind == 'float' else 2}\n#define FUNCTION gemm_{kind}\n"
    text += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
    if cpu:
        text += f"typedef int gemm_{kind}_work(int64_t blocks, {operands});\n"
    for i, id in enumerate(ids):
        text += f"""extern const gemm_configuration gemm_{id}_configurations[];
const gemm_configuration gemm_{id}_configurations[1] = {{{{0}}}};
ERROR gemm_{id}_{kind}(const gemm_configuration *c, void *w, size_t *b, {operands}{stream}) {{
  {unused}
  return note("{id}", {8 + i}, c, w, b);
}}
"""
        if cpu:
            text += f"""static int work_{id}(int64_t blocks, {operands}) {{
  {unused}
  called = "{id}", threads = 0;
  return (int)(blocks & 0);
}}
gemm_{kind}_work *gemm_{id}_{kind}_work(const gemm_configuration *c);
gemm_{kind}_work *gemm_{id}_{kind}_work(const gemm_configuration *c) {{ (void)c; return work_{id}; }}
"""
    t.write("stand_ins.h", text + "#ifdef __cplusplus\n}\n#endif\n")
    return ids


def build(t, cpu, program):
    source = t.source("tests", "library", "conditions.c")
    if cpu:
        t.shell(f"cc -std=c11 -O1 -fopenmp -Wall -DSTAND_INS='\"stand_ins.h\"' -I. -Iout -o {program} '{source}' out/gemm.c")
    else:
        t.shell(f"{compiler()} -std=c++17 -O1 -w -DSTAND_INS='\"stand_ins.h\"' -I. -Iout "
                f"-I'{t.source('runtime', 'simt', 'include')}' -o {program} -x c++ '{source}' out/gemm.cu")


def picked(t, program, calls, table=None):
    t.write("calls.txt", "".join(" ".join(map(str, call)) + "\n" for call in calls))
    r = t.shell(f"./{program}{f' -t {table}' if table else ''} <calls.txt").exits(0)
    return r.out.splitlines()


def compare(rows, calls, size, got, how):
    equal(len(got), len(calls), f"the answers, {how}")
    for call, said in zip(calls, got):
        wanted = serving(rows, call, size)
        if said != wanted:
            raise Failed(f"{how}: rows, columns .. {call} are served by {said}, wanted {wanted}; rows {rows}")


def picks(t, arch, kind, tables):
    rng = random.Random(f"{arch} {kind} {random.randrange(1 << 30)}")
    cpu, size = not arch.startswith("sm"), 4 if kind == "float" else 2
    gemm = (t.source("codelets", "gemm.cdl"), "--arch", arch, "--types", kind, "--keep", "6", "-o", "out")
    t.run(*gemm, "--table", "none").exits(0)
    ids = write_stand_ins(t, kind, cpu)
    rows = draw_table(rng, ids)
    t.write("mine.table", text_of(kind, rows))
    t.run(*gemm, "--table", "mine.table").exits(0).silent()
    equal([line.split()[:3] for line in t.read("out/gemm.table").splitlines() if line[0] != "#"],
          [line.split()[:3] for line in t.read("mine.table").splitlines() if line[0] != "#"], "the table written back")
    build(t, cpu, "program")
    calls = [draw_call(rng) for _ in range(400)]
    compare(rows, calls, size, picked(t, "program", calls), "compiled")
    for i in range(tables):
        rows = draw_table(rng, ids)
        t.write("other.table", text_of(kind, rows))
        compare(rows, calls, size, picked(t, "program", calls, "other.table"), f"loaded, table {i}")
    refuses(t, kind, ids)


def test_picks_of_many_rows(t):
    """More rows than a CPU's library prepares shortcuts for: each call looks for its own."""
    gemm = (t.source("codelets", "gemm.cdl"), "--arch", "avx2", "--types", "float", "--keep", "6", "-o", "out")
    t.run(*gemm, "--table", "none").exits(0)
    ids = write_stand_ins(t, "float", True)
    rows = [(n, count, when, ids[(n + count + when) % len(ids)], 0) for when in (3, 1) for n in (64, 4096)
            for count in range(100, 40100, 100)]
    rows += [(None, None, 1, ids[0], 0), (64, None, 0, ids[1], 0), (None, None, 0, ids[2], 0)]
    t.write("mine.table", text_of("float", rows))
    t.run(*gemm, "--table", "mine.table").exits(0).silent()
    build(t, True, "program")
    rng = random.Random(len(rows))
    calls = [draw_call(rng) for _ in range(400)]
    compare(rows, calls, 4, picked(t, "program", calls), "compiled")


def refuses(t, kind, ids):
    """What a library does not load: the line that is wrong is named, and the compiled rows apply again."""
    a, b = ids[:2]
    last = f"{kind} inf {a} 0 0 0\n"
    for text, line in ((f"{kind} inf,high {a} 0 0 0\n{last}", 1), (f"{kind} inf, {a} 0 0 0\n{last}", 1),
                       (f"{kind} inf,tall,wide {a} 0 0 0\n{last}", 1), (f"{kind} inf,tall,tall {a} 0 0 0\n{last}", 1),
                       (f"{last}{kind} inf,tall {b} 0 0 0\n", 2), (f"{kind} 9,tall {a} 0 0 0\n{kind} 9,tall {b} 0 0 0\n{last}", 2),
                       (f"{kind} 9,tall {a} 0 0 0\n{kind} 9,wide {b} 0 0 0\n{kind} 12,tall {b} 0 0 0\n{last}", 3),
                       (f"{kind} 9,tall {a} 0 0 0\n{kind} 9,aligned,tall {b} 0 0 0\n{last}", 2),
                       (f"{kind} 9x8,tall {a} 0 0 0\n{kind} 9x7,tall {b} 0 0 0\n{last}", 2),
                       (f"{kind} 9x8 {a} 0 0 0\n{kind} 12 {b} 0 0 0\n{last}", 2)):
        t.write("bad.table", text)
        said = picked(t, "program", [], "bad.table")
        if len(said) != 1 or f"line {line} of the table" not in said[0]:
            raise Failed(f"expected line {line} to be refused: {said}\n{text}")
    t.write("bad.table", f"{kind} inf,tall {a} 0 0 0\n")
    if "lacks a type's last row" not in "".join(picked(t, "program", [], "bad.table")):
        raise Failed("expected that a last row is missing")


def test_picks_of_a_gpu(t):
    picks(t, "sm_90", "half", 40 if LONG else 6)


def test_picks_of_a_gpu_in_floats(t):
    picks(t, "sm_80", "float", 40 if LONG else 6)


def test_picks_of_a_cpu(t):
    picks(t, "avx2", "float", 40 if LONG else 6)


def draw_rivals(rng, ids):
    """[(size, results, turn, variant, threads, tile_m, tile_n, tile_k, blocks)]"""
    rows = []
    for n in sorted(rng.sample([64, 513, 4096], rng.randint(0, 2))) + [None]:
        for count in sorted(rng.sample([4096, 1 << 18], rng.randint(0, 2))) + [None]:
            for _ in range(rng.randint(1, 5)):
                rows.append((n, count, rng.randint(1, 40) * rng.choice([1, 1000]), rng.choice(ids), rng.choice([32, 64, 256]),
                             rng.choice([16, 32, 64, 128]), rng.choice([16, 64, 256]), rng.choice([8, 16, 32]),
                             rng.choice([0, 0, 132, 1000])))
    return rows


def text_of_rivals(rows):
    return "".join(f"float {'inf' if n is None else n}{f'x{count}' if count else ''},turn={turn} {id} {threads} 0 {blocks} "
                   f"tile_k={panel} tile_m={high} tile_n={wide}\n"
                   for n, count, turn, id, threads, high, wide, panel, blocks in rows)


def first_of_rivals(rows, m, k, n, units):
    """By hand: the least of what the tiles of the fullest multiprocessor take."""
    room = next((r[0], r[1]) for r in rows if (r[0] is None or k <= r[0]) and (r[1] is None or m * n <= r[1]))
    best = None
    for _, _, turn, id, threads, high, wide, panel, blocks in (r for r in rows if (r[0], r[1]) == room):
        tiles = -(-m // high) * -(-n // wide)
        each, wanted = k, blocks // tiles
        if wanted > 1:  # whole panels, four at least
            each = max(-(-(-(-k // wanted)) // panel), 4) * panel
        shares = -(-k // each)
        time = turn * (-(-tiles * shares // units) + 48 / threads) * (each + (64 if blocks else 0))
        if blocks and shares == 1:  # nothing is shared
            time = 1e300
        if best is None or time < best[0]:
            best = time, f"{id} {threads}"
    return best[1]


def test_rivals(t):
    """Rows with the same room that say what a tile takes: which is picked, of compiled tables and of loaded ones."""
    rng = random.Random(f"rivals {random.randrange(1 << 30)}")
    gemm = (t.source("codelets", "gemm.cdl"), "--arch", "sm_90", "--types", "float", "--keep", "6", "-o", "out")
    t.run(*gemm, "--table", "none").exits(0)
    plans = {v["id"]: {x["name"] for x in v["tunables"]} for v in json.loads(t.read("out/manifest.json"))["variants"]}
    ids = [id for id, names in plans.items() if {"tile_m", "tile_n", "tile_k", "blocks"} <= names]
    rows = draw_rivals(rng, ids)
    t.write("mine.table", text_of_rivals(rows))
    t.run(*gemm, "--table", "mine.table").exits(0).silent()
    write_stand_ins(t, "float", False)
    equal([r["turn"] for r in json.loads(t.read("out/manifest.json"))["dispatch"]], [r[2] for r in rows], "the manifest's rows")
    build(t, False, "program")
    calls = [draw_call(rng) for _ in range(300)]
    for i in range(3):
        t.write("other.table", text_of_rivals(rows))
        got = picked(t, "program", calls, "other.table" if i else None)
        for call, said in zip(calls, got):
            equal(said, first_of_rivals(rows, call[0], call[1], call[3], 132), f"table {i}, {call}, rows {rows}")
        rows = draw_rivals(rng, ids)
    for text, line in ((f"float inf,turn=0 {ids[0]} 0 0 0\n", 1), (f"float inf,turn=1x {ids[0]} 0 0 0\n", 1),
                       (f"float inf,turn=1,turn=2 {ids[0]} 0 0 0\n", 1),
                       (f"float inf,turn=1 {ids[0]} 0 0 0\nfloat inf {ids[0]} 0 0 0\n", 2)):
        t.write("other.table", text)
        said = picked(t, "program", [], "other.table")
        if len(said) != 1 or f"line {line} of the table" not in said[0]:
            raise Failed(f"expected line {line} to be refused: {said}\n{text}")


def test_rivals_say_what_their_tiles_are(t):
    id = t.run(t.source("codelets", "gemm.cdl"), "--arch", "sm_90", "--types", "float", "-o", "out").exits(0) and next(
        v["id"] for v in json.loads(t.read("out/manifest.json"))["variants"] if v["plan"].startswith("grid.tiled(block.tiled/all!piped"))
    for set_, name in (("64 0 0 tile_m=32", "tile_n"), ("0 0 0 tile_m=32 tile_n=32", "threads")):
        t.write("mine.table", f"float inf,turn=9 {id} {set_}\n")
        r = t.run(t.source("codelets", "gemm.cdl"), "--arch", "sm_90", "--types", "float", "--table", "mine.table", "-o", "two")
        r.expect(f"does not say its `{name}'" in r.err + r.out, "expected a remark")
    t.write("mine.table", f"float inf,turn=9 {id} 64 0 0 lanes=8 tile_m=32 tile_n=32\n"
                          f"float inf,turn=90 {id} 128 0 0 tile_m=64 tile_n=64\n")
    t.run(t.source("codelets", "gemm.cdl"), "--arch", "sm_90", "--types", "float", "--table", "mine.table", "-o", "two").exits(0)
    t.run("explain", id, "two").prints("chosen for 0 elements and more each, where its tiles are done first\n")


def test_conditions_that_calls_cannot_tell(t):
    """A sum has no rows: a table that asks for aligned ones does not serve it, and a remark says why. A library does not
    load it."""
    t.run(t.sum, "--arch", "sm_90", "--types", "float", "--keep", "4", "-o", "plain", "--table", "none").exits(0)
    id = json.loads(t.read("plain/manifest.json"))["variants"][0]["id"]
    t.write("mine.table", f"float inf,aligned {id} 0 0 0\nfloat inf {id} 0 0 0\n")
    r = t.run(t.sum, "--arch", "sm_90", "--types", "float", "--keep", "4", "-o", "out", "--table", "mine.table",
              "--remarks=missed").exits(0)
    r.expect("`inf,aligned' asks for what no call of this tells: aligned" in r.err, "expected a remark")
    gemv = t.source("codelets", "gemv.cdl")
    t.run(gemv, "--arch", "sm_90", "--types", "float", "--keep", "4", "-o", "gemv", "--table", "none").exits(0)
    manifest = json.loads(t.read("gemv/manifest.json"))
    equal(manifest["conditions"], ["aligned"], "what calls of gemv tell")
    t.write("tall.table", f"float inf,tall {manifest['variants'][0]['id']} 0 0 0\nfloat inf {manifest['variants'][0]['id']} 0 0 0\n")
    r = t.run(gemv, "--arch", "sm_90", "--types", "float", "--keep", "4", "-o", "gemv", "--table", "tall.table",
              "--remarks=missed").exits(0)
    r.expect("no call of this tells: tall" in r.err, "expected a remark")


def test_conditions_are_told(t):
    """The listing, explain, diff and a release of a folder whose rows ask for something."""
    gemm = (t.source("codelets", "gemm.cdl"), "--arch", "sm_90", "--types", "half", "--keep", "6")
    t.run(*gemm, "-o", "plain", "--table", "none").exits(0)
    a, b, c = [v["id"] for v in json.loads(t.read("plain/manifest.json"))["variants"]][:3]
    for name, tall in (("one", b), ("other", c)):
        t.write(f"{name}.table", f"half 64x4096,aligned,tall {a} 0 0 0\nhalf 64,tall {tall} 0 0 0\nhalf inf,tall {a} 0 0 0\n"
                                 f"half 8x9 {a} 0 0 0\nhalf 8 {c} 0 0 0\nhalf inf {c} 0 0 0\n")
        t.run(*gemm, "-o", name, "--table", f"{name}.table").exits(0).silent()
    t.run(*gemm, "--table", "one.table", "--list").prints(
        f"half:\n  aligned and tall: {a} to 64x4096\n  tall: {b} to 64, {a}\n  others: {a} to 8x9, {c}\n")
    t.run("explain", a, "one").prints("chosen for 0 to 64 elements each, 1 to 4096 of them, where a call is aligned and tall\n"
                                      "chosen for 65 elements and more each, where a call is tall\n"
                                      "chosen for 0 to 8 elements each, 1 to 9 of them\n")
    diff = t.run("diff", "one", "other")
    diff.prints(f"half, tall, 0 to 8, up to 9 of them\n    - {b}\n    + {c}\n", f"half, aligned and tall, 0 to 8\n    - {b}\n    + {c}\n")
    diff.expect("half, others" not in diff.out and "half, aligned," not in diff.out, "expected no more calls")
    t.run("ship", "one", "-o", "shipped").exits(0)
    shipped = t.read("shipped/gemm.cu")
    for id in (a, b, c):
        if f"gemm_{id}_half" not in shipped:
            raise Failed(f"{id} is not in the release")
    if "ROWS_ALIGNED | RESULTS_TALL, 1, gemm_" not in shipped:
        raise Failed("the release has no row with conditions")


def test_table_of_a_record(t):
    """bench/gemm_table.py: rows by class from the output of gemm.cu, here of times that are made up; tgc takes them."""
    gemm = (t.source("codelets", "gemm.cdl"), "--arch", "sm_90", "--types", "half")
    t.run(*gemm, "-o", "out", "--table", "none").exits(0)
    plans = {v["plan"]: v["id"] for v in json.loads(t.read("out/manifest.json"))["variants"]}
    bulk, split, piped = (plans[plan] for plan in (
        "grid.tiled(block.tiled!bulk(warp.panels/loop(warp.unit)))",
        "grid.split!partial(block.tiled!bulk(warp.panels/loop(warp.unit)))",
        "grid.tiled(block.tiled!piped(warp.panels/loop(warp.unit)))"))
    record = "NVIDIA H200, CUDA 13000, cuBLAS 130100\n"
    for n, inner in ((64, 64), (256, 256), (1024, 1024), (64, 4096)):
        for rows, columns, pad, us in ((n, n, 0, (2, 9, 3)), (n, n, 3, (9, 30, 4)), (16 * n, n // 8, 0, (5, 2, 9))):
            record += f"half {rows}x{columns}x{inner}, {pad} between rows: cuBLAS 1.0 us, 1.0 TFLOP/s\n"
            for id, time, blocks, workers, stages in ((bulk, us[0], 0, "0 lanes", 4), (split, us[1], 132, "0 lanes", 4),
                                                      (piped, us[2], 0, "2 warps", 3)):
                threads = 128 if id == piped else 256
                record += f"  {id}, {threads} threads by {workers}, 128x128x64, {stages} stages, {blocks} blocks: {time:.1f} us, " \
                          "1.0 TFLOP/s, 1.00 of cuBLAS, differs by 1.0e-06\n"
    t.write("record.txt", record)
    r = t.shell(f"python3 '{t.source('bench', 'gemm_table.py')}' record.txt").exits(0)
    equal([line.split()[:3] for line in r.out.splitlines() if line[0] != "#"],
          [["half", "inf,aligned,tall", split], ["half", "inf,aligned", bulk], ["half", "inf", piped]], "the table")
    r.expect("half, aligned,tall: 1.000 times the best of 4 shapes" in r.err, "expected what it loses")
    t.write("made.table", r.out)
    t.run(*gemm, "-o", "out", "--table", "made.table", "--remarks=missed").exits(0)
    equal([row["when"] for row in json.loads(t.read("out/manifest.json"))["dispatch"] if "when" in row],
          [["aligned", "tall"], ["aligned"]], "the manifest's rows")


def test_bad_conditions_are_located(t):
    t.write("bad.table", "# x\nfloat 64,aligned a 0 0 0\nfloat inf,flat b 0 0 0\nfloat inf c 0 0 0\n")
    r = t.refuses(1, t.source("codelets", "gemm.cdl"), "--arch", "sm_90", "--types", "float", "-o", "out", "--table",
                  "bad.table").says("bad.table:3:11:", "no condition: there are aligned, tall, wide")
    equal(r.errors()[0][0], 3, "the line")
