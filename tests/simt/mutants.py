"""Mutants: a kernel with one of its lines cut, written into a folder as tgc writes one, and checked there by `tgc check'.

A mutant a construct: a cut is made in the first kernel that has its lines, and of these cuts in kernels that tgc wrote
a fifth is drawn anew in each run; with TGC_LONG=1 in every kernel, and all.
"""
import collections
import json
import os
import re
import shutil
import string
import subprocess
import sys

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from cuts import CLUSTER_CUTS, CUTS, NEEDLESS, UNMET
from drawn import LONG, drawn

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

def mutants(name, text, cuts, made=None):
    """The text itself, and with one cut: (name of the mutant, text). `made': the lines cut in other kernels, with
    those around, which are not cut again."""
    yield name, text
    for pattern, instead, what in cuts:
        at = collections.Counter()  # several may be in one line
        for match in pattern.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            here = (what, *map(str.strip, text.splitlines()[line - 2: line + 1]))
            if made is not None and here in made[0]:
                continue
            if made is not None:
                made[1].add(here)
            at[line] += 1
            yield f"{name}_{what}_{line}" + chr(ord("a") + at[line] - 2) * (at[line] > 1), text[: match.start()] + match.expand(instead) + text[match.end():]


def write(folder, spectrum, machine, operator, variants, head=0, type="int", **more):
    """variants: (id, text, {type: function}); head: bytes of a workspace that are zero before a call and after it;
    more: what else the manifest says, where it is no reduction."""
    os.makedirs(f"{folder}/variants")
    rows = []
    for id, text, functions in variants:
        open(f"{folder}/variants/{id}.cu", "w").write(text)
        rows.append(dict(EMPTY, id=id, file=f"variants/{id}.cu", functions=functions))
    manifest = dict(version=1, generator="tgc", spectrum=spectrum, operator=operator, source="kernels", machine=machine,
                    workspace_head=head, types=[type], dispatch=[], variants=rows, **more)
    json.dump(manifest, open(f"{folder}/manifest.json", "w"))


def checked(tgc, folder, ids, sizes, seeds, timeout):
    done = subprocess.run([tgc, "check", folder, "--no-codelets", "--sizes", sizes, "--seeds", seeds, "--all",
                           "--timeout",
                           timeout], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode not in (0, 1) or "variants of" not in done.stdout:
        sys.exit(f"tgc check: status {done.returncode}\n{done.stdout}{done.stderr}")
    found = {}
    for line in done.stdout.splitlines():
        match = re.match(r"(\w+): (\w+)", line)
        if match and match.group(1) in ids:
            found.setdefault(match.group(1), set()).add(match.group(2))
    return found


def failed(tgc, folder, ids, originals, sizes="1,33,1000,5000", seeds="3", timeout="60"):
    """The ids of which `tgc check' says something, with the kinds of failure. Most are noticed with the first seed: the
    others alone get more, but in the long mode. `timeout': seconds that a call may take, also one that waits
    forever."""
    if LONG:
        return checked(tgc, folder, ids, sizes, seeds, timeout)
    found = checked(tgc, folder, ids, sizes, "1", timeout)
    path = f"{folder}/manifest.json"
    manifest = json.load(open(path))
    rest = [row for row in manifest["variants"] if row["id"] not in found and row["id"] not in originals]
    if rest:
        json.dump(dict(manifest, variants=rest), open(path, "w"))
        found.update(checked(tgc, folder, ids, sizes, seeds, timeout))
    return found


def hand_written(tgc, kernels, golden, folder):
    variants, originals, made = [], [], set()
    for file in sorted(os.listdir(kernels)):
        name = file[: -len(".cu")]
        originals.append(name)
        before = None if LONG else (made.copy(), made)
        for id, text in mutants(name, open(f"{kernels}/{file}").read(), CUTS + CLUSTER_CUTS, before):
            variants.append((id, re.sub(rf"\bsum_{name}(?=\b|_int)", f"sum_{id}", text), {"int": f"sum_{id}_int"}))
    write(folder, "sum", "sm_60", "add", variants)
    os.mkdir(f"{folder}/check")
    open(f"{folder}/check/reference.cc", "w").write(REFERENCE)
    ids = [id for id, _, _ in variants]
    found = failed(tgc, folder, ids, originals)
    survivors = [id for id in ids if id not in found and id not in originals]
    wrong = [f"false alarm: {id}: {found[id]}" for id in originals if id in found]
    wrong += [f"does not compile: {id}" for id in ids if "compile" in found.get(id, ())]
    known = dict(line.rstrip("\n").split(": ", 1) for line in open(golden) if line.strip() and line[0] != "#")
    wrong += [f"survived: {id}" for id in survivors if id not in known]
    wrong += [f"listed as a survivor, but found: {id}" for id in known if id in found]
    wrong += [f"listed as a survivor, but not made: {id}" for id in known if LONG and id not in ids]
    print(f"{len(ids) - len(originals)} mutants, {len(survivors)} survivors, {len(originals)} originals")
    return wrong


def emitted(tgc, source, chosen, common, own, folder, once=False, few=False, small=None, blocks=None, **options):
    """`chosen': which rows of the manifest; `own': cuts beside the common ones, each of which finds its lines in at
    least one of the kernels, in each run; `once': text that kernels share is cut in one of them in the long mode too;
    `few': no mutants are left out; `small', `blocks': another configuration than the variants' own, other numbers of blocks.
    Gives what is wrong, as false alarms, and survivors."""
    made, once = set(), once or not LONG
    manifest = json.load(open(f"{source}/manifest.json"))
    spectrum, variants, originals, type = manifest["spectrum"], [], [], manifest["types"][0]
    stale = list(own)
    for row in chosen(manifest["variants"]):
        originals.append(row["id"])
        before = (made.copy(), made) if once else None
        original = open(f"{source}/{row['file']}").read()
        stale = [cut for cut in stale if not cut[0].search(original)]
        if small:
            original = re.sub(r"(_CONFIGURATIONS\(C\)) C\(.*\)", rf"\1 {small}", original)
        if blocks:
            original = re.sub(r"(c->blocks \? c->blocks : )\d+", rf"\g<1>{blocks}", original)
            original = re.sub(r"(#define ROW\(.*\) \{THREADS, LOADS, )\d+", rf"\g<1>{blocks}", original)
        for id, text in mutants(row["id"], original, common + own, before):
            text = text.replace(f"{spectrum}_{row['id']}", f"{spectrum}_{id}").replace(
                f"{spectrum}_{row['id']}".upper(), f"{spectrum}_{id}".upper())
            variants.append((id, text, {type: f"{spectrum}_{id}_{type}"}))
    if not LONG and not few:
        cut = [v for v in variants if v[0] not in originals]
        cut = drawn(cut, (len(cut) + 4) // 5, lambda v: v[0])
        originals = [id for id in originals if any(v[0].startswith(f"{id}_") for v in cut)]
        variants = [v for v in variants if v[0] in originals] + cut
    write(folder, spectrum, manifest["machine"], manifest["operator"], variants, manifest["workspace_head"], type,
          **{key: manifest[key] for key in ("exact", "operands") if key in manifest})
    shutil.copytree(f"{source}/check", f"{folder}/check")
    ids = [id for id, _, _ in variants]
    found = failed(tgc, folder, ids, originals, **options)
    survivors = [(id, text) for id, text, _ in variants if id not in found and id not in originals]
    for id, text in survivors:
        line = int(id.rsplit("_", 1)[1].rstrip(string.ascii_lowercase))
        around = text.splitlines()[max(0, line - 3): line + 2]
        print(f"survived: {id}\n" + "".join(f"    {t}\n" for t in around))
    print(f"{len(ids) - len(originals)} mutants, {len(survivors)} survivors, {len(originals)} originals")
    wrong = [f"no kernel has what `{what}' cuts: {pattern.pattern}" for pattern, _, what in stale]
    wrong += [f"false alarm: {id}: {found[id]}" for id in originals if id in found]
    wrong += [f"does not compile: {id}" for id in ids if "compile" in found.get(id, ())]
    return wrong, survivors


def all_die(tgc, source, kind, is_meant, common, own, folder, **options):
    wrong, survivors = emitted(tgc, source, lambda rows: [row for row in rows if is_meant(row)], common, own, folder,
                               **options)
    if not os.listdir(f"{folder}/variants"):
        wrong.append(f"no variant has {kind}")
    needless = [id for id, text in survivors if "_syncthreads_" in id and NEEDLESS.search(text) or
                "_nomeeting_" in id and UNMET.search(text)]
    if needless:
        print(f"{len(needless)} survivors lack a barrier that orders nothing")
    return wrong + [f"survived: {id}" for id, _ in survivors if id not in needless]
