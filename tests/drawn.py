"""drawn.py: of many cases of one kind, a few, drawn anew in each run; the long mode has them all. Over some runs each has
its turn, and no run takes long. TGC_DRAW=SEED, which is printed, repeats a draw."""
import os
import random

LONG = os.environ.get("TGC_LONG") == "1"
SEED = int(os.environ.get("TGC_DRAW") or random.SystemRandom().randrange(1 << 16))


def drawn(cases, n, what):
    """`n' of the cases, in their order; of which there are more is told as skipped."""
    cases = list(cases)
    if LONG or n >= len(cases):
        return cases
    chosen = sorted(random.Random(f"{SEED} {what}").sample(range(len(cases)), n))
    print(f"{what}: skipped: {len(cases) - n} of {len(cases)}, drawn by TGC_DRAW={SEED}; the long mode has them all", flush=True)
    return [cases[i] for i in chosen]
