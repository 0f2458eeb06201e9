"""Codelets over an operator (codelets/reduce.cdl): what is composed of each operator and what that computes, names in
C, why variants are missing, what is promised, the errors of a reproducible sum."""
import collections, fractions, json, math, os, random, re, shutil, struct, subprocess

from drawn import LONG, drawn
from harness import Failed, Skipped, by_turns
from tables import compiler

CATEGORIES = ("baseline", "global-atomic", "shared-atomic", "shuffle")
COMMUTATIVE = ("tiled", "strided", "tree", "butterfly", "shared_V1", "shared_V2")


def reduce(t):
    return t.source("codelets", "reduce.cdl")


def product(t):
    return t.source("examples", "product2x2.cdl")


def listed(t, operator, *more):
    files = (reduce(t), product(t)) if operator == "Product2x2" else (reduce(t),)
    r = t.run(*files, "--operator", operator, "--arch", "sm_60", "--list=json", *more).exits(0).silent()
    return json.loads(r.out)


def categories(m):
    return {v["category"] for v in m["variants"]}


def checked(t, operator, types, *sizes, keep="8", seeds="1"):
    """A few variants of each category that there is, run on the CPU; types None: the operator has its own."""
    of_types = ["--types", types] if types else []
    m = listed(t, operator, *of_types, "--keep", keep)
    if categories(m) != categories(listed(t, operator, *of_types)):
        raise Failed(f"{operator}: --keep {keep} leaves {categories(m)} only")
    files = (reduce(t), product(t)) if operator == "Product2x2" else (reduce(t),)
    out = "out-" + operator
    t.run(*files, "--operator", operator, *of_types, "--arch", "sm_60", "--keep", keep, "-o", out).exits(0)
    r = t.run("check", out, "--no-codelets", "--sizes", ",".join(map(str, sizes)), "--seeds", seeds, timeout=500)
    n = len(m["variants"])
    r.exits(0).prints(f"{n} of {n} variants of {m['spectrum']} passed")
    return m


def rows(t):
    """The codelets of reduce.cdl, for each row of a matrix whose columns are contiguous."""
    head = ("template <typename M, typename T>\n__codelet%s\n"
            "void rows(__by_columns const Array<2, T> A, __like(A, 0) __mutable Array<1, T> y)")
    text = open(reduce(t)).read()
    at = text.index("template <typename M, typename T>")  # the first codelet
    return t.write("rows.cdl", text[:at] + head % "" + ";\n\n" + text[at:] + "\n" + head % " __tag(each)" +
                   " {\n  Map m(reduce<M, T>, rows(A));\n  m.to(y);\n}\n")


# ---- what they compute ----


@by_turns(6)
def test_segments(t):
    """Segments whose results are stored, by a built-in operator and by one that finishes what is returned: stored are
    its states. What the check executes compiles."""
    head = ("template <typename M, typename T>\n__codelet%s\n"
            "void segments(const Array<1, T> in, const Array<1, long> offsets, __mutable Array<1, T> out)")
    t.write("segments.cdl", '#include "reduce.cdl"\n\n' + head % "" + ";\n\n" + head % " __tag(serial)" + """ {
  for (unsigned s = 0; s < out.Size(); ++s) {
    T accum = M::id();
    for (unsigned i = offsets[s]; i < offsets[s + 1]; ++i)
      accum = M::op(accum, in[i]);
    out[s] = accum;
  }
}

""" + head % " __tag(each)" + """ {
  unsigned n = out.Size();
  Map m(reduce<M, T>, partition(in, n, sequence(offsets, 0, 1, n), sequence(1), sequence(offsets, 1, 1, n + 1)));
  m.to(out);
}
""")
    for operator, types in (("Product", "int"), ("ReproducibleSum", "double")):
        t.run("segments.cdl", "--spectrum", "segments", "--operator", operator, "--types", types, "--arch", "sm_60",
              "--keep", "2", "-o", operator).exits(0)
        for file in ("reference", "codelets"):
            t.shell(f"{compiler()} -std=c++17 -fsyntax-only -I {t.source('runtime', 'simt')} "
                    f"{operator}/check/{file}.cc").exits(0)
        if LONG:
            t.run("check", operator, "--sizes", "0,33,257", "--seeds", "1", timeout=500).exits(0).prints("2 of 2")


@by_turns(5)
def test_extremes_on_a_cpu(t):
    """An operator of the user's that calls min() and max(), which C++ has not: the same numbers as the reference, bit
    by bit, of zeros as well."""
    t.write("extent.cdl", """template <typename T>
struct __monoid(associative, commutative) Extent {
  struct Range { T least, greatest; };
  static Range id() { return {highest<T>(), lowest<T>()}; }
  static Range op(Range a, Range b) { return {min(a.least, b.least), max(a.greatest, b.greatest)}; }
  static Range lift(T x) { return {x, x}; }
  static T example(unsigned r) { return r % 3 == 0 ? (T)(r % 2 ? -0.0 : 0.0) : (T)((int)(r % 99) - 49); }
};
""")
    t.run(reduce(t), "extent.cdl", "--operator", "Extent", "--arch", "cpu", "--types", "uint8,float", "--keep", "2",
          "-o", "out").exits(0)
    t.run("check", "out", "--no-codelets", "--sizes", "0,1,2,3,33,1025", "--seeds", "3", "--plain",
          timeout=500).exits(0).prints("2 of 2 variants of reduce_extent passed")


def test_rows_of_states(t):
    """Of 24 bytes, a state of Moments, 16 bytes are no whole number: its rows have no slices. Those of a sum of bytes
    have, sixteen rows a lane, and so many lanes that the sums have room in shared memory."""
    rows(t)
    for operator, types, slices in (("Moments", "float", 0), ("Sum", "int8", 5)):
        r = t.run("rows.cdl", "--operator", operator, "--types", types, "--arch", "sm_90", "-o", operator).exits(0)
        variants = json.loads(t.read(f"{operator}/manifest.json"))["variants"]
        sliced = [v for v in variants if "/slices" in v["plan"]]
        r.expect(len(sliced) == slices, f"{operator}: {len(sliced)} plans have slices, not {slices}")
        for v in sliced:
            t.run("explain", v["id"], operator).exits(0).prints("per block: 16384 bytes (int8)")
            if "threads <= 768 &&" not in t.read(f"{operator}/{v['file']}"):
                raise Failed(f"{v['id']} may have other blocks than of 768 lanes")


@by_turns(5)
def test_sums_and_products(t):
    for operator, types in drawn((("Sum", "int8,float"), ("Product", "uint,cfloat")), 1):
        m = checked(t, operator, types, 0, 1, 33, 1025)
        if categories(m) != set(CATEGORIES):
            raise Failed(f"{operator}: {categories(m)}")


@by_turns(5)
def test_bits(t):
    for operator, types in drawn((("And", "int"), ("Or", "uint8"), ("Xor", "uint64")), 1):
        m = checked(t, operator, types, 0, 1, 33, 1025)
        if categories(m) != set(CATEGORIES):
            raise Failed(f"{operator}: {categories(m)}")


@by_turns(3.5)
def test_selections(t):
    """Of all variants that are kept without --keep (in the normal mode of six): NaN gives way, of nothing but NaN it
    is the identity, +0 is more than -0. Of few elements all are NaN or infinite, by the seed
    (runtime/simt/check/data.cc)."""
    keep, n = ((), 48) if LONG else (("--keep", "6"), 6)
    for operator, types in drawn((("Max", "float"), ("Max", "half"), ("Min", "float"), ("Min", "half")), 1):
        out = f"{operator}-{types}"
        t.run(reduce(t), "--operator", operator, "--types", types, "--arch", "sm_60", *keep, "-o", out).exits(0)
        r = t.run("check", out, "--no-codelets", "--sizes", "0,1,5,33,100", "--seeds", "4", "--orders", "1", "--plain",
                  timeout=500)
        r.exits(0).prints(f"{n} of {n} variants")
    m = listed(t, "Max", "--types", "float,half")
    if categories(m) != set(CATEGORIES) or {v["determinism"] for v in m["variants"]} != {"sequential"}:
        raise Failed("not all of them promise the sequential codelet's bits, which are compared where they do")


@by_turns(1.3)
def test_selections_are_looked_at(t):
    """Variants that take NaN for a number, or -0 for +0, do not pass."""
    t.run(reduce(t), "--operator", "Max", "--types", "float", "--arch", "sm_60", "--keep", "2", "-o", "out").exits(0)
    variants = json.loads(t.read("out/manifest.json"))["variants"]
    for v, wrong in zip(variants, ("x > y ? x : y", "y != y || x > y ? x : y")):
        name = f"out/{v['file']}"
        text = t.read(name)
        t.write(name, re.sub(r"\bmax\(", "wrong(", text).replace("::wrong(", "::max(").replace(
            "typedef long long Index;", "typedef long long Index;\n"
            f"__device__ inline float wrong(float x, float y) {{ return {wrong}; }}\n"))
    r = t.run("check", "out", "--no-codelets", "--sizes", "1,5,33,100", "--plain").exits(1)
    for v in variants:
        r.expect(f"{v['id']}: " in r.out and f"{v['id']}: compile" not in r.out, "expected other results, not an error")


@by_turns(6)
def test_shipped_monoids(t):
    for operator, types in drawn((("ArgMax", "float"), ("ArgMax", "int8"), ("ArgMin", "double"), ("Moments", "float"),
                                  ("ArgMaxNan", "float"), ("ArgMinNan", "double"), ("ReproducibleSum", "float"),
                                  ("ReproducibleSum", "double")), 2):
        m = checked(t, operator, types, 0, 1, 33, 1025, keep="6")
        if categories(m) != {"baseline", "shuffle"} or any(v["atomics"] for v in m["variants"]):
            raise Failed(f"{operator}: {categories(m)}: states are wider than any atomic, or are finished")


@by_turns(4)
def test_order_is_kept(t):
    m = checked(t, "Product2x2", None, 0, 1, 33, 1025, keep="6")
    if categories(m) != {"baseline", "shuffle"}:
        raise Failed(f"{categories(m)}")


# ---- what is composed ----

@by_turns(1.4)
def test_no_order_no_variant(t):
    """Of an operator that does not commute, only codelets that keep the order; --remarks and --pruned say why."""
    m = listed(t, "Product2x2", "--keep", "all", "--levels", "grid,block,thread")
    used = {c["tag"] for v in m["variants"] for c in v["codelets"]}
    if not {"tiled", "serial", "ordered", "kog"} <= used or used & set(COMMUTATIVE[1:]):
        raise Failed(f"codelets {sorted(used)}")
    if any(v["atomics"] for v in m["variants"]) or {v["determinism"] for v in m["variants"]} != {"sequential"}:
        raise Failed("atomics, or bits that change")
    files = (reduce(t), product(t), "--operator", "Product2x2", "--arch", "sm_60")
    t.run(*files, "--pruned").exits(0).silent().prints(
        "the operator does not commute, and the codelet does not keep the elements' order",
        "the operator does not commute, and atomics accumulate in any order")
    r = t.run(*files, "--list", "--remarks=missed").exits(0)
    for tag in ("tree", "butterfly", "shared_V1", "shared_V2"):
        r.says(f"`{tag}' does not keep the order of the elements: with ")
    r = t.run(*files, "--list", "--remarks=passed").exits(0)
    for tag in ("serial", "ordered", "kog"):
        r.says(f"`{tag}' keeps the order of the elements [order]")


def plain_text(m, v, text):
    """A variant without comments, under names that do not tell what it was made of."""
    text = text.replace(m["spectrum"].upper(), "NAME").replace(m["spectrum"], "NAME")
    text = text.replace(v["id"].upper(), "ID").replace(v["id"], "ID")
    lines = [line for line in re.sub(r"//.*", "", text).splitlines() if line.strip()]
    # Parameters stand in the order in which the codelet first has them.
    return [sorted(re.findall(r"\w+", line)) if "__global__" in line or "*args[]" in line else line for line in lines]


def test_a_sum_is_a_sum(t):
    """reduce.cdl with Sum and sum.cdl make the same kernels."""
    given = ("--types", "int,float", "--arch", "sm_60", "--columns", "none")
    t.run(reduce(t), "--operator", "Sum", *given, "-o", "reduce").exits(0)
    t.run(t.sum, *given, "-o", "sum").exits(0)
    both = []
    for folder in ("reduce", "sum"):
        m = json.loads(t.read(folder + "/manifest.json"))
        both.append({v["plan"]: plain_text(m, v, t.read(f"{folder}/{v['file']}")) for v in m["variants"]})
    shared = [p for p in both[0] if p in both[1] and ".kog" not in p]  # whose sides reduce.cdl has exchanged
    if len(shared) < 20:
        raise Failed(f"{len(shared)} plans of both")
    for p in shared:
        if both[0][p] != both[1][p]:
            different = [f"{x}\n{y}" for x, y in zip(both[0][p], both[1][p]) if x != y]
            raise Failed(f"{p} differs:\n" + "\n".join(different[:4]))


# ---- what is promised ----

@by_turns(1.3)
def test_promises(t):
    for more in ((), ("--determinism", "gpu_to_gpu"), ("--determinism", "sequential")):
        for v in listed(t, "ReproducibleSum", "--types", "float,double", *more)["variants"]:
            if v["determinism"] != "sequential" or not v["batch_invariant"]:
                raise Failed(f"ReproducibleSum: {v['id']} is {v['determinism']}")
    labels = collections.Counter(v["determinism"] for v in listed(t, "Moments", "--types", "float")["variants"])
    kept = listed(t, "Moments", "--types", "float", "--determinism", "gpu_to_gpu")["variants"]
    if set(labels) != {"run_to_run"} or {v["determinism"] for v in kept} != {"gpu_to_gpu"}:
        raise Failed(f"Moments: {dict(labels)}, {[v['determinism'] for v in kept]}")
    t.refuses(1, reduce(t), "--operator", "Moments", "--types", "float", "--determinism", "sequential",
              "--arch", "sm_60", "-o", "none").says("no plan for `reduce' on sm_60 is sequential").hints("gpu_to_gpu")


# ---- names ----

@by_turns(4)
def test_names(t):
    for operator, types, name, functions, structs in (
            ("Sum", "int,float", "reduce_sum", ("reduce_sum_int", "reduce_sum_float"), ()),
            ("ArgMax", "float,int8", "reduce_arg_max", ("reduce_arg_max_float", "reduce_arg_max_int8"),
             ("reduce_arg_max_State_float", "reduce_arg_max_State_int8")),
            ("Moments", "double", "reduce_moments", ("reduce_moments_double",), ("reduce_moments_State_double",)),
            ("ReproducibleSum", "float", "reduce_reproducible_sum", ("reduce_reproducible_sum_float",), ()),
            ("Product2x2", "int", "reduce_product2x2", ("reduce_product2x2_Matrix",), ("reduce_product2x2_Matrix_t",))):
        files = (reduce(t), product(t)) if operator == "Product2x2" else (reduce(t),)
        r = t.run(*files, "--operator", operator, "--types", types, "--arch", "sm_60", "--keep", "2", "-o", name)
        r.exits(0).prints(f"2 variants of {name} for sm_60 in {name}")
        header = t.read(f"{name}/{name}.h")
        made = re.findall(r"^\} (\w+);", header, re.M)
        made = [x for x in made if x not in (f"{name}_configuration", f"{name}_variant")]
        if tuple(made) != structs:
            raise Failed(f"{operator}: structs {made}")
        for f in functions:
            r.expect(f"cudaError_t {f}(void *workspace" in header, f"no function {f}")
        compiles(t, name, structs)


def compiles(t, out, structs, name=None):
    """The header as C11, the library's own files as C++."""
    name = name or out
    include = f"-I '{t.source('runtime', 'simt', 'include')}' -I {out}"
    t.write("user.c", f'#include "{name}.h"\n' + "".join(f"extern {s} user_{s};\n" for s in structs))
    t.shell(f"gcc -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only {include} user.c").exits(0).silent()
    cxx = compiler()
    if "clang" in cxx:
        flags = f"-x c++ -std=c++17 -w -fsyntax-only {include}"
        t.shell(f"for f in {out}/*.cu; do {cxx} {flags} $f || exit 1; done").exits(0).silent()


QUALIFIED = r"^(?:template <.*?> ?)?(?:(?:__host__|__device__|__forceinline__|__global__|inline|constexpr|const) )*"
DECLARED = [re.compile(pattern) for pattern in (
    QUALIFIED + r"[\w:<>]+(?: [\w:<>]+)*[ *&]+(\w+)(?:<\w+>)?(?:\(| =|;)", r"^typedef .*?(\w+);", r"^#define (\w+)",
    r"^(?:template <.*?> ?)?(?:struct|union) (?:alignas\(.*\) )?(\w+)", r"^enum (\w+) \{", r"^enum .*\{ (\w+)",
    r"^enum .*, (\w+), ", r"^enum .*, (\w+) \}", r"^ +__shared__ unsigned long long (\w+)\[")]
BESIDE = re.compile(r"segmented_scan\.cu|reduce_(max|arg_max|product|and|reproducible_sum)\.cu|types\.h")  # without codelets' text


def names_of_the_text(t):
    """What the texts of several folders declare, but for what is named for the spectrum, a type, the user's struct."""
    found = set()
    texts = [[t.source("codelets", "segmented_scan.cdl"), "--types", "half", "--arch", "sm_90"]]
    for operator, types, arch in (
            ("Max", "float", "sm_90"), ("Max", "int64,float", "sm_35"), ("ArgMax", "float", "sm_60"),
            ("ArgMax", "int8", "sm_90"), ("Product", "float,cfloat", "sm_90"), ("And", "int", "sm_60"),
            ("And", "int64", "sm_90"), ("ReproducibleSum", "double", "sm_80")):
        texts.append([reduce(t), "--operator", operator, "--types", types, "--arch", arch])
    for words in texts:
        t.run(*words, "--keep", "100", "-o", "o").exits(0)
        for at, folders, files in os.walk(t.path("o")):
            folders[:] = [f for f in folders if f != "check"]  # there the codelets have a namespace of their own
            for name in files:
                if BESIDE.fullmatch(name) or not name.endswith((".cu", ".cc", ".h")):
                    continue
                for line in t.read(os.path.relpath(os.path.join(at, name), t.path("."))).splitlines():
                    found |= {m[1] for m in (p.match(line) for p in DECLARED) if m}
        shutil.rmtree(t.path("o"))
    own = r"reduce_|REDUCE_|segmented_scan|SEGMENTED_SCAN_|TGC_|__|Of_|CHECK_|\w+_(?:ranges|function)$|(?:ArgMax|ReproducibleSum|return|alignas)$"
    return {name for name in found if not re.match(own, name)}


@by_turns(2)
def test_names_of_clusters(t):
    """A variable, or a parameter, is not named as what a kernel of clusters, or of even parts, has."""
    for source, to in (("segmented_sum.cdl", "mine.cdl"), ("common/sum_steps.cdl", "common/sum_steps.cdl")):
        with open(t.source("codelets", source), encoding="utf-8") as f:
            text = f.read()
        for name, by in (("size", "cluster"), ("len", "rank"), ("accum", "even"), ("tile", "same")):
            text = re.sub(rf"\b{name}\b", by, text)
        t.write(to, text)
    t.run("mine.cdl", "--arch", "sm_90", "--types", "int", "-o", "out").exits(0)
    texts = {name: t.read(f"out/variants/{name}") for name in os.listdir(t.path("out/variants"))}
    chosen = {min(name for name in texts if what in texts[name]) for what in ("segmented_sum_clusters", "bool even")}
    manifest = json.loads(t.read("out/manifest.json"))
    manifest["variants"] = [v for v in manifest["variants"] if os.path.basename(v["file"]) in chosen]
    t.write("out/manifest.json", json.dumps(manifest))
    t.run("check", "out", "--no-codelets", "--plain", "--sizes", "33", "--seeds", "1").exits(0)


@by_turns(7)
def test_names_of_the_text(t):
    """Neither a struct of the user's nor a variable of a codelet's takes a name that the text has already."""
    names = sorted(names_of_the_text(t))
    for known in ("Index", "Words", "Range", "run", "RUN", "load_wide", "half_of", "lowest_value", "atomic_and_block",
                  "atomic_max", "start_from", "post", "complex", "arrives_last", "bits_of",
                  "load_row", "resident", "Posted", "OWN", "ALL", "PATIENCE", "GIVEN_UP", "see", "scan_from", "handed"):
        if known not in names:
            raise Failed(f"`{known}' was not found among {names}")
    with open(reduce(t), encoding="utf-8") as f:
        codelets = f.read()
    missed = []
    for name in drawn(names, 40):
        t.write("mine.cdl", f"{codelets}\nstruct {name} {{ int x; }};\n")
        r = t.run("mine.cdl", "--operator", "Sum", "--types", "int", "--arch", "sm_60", "--list")
        if f"error: `{name}' is already the name of something else" not in r.err:
            missed.append(name)
    if missed:
        raise Failed(f"structs may be named {', '.join(missed)}")
    chosen = [name for name in names if name not in ("Index", "T")]
    first = "  T val = vthread.ThreadId() < in.Size() ? in[vthread.ThreadId()] : M::id();\n"
    body = "".join(f"  T {name} = M::op(val, val);\n  val = M::op(val, {name});\n" for name in chosen)
    t.write("mine.cdl", codelets.replace(first, first + body, 1))
    t.run("mine.cdl", "--operator", "Sum", "--types", "int", "--arch", "sm_60", "-o", "out").exits(0)
    texts = "".join(t.read(f"out/variants/{name}") for name in os.listdir(t.path("out/variants")))
    taken = [name for name in chosen if re.search(rf"\bT {name} = ", texts)]
    if taken or f"T {chosen[0]}2 = " not in texts:
        raise Failed(f"variables are named {', '.join(taken)}")


def test_operands(t):
    """What T must be able to do; complex numbers are those of --types."""
    codelets = ("--arch", "sm_60", "-o", "out")
    for operator in ("Max", "Min"):
        r = t.refuses(1, reduce(t), "--operator", operator, "--types", "float,cfloat", *codelets)
        r.says(f"reduce.cdl:152:3: error: `{operator}': complex numbers have no order").hints("--types")
    for operator in ("And", "Or", "Xor"):
        for types in ("float", "int,half", "cdouble", "int:double"):
            t.refuses(1, reduce(t), "--operator", operator, "--types", types, *codelets).says(
                f"reduce.cdl:152:3: error: `{operator}' is for integers").hints("--types")
    t.refuses(1, reduce(t), "--operator", "ArgMux", *codelets).says("no operator `ArgMux'").hints("`ArgMax'")
    t.refuses(1, reduce(t), *codelets).says("none is given").hints("Sum", "ArgMin", "ReproducibleSum")
    for operator in ("ArgMax", "Moments", "ReproducibleSum"):
        r = t.refuses(1, reduce(t), "--operator", operator, "--types", "cfloat", *codelets)
        r.expect(r.errors(), "expected an error with its place")


@by_turns(4)
def test_structs_named_like_others(t):
    """As a function of C's, as a member of what wraps the operator: what is compiled beside the variants is whole."""
    compilers = [c for c in ("g++", "clang++-19") if shutil.which(c)]
    simt = t.source("runtime", "simt")
    for name, state in drawn((("gamma", "Pair"), ("index", "time"), ("Result", "State"), ("State", "Element"),
                              ("Element", "Result")), 2):
        t.write("mine.cdl", f"struct {state} {{ unsigned a, b; }};\n"
                f"struct __monoid(associative) {name} {{\n  static {state} id() {{ return {{0, 0}}; }}\n"
                f"  static {state} op({state} x, {state} y) {{ return {{x.a + y.a, x.b + y.b}}; }}\n"
                f"  static {state} example(unsigned random) {{ return {{random, 1}}; }}\n}};\n")
        t.run(reduce(t), "mine.cdl", "--operator", name, "--arch", "sm_60", "--keep", "1", "-o", "out").exits(0)
        t.write("operator.cc", '#include <cuda_runtime.h>\n#include "out/check/operator.h"\n')
        for cxx in compilers:
            t.shell(f"{cxx} -x c++ -std=c++17 -w -fsyntax-only -I '{simt}/include' -I '{simt}' -I out "
                    "out/check/reference.cc operator.cc").exits(0).silent()
        shutil.rmtree(t.path("out"))


STUBS = """
#include "out/reduce_mine.cu"
extern "C" {
%s
const char *cudaGetErrorString(cudaError_t) { return "an error"; }
cudaError_t cudaMallocAsync(void **, size_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaFreeAsync(void *, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaMemsetAsync(void *, int, size_t, cudaStream_t) { return cudaSuccess; }
}
int main(int, char **argv) {
  cudaError_t error = reduce_mine_load_table(argv[1]);
  if (error) std::puts(reduce_mine_error_text(error));
  return error;
}
"""
STUB = """const reduce_mine_configuration reduce_mine_{0}_configurations[] = {{{{0, 0, 0}}}};
cudaError_t reduce_mine_{0}_{1}(const reduce_mine_configuration *, void *, size_t *bytes, const reduce_mine_{1}_t *,
                                uint64_t, reduce_mine_{1}_t *, cudaStream_t) {{ *bytes = 1; return cudaSuccess; }}
"""


def test_table_of_a_long_type(t):
    """A library loads the table that was written beside it, however long the name of its type is."""
    name = "AStructWithMoreLettersInItsName" + "ThanMost" * 8
    t.write("mine.cdl", f"struct {name} {{ unsigned a, b; }};\n"
            f"struct __monoid(associative) Mine {{\n  static {name} id() {{ return {{0, 0}}; }}\n"
            f"  static {name} op({name} x, {name} y) {{ return {{x.a + y.a, x.b + y.b}}; }}\n}};\n")
    t.run(reduce(t), "mine.cdl", "--operator", "Mine", "--arch", "sm_60", "--keep", "3", "-o", "out").exits(0)
    ids = [v["id"] for v in json.loads(t.read("out/manifest.json"))["variants"]]
    t.write("stubs.cc", STUBS % "".join(STUB.format(id, name) for id in ids))
    include = t.source("runtime", "simt", "include")
    t.shell(f"{compiler()} -std=c++17 -w -I '{include}' -I out stubs.cc -o stubs").exits(0)
    t.shell("./stubs out/reduce_mine.table").exits(0).silent()


# ---- structs as device code ----

STATE = "  struct State { float a, b; };\n"
ID = "  static State id() { return {0, 0}; }\n"
OP = "  static State op(State x, State y) { return {x.a + y.a, x.b + y.b}; }\n"


def monoid(body, head="struct __monoid(associative) Mine {\n"):
    return f"{head}{body}}};\n"


ACCEPTED = {
    "plain": monoid(STATE + ID + OP),
    "comments": monoid("  /* __monoid(commutative) } static State op( */ // { \" asm\n" + STATE + ID +
                       "  static /* } */ State // {\n  op(State x, /* __device__ */ State y) { /* return id(); */\n"
                       "    return {x.a + y.a, /* ' */ x.b + y.b}; // \\\n  } }; /*\n    // */\n  }\n"),
    "properties": monoid(STATE + ID + OP,
                         "struct __monoid /* ) */ ( /* a ) */\n  associative, // )\n  rounded\n) Mine {\n"),
    "carriage returns": monoid(STATE + ID + OP).replace("\n", "\r\n"),
    "another struct": "struct Pair { float u, v; };\nstruct Unused { int i[1000]; };\n" + monoid(
        STATE + ID + "  static State op(State x, State y) { Pair p = {x.a, y.a}; return {p.u + p.v, x.b}; }\n"),
    "words": monoid("  enum { HEX = 0xff, N = 2 };\n" + STATE +
                    "  constexpr static State id() { return {(float)(1'000 - 1000), 0x0p0}; }\n"
                    "  static auto op(const State &x, const State &y) -> State { return x.a > y.a ? x : y; }\n"),
    "functions": monoid(STATE + ID + "  static float twice(float x) { return 2 * x; }\n"
                        "  static State op(State x, State y) { return {max(twice(x.a), sqrtf(y.a)), fabsf(x.b)}; }\n"),
    "bool and char": monoid("  struct State { bool set[2]; char c; signed char d; };\n"
                            "  static State id() { return {}; }\n"
                            "  static State op(State x, State y) { x.set[0] |= y.set[0]; return x; }\n"),
    "many structs": "".join(f"struct S{i} {{ float a{i}; }};\n" for i in range(1000)) + monoid(STATE + ID + OP),
    "many monoids": "".join(monoid(STATE + ID + OP).replace("Mine", f"M{i}") for i in range(300)) +
                    monoid(STATE + ID + OP),
}
REFUSED = {
    "fields": (monoid("  struct State {\n" + "".join(f"    char a{i};\n" for i in range(100000)) + "  };\n"
                      "  static State id() { return {}; }\n  static State op(State x, State y) { return x; }\n"),
               "the state of `Mine' has 100000 bytes"),
    "deep structs": (monoid("  struct A { " * 300 + "}; " * 300 + STATE + ID + OP), "nested too deep"),
    "deep expression": (monoid(STATE + ID + "  static State op(State x, State y) { return {" + "(" * 3000 + "x.a" +
                               ")" * 3000 + ", 0}; }\n"), "nested too deep"),
    "a gigabyte": (monoid("  struct State { float a[250000000]; };\n  static State id() { return {}; }\n"
                          "  static State op(State x, State y) { return x; }\n"),
                   "the state of `Mine' has 1000000000 bytes"),
}


@by_turns(4)
def test_structs_as_device_code(t):
    """Comments, line ends and words that look like others: what is generated compiles, as it was meant."""
    cxx = compiler()
    flags = f"-x c++ -std=c++17 -w -fsyntax-only -I '{t.source('runtime', 'simt', 'include')}'"
    plain, *others = ACCEPTED.items()
    for name, text in (plain, *drawn(others, 4, lambda case: case[0])):
        t.write("mine.cdl", text)
        r = t.run(reduce(t), "mine.cdl", "--operator", "Mine", "--arch", "sm_60", "--keep", "1", "-o", "out").exits(0)
        if name == "plain":
            compiles(t, "out", (), "reduce_mine")
        made = t.read("out/" + json.loads(t.read("out/manifest.json"))["variants"][0]["file"])
        operator = made[made.index("// The operator, as"):]
        operator = operator[:operator.index("\n\n")]
        if re.search(r"^ *(constexpr )?static ", operator, re.M) or "__monoid" in re.sub(r"/\*.*?\*/", "", operator):
            raise Failed(f"{name}: a function that is not for the device:\n{operator}")
        if "clang" in cxx:
            t.shell(f"for f in out/variants/*.cu out/check/reference.cc; do {cxx} {flags} $f || exit 1; done").exits(0).silent()
            r.expect("Unused" not in made, "a struct that is not the operator's")


@by_turns(1.5)
def test_hostile_structs(t):
    for text, message in REFUSED.values():
        t.write("mine.cdl", text)
        r = t.refuses(1, reduce(t), "mine.cdl", "--operator", "Mine", "--arch", "sm_60", "-o", "out", timeout=20)
        r.says(message).says("mine.cdl:")


def test_errors_of_the_second_file(t):
    """Each file's errors have its own name and lines."""
    t.write("mine.cdl", monoid(STATE + ID + OP.replace("x.b", "x.c")))
    t.refuses(1, reduce(t), "mine.cdl", "--operator", "Mine", "--arch", "sm_60", "-o", "out").points(
        "mine.cdl", 4, 60, "no member named 'c'")
    t.write("mine.cdl", monoid(STATE + ID + OP, "struct __monoid(commutative) Mine {\n"))
    t.refuses(1, reduce(t), "mine.cdl", "--operator", "Mine", "--arch", "sm_60", "-o", "out").points(
        "mine.cdl", 1, 1, "not associative")


# ---- a reproducible sum ----

DRIVER = """#include <stdio.h>
#include <stdlib.h>
#include <vector>
extern "C" void reduce_reproducible_sum_reference_{type}(const {type} *in, unsigned long n, {type} *out);
int main(int, char **file) {{
  std::vector<{type}> in(1 << 20);
  FILE *f = fopen(file[1], "rb");
  unsigned long n = fread(in.data(), sizeof in[0], in.size(), f);
  {type} out;
  reduce_reproducible_sum_reference_{type}(in.data(), n, &out);
  fwrite(&out, sizeof out, 1, stdout);
}}
"""


MANY = 1000000 if LONG else 100000


def hard_data(single):
    """By name, numbers that are hard to add up; float or double."""
    r = random.Random(7)
    huge, tiny, digits = (3e37, 1e-38, 24) if single else (1e308, 1e-308, 53)
    denormal = 2.0 ** (-149 if single else -1074)
    reals = [(r.random() - 0.5) * 2.0 ** r.randrange(-60, 60) for _ in range(2000)]
    yield "nothing", []
    yield "one", [math.pi]
    yield "minus zeros", [-0.0] * 5
    yield "all equal", [0.1] * 4097
    yield "all equal, many", [0.1] * MANY
    yield "reals", reals
    yield "cancel", reals + [-x for x in reals]
    yield "nearly cancel", reals + [-x * (1 + 2.0 ** (2 - digits)) for x in reals]
    yield "one huge and its opposite", [huge, 1.0, -huge, tiny]
    yield "huge and tiny", [huge, tiny, -huge / 3, denormal] * 30
    yield "denormals", [denormal * r.randrange(-1000, 1000) for _ in range(1000)]
    sizes = range(-140, 120, 3) if single else range(-1070, 1000, 3)
    yield "all sizes", [s * 2.0 ** e for e in sizes for s in (1, -1, 1)]
    yield "powers of 2", [2.0 ** e for e in range(-100, 100)]
    yield "many", [r.gauss(0, 1) for _ in range(MANY)]
    yield "too large", [huge * 1.7] * 20
    inf, nan = math.inf, math.nan
    yield "infinite", [1.0, inf, 2.0]
    yield "minus infinite", [1.0, -inf, -inf, huge]
    yield "both infinite", [inf, 1.0, -inf]
    yield "a NaN", [1.0, nan, inf]


def rounded(x, single):
    """A fraction as the nearest number of the type; infinite past the greatest."""
    greatest = fractions.Fraction(2 ** 128 - 2 ** 103 if single else 2 ** 1024 - 2 ** 970)
    if abs(x) >= greatest:
        return math.inf if x > 0 else -math.inf
    return struct.unpack("f", struct.pack("f", float(x)))[0] if single else float(x)


def ulp(x, single):
    return max(2.0 ** -149, 2.0 ** (math.frexp(x)[1] - 24)) if single else math.ulp(x)


def check_sum(name, numbers, got, single):
    what = f"{'float' if single else 'double'}, {name}: {got!r}"
    if any(map(math.isnan, numbers)) or {math.inf, -math.inf} <= set(numbers):
        return [] if math.isnan(got) else [what]
    infinite = [x for x in numbers if math.isinf(x)]
    if infinite:
        return [] if got == infinite[0] else [what]
    many = len(numbers) > 10000  # fractions take long; so many numbers' bound is wider than the rounding of their sum
    exact = fractions.Fraction(math.fsum(numbers)) if many else sum(map(fractions.Fraction, numbers))
    want = rounded(exact, single)
    if math.isinf(want) or math.isinf(got):
        return [] if got == want else [f"{what}, not {want!r}"]
    most = max(map(abs, numbers), default=0)
    bound = fractions.Fraction(most) * len(numbers) / 2 ** 56 + fractions.Fraction(ulp(want, single))
    return [] if abs(fractions.Fraction(got) - exact) <= bound else [f"{what}, not {want!r}"]


GREATER = """template <typename T> struct __monoid(associative, commutative) Greater {
  static T id() { return lowest<T>(); }
  static T op(T a, T b) { return a < b ? b : a; }
};
"""


def test_types_that_do_not_suit(t):
    """What rounds takes no integers, and leaves them out where nobody asked for them; what has no `lift' takes T."""
    moments = (reduce(t), "--operator", "Moments", "--arch", "sm_60", "--list")
    t.refuses(1, *moments, "--types", "float,int").says("`Moments' rounds", "`int'").hints("int:double")
    t.run(*moments).exits(0).prints("types float, double;")
    t.run(*moments, "--types", "int:double").exits(0).prints("types int_double;")
    t.write("greater.cdl", GREATER)
    greater = (reduce(t), t.path("greater.cdl"), "--operator", "Greater", "--arch", "sm_60", "--list", "--types")
    t.run(*greater, "int,double").exits(0)
    t.refuses(1, *greater, "float,half").says("greater.cdl:1:", "no `lift'", "`half'")


@by_turns(4)
def test_reproducible_sums(t):
    """Its error is less than 2^-56 of the greatest number for each element, and its last rounding; it has the same bits
    in any order. Python's fractions know what is right."""
    t.run(reduce(t), "--operator", "ReproducibleSum", "--types", "float,double", "--arch", "sm_60", "--keep", "1", "-o",
          "out").exits(0)
    wrong = []
    for single, kind, letter in ((True, "float", "f"), (False, "double", "d")):
        t.write(kind + ".cc", DRIVER.format(type=kind))
        t.shell(f"{compiler()} -std=c++17 -O1 {kind}.cc out/check/reference.cc -o {kind}").exits(0)
        r = random.Random(11)
        for name, numbers in hard_data(single):
            bits = struct.pack(f"{len(numbers)}{letter}", *numbers)
            numbers = list(struct.unpack(f"{len(numbers)}{letter}", bits))
            results = []
            for turn in range(4 if LONG and len(numbers) < 10000 else 2):
                with open(t.path("numbers"), "wb") as f:
                    f.write(struct.pack(f"{len(numbers)}{letter}", *numbers))
                done = subprocess.run([t.path(kind), t.path("numbers")], stdout=subprocess.PIPE, check=True, timeout=60)
                results.append(done.stdout)
                r.shuffle(numbers)
            if len(set(results)) != 1:
                wrong.append(f"{kind}, {name}: other bits in another order")
            wrong += check_sum(name, numbers, struct.unpack(letter, results[0])[0], single)
    if wrong:
        raise Failed("\n".join(wrong))
