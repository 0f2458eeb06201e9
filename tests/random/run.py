#!/usr/bin/env python3
"""run.py TGC: random programs (grammar.py), each compiled for a machine drawn at random, with passes left out at
random, and checked: every variant, on the executor or natively, and every codelet by itself, against the witness.

    run.py TGC [--programs N] [--few F] [--seed S] [--jobs J] [--together T] [--minutes M] [--shrink] [--found] [--keep
    DIR]
               [--counts FILE] [--kinds PATTERN] [--drawn]

Seeds S, S + 1, .. are drawn, or those of them whose programs are of kinds like PATTERN; without --seed they are new in
each run, and printed. With --drawn nothing is compiled: what would be is counted. T programs are compiled in one unit
(batch.py); of these one goes by `tgc check', which runs its codelets by themselves too. Programs that some target
refuses do not count, and at least half of those drawn have to, where twenty or more are; the exit status is 1 where one
goes wrong, or too few compile. --counts writes how often each construct occurred, and for what was compiled.
"""
import argparse
import collections
import concurrent.futures
import glob
import itertools
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import batch  # noqa: E402
import grammar  # noqa: E402
import shrink  # noqa: E402
from drawn import LONG, drawn  # noqa: E402

MACHINES = ["sm_60", "sm_80", "sm_90", "avx2", "avx512"]
FEW = 20  # of so few programs any number may be refused


def passes_of(tgc):
    """Those that can be left out: tgc names them where it does not know one."""
    words = subprocess.run([tgc, "--without", "?", "none.cdl"], capture_output=True, text=True).stderr
    named = re.search(r"there are (.*)", words)
    return re.findall(r"[\w-]+", named.group(1)) if named else []


def sizes_of(r, constructs):
    """A few, around the lanes of a vector and of a block; many elements seldom, and none of loops in loops: for each of
    many parts these take their square, minutes on the executor. What is cut as a rectangle takes less, and blocks of it
    have 64 rows and columns."""
    sizes = [0, 1, 2, r.choice([31, 32, 33]), r.randint(3, 64), r.randint(65, 300)]
    most = (1300 if "three loops" in constructs else 9000) if "partition(A, i, j)" in constructs else 0 if "nested loop" in constructs else 1300
    if "lines written" in constructs: # several vectors of them at once, each of several elements
        return ",".join(map(str, sizes + [r.randint(301, 5000)]))
    many = r.random() < 0.4
    return ",".join(map(str, sizes + ([r.randint(301, most)] if many and most else [])))


class Trial:
    """One program on one machine."""

    def __init__(self, tgc, folder, program, passes):
        r = random.Random(program.seed * 7919 + 1)
        self.tgc, self.folder, self.program = tgc, folder, program
        self.machine = r.choice([m for m in MACHINES if m.startswith("sm") or "bfloat16" not in program.types])
        self.without = r.sample(passes, r.choice([0, 0, 1, 2])) if passes else []
        self.keep = r.choice(["1", "2", "2", "4"])
        self.sizes = sizes_of(r, program.constructs)
        self.out = os.path.join(folder, "out")

    def compile(self, text):
        os.makedirs(self.folder, exist_ok=True)
        source = os.path.join(self.folder, "p.cdl")
        with open(source, "w") as f:
            f.write(text)
        p = self.program
        command = [self.tgc, source, "--arch", self.machine, "--types", ",".join(p.types), "--keep", self.keep,
                   "--table", "none",
                   "-o", self.out]
        command += ["--operator", p.operator] if p.operator else []
        command += ["--without", ",".join(self.without)] if self.without else []
        shutil.rmtree(self.out, ignore_errors=True)
        return subprocess.run(command, capture_output=True, text=True, timeout=120)

    def compiled(self, text):
        """"ok", "refused", or what went wrong, and the words of it."""
        try:
            done = self.compile(text)
        except subprocess.TimeoutExpired:
            return "no end", ""
        if done.returncode < 0:
            return f"tgc ended by signal {-done.returncode}", done.stderr
        if "internal:" in done.stderr:
            return "tgc finds a fault of its own", done.stderr
        return ("refused" if done.returncode else "ok"), done.stderr

    def checked(self):
        """By `tgc check', which runs the codelets by themselves too."""
        try:
            done = subprocess.run([self.tgc, "check", self.out, "--plain", "--seeds", "1", "--orders", "1", "--sizes",
                                   self.sizes,
                                   "--jobs", "1"], capture_output=True, text=True, timeout=600)
        except subprocess.TimeoutExpired:
            return "no end", ""
        if done.returncode == 0:
            return "ok", ""
        words = done.stdout + done.stderr
        kind = re.search(r"^[0-9a-f]{8}: (\w+)|by itself: (wrong)|error: (.*?)[:,]", words, re.M)
        return "check: " + next((g for g in kind.groups() if g), "?") if kind else "check: ?", words

    def run(self, text):
        how, words = self.compiled(text)
        return self.checked() if how == "ok" else (how, words)

    def shrunk(self, how):
        return shrink.shrink(self.program.text, lambda text: self.run(text)[0] == how, tries=300)


def some(o, base, passes, checker, seeds):
    """The programs of these seeds: (program, trial, how, words) of each."""
    done, open_ = [], []
    for seed in seeds:
        program = grammar.draw(seed)
        trial = Trial(os.path.abspath(o.tgc), os.path.join(base, str(seed)), program, passes)
        how, words = trial.compiled(program.text)
        (open_ if how == "ok" else done).append((program, trial, how, words))
    alone = open_[:1] if len(open_) > 1 else []
    shared = open_[len(alone):]
    results = checker.check([x[1].out for x in shared], [x[1].sizes for x in shared])
    for (program, trial, *_), result in zip(alone + shared, [None] * len(alone) + results):
        done.append((program, trial, *(result or trial.checked())))
    for _, trial, how, _ in done:
        if how in ("ok", "refused") and not o.keep:
            shutil.rmtree(trial.folder, ignore_errors=True)
    return done


def found_before(o, base, checker):
    """Programs that once went wrong (found/*.cdl: `// for MACHINE, types A,B: what was wrong'), in the normal mode a
    few, drawn: names of those that do again.
    Those whose loops take the square of their elements (`.. types A,B, square: ..') have fewer in the normal mode."""
    trials, again = [], []
    there = sorted(glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "found", "*.cdl")))
    for path in drawn(there, 3, lambda path: os.path.splitext(os.path.basename(path))[0]):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        machine, types, square = re.match(r"// for (\w+), types ([\w,]+)(, square)?: ", text).groups()
        name = os.path.splitext(os.path.basename(path))[0]
        trial = Trial(os.path.abspath(o.tgc), os.path.join(base, name),
                      grammar.Program(0, "found", text, types.split(",")), [])
        trial.machine, trial.keep = machine, "3"
        trial.most = 390 if square and not LONG else 1030
        trials.append((name, trial, *trial.compiled(grammar.named_alone(text, name))))
    open_ = [(name, trial) for name, trial, how, _ in trials if how == "ok"]
    results = checker.check([t.out for _, t in open_], [f"0,1,2,31,33,130,{t.most}" for _, t in open_])
    checked = {name: result or trial.checked() for (name, trial), result in zip(open_, results)}
    for name, _, how, words in trials:
        how, words = checked.get(name, (how, words))
        if how != "ok":
            again.append(name)
            print(f"found/{name}.cdl: {how}\n{words[:1500]}", flush=True)
    return again


def seeds_from(o, first):
    """Without an end, of the kinds that are asked for."""
    return (s for s in itertools.count(first) if not o.kinds or re.search(o.kinds, grammar.draw(s).kind))


def chosen_seeds(o, first):
    seeds = list(itertools.islice(seeds_from(o, first), o.programs))
    return drawn(seeds, o.few) if o.few else seeds


def count_drawn(o, first):
    constructs, kinds, machines = (collections.Counter() for _ in range(3))
    for seed in itertools.islice(seeds_from(o, first), o.programs):
        program = grammar.draw(seed)
        constructs.update(program.constructs)
        kinds[program.kind] += 1
    write_counts(o.counts or "/dev/stdout", constructs, kinds, machines, o.programs, "that were drawn")
    return 0


def write_counts(path, constructs, kinds, machines, counted, how="that compiled"):
    with open(path, "w", encoding="utf-8") as f:
        f.write(f"Of {counted} random programs {how}, so many have each construct (tests/random/run.py --counts):\n\n")
        f.writelines(f"{constructs[name] / max(1, counted):8.1%}  {name}\n" for name in grammar.CONSTRUCTS)
        for what, counts in (("kinds", kinds), ("machines", machines)):
            f.write(f"\n{what}: " + ", ".join(f"{k} {n}" for k, n in sorted(counts.items())) + "\n")


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("tgc")
    a.add_argument("--programs", type=int, default=16)
    a.add_argument("--few", type=int, help="so many of these are drawn, but in the long mode")
    a.add_argument("--seed", type=int)
    a.add_argument("--jobs", type=int, default=os.cpu_count())
    a.add_argument("--together", type=int, default=12)
    a.add_argument("--minutes", type=float, help="after so many no further ones are drawn")
    a.add_argument("--until-wrong", action="store_true", help="end with the first that goes wrong")
    a.add_argument("--shrink", action="store_true")
    a.add_argument("--found", action="store_true", help="those that went wrong once too")
    a.add_argument("--keep")
    a.add_argument("--counts", metavar="FILE")
    a.add_argument("--kinds", metavar="PATTERN")
    a.add_argument("--drawn", action="store_true", help="nothing is compiled: what is drawn is counted")
    o = a.parse_args()
    first = o.seed if o.seed is not None else random.SystemRandom().randrange(1 << 30)
    if o.drawn:
        return count_drawn(o, first)
    base = o.keep or tempfile.mkdtemp(prefix="tgc-random-")
    passes = passes_of(o.tgc)
    if not passes:
        sys.exit("random: tgc does not say which passes there are")
    checker, end = batch.Checker(base), time.monotonic() + (o.minutes or 1e9) * 60
    outcomes, constructs, kinds, machines, refused = (collections.Counter() for _ in range(5))
    drawn, stop = 0, threading.Event()
    again = found_before(o, base, checker) if o.found else []

    def turn(seeds):
        return [] if stop.is_set() or time.monotonic() > end else some(o, base, passes, checker, seeds)

    each = max(1, min(o.together, -(-o.programs // o.jobs)))
    seeds = chosen_seeds(o, first)
    turns = [seeds[i:i + each] for i in range(0, len(seeds), each)]
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for done in pool.map(turn, turns):
            for program, trial, how, words in done:
                drawn += 1
                outcomes[how if how in ("ok", "refused") else "wrong"] += 1
                if how == "refused":
                    refused[program.kind] += 1
                    continue
                constructs.update(program.constructs)
                kinds[program.kind] += 1
                machines[trial.machine] += 1
                if how != "ok":
                    text = trial.shrunk(how) if o.shrink else program.text
                    print(f"seed {program.seed} for {trial.machine}, without {','.join(trial.without) or 'nothing'}, after {drawn}: {how}\n"
                          f"{words[:1500]}\n{text}", flush=True)
                    if o.until_wrong:
                        stop.set()
    if not o.keep:
        shutil.rmtree(base, ignore_errors=True)
    counted = outcomes["ok"] + outcomes["wrong"]
    print(f"random: seeds from {first}, {drawn} programs: {outcomes['ok']} agree, {outcomes['wrong']} do not, "
          f"{outcomes['refused']} refused" + (f" ({', '.join(f'{k} {n}' for k, n in refused.most_common())})" if refused else ""))
    if o.counts:
        write_counts(o.counts, constructs, kinds, machines, counted)
    return 1 if again or outcomes["wrong"] or (counted * 2 < drawn and drawn >= FEW) or not counted else 0


if __name__ == "__main__":
    sys.exit(main())
