#!/usr/bin/env python3
"""elsewhere.py: random programs (run.py) that are compiled where tgc is, and checked on a machine with more processors,
which needs no more than a C++ compiler, Python and this repository.

    elsewhere.py compile TGC DIR [--programs N] [--seed S] [--jobs J] [--kinds PATTERN]
    elsewhere.py check DIR [--together T] [--jobs J] [--minutes M]

`compile' writes DIR/SEED/out for each of N programs that are not refused, and DIR/programs.json, which says how many
were: a refusal has others drawn, up to ten times N. `check' compares every variant with the witness; the codelets by themselves are left to run.py. After
M minutes no further ones are begun: how many were is printed. The exit status is 1 where a program goes wrong, or tgc
does, or none was checked.
"""
import argparse
import collections
import concurrent.futures
import itertools
import json
import os
import random
import shutil
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import batch  # noqa: E402
import grammar  # noqa: E402
import run  # noqa: E402

NOTE = "programs.json"


def compile_some(o, passes, seeds):
    """(seed, sizes, machine, how, words) of each."""
    done = []
    for seed in seeds:
        program = grammar.draw(seed)
        trial = run.Trial(os.path.abspath(o.tgc), os.path.join(o.folder, str(seed)), program, passes)
        how, words = trial.compiled(program.text)
        if how == "refused":
            shutil.rmtree(trial.folder, ignore_errors=True)
        done.append((seed, trial.sizes, trial.machine, how, words[:1500] if how not in ("ok", "refused") else ""))
    return done


def compile_all(o):
    passes = run.passes_of(o.tgc)
    if not passes:
        sys.exit("elsewhere: tgc does not say which passes there are")
    os.makedirs(o.folder)
    first = o.seed if o.seed is not None else random.SystemRandom().randrange(1 << 30)
    seeds = run.seeds_from(o, first)
    programs, outcomes = [], collections.Counter()
    with concurrent.futures.ProcessPoolExecutor(o.jobs) as pool:
        while len(programs) < o.programs and outcomes.total() < 10 * o.programs:
            some = list(itertools.islice(seeds, o.programs - len(programs)))
            turns = [pool.submit(compile_some, o, passes, some[i:i + 50]) for i in range(0, len(some), 50)]
            for turn in turns:
                for seed, sizes, machine, how, words in turn.result():
                    outcomes[how if how in ("ok", "refused") else "wrong"] += 1
                    if how == "ok":
                        programs.append({"seed": seed, "sizes": sizes, "machine": machine})
                    elif how != "refused":
                        print(f"seed {seed} for {machine}: {how}\n{words}", flush=True)
            if outcomes["wrong"]:
                break
    drawn = outcomes.total()
    with open(os.path.join(o.folder, NOTE), "w", encoding="utf-8") as f:
        json.dump({"first": first, "drawn": drawn, "refused": outcomes["refused"], "programs": programs}, f)
    print(f"elsewhere: seeds from {first}, {drawn} programs: {outcomes['ok']} compiled, {outcomes['refused']} refused, "
          f"{outcomes['wrong']} wrong")
    return 1 if outcomes["wrong"] else 0


def check_all(o):
    with open(os.path.join(o.folder, NOTE), encoding="utf-8") as f:
        note = json.load(f)
    base, end = tempfile.mkdtemp(prefix="tgc-random-"), time.monotonic() + o.minutes * 60
    checker, outcomes = batch.Checker(base, cxx=o.cxx), collections.Counter()
    programs = note["programs"]
    turns = [programs[i:i + o.together] for i in range(0, len(programs), o.together)]

    def turn(some):
        if time.monotonic() > end:
            return [(p, ("not begun", "")) for p in some]
        folders = [os.path.join(o.folder, str(p["seed"]), "out") for p in some]
        return list(zip(some, checker.check(folders, [p["sizes"] for p in some])))

    pool = concurrent.futures.ThreadPoolExecutor(o.jobs)
    open_ = [pool.submit(turn, some) for some in turns]
    try:
        for finished in concurrent.futures.as_completed(open_, max(1, end - time.monotonic() + o.grace)):
            for program, result in finished.result():
                how, words = result or ("not compiled", "")
                outcomes[how if how in ("ok", "not begun") else "wrong"] += 1
                if how not in ("ok", "not begun"):
                    print(f"seed {program['seed']} for {program['machine']}: {how}\n{words[:1500]}", flush=True)
    except concurrent.futures.TimeoutError:
        pass # what is open then has not been checked
    left = len(programs) - outcomes.total()
    shutil.rmtree(base, ignore_errors=True)
    print(f"elsewhere: seeds from {note['first']}, {note['drawn']} programs, {note['refused']} refused: {outcomes['ok']} agree, "
          f"{outcomes['wrong']} do not, {outcomes['not begun'] + left} were not begun or did not end; by {o.cxx}",
          flush=True)
    os._exit(1 if outcomes["wrong"] or not outcomes["ok"] else 0)  # without waiting for those that did not


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = a.add_subparsers(dest="verb", required=True)
    c = verbs.add_parser("compile")
    c.add_argument("tgc")
    c.add_argument("folder")
    c.add_argument("--programs", type=int, default=100)
    c.add_argument("--seed", type=int)
    c.add_argument("--kinds", metavar="PATTERN")
    c.add_argument("--jobs", type=int, default=os.cpu_count())
    d = verbs.add_parser("check")
    d.add_argument("folder")
    d.add_argument("--together", type=int, default=20)
    d.add_argument("--jobs", type=int, default=os.cpu_count())
    d.add_argument("--grace", type=float, default=600, help="seconds that those have that were begun")
    d.add_argument("--cxx", default="clang++-19" if shutil.which("clang++-19") else "g++", help="the C++ compiler")
    d.add_argument("--minutes", type=float, default=1e5)
    o = a.parse_args()
    o.folder = os.path.abspath(o.folder)
    return compile_all(o) if o.verb == "compile" else check_all(o)


if __name__ == "__main__":
    sys.exit(main())
