#!/usr/bin/env python3
"""run.py TGC: random programs (grammar.py), each compiled for a machine drawn at random, with passes left out at random, and
checked: every variant, on the executor or natively, and every codelet by itself, against the witness.

    run.py TGC [--programs N] [--seed S] [--jobs J] [--shrink] [--keep DIR] [--counts]

Seeds S, S + 1, .. are drawn; without --seed they are new in each run, and printed. Programs that some target refuses do not
count, and at least half of those drawn have to, where twenty or more are; the exit status is 1 where one goes wrong, or too few compile.
"""
import argparse
import collections
import concurrent.futures
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import grammar  # noqa: E402
import shrink  # noqa: E402

MACHINES = ["sm_60", "sm_80", "sm_90", "avx2", "avx512"]
PASSES = ["hoist", "shuffles", "reduce", "narrow", "fuse", "blend", "overlap", "collective"]
SIZES = "0,1,2,31,33,130,1030"
FEW = 20  # of so few programs any number may be refused


def passes_of(tgc):
    """Those that can be left out, as tgc knows them."""
    return [p for p in PASSES if subprocess.run([tgc, "--without", p, "--help"], capture_output=True).returncode == 0]


class Trial:
    """One program on one machine."""

    def __init__(self, tgc, folder, program, passes):
        r = random.Random(program.seed * 7919 + 1)
        self.tgc, self.folder, self.program = tgc, folder, program
        self.machine = r.choice(MACHINES)
        self.without = r.sample(passes, r.choice([0, 0, 1, 2])) if passes else []
        self.keep = r.choice(["2", "4"])

    def compile(self, text):
        os.makedirs(self.folder, exist_ok=True)
        source = os.path.join(self.folder, "p.cdl")
        with open(source, "w") as f:
            f.write(text)
        p = self.program
        command = [self.tgc, source, "--arch", self.machine, "--types", ",".join(p.types), "--keep", self.keep, "--table", "none",
                   "-o", os.path.join(self.folder, "out")]
        command += ["--operator", p.operator] if p.operator else []
        command += ["--without", ",".join(self.without)] if self.without else []
        shutil.rmtree(os.path.join(self.folder, "out"), ignore_errors=True)
        return subprocess.run(command, capture_output=True, text=True, timeout=120)

    def run(self, text):
        """"ok", "refused", or what went wrong, and the words of it."""
        try:
            done = self.compile(text)
            if done.returncode < 0:
                return f"tgc ended by signal {-done.returncode}", done.stderr
            if "internal:" in done.stderr:
                return "tgc finds a fault of its own", done.stderr
            if done.returncode:
                return "refused", done.stderr
            done = subprocess.run([self.tgc, "check", os.path.join(self.folder, "out"), "--plain", "--seeds", "1", "--orders", "1",
                                   "--sizes", SIZES, "--jobs", "1"], capture_output=True, text=True, timeout=600)
        except subprocess.TimeoutExpired:
            return "no end", ""
        if done.returncode == 0:
            return "ok", ""
        words = done.stdout + done.stderr
        kind = re.search(r"^[0-9a-f]{8}: (\w+)|by itself: (wrong)|error: (.*?)[:,]", words, re.M)
        return "check: " + next((g for g in kind.groups() if g), "?") if kind else "check: ?", words

    def shrunk(self, how):
        return shrink.shrink(self.program.text, lambda text: self.run(text)[0] == how, tries=150)


def one(arguments):
    tgc, base, seed, passes, small = arguments
    program = grammar.draw(seed)
    trial = Trial(tgc, os.path.join(base, str(seed)), program, passes)
    how, words = trial.run(program.text)
    text = trial.shrunk(how) if small and how not in ("ok", "refused") else program.text
    if how in ("ok", "refused"):
        shutil.rmtree(trial.folder, ignore_errors=True)
    return program, trial, how, words, text


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("tgc")
    a.add_argument("--programs", type=int, default=16)
    a.add_argument("--seed", type=int)
    a.add_argument("--jobs", type=int, default=os.cpu_count())
    a.add_argument("--shrink", action="store_true")
    a.add_argument("--keep")
    a.add_argument("--counts", action="store_true")
    o = a.parse_args()
    first = o.seed if o.seed is not None else random.SystemRandom().randrange(1 << 30)
    base = o.keep or tempfile.mkdtemp(prefix="tgc-random-")
    passes = passes_of(o.tgc)
    outcomes, constructs, kinds = collections.Counter(), collections.Counter(), collections.Counter()
    jobs = [(os.path.abspath(o.tgc), base, first + i, passes, o.shrink) for i in range(o.programs)]
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for program, trial, how, words, text in pool.map(one, jobs):
            outcomes["wrong" if how not in ("ok", "refused") else how] += 1
            if how == "refused":
                kinds[program.kind] += 1
            else:
                constructs.update(program.constructs)
            if how not in ("ok", "refused"):
                print(f"seed {program.seed} for {trial.machine}, without {','.join(trial.without) or 'nothing'}: {how}\n"
                      f"{words[:1500]}\n{text}", flush=True)
    if not o.keep:
        shutil.rmtree(base, ignore_errors=True)
    counted = outcomes["ok"] + outcomes["wrong"]
    print(f"random: seeds {first} to {first + o.programs - 1}: {outcomes['ok']} agree, {outcomes['wrong']} do not, "
          f"{outcomes['refused']} refused" + (f" ({', '.join(f'{k} {n}' for k, n in kinds.most_common())})" if kinds else ""))
    if o.counts:
        for name in grammar.CONSTRUCTS:
            print(f"{constructs[name] / max(1, counted):8.1%}  {name}")
    return 1 if outcomes["wrong"] or (counted * 2 < o.programs and o.programs >= FEW) or not counted else 0


if __name__ == "__main__":
    sys.exit(main())
