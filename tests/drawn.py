"""Of many cases that are alike the normal mode takes a few, drawn anew in each run; the long mode (TGC_LONG=1) takes
all. What is drawn is printed with its seed: TGC_SEED=.. draws the same again.

As a program, for ctest's entries that take turns: drawn.py NAME BUDGET "NAME=SECONDS NAME=SECONDS .." COMMAND.. runs
the command if NAME is among those that are drawn. Only scripts/test.sh's entries have a seed in common: without
TGC_SEED, as where one entry is run by hand, each one runs."""
import os, random, sys

LONG = os.environ.get("TGC_LONG") == "1"
SHARED = "TGC_SEED" in os.environ
SEED = os.environ.setdefault("TGC_SEED", str(random.SystemRandom().randrange(1000000)))
ALL_SKIPPED = 77


def kept(cases, chosen, name):
    print(f"drawn with TGC_SEED={SEED}: {', '.join(name(cases[i]) for i in sorted(chosen)) or 'none'}", flush=True)
    return [cases[i] for i in sorted(chosen)]


def random_of(cases, name):
    return random.Random(f"{SEED} {[name(case) for case in cases]}")


def drawn(cases, n, name=str):
    """`n' of the cases, in their order; `name' is what is printed of each."""
    cases = list(cases)
    if LONG or n >= len(cases):
        return cases
    return kept(cases, random_of(cases, name).sample(range(len(cases)), n), name)


def afforded(cases, budget, seconds, name=str):
    """Of the cases, in their order, as many as take no more than `budget' processor seconds, by what `seconds' says of
    each. If the first that is drawn takes more it runs alone: one of twice the budget in every second run, so that each
    has its turn, and the mean of all runs keeps to the budget. Where one entry is run by hand, it runs in any case."""
    cases = list(cases)
    if LONG or sum(map(seconds, cases)) <= budget:
        return cases
    r, chosen, left = random_of(cases, name), [], budget
    for i in r.sample(range(len(cases)), len(cases)):
        if seconds(cases[i]) <= left:
            chosen.append(i)
            left -= seconds(cases[i])
        elif left == budget:
            if not SHARED or r.random() < budget / seconds(cases[i]):
                chosen.append(i)
            left = 0
    return kept(cases, chosen, name)


def by_turns(seconds):
    """Marks a test that takes so many processor seconds, to be drawn with others (`in_their_turn')."""
    def mark(test):
        test.seconds = seconds
        return test
    return mark


def in_their_turn(tests, budget):
    """The tests, which are functions, that run: those that are not marked, and of the others as many as the budget
    affords. What does not run is told as skipped."""
    name = lambda test: test.__name__
    marked = [test for test in tests if hasattr(test, "seconds")]
    left_out = set(marked) - set(afforded(marked, budget, lambda test: test.seconds, name))
    for test in tests:
        if test in left_out:
            print(f"{name(test)}: skipped: others were drawn", flush=True)
    return [test for test in tests if test not in left_out]


def is_drawn(entry, budget, seconds):
    """Whether an entry is among those afforded of a dictionary of entries and their seconds."""
    return not SHARED or entry in afforded(seconds, budget, seconds.get)


def main():
    entry, budget, entries, *command = sys.argv[1:]
    seconds = {name: float(s) for name, s in (word.split("=") for word in entries.split())}
    if entry not in seconds:
        sys.exit(f"drawn: {entry} is none of {entries}")
    if not is_drawn(entry, float(budget), seconds):
        print(f"{entry}: skipped: others were drawn")
        sys.exit(ALL_SKIPPED)
    sys.stdout.flush()
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()
