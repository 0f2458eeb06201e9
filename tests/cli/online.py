"""Libraries that select while a program runs (--online): on a GPU that is made up (tests/library/online.cc), on a CPU with
threads (tests/library/online_cpu.c, online_threads.c), for several machines, shipped."""
import json, os, re, shutil

from drawn import LONG, drawn
from harness import Failed, Skipped, by_turns
from library_calls import build
from tables import compiler
from tuning import variants, write_folder

STRICT = "-std=c++17 -Wall -Wextra -Wno-unused-function"


def made_up(t, takes, sanitize="undefined,address"):
    """A program of out/sum.cu, whose variants take so many microseconds by the made-up clock; ids in the listing's order."""
    write_folder(t, "out", "4", "--online")
    ids = variants(t)
    t.write("stubs.inc", "".join(f"STUB({id}, {takes(i)})\n" for i, id in enumerate(ids)))
    include = t.source("runtime", "simt", "include")
    t.shell(f'{compiler()} {STRICT} -fsanitize={sanitize} -pthread -I out -I . -I "{include}" -x c++ out/sum.cu '
            f'"{t.source("tests", "library", "online.cc")}" -o online').exits(0).silent()
    return ids


def runs(t, *arguments):
    r = t.shell(f"./online {' '.join(arguments)}", ASAN_OPTIONS="detect_leaks=0").exits(0).silent()
    r.expect(r.out == "0 wrong\n", "expected no line of what is wrong")


@by_turns(4)
def test_a_gpu_s(t):
    """Each variant in turn is the fastest; the GPU is behind the program."""
    for fastest in drawn(list(range(4)), 4 if LONG else 1):
        ids = made_up(t, lambda i: 20 if i == fastest else 30 + 17 * i)
        runs(t, ids[fastest], ids[fastest - 1])
        text = t.read("saved.table")
        serves = next(row[2] for row in map(str.split, text.splitlines())
                      if row[0] == "float" and (row[1] == "inf" or int(row[1]) >= 8191))
        if "measured on Made Up 1, " not in text or serves != ids[fastest]:
            raise Failed(f"the table that was saved:\n{text}")
        r = t.run(t.sum, "--arch", "sm_90", "--types", "int,float", "--keep", "4", "-o", "given", "--table", "saved.table")
        r.exits(0).silent()


@by_turns(4)
def test_short_calls_of_a_gpu_s(t):
    fastest = drawn(list(range(4)), 1)[0]
    runs(t, made_up(t, lambda i: 3 if i == fastest else 3.6 + .1 * i)[fastest])


@by_turns(9)
def test_threads_of_a_gpu_s(t):
    made_up(t, lambda i: 20 + 9 * i, "thread")
    runs(t)


@by_turns(9)
def test_on_the_executor(t):
    t.run(t.sum, "--arch", "sm_90", "--types", "int", "--keep", "6", "--online", "-o", "out").exits(0)
    build(t, t.source("tests", "library", "online_simt.cc"))
    t.shell("./program", timeout=300, TGC_SIMT_COMPUTE="90").exits(0).prints("0 wrong")


def test_one_block_comes_last(t):
    """Sizes tell where all steps by one block are fast: such variants are the last candidates."""
    t.run(t.source("codelets", "kmeans.cdl"), "--spectrum", "kmeans", "--arch", "sm_90", "--types", "float", "--online",
          "-o", "out").exits(0)
    plans = {v["id"]: v["plan"] for v in json.loads(t.read("out/manifest.json"))["variants"]}
    order = ["!one_block" in plans[i] for i in re.findall(r'\{"([0-9a-f]{8})", \d, \d+\},', t.read("out/kmeans.cu"))]
    if len(order) != len(plans) or not any(order) or order != sorted(order):
        raise Failed(f"candidates by one block, in their order: {order}")


def test_candidates(t):
    """A few candidates have one of each kind: the table's, one whose workers have rows of their own, with about as many lanes as
    a row has elements, and one that suits rows of any lengths."""
    t.run(t.source("codelets", "spmv.cdl"), "--arch", "sm_90", "--types", "float", "--online", "-o", "out").exits(0)
    plans = {v["id"]: v["plan"] for v in json.loads(t.read("out/manifest.json"))["variants"]}
    t.write("stubs.inc", "".join(f"STUB({id})\n" for id in plans))
    include = t.source("runtime", "simt", "include")
    t.shell(f'{compiler()} -std=c++17 -w -fsanitize=undefined,address -pthread -I out -I . -I "{include}" -x c++ out/spmv.cu '
            f'"{t.source("tests", "library", "candidates.cc")}" -o candidates').exits(0).silent()
    for mean, rows, workers in ((5, 1 << 20, ("all-threads", "all-warp/4s")), (13, 11948, ("all-warp/4s", "all-warp/8s")),
                                (24, 10**6, ("all-warp/4s", "all-warp/8s")), (100, 10**5, ("all-warps",))):
        r = t.shell(f"./candidates 4 {mean} {rows}", ASAN_OPTIONS="detect_leaks=0").exits(0).silent()
        ids = r.out.split(":")[1].split()
        ways = [re.match(r"grid[^(]*?/([a-z/0-9-]+)[.(!]", plans[i] + ".")[1] for i in ids]
        if len(ids) != 4 or not set(ways[1:]) & set(workers) or not any(re.match("equal|bounded", w) for w in ways[1:]):
            raise Failed(f"{mean} x {rows}: {[plans[i] for i in ids]}")
    # rows of the table for as long rows are tried, whatever variant they have
    of_length = [i for i, plan in plans.items() if "/all-warps(" in plan and "ilp" not in plan][0]
    t.write("of_length.table", f"float 6x1 {of_length} 0 0 132000000\nfloat 6 {ids[0]} 0 0 0\nfloat inf {ids[0]} 0 0 0\n")
    r = t.shell("./candidates 2 5 1000 7 1000", ASAN_OPTIONS="detect_leaks=0", TGC_TABLE=t.path("of_length.table")).exits(0).silent()
    lines = [line.split(":")[1].split() for line in r.out.splitlines()]
    if lines[0] != [ids[0], of_length] or of_length in lines[1]:
        raise Failed(f"with a row for as long rows: {r.out}")


def test_without(t):
    """What is not asked for is not there; folders are the same otherwise."""
    write_folder(t)
    write_folder(t, "online", "4", "--online")
    for name in ("sum.h", "sum.cu"):
        if "select_online" in t.read(f"out/{name}") or "select_online" not in t.read(f"online/{name}"):
            raise Failed(f"{name}: select_online")
    for name in sorted(os.listdir(t.path("out/variants"))):
        if t.read(f"out/variants/{name}") != t.read(f"online/variants/{name}"):
            raise Failed(f"{name} differs")


def test_several_machines(t):
    t.run(t.sum, "--arch", "sm_80,sm_90", "--types", "float", "--keep", "4", "--online", "-o", "out").exits(0)
    for name in ("select_online", "select_forget", "select_save"):
        if f"return sum_sm_80_{name}(" not in t.read("out/sum.cu") or f" sum_{name}(" not in t.read("out/sum.h"):
            raise Failed(f"no sum_{name}")
    include = t.source("runtime", "simt", "include")
    for name in ("sum", "sm_80/sum_sm_80", "sm_90/sum_sm_90"):
        t.shell(f'{compiler()} {STRICT} -fsyntax-only -I out -I "{include}" -x c++ out/{name}.cu').exits(0).silent()


def test_shipped(t):
    """A release selects among what it has."""
    write_folder(t, "out", "12", "--online")
    t.run("ship").exits(0).silent()
    text = t.read("release/sum.cu")
    kept = [v["id"] for v in json.loads(t.read("release/manifest.json"))["variants"]]
    order = re.findall(r'^  \{"([0-9a-f]+)", [0-3], \d+\},$', text, re.M)
    if sorted(order) != sorted(kept) or "select_online" not in t.read("release/sum.h"):
        raise Failed(f"candidates {order} of {kept}")
    include = t.source("runtime", "simt", "include")
    t.shell(f'{compiler()} {STRICT} -fsyntax-only -I release -I "{include}" -x c++ release/sum.cu').exits(0).silent()


def cpu_library(t, flags, program, keep="8"):
    if not shutil.which("gcc"):
        raise Skipped("no gcc")
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        if " avx2 " not in f.read():
            raise Skipped("no AVX2")
    t.run(t.source("codelets", "spmv.cdl"), "--arch", "avx2", "--types", "float", "--keep", keep, "--online", "-o",
          "spmv").exits(0)
    options = re.search(r"_OPTIONS (.*) CACHE", t.read("spmv/CMakeLists.txt"))[1].strip('"')
    t.shell(f"ls spmv/*.c spmv/variants/*.c '{program}' | xargs -P 2 -I% sh -c 'gcc -std=c11 -O1 -Wall -Wextra "
            f"-Wno-unused-parameter {options} {flags} -D_GNU_SOURCE -Ispmv -c % -o $(basename %).o' && gcc {flags} *.o -lm -o cpu", timeout=300).exits(0).silent()


@by_turns(12)
def test_a_cpu_s(t):
    cpu_library(t, "-fopenmp -fsanitize=address,undefined", t.source("tests", "library", "online_cpu.c"), "16")
    for determinism in ("not_guaranteed", "gpu_to_gpu"):
        r = t.shell(f"./cpu {determinism}", OMP_NUM_THREADS="2", ASAN_OPTIONS="detect_leaks=0").exits(0)
        r.expect(r.out == "0 wrong\n", "expected no line of what is wrong")
        named = {line.split()[2] for line in t.read("saved.table").splitlines() if not line.startswith("#")}
        promises = {v["id"]: v["determinism"] for v in json.loads(t.read("spmv/manifest.json"))["variants"]}
        if determinism == "gpu_to_gpu" and any(promises[id] not in ("gpu_to_gpu", "sequential") for id in named):
            raise Failed(f"weaker than asked for: {[(id, promises[id]) for id in named]}")
    if os.path.exists(t.path("saved.table.part")):
        raise Failed("a part of a table is left")


@by_turns(4)
def test_threads_of_a_cpu_s(t):
    """ThreadSanitizer finds no race among calls, forgetting and saving."""
    flags = "-fopenmp -fsanitize=thread -g"
    cpu_library(t, flags, t.source("tests", "library", "online_threads.c"))
    r = t.shell("setarch -R ./cpu", OMP_NUM_THREADS="1").exits(0)
    r.expect(r.out == "0 wrong\n" and "ThreadSanitizer" not in r.err, "expected no race and no wrong result")


@by_turns(6)
def test_a_cpu_s_without_openmp(t):
    cpu_library(t, "-Wno-unknown-pragmas", t.source("tests", "library", "online_cpu.c"))
    t.shell("./cpu").exits(0).prints("0 wrong")


def test_a_promise_that_no_variant_keeps(t):
    """kmeans adds by atomics: refused, not weakened."""
    if not shutil.which("gcc"):
        raise Skipped("no gcc")
    t.run(t.source("codelets", "kmeans.cdl"), "--arch", "avx2", "--types", "float", "--keep", "4", "--online", "-o",
          "kmeans").exits(0)
    t.write("main.c", '#include <stdio.h>\n#include "kmeans.h"\nint main(void) {\n  const int e = kmeans_select_online(4, '
            '"run_to_run");\n  puts(kmeans_error_text(e));\n  return e == 0;\n}\n')
    t.shell("gcc -std=c11 -O0 -w -mavx2 -mfma -mf16c -fopenmp -Ikmeans main.c kmeans/*.c kmeans/variants/*.c -o main -lm").exits(0)
    t.shell("./main").exits(0).prints("kmeans_select_online: no variant for float is run_to_run")
