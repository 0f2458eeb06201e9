#!/usr/bin/env python3
"""mutate.py: takes each barrier, fence and mask of correct kernels away, one at a time: does `tgc check' notice?
Of a cluster's barriers each half, and the order that an arrival gives; of posted results the marks and the waits.

  mutate.py TGC KERNELS GOLDEN     the hand-written kernels: survivors must be exactly those that GOLDEN lists
  mutate.py TGC --folder DIR [N]   a folder that tgc wrote, its first N variants: prints the survivors
  mutate.py TGC --clusters DIR     .. its variants with clusters: no mutant may survive
  mutate.py TGC --posts DIR        .. those that post results: none may survive

A mutant that survives is one whose synchronisation was not needed, or a gap of the executor: GOLDEN says which, a line
each: NAME: reason.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

CUTS = [
    (re.compile(r"__syncthreads\(\);"), ";", "syncthreads"),
    (re.compile(r"__syncwarp\(\);"), ";", "syncwarp"),
    (re.compile(r"__threadfence\(\);"), ";", "threadfence"),
    (re.compile(r"0xffffffff\b"), "0x7fffffff", "mask"),
]
CLUSTER_CUTS = [
    (re.compile(r"__cluster_barrier_arrive_relaxed\(\);"), ";", "relaxedarrive"),
    (re.compile(r"__cluster_barrier_arrive\(\);"), ";", "arrive"),
    (re.compile(r"__cluster_barrier_arrive\(\);"), "__cluster_barrier_arrive_relaxed();", "release"),
    (re.compile(r"__cluster_barrier_wait\(\);"), ";", "wait"),
]
POST_CUTS = [
    (re.compile(r"1ull << 32 \| "), "", "nomark"),
    (re.compile(r"put_word\(&posts\[place \* words \+ k\], 0\);"), ";", "noclear"),
    (re.compile(r"while \(word >> 32 == 0\)"), "while (false)", "nowait"),
    (re.compile(r"atomicInc\(begun, blocks - 1\) == blocks - 1"), "atomicInc(begun, blocks - 1) != blocks - 1",
     "notlast"),
    (re.compile(r"atomicInc\(begun, blocks - 1\) == blocks - 1"), "atomicAdd(begun, 1u) == blocks - 1", "nowrap"),
    (re.compile(r"atomicInc\(begun, blocks - 1\) == blocks - 1"), "atomicInc(begun, blocks - 1) == 0", "first"),
    # The result is posted before the block's others have added theirs; or twice, and too early.
    (re.compile(r"__syncthreads\(\);\n( *if \(thread == 0\)\n *post\(.*\);)"), r"\1\n  __syncthreads();", "early"),
    (re.compile(r"(begun_last = begins_last\(.*\);)"), r"{ \1 post(posts, block, T(0)); }", "twice"),
]
# Lanes that read what they themselves put there.
NEEDLESS = re.compile(r"\n *;\n *for \(Index i\d* = thread_begin\d*; i\d* < p; i\d* \+= threads\)\n"
                      r" *accum\d* \+= parts\[")
REFERENCE = """#include <stdint.h>
extern "C" void sum_reference_int(const int *in, uint64_t n, int *out) {
  int total = 0;
  for (uint64_t i = 0; i < n; i++) total += in[i];
  *out = total;
}
"""
EMPTY = dict(plan="", letter=None, category="mutant", determinism="not_guaranteed", determinism_why=None,
             kernels=1, launches=[], levels=[],
             choices=[], atomics=[], shuffles=0, barriers=dict(warp=0, block=0),
             workspace=None, tunables=[], configurations_macro="", text_hash="", codelets=[],
             tree=[], dot="")


def mutants(name, text, cuts):
    """The text itself, and with one cut: (name of the mutant, text)."""
    yield name, text
    for pattern, instead, what in cuts:
        for match in pattern.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            yield f"{name}_{what}_{line}", text[: match.start()] + match.expand(instead) + text[match.end():]


def write(folder, spectrum, machine, operator, variants, head=0):
    """variants: (id, text, {type: function}); head: bytes of a workspace that are zero before a call and after it."""
    os.makedirs(f"{folder}/variants")
    rows = []
    for id, text, functions in variants:
        open(f"{folder}/variants/{id}.cu", "w").write(text)
        rows.append(dict(EMPTY, id=id, file=f"variants/{id}.cu", functions=functions))
    manifest = dict(version=1, generator="tgc", spectrum=spectrum, operator=operator, source="kernels", machine=machine,
                    workspace_head=head, types=["int"], dispatch=[], variants=rows)
    json.dump(manifest, open(f"{folder}/manifest.json", "w"))


def failed(tgc, folder, ids, sizes="1,33,1000,5000"):
    """The ids of which `tgc check' says something, with the kinds of failure."""
    done = subprocess.run([tgc, "check", folder, "--sizes", sizes, "--seeds", "3", "--all"], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode not in (0, 1) or "variants of" not in done.stdout:
        sys.exit(f"tgc check: status {done.returncode}\n{done.stdout}{done.stderr}")
    found = {}
    for line in done.stdout.splitlines():
        match = re.match(r"(\w+): (\w+)", line)
        if match and match.group(1) in ids:
            found.setdefault(match.group(1), set()).add(match.group(2))
    return found


def hand_written(tgc, kernels, golden, folder):
    variants, originals = [], []
    for file in sorted(os.listdir(kernels)):
        name = file[: -len(".cu")]
        originals.append(name)
        for id, text in mutants(name, open(f"{kernels}/{file}").read(), CUTS + CLUSTER_CUTS):
            variants.append((id, re.sub(rf"\bsum_{name}(?=\b|_int)", f"sum_{id}", text), {"int": f"sum_{id}_int"}))
    write(folder, "sum", "sm_60", "add", variants)
    os.mkdir(f"{folder}/check")
    open(f"{folder}/check/reference.cc", "w").write(REFERENCE)
    ids = [id for id, _, _ in variants]
    found = failed(tgc, folder, ids)
    survivors = [id for id in ids if id not in found and id not in originals]
    wrong = [f"false alarm: {id}: {found[id]}" for id in originals if id in found]
    wrong += [f"does not compile: {id}" for id in ids if "compile" in found.get(id, ())]
    known = dict(line.rstrip("\n").split(": ", 1) for line in open(golden) if line.strip() and line[0] != "#")
    wrong += [f"survived: {id}" for id in survivors if id not in known]
    wrong += [f"listed as a survivor, but found: {id}" for id in known if id not in survivors]
    print(f"{len(ids) - len(originals)} mutants, {len(survivors)} survivors, {len(originals)} originals")
    return wrong


def emitted(tgc, source, chosen, cuts, folder, **options):
    """`chosen': which rows of the manifest. Gives false alarms and survivors."""
    manifest = json.load(open(f"{source}/manifest.json"))
    spectrum, variants, originals = manifest["spectrum"], [], []
    for row in chosen(manifest["variants"]):
        if "int" not in row["functions"]:
            sys.exit("the folder has no functions for int")
        originals.append(row["id"])
        for id, text in mutants(row["id"], open(f"{source}/{row['file']}").read(), cuts):
            text = text.replace(f"{spectrum}_{row['id']}", f"{spectrum}_{id}").replace(
                f"{spectrum}_{row['id']}".upper(), f"{spectrum}_{id}".upper())
            variants.append((id, text, {"int": f"{spectrum}_{id}_int"}))
    write(folder, spectrum, manifest["machine"], manifest["operator"], variants, manifest["workspace_head"])
    shutil.copytree(f"{source}/check", f"{folder}/check")
    ids = [id for id, _, _ in variants]
    found = failed(tgc, folder, ids, **options)
    survivors = [(id, text) for id, text, _ in variants if id not in found and id not in originals]
    for id, text in survivors:
        line = int(id.rsplit("_", 1)[1])
        around = text.splitlines()[max(0, line - 3): line + 2]
        print(f"survived: {id}\n" + "".join(f"    {t}\n" for t in around))
    print(f"{len(ids) - len(originals)} mutants, {len(survivors)} survivors, {len(originals)} originals")
    wrong = [f"false alarm: {id}: {found[id]}" for id in originals if id in found]
    wrong += [f"does not compile: {id}" for id in ids if "compile" in found.get(id, ())]
    return wrong, survivors


def all_die(tgc, source, kind, is_meant, cuts, folder, **options):
    wrong, survivors = emitted(tgc, source, lambda rows: [row for row in rows if is_meant(row)], cuts, folder,
                               **options)
    if not os.listdir(f"{folder}/variants"):
        wrong.append(f"no variant has {kind}")
    needless = [id for id, text in survivors if "_syncthreads_" in id and NEEDLESS.search(text)]
    if needless:
        print(f"{len(needless)} survivors lack a barrier that orders nothing")
    return wrong + [f"survived: {id}" for id, _ in survivors if id not in needless]


def clusters(tgc, source, folder):
    return all_die(tgc, source, "clusters", lambda row: "cluster" in row["levels"], CUTS + CLUSTER_CUTS, folder)


def posts(tgc, source, folder):
    return all_die(tgc, source, "posts", lambda row: "!post" in row["plan"], CUTS + POST_CUTS, folder,
                   sizes="1,33,5000,30000,40000,40001,50000")


def main():
    arguments = sys.argv[1:]
    with tempfile.TemporaryDirectory() as base:
        folder = f"{base}/mutants"
        os.mkdir(folder)
        if len(arguments) >= 3 and arguments[1] == "--folder":
            count = int(arguments[3]) if len(arguments) > 3 else 10
            wrong, _ = emitted(arguments[0], arguments[2], lambda rows: rows[:count], CUTS + CLUSTER_CUTS, folder)
        elif len(arguments) == 3 and arguments[1] == "--clusters":
            wrong = clusters(arguments[0], arguments[2], folder)
        elif len(arguments) == 3 and arguments[1] == "--posts":
            wrong = posts(arguments[0], arguments[2], folder)
        elif len(arguments) == 3:
            wrong = hand_written(*arguments, folder)
        else:
            sys.exit(__doc__)
    for line in wrong:
        print(line)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
