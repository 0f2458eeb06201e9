#!/usr/bin/env python3
"""Runs the tests of the command and of the libraries that it makes, as users meet them: what is printed, the exit
status, what is left on the disk, what programs get.

    run.py --tgc build/tgc --root . [--module NAME] [--jobs N] [PATTERN]

Every function test_* of the modules beside this is one test, in a folder of its own; PATTERN picks those whose name
holds it. What is told of each is its processor time. Of a module's tests that take long, as many are drawn as a budget
affords (@by_turns); others, and those that the long mode alone runs (TGC_LONG=1), are told as skipped.
"""
import argparse, concurrent.futures, importlib, os, resource, shutil, sys, tempfile, traceback

sys.dont_write_bytecode = True  # the source tree stays as it is

from harness import LONG, Failed, Skipped, Tgc
from drawn import afforded

HERE = os.path.dirname(os.path.abspath(__file__))
MODULES = sorted(name[:-3] for name in os.listdir(HERE)
                 if name.endswith(".py") and name not in ("run.py", "harness.py"))
ALL_SKIPPED = 77
BUDGET = 2  # processor seconds for those of a module's tests that take turns


def spent():
    """Processor seconds of this process, which runs one test at a time, and of all that it started and waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


def run_one(name, test, tgc, root):
    folder = tempfile.mkdtemp(prefix="tgc-cli-")
    start = spent()
    try:
        if getattr(test, "is_long", False) and not LONG:
            raise Skipped("the long mode has it")
        if getattr(test, "is_left_out", False):
            raise Skipped("others were drawn")
        test(Tgc(tgc, root, folder))
        result = "ok"
    except Skipped as why:
        result = f"skipped: {why}"
    except Failed as why:
        result = f"FAILED: {why}"
    except Exception:
        result = f"FAILED:\n{traceback.format_exc()}"
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return name, result, spent() - start


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--tgc", required=True)
    arguments.add_argument("--root", required=True)
    arguments.add_argument("pattern", nargs="?", default="")
    arguments.add_argument("--module", choices=MODULES, help="its tests alone")
    arguments.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="tests at a time")
    o = arguments.parse_args()
    tgc, root = os.path.abspath(o.tgc), os.path.abspath(o.root)
    if not os.access(tgc, os.X_OK):
        sys.exit(f"cli: there is no {tgc}")
    modules = [importlib.import_module(name) for name in ([o.module] if o.module else MODULES)]
    tests = [(f"{m.__name__}.{name[5:]}", f) for m in modules
             for name, f in vars(m).items() if name.startswith("test_")]
    tests = [t for t in tests if o.pattern in t[0]]
    for m in modules if not o.pattern else ():
        turns = [f for f in vars(m).values() if hasattr(f, "seconds")]
        for f in set(turns) - set(afforded(turns, BUDGET, lambda f: f.seconds, lambda f: f.__name__)):
            f.is_left_out = True
    failed = skipped = 0
    with concurrent.futures.ProcessPoolExecutor(o.jobs) as pool:
        for done in [pool.submit(run_one, name, f, tgc, root) for name, f in tests]:
            name, result, seconds = done.result()
            failed += result.startswith("FAILED")
            skipped += result.startswith("skipped")
            print(f"{name:48} {seconds:5.1f} s  {result}", flush=True)
    print(f"cli: {len(tests)} tests, {failed} failed, {skipped} skipped")
    return 1 if failed or not tests else ALL_SKIPPED if skipped == len(tests) else 0


if __name__ == "__main__":
    sys.exit(main())
