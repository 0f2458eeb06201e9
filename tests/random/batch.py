"""batch.py: checks many small folders by few compilations: the texts of several are one unit (bench/harness_tables.py),
and the harness and the executor are compiled once for all. What it does with a folder is what `tgc check --plain` does
with it, but for the codelets by themselves.

A Checker keeps what is compiled once. Where a unit does not compile, `tgc check' says of its folders why."""
import filecmp
import os
import random
import re
import shutil
import subprocess
import sys
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "bench"))
from harness_tables import HARNESS, SIMT, entries, has_structs, link_words, manifest, prologue, references  # noqa: E402

EXECUTOR = ("atomics", "cluster", "copies", "fiber", "graph", "groups", "hooks", "launch", "memory", "report", "shadow", "together",
            "warp")
NATIVE = ("../native/openmp", "../native/gomp", "../native/kmpc")
SAME = ["-std=c++17", "-fPIE", "-w", "-fno-strict-aliasing", "-ffp-contract=off", "-I", f"{SIMT}/include", "-I", SIMT]
# As tgc check compiles what is its own (check_build.c, check_native.c), word for word: ccache has it once for both.
OWN = {False: ["clang++-19", "-std=c++17", "-fPIE", "-w", "-I", f"{SIMT}/include", "-I", SIMT, "-O2",
               "-fno-strict-aliasing", "-ffp-contract=off"],
       True: ["clang++-19", "-std=c++17", "-O2", "-fPIE", "-w", "-fno-strict-aliasing", "-ffp-contract=off",
              "-DTGC_NATIVE",
              "-I", SIMT, "-I", f"{SIMT}/include"]}
LINKER = ["-fuse-ld=lld"] if shutil.which("ld.lld") or shutil.which("ld.lld-19") else []
C_FLAGS = ["-std=c11", "-O1", "-fopenmp", "-fPIE", "-w", "-ffp-contract=off", "-fwrapv", '-DCGROUP=""', "-I",
           f"{SIMT}/../native/include"]


WITNESS = f"{ROOT}/witness"  # the headers that execute codelets, which each folder has a copy of


class Broken(Exception):
    """A command that failed: what it printed."""


def command(words, seconds=600, **how):
    done = subprocess.run(words, capture_output=True, text=True, timeout=seconds, **how)
    if done.returncode:
        raise Broken(" ".join(words[-3:]) + "\n" + done.stderr[:2000])


class Checker:
    def __init__(self, work, cxx="clang++-19", cc="gcc"):
        self.work, self.cxx, self.cc = work, cxx, cc
        self.kinds, self.lock, self.number = {}, threading.Lock(), 0
        how = ["CCACHE_DEPEND=1", "CCACHE_NOHASHDIR=1", "CCACHE_SLOPPINESS=pch_defines,time_macros"]
        self.cached = ["env", *how, "ccache"] if shutil.which("ccache") else []

    def harness(self, native):
        """Objects that every program is linked with, what units of its kind are compiled with, and their headers, compiled."""
        with self.lock:
            if native not in self.kinds:
                objects, folder = [], os.path.join(self.work, "native" if native else "simt")
                own = OWN[native] if shutil.which(OWN[native][0]) else [self.cxx, *OWN[native][1:]]
                os.mkdir(folder)
                for part in [f"check/{h}" for h in HARNESS] + list(NATIVE if native else EXECUTOR):
                    name = os.path.basename(part) + ".o"
                    plain = ["-DTGC_CHECK_PLAIN"] if part == "check/harness" and not native else []
                    command([*self.cached, *own, *plain, "-c", f"{SIMT}/{part}.cc", "-o", name, "-MD"], cwd=folder)
                    objects.append(os.path.join(folder, name))
                flags = SAME + (["-DTGC_NATIVE"] if native else [])
                headers = ["check/harness.h", f"{WITNESS}/entry.h",
                           *([] if native else [f"{SIMT}/include/cuda_runtime.h"])]
                before = [word for h in headers[:-1] for word in ("-include", h)]
                compiled = os.path.join(folder, "unit.pch") if "clang" in os.path.basename(self.cxx) else None
                if compiled:  # another compiler's are made and used in another way
                    command([*self.cached, self.cxx, *flags, "-O0", *before, "-x", "c++-header", headers[-1], "-o",
                             compiled,
                             "-Xclang", "-fno-pch-timestamp", "-MD"], cwd=folder)
                self.kinds[native] = objects, flags, compiled
            return self.kinds[native]

    def build(self, members):
        """A program of each; members: (folder, manifest), of one kind."""
        native = members[0][1].get("family") == "cpu"
        objects, flags, headers = self.harness(native)
        with self.lock:
            self.number += 1
            base = os.path.join(self.work, f"batch{self.number}")
        folders, owns = [f for f, _ in members], [f"f{i}_" for i in range(len(members))]
        with open(base + ".cc", "w") as to:
            to.write(prologue(folders))
            for (folder, m), own in zip(members, owns):
                to.write(references(folder, m, own) + entries(folder, m, m["variants"], own, drawn(folder)))
        begin = ["-include-pch", headers] if headers and all(map(has_our_witness, folders)) else []
        command([self.cxx, *flags, "-O0", *begin, "-c", base + ".cc", "-o", base + ".o"])
        programs, more = [], []
        for folder, m in members if native else []:
            for v in m["variants"]:
                more.append(os.path.join(folder, v["id"] + ".o"))
                command([self.cc, *C_FLAGS, *vectors(m), "-c", os.path.join(folder, v["file"]), "-o", more[-1]])
        for (folder, m), own in zip(members, owns):
            programs.append(os.path.join(folder, "harness"))
            command([self.cxx, "-pie", *LINKER, "-o", programs[-1], base + ".o", *more, *objects, "-pthread", "-lm",
                     *(f"-Wl,{w}" for w in link_words(own))])
        for suffix in (".cc", ".o"):
            os.unlink(base + suffix)
        return programs

    def run(self, program, m, sizes):
        """"ok", or what went wrong, and the words of it."""
        for v in m["variants"]:
            try:
                done = subprocess.run([program, v["id"], "1", "1", "60", *sizes.split(",")], capture_output=True,
                                      text=True, timeout=300)
            except subprocess.TimeoutExpired:
                return "no end", v["id"]
            bad = [line for line in done.stdout.splitlines() if line.startswith("fail")]
            runs = re.search(r"^done (\d+)", done.stdout, re.M)
            if bad or done.returncode or not runs or not int(runs.group(1)):
                how = bad[0].split()[1] if bad else "?"
                return f"check: {how}", f"{v['id']} {v['plan']}\n" + "\n".join(bad[:3]) + done.stderr[:500]
        return "ok", ""

    def check(self, folders, sizes):
        """What each folder gives with its sizes ("0,1,33"); None where `tgc check' has to say."""
        members, found = [(f, manifest(f)) for f in folders], {}
        alone = [x for x in members if has_structs(x[0])]
        kinds = [[x for x in members if x not in alone and (x[1].get("family") == "cpu") == native] for native in (False, True)]
        for some in [*filter(None, kinds), *([x] for x in alone)]:
            try:
                for (folder, m), program in zip(some, self.build(some)):
                    found[folder] = self.run(program, m, sizes[folders.index(folder)])
            except Broken:
                pass  # found has none of them
        return [found.get(f) for f in folders]


def has_our_witness(folder):
    names = ["number.h", "mathematics.h", "containers.h", "language.h", "lanes.h", "entry.h"]
    return filecmp.cmpfiles(WITNESS, f"{folder}/check", names, shallow=False)[0] == names


def drawn(folder):
    """Of seven folders in ten: what draws another number of lanes for its variants."""
    r = random.Random(os.path.basename(os.path.dirname(folder)))
    return r if r.random() < 0.7 else None


def vectors(m):
    """The machine's own, where this one has them; the text is portable."""
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        has = f.read()
    wanted = {"avx2": "avx2", "avx512": "avx512vl"}.get(m["machine"])
    return m["options"].split() if wanted and re.search(rf"\b{wanted}\b", has) else []
