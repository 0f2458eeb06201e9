#!/usr/bin/env python3
"""operands_test.py TGC: `tgc check' of spectra with other operands than in, n, out: kernels written by hand, right and
broken, against references of the shape that tgc writes. Right ones pass; of broken ones it says how."""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the source folder stays as it is
import mutants  # noqa: E402
from drawn import by_turns, drawn, in_their_turn  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
complaints = []


def array(name, kind, sizes, read=True, written=False, holds="data", into=None):
    return dict(name=name, kind="array", type=kind, sizes=sizes, by_columns=False, read=read, written=written,
                holds=holds, into=into, means=None, factors=[], plus=0)


def size(name, means="elements", factors=(), plus=0):
    return dict(name=name, kind="size", type="uint64_t", sizes=[], by_columns=False, read=True, written=False,
                holds=None, into=None, means=means, factors=list(factors), plus=plus)


def number(name):
    return dict(size(name, None), kind="number", type="accumulator")


OPERANDS = {
    "scan": [array("in", "element", ["n"]), size("n"), array("out", "accumulator", ["n"], written=True)],
    "axpy": [number("a"), array("x", "element", ["n"]), size("n"), array("y", "accumulator", ["n"], written=True)],
    "gemv": [array("A", "element", ["rows", "columns", "leading"]), size("rows", "rows"), size("columns", "columns"),
             size("leading", "leading"), array("x", "element", ["columns"]),
             array("y", "accumulator", ["rows"], written=True)],
    "segments": [array("in", "element", ["n"], holds="indices", into="weight"), size("n"),
                 array("off", "long long", ["off_n"], holds="offsets", into="in"),
                 size("off_n", factors=["out_n"], plus=1), array("weight", "element", ["weight_n"]), size("weight_n"),
                 array("out", "accumulator", ["out_n"], written=True), size("out_n")],
}
REFERENCES = {
    "scan": """(const float *in, uint64_t n, FLOAT *out) {
  FLOAT sum = 0;
  for (uint64_t i = 0; i < n; i++) out[i] = sum += in[i];
}""",
    "axpy": """(FLOAT a, const float *x, uint64_t n, FLOAT *y) {
  for (uint64_t i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}""",
    "gemv": """(const float *A, uint64_t rows, uint64_t columns, uint64_t leading, const float *x, FLOAT *y) {
  for (uint64_t i = 0; i < rows; i++) {
    FLOAT sum = 0;
    for (uint64_t k = 0; k < columns; k++) sum += (FLOAT)A[i * leading + k] * x[k];
    y[i] = sum;
  }
}""",
    "segments": """(const int *in, uint64_t n, const long long *off, uint64_t off_n, const int *weight,
                uint64_t weight_n, int *out, uint64_t out_n) {
  if (off[0] != 0 || off_n != out_n + 1 || (out_n && (uint64_t)off[out_n] != n)) __builtin_trap();
  for (uint64_t s = 0; s < out_n; s++) {
    out[s] = 0;
    for (long long i = off[s]; i < off[s + 1]; i++) out[s] += weight[in[i]];
  }
}""",
}
# What is done to the right one, and what the check has to say of it.
BROKEN = {
    "scan": {
        "wrong": ("sum += in[i];\n    out", "sum += i == 7 ? 2 * in[i] : in[i];\n    out", "wrong", r"out\[7\], "),
        "forgotten": ("out[i] = sum;", "if (i != n - 1) out[i] = sum;", "wrong", r"out\[\d+\], "),
        "beyond": ("i < end; i++) {", "i < end + (end == n && n > 0); i++) {", "bounds", ""),
        "racing": ("__syncthreads();", ";", "race", ""),
        "input": ("    out[i] = sum;", "    out[i] = sum; ((float *)in)[i] = sum;", "bounds", ""),
    },
    "axpy": {
        "wrong": ("a * x[i] + y[i]", "a * x[i] + (i % 5 == 3 ? 0 : y[i])", "wrong", r"y\[3\], "),
        "forgotten": ("i < n)", "i < n - 1)", "wrong", r"y\[\d+\], "),
        "beyond": ("i < n)", "i <= n)", "bounds", ""),
        "again": ("y[i] = a", "y[i] += a", "wrong", r"y\[0\], "),
    },
    "gemv": {
        "wrong": ("k < columns; k++) sum", "k < columns; k++) sum = k == 2 ? sum : sum", "wrong", r"y\[\d+\], "),
        "dense": ("row * leading", "row * columns", "wrong", r"leading = "),
        "forgotten": ("y[row] = sum", "if (row != rows - 1 || rows < 3) y[row] = sum", "wrong", r"y\[\d+\], "),
        "beyond": ("long long k = 0; k < columns", "long long k = 0; k < columns + (row == rows - 1)", "bounds", ""),
        "square": ("row >= rows", "row >= rows || row >= columns", "wrong", r"columns = [01],"),
    },
    "segments": {
        "wrong": ("sum += weight[in[i]]", "sum += weight[in[i] / 2]", "wrong", r"out\[\d+\], "),
        "last": ("s >= many", "s >= many - 1", "wrong", r"out\[\d+\], "),
        "beyond": ("i < off[s + 1]", "i < off[s + 1] + (s == many - 1)", "bounds", ""),
    },
}
TYPES = {"scan": "float", "axpy": "float", "gemv": "float", "segments": "int"}


def expect(what, condition, *shown):
    if not condition:
        complaints.append(what)
        print("FAILED:", what, *shown, sep="\n")


def write(folder, name):
    right, kind = open(f"{HERE}/operands/{name}.cu").read(), TYPES[name]
    variants = [("right", right, {kind: f"{name}_right_{kind}"})]
    for how, (old, new, _, _) in BROKEN[name].items():
        assert old in right, (name, old)
        text = right.replace(old, new).replace(f"{name}_right", f"{name}_{how}")
        variants.append((how, text, {kind: f"{name}_{how}_{kind}"}))
    mutants.write(folder, name, "sm_60", None, variants)
    with open(f"{folder}/manifest.json") as f:
        manifest = json.load(f)
    manifest.update(operands=OPERANDS[name], types=[kind])
    with open(f"{folder}/manifest.json", "w") as f:
        json.dump(manifest, f)
    os.mkdir(f"{folder}/check")
    with open(f"{folder}/check/reference.cc", "w") as f:
        f.write("#include <stdint.h>\n")
        for function, wide in (("reference", "double"), ("sequential", "float")):
            f.write(f'extern "C" void {name}_{function}_{kind}{REFERENCES[name]}\n'.replace("FLOAT", wide))
    return folder


def checked(tgc, folder, *arguments):
    done = subprocess.run([tgc, "check", folder, *arguments], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=250)
    return done.returncode, done.stdout, done.stderr


def of_variant(out, variant):
    """What is said of one variant's failures."""
    found, mine = [], False
    for line in out.splitlines():
        mine = line.startswith(f"{variant}: ") or (mine and line.startswith("    "))
        if mine:
            found.append(line)
    return "\n".join(found)


def right_and_broken(tgc, base):
    large = drawn(OPERANDS, 1)
    for name in drawn(OPERANDS, 2):
        folder = write(f"{base}/{name}", name)
        if name in large:
            status, out, err = checked(tgc, folder, "--variant", "right", "--plain", "--sizes", "2,65537,300007",
                                       "--seeds", "1")
            expect(f"{name}: the right one passes", status == 0, out, err)
        status, out, err = checked(tgc, folder, "--sizes", "0,1,33,1025", "--seeds", "2", "--all")
        expect(f"{name}: status 1 when variants fail", status == 1, out, err)
        expect(f"{name}: nothing is said of the right one", not of_variant(out, "right"), out)
        for how, (_, _, kind, shown) in BROKEN[name].items():
            said = of_variant(out, how)
            expect(f"{name}: {how} is {kind}", re.search(rf"^{how}: {kind}\b", said, re.M), said or out)
            expect(f"{name}: {how} shows {shown}", re.search(shown, said), said)


@by_turns(2)
def shapes(tgc, base):
    """Both sides of a matrix, and rows that lie apart."""
    write(f"{base}/shapes", "gemv")
    said = of_variant(checked(tgc, f"{base}/shapes", "--sizes", "33", "--all", "--variant", "dense")[1], "dense")
    expect("rows that lie apart", re.search(r"rows = \d+, columns = (\d+), leading = (\d+)", said), said)
    for rows, columns, leading in re.findall(r"rows = (\d+), columns = (\d+), leading = (\d+)", said):
        expect("they lie three apart, where there are several", int(rows) > 1 and int(leading) == int(columns) + 3,
               said)


@by_turns(3)
def as_printed(tgc, base):
    """What tgc prints of programs with such operands (unit/operands_test.c): it compiles, and is right."""
    for name in ("axpy", "gemv"):
        printed = f"{HERE}/../golden/operands/{name}"
        status, out, err = checked(tgc, printed, "--sizes", "0,1,33,1025", "--seeds", "1")
        expect(f"{name} as printed passes", status == 0, out, err)
        command = [os.environ.get("TGC_CXX", "clang++-19"), "-x", "c++", "-std=c++17", "-fsyntax-only", "-Wall",
                   "-Wextra",
                   "-I", f"{os.environ['TGC_RUNTIME_DIR']}/include", f"{printed}/{name}.cu"]
        compiled = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        expect(f"{name}.cu compiles", compiled.returncode == 0 and "warning" not in compiled.stdout, compiled.stdout)


@by_turns(6)
def even_parts(tgc, base):
    """Rows and segments that are one round of loads each have a text of their own: it is run, and right."""
    for name, file in drawn((("gemv", "gemv.cdl"), ("segmented_sum", "segmented_sum.cdl")), 1):
        folder = f"{base}/even-{name}"
        subprocess.run([tgc, f"{HERE}/../../codelets/{file}", "--columns", "none", "--arch", "sm_90", "--types", "float", "-o", folder],
                       check=True, stdout=subprocess.DEVNULL)
        with open(f"{folder}/manifest.json") as f:
            manifest = json.load(f)
        texts = {v["id"]: open(f"{folder}/{v['file']}").read() for v in manifest["variants"]}
        begins = {id: text.find("// every part is one round") for id, text in texts.items()}
        even = [v for v in manifest["variants"] if begins[v["id"]] >= 0]
        expect(f"{name}: several variants have even parts", len(even) >= 5, len(even))
        even = drawn(even, 3, lambda v: v["id"])
        with open(f"{folder}/manifest.json", "w") as f:
            json.dump(dict(manifest, variants=even), f)
        arguments = (folder, "--no-codelets", "--sizes", "1023,1024,1025,1026", "--seeds", "1", "--orders", "1",
                     "--all")
        status, out, err = checked(tgc, *arguments)
        expect(f"{name}: variants with even parts pass", status == 0, out, err)
        for v in even:
            text, at = texts[v["id"]], begins[v["id"]]
            with open(f"{folder}/{v['file']}", "w") as f:
                f.write(text[:at] + text[at:].replace("accum[s] +=", "accum[s] += 1 +", 1))
        status, out, err = checked(tgc, *arguments)
        for v in even:
            expect(f"{name}: {v['id']} is found to be wrong in even parts", re.search(rf"^{v['id']}: \w+, ", out, re.M),
                   out, err)


def misfits(tgc, base):
    """A table that is not of these functions."""
    folder = write(f"{base}/misfits", "axpy")
    with open(f"{folder}/manifest.json") as f:
        manifest = json.load(f)
    for operands, word in ((manifest["operands"][1:], "the reference has no function for this type"),
                           ([dict(manifest["operands"][0], kind="thing")], "operand of no known kind"),
                           ([dict(manifest["operands"][0], name="a;b")], "invalid operand")):
        with open(f"{folder}/manifest.json", "w") as f:
            json.dump(dict(manifest, operands=operands), f)
        status, out, err = checked(tgc, folder, "--variant", "right", "--sizes", "1")
        expect(f"misfit: {word}", status == 1 and word in out + err, status, out, err)


def main():
    tgc = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as base:
        for test in in_their_turn((right_and_broken, as_printed, shapes, even_parts, misfits), 4):
            test(tgc, base)
    print(f"{len(complaints)} complaints" if complaints else "all as expected")
    sys.exit(1 if complaints else 0)


main()
