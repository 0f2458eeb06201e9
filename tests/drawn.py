"""Of many cases that are alike the normal mode takes a few, drawn anew in each run; the long mode (TGC_LONG=1) takes
all. What is drawn is printed with its seed: TGC_SEED=.. draws the same again."""
import os, random

LONG = os.environ.get("TGC_LONG") == "1"
SEED = os.environ.setdefault("TGC_SEED", str(random.SystemRandom().randrange(1000000)))


def drawn(cases, n, name=str):
    """`n' of the cases, in their order; `name' is what is printed of each."""
    cases = list(cases)
    if LONG or n >= len(cases):
        return cases
    kept = sorted(random.Random(f"{SEED} {[name(case) for case in cases]}").sample(range(len(cases)), n))
    print(f"drawn with TGC_SEED={SEED}: {', '.join(name(cases[i]) for i in kept)}", flush=True)
    return [cases[i] for i in kept]
