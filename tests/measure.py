#!/usr/bin/env python3
"""Runs ctest's entries, one after the other, and tells the processor seconds of each, the most expensive first: the
table of tests/README.md.

    measure.py [--build build] [--at-least SECONDS] [PATTERN]

PATTERN, a regular expression, picks entries. TGC_LONG=1 measures the long mode; without it what scripts/test.sh leaves
to the sanitized build is left out."""
import argparse, json, os, re, resource, subprocess, sys, time

from drawn import SEED  # which all entries draw by, as in scripts/test.sh


def spent():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def is_left_out(test):
    labels = next((p["value"] for p in test.get("properties", ()) if p["name"] == "LABELS"), [])
    return "as_much_sanitized" in labels and os.environ.get("TGC_LONG") != "1"


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("pattern", nargs="?", default="")
    arguments.add_argument("--build", default="build", help="where ctest is run")
    arguments.add_argument("--at-least", type=float, default=10, help="entries below that are told in one row")
    o = arguments.parse_args()
    ctest = ["ctest", "--test-dir", o.build]
    shown = subprocess.run([*ctest, "--show-only=json-v1"], stdout=subprocess.PIPE, check=True).stdout
    names = [test["name"] for test in json.loads(shown)["tests"]
             if re.search(o.pattern, test["name"]) and not is_left_out(test)]
    rows, failed = [], []
    for name in names:
        before, began = spent(), time.monotonic()
        done = subprocess.run([*ctest, "--output-on-failure", "-R", f"^{re.escape(name)}$"], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        rows.append((spent() - before, time.monotonic() - began, name))
        print(f"{name}: {rows[-1][0]:.1f} s in {rows[-1][1]:.1f} s", file=sys.stderr, flush=True)
        if done.returncode:
            failed.append(name)
            print(done.stdout[-3000:], file=sys.stderr)
    print("| entry | processor seconds |\n|---|---|")
    for seconds, _, name in sorted(rows, reverse=True):
        if seconds >= o.at_least:
            print(f"| `{name}` | {seconds:.0f} |")
    rest = [seconds for seconds, _, _ in rows if seconds < o.at_least]
    print(f"| {len(rest)} more, each below {o.at_least:g} | {sum(rest):.0f} |")
    print(f"| all | {sum(row[0] for row in rows):.0f} |")
    print(f"TGC_SEED={SEED}, on {os.cpu_count()} processors with a load of {os.getloadavg()[0]:.1f}", file=sys.stderr)
    return f"failed: {', '.join(failed)}" if failed else 0


if __name__ == "__main__":
    sys.exit(main())
