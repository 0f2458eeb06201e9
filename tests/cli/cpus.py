"""Machines that are CPUs: those that are shipped, and the host."""
import os, re

from harness import tree

SHIPPED = ("avx2", "avx512", "neon")


def limit(text, key):
    return int(re.search(rf"^  {key}: (\d+)$", text, re.M)[1])


def test_plans(t):
    """Every shipped codelet has plans on every CPU."""
    for name in ("sum", "histogram", "gemv"):
        for machine in SHIPPED:
            r = t.run(t.source("codelets", f"{name}.cdl"), "--arch", machine, "--keep", "4", "--list").exits(0).silent()
            r.prints(f"{name} of {name}.cdl for {machine}, ", "process.")


def test_rules(t):
    r = t.run("rules", t.sum, "--arch", "avx2").exits(0).silent()
    r.prints("compose(sum, P) -> S_P, regroup(p_b, P), distribute(T)", "devolve(T)", "VE_T", "SE_L")


def test_the_host(t):
    """A folder for the host says what was found, in a file that is a machine itself."""
    r = t.run(t.sum, "--arch", "cpu", "--keep", "4", "-o", "out").exits(0).silent()
    r.prints("4 variants of sum for cpu in out")
    text = t.read("out/cpu.yaml")
    again = t.run(t.sum, "--arch", "out/cpu.yaml", "--keep", "4", "-o", "again").exits(0).silent()
    one, other = tree(t.path("out")), tree(t.path("again"))
    again.expect(one.pop("cpu.yaml") and one == other, "expected the same folder from the machine that was written")
    usable = len(os.sched_getaffinity(0))
    again.expect(1 <= limit(text, "cores") <= usable, "expected no more cores than the process may use")
    again.expect(f"default: {usable}}}" in text, "expected a thread for each that the process may use")


def test_the_host_within_an_affinity(t):
    first = min(os.sched_getaffinity(0))
    r = t.run(t.sum, "--arch", "cpu", "--keep", "1", "-o", "out", preexec_fn=lambda: os.sched_setaffinity(0, [first]))
    r.exits(0).expect(limit(t.read("out/cpu.yaml"), "cores") == 1, "expected one core")


def test_bad_cpus(t):
    """What does not go together is said where it stands."""
    text = open(t.source("archspec", "avx2.yaml"), encoding="utf-8").read()
    for old, new, line, column, said in (
            ("vector_width: 8", "vector_width: 6", 5, 15, "not a power of two"),
            ("vector_bytes: 32", "vector_bytes: 64", 44, 17, "vectors of 64 bytes have 16 lanes"),
            ("  l2_bytes: 524288\n", "", 40, 3, "the key `l2_bytes' is missing in `limits'"),
            ("cores: 8", "cores: 8\n  units: 8", 41, 10, "`units' is a limit of family cuda"),
            ("min: 8, max: 8", "min: 8, max: 32", 22, 12, "a thread's vector has exactly 8 lanes")):
        assert old in text
        t.write("cpu.yaml", text.replace(old, new, 1))
        t.refuses(1, t.sum, "--arch", "./cpu.yaml", "-o", "out").points("./cpu.yaml", line, column, said)


def test_a_file_goes_before_the_host(t):
    """`cpu' is a name; a path is a path."""
    t.write("cpu.yaml", open(t.source("archspec", "neon.yaml"), encoding="utf-8").read())
    t.run(t.sum, "--arch", "cpu.yaml", "--keep", "1", "--list").exits(0).prints("for neon, ")
    t.run(t.sum, "--arch", "cpu", "--keep", "1", "--list").exits(0).prints("for cpu, ")
    t.refuses(1, t.sum, "--arch", "cpus", "-o", "out").says("unknown machine `cpus'").hints("did you mean `cpu'?")
