#!/usr/bin/env python3
"""What `tgc check --device' does, in two halves: built where nvcc is, run where the GPU is.

    bench/gpu_harness.py build DIR [DIR ..] [--arch ARCH]    makes DIR/gpu_harness (sm_90); needs no GPU
    bench/gpu_harness.py run DIR [DIR ..] [--sizes A,B,..] [--seeds N] [--jobs N]
                                                             compares every variant with the sequential codelet: a line
                                                             for each failure and each folder; status 1 if any failed

Folders of few variants, whose spectra have different names, are compiled several at once.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

from harness_tables import HARNESS, SIMT, constants, entries, has_structs, link_words, manifest, prologue, references

SIZES = "0,1,2,31,33,255,1025,4097,65537,1000003,33554431"
ORDERS, TIMEOUT = "2", "60"
A_UNIT, FEW, TOGETHER = 8, 4, 8  # variants of a unit; of a folder that shares one; folders that do


class Compiler:
    def __init__(self, work, arch, pool):
        self.work, self.arch, self.pool = work, arch, pool
        self.harness = [self.compile(f"{part}.cc", f'#include "{SIMT}/check/{part}.cc"\n') for part in HARNESS]

    def compile(self, name, text, device=False):
        """A future of the object."""
        source, out = os.path.join(self.work, name), os.path.join(self.work, name + ".o")
        with open(source, "w") as f:
            f.write(text)
        kind = ["-x", "cu"] if device else ["-Xcompiler", "-ffp-contract=off"]
        words = ["nvcc", "-std=c++17", "-O2", "-arch", self.arch, "-I", SIMT, *kind, "-c", source, "-o", out]
        return self.pool.submit(lambda: subprocess.run(words, check=True) and out)

    def link(self, folder, objects, symbols):
        words = [w for s in symbols for w in ("-Xlinker", s)]
        subprocess.run(["nvcc", "-arch", self.arch, *(o.result() for o in [*objects, *self.harness]), *words,
                        "-o", os.path.join(folder, "gpu_harness")], check=True)


def alone(c, number, folder, m):
    """A folder of any number of variants; its program, once its units are compiled."""
    objects = [c.compile(f"r{number}.cc", prologue([folder]) + references(folder, m))]
    units, variants = [], m["variants"]
    for i in range(0, len(variants), A_UNIT):
        some = variants[i:i + A_UNIT]
        units.append((f"u{i}_entries", sum(len(v["functions"]) for v in some)))
        objects.append(c.compile(f"v{number}_{i}.cu", prologue([folder]) + entries(folder, m, some, f"u{i}_"), True))
    # One table of all units' rows: constant data, copied when the program starts.
    total = sum(rows for _, rows in units)
    text = '#include "check/harness.h"\n#include <string.h>\nnamespace check {\n'
    text += "".join(f"extern const Entry {u}[];\n" for u, _ in units)
    text += (f"alignas(Entry) char all_entries[{total} * sizeof(Entry)];\nstruct Fill {{ Fill() {{\n"
             "  char *to = all_entries;\n")
    for u, rows in units:
        text += f"  memcpy(to, {u}, {rows} * sizeof(Entry)); to += {rows} * sizeof(Entry);\n"
    text += "} };\nFill fill;\n}\n" + constants(("int entry_count", total))
    objects.append(c.compile(f"t{number}.cc", text))
    return lambda: c.link(folder, objects, ["--defsym=_ZN5check7entriesE=_ZN5check11all_entriesE"])


def together(c, number, members):
    """Several folders in one unit; a program of each."""
    owns = [f"f{i}_" for i in range(len(members))]
    folders = [folder for folder, _ in members]
    host = prologue(folders) + "".join(references(f, m, own) for (f, m), own in zip(members, owns))
    device = prologue(folders) + "".join(entries(f, m, m["variants"], own) for (f, m), own in zip(members, owns))
    objects = [c.compile(f"m{number}.cc", host), c.compile(f"n{number}.cu", device, True)]
    return [lambda f=f, own=own: c.link(f, objects, link_words(own)) for f, own in zip(folders, owns)]


def groups(members):
    """Those that may share a unit, few at a time, each name once."""
    made = []
    for folder, m in members:
        at = next((g for g in made if len(g) < TOGETHER and all(m["spectrum"] != o["spectrum"] for _, o in g)), None)
        if at is None:
            made.append(at := [])
        at.append((folder, m))
    return made


def build(folders, arch):
    """True if all were built."""
    members = [(folder, manifest(folder)) for folder in folders]
    few = [x for x in members if len(folders) > 1 and len(x[1]["variants"]) <= FEW and not has_structs(x[0])]
    built = 0
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as linkers:
        c = Compiler(work, arch, pool)
        links = [alone(c, i, *x) for i, x in enumerate(members) if x not in few]
        for i, group in enumerate(groups(few)):
            links += together(c, i, group)
        for done in [linkers.submit(link) for link in links]:
            try:
                done.result()
                built += 1
            except subprocess.CalledProcessError as e:
                print(f"gpu_harness: {' '.join(e.cmd[-3:])} failed", flush=True)
    print(f"built {built} of {len(folders)} for {arch}: {sum(len(m['variants']) for _, m in members)} variants")
    return built == len(folders)


def run(folders, sizes, seeds, jobs):
    """How many variants failed, said line by line."""
    def one(folder, v):
        program = os.path.join(folder, "gpu_harness")
        return subprocess.run([program, v["id"], seeds, ORDERS, TIMEOUT, *sizes], text=True, capture_output=True)

    all_failed = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        started = []
        for folder in folders:
            m = manifest(folder)
            started.append((m, [pool.submit(one, folder, v) for v in m["variants"]]))
        for m, done in started:
            failed, runs = 0, 0
            for v, future in zip(m["variants"], done):
                try:
                    d = future.result()
                except OSError as e:
                    sys.exit(f"gpu_harness: {e}")
                bad = [line for line in d.stdout.splitlines() if line.startswith("fail")]
                ended = re.search(r"^done (\d+)", d.stdout, re.M)
                count = int(ended.group(1)) if ended else 0
                runs += count
                if bad or not count or d.returncode:
                    failed += 1
                    print(v["id"], v["plan"], *(bad[:2] or [f"status {d.returncode}", d.stderr[-300:]]), sep="\n  ")
            print(f"{m['spectrum']}: {len(m['variants']) - failed} of {len(m['variants'])} variants passed in {runs} "
                  f"runs ({', '.join(m['types'])})", flush=True)
            all_failed += failed
    return all_failed


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("verb", choices=("build", "run"))
    p.add_argument("folders", nargs="+", metavar="DIR")
    p.add_argument("--arch", default="sm_90")
    p.add_argument("--sizes", default=SIZES)
    p.add_argument("--seeds", default="2")
    p.add_argument("--jobs", type=int, default=min(16, os.cpu_count()))
    a = p.parse_args()
    folders = [os.path.abspath(f) for f in a.folders]
    if a.verb == "build":
        return 0 if build(folders, a.arch) else 1
    return 1 if run(folders, a.sizes.split(","), a.seeds, a.jobs) else 0


if __name__ == "__main__":
    sys.exit(main())
