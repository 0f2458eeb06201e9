#!/usr/bin/env python3
"""Runs the tests of the command as users meet it: what it prints, its exit status, what it leaves on the disk.

    run.py --tgc build/tgc --root . [--library | --all] [PATTERN]

Every function test_* of the modules below is one test, in a folder of its own; PATTERN picks those whose name holds it.
"""
import argparse, concurrent.futures, os, shutil, sys, tempfile, time, traceback

sys.dont_write_bytecode = True  # the source tree stays as it is

import array_benchmarks, bad_codelets, bad_machines, benchmarks, command_line, folders, inspection, output
import arrays, cpu_library, examples, library_calls, operators, packages, segments, several_machines, tables, tuning
import cpu_measuring, cpus, tuning_failures, tuning_operators, tuning_shapes
from harness import Failed, Skipped, Tgc

COMMAND = (command_line, bad_codelets, bad_machines, folders, output, inspection, benchmarks, array_benchmarks,
           tables, tuning, tuning_failures, tuning_operators, tuning_shapes, cpus)
LIBRARY = (arrays, cpu_library, cpu_measuring, examples, library_calls, operators, packages, segments,
           several_machines)


def run_one(name, test, tgc, root):
    folder = tempfile.mkdtemp(prefix="tgc-cli-")
    start = time.monotonic()
    try:
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
    return name, result, time.monotonic() - start


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--tgc", required=True)
    arguments.add_argument("--root", required=True)
    arguments.add_argument("pattern", nargs="?", default="")
    arguments.add_argument("--library", action="store_true", help="the tests of generated libraries, which build them")
    arguments.add_argument("--all", action="store_true", help="both")
    o = arguments.parse_args()
    tgc, root = os.path.abspath(o.tgc), os.path.abspath(o.root)
    if not os.access(tgc, os.X_OK):
        sys.exit(f"cli: there is no {tgc}")
    modules = COMMAND + LIBRARY if o.all else LIBRARY if o.library else COMMAND
    tests = [(f"{m.__name__}.{name[5:]}", f) for m in modules
             for name, f in vars(m).items() if name.startswith("test_")]
    tests = [t for t in tests if o.pattern in t[0]]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for done in [pool.submit(run_one, name, f, tgc, root) for name, f in tests]:
            name, result, seconds = done.result()
            failed += result.startswith("FAILED")
            print(f"{name:48} {seconds:5.1f} s  {result}", flush=True)
    print(f"cli: {len(tests)} tests, {failed} failed")
    return 1 if failed or not tests else 0


if __name__ == "__main__":
    sys.exit(main())
