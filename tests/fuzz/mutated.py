"""What somebody mistyped: tokens of good files are dropped, doubled, exchanged, and their numbers are set to extremes, of
codelets, machine specs and tables. tgc compiles or refuses each: a refusal has an error with a place and writes nothing, what
is written is whole, and nothing crashes, hangs, or is found by a sanitizer.

    mutated.py TGC SOURCE [--kind codelets|machines|tables] [--programs N] [--seed S] [--keep FOLDER]

TGC is best built with -fsanitize=address,undefined. Each file that tgc does wrong by is printed, and kept in FOLDER."""
import argparse, os, random, re, resource, shutil, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

FOLDERS = {"codelets": (".cdl", "codelets", "tests/strangers", "tests/native/codelets", "tests/passes"),
           "machines": (".yaml", "archspec"), "tables": (".table", "tables")}
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"[^"\n]*"|[A-Za-z_]\w*|0[xX][0-9a-fA-F]+|\d+(?:\.\d*)?(?:[eE][-+]?\d+)?[a-zA-Z]*'
                   r"|\s+|<<=|>>=|::|->|[-+*/%&|^<>=!]=|&&|\|\||\+\+|--|.", re.S)
EXTREMES = ("0", "1", "-1", "2", "31", "33", "1025", "2147483647", "2147483648", "4294967295", "4294967296",
            "9223372036854775807", "18446744073709551615", "99999999999999999999999", "1e308", "1e-320", "0.5", "1e999",
            "0x7fffffffffffffff", "-9223372036854775807")
MACHINES = ("sm_35", "sm_60", "sm_90", "sm_100", "avx2", "neon")
PLACE = re.compile(r"^\S[^\n]*?:\d+:\d+: error: ", re.M)
SECONDS = 10  # of a processor


def words_of(tokens):
    return [i for i, t in enumerate(tokens) if not t.isspace() and not t.startswith(("//", "/*"))]


def kind(token):
    return "word" if token[0].isalpha() or token[0] == "_" else "number" if token[0].isdigit() else "sign"


def mutate(text, others, drawn):
    tokens = TOKEN.findall(text)
    for _ in range(drawn.choice((1, 1, 1, 2, 3, 8))):
        places = words_of(tokens)
        if not places:
            break
        at = drawn.choice(places)
        how = drawn.choice((0, 1, 2, 3, 3, 3, 3, 4, 5, 6, 6, 6, 6, 6, 6))
        numbers = [i for i in places if tokens[i][0].isdigit()]
        if how == 0:
            tokens[at] = ""
        elif how == 1:
            tokens[at] += " " + tokens[at]
        elif how == 2:
            to = drawn.choice(places)
            tokens[at], tokens[to] = tokens[to], tokens[at]
        elif how == 3 and numbers:
            tokens[drawn.choice(numbers)] = drawn.choice(EXTREMES)
        elif how == 4:
            tokens[at] = drawn.choice(others)
        elif how == 5:  # a line twice, or none
            lines = "".join(tokens).split("\n")
            line = drawn.randrange(len(lines))
            lines[line:line + 1] = [lines[line]] * drawn.choice((0, 2))
            tokens = TOKEN.findall("\n".join(lines))
        else:  # another word, number or sign of the same file
            tokens[at] = drawn.choice([tokens[i] for i in places if kind(tokens[i]) == kind(tokens[at])])
        tokens = TOKEN.findall("".join(tokens))
    return "".join(tokens)


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))


def wrong_by(tgc, folder, options):
    """What tgc does wrong with the file in the folder, or nothing; and its status."""
    out = os.path.join(folder, "out")
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
                   "UBSAN_OPTIONS": "print_stacktrace=1"}
    before = set(os.listdir(folder))
    try:
        done = subprocess.run([tgc, *options, "-o", "out"], cwd=folder, timeout=120, env=environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limits)
    except subprocess.TimeoutExpired:
        return "hangs", -1, ""
    said = done.stderr.decode(errors="replace")
    left = set(os.listdir(folder)) - before
    if "Sanitizer" in said or "runtime error" in said:
        return "a sanitizer's report", done.returncode, said
    if done.returncode not in (0, 1):
        return "hangs" if done.returncode in (-24, -9) else "crashes", done.returncode, said
    if done.returncode == 1 and not PLACE.search(said):
        return "an error without a place", 1, said
    if done.returncode == 1 and left:
        return f"refused, and left behind {sorted(left)}", 1, said
    if done.returncode == 0 and (left != {"out"} or not os.path.exists(os.path.join(out, "manifest.json"))):
        return f"compiled, and wrote {sorted(left)}", 0, said
    return None, done.returncode, said


def options_for(arguments, path, drawn):
    """The words of a command that reads the mutated file, and that file's name."""
    codelets = os.path.join(arguments.source, "codelets")
    more = ["--types", drawn.choice(("float", "int", "double", "half:float", "int,float")), "--keep", "2"]
    if arguments.kind == "codelets":
        return ["mutated.cdl", "--arch", drawn.choice(MACHINES), *more, "--table", "none"], "mutated.cdl"
    if arguments.kind == "machines":
        one = os.path.join(codelets, drawn.choice([name for name in sorted(os.listdir(codelets)) if name.endswith(".cdl")]))
        return [one, "--arch", "./mutated.yaml", *more], "mutated.yaml"
    arch, name = os.path.basename(os.path.dirname(path)), os.path.basename(path).split("[")[0].removesuffix(".table")
    arch = arch if arch.startswith("sm_") else "avx512"
    one = os.path.join(codelets, name + ".cdl")
    if not os.path.exists(one):
        one = os.path.join(codelets, "sum.cdl")
    return [one, "--arch", arch, "--keep", "8", "--table", "mutated.table"], "mutated.table"


def try_one(arguments, sources, others, number):
    drawn = random.Random(f"{arguments.seed}/{number}")
    path = drawn.choice(sources)
    with open(path, encoding="utf-8") as f:
        text = mutate(f.read(), others, drawn)
    options, name = options_for(arguments, path, drawn)
    with tempfile.TemporaryDirectory() as folder:
        for other in os.listdir(os.path.dirname(path)):  # what it includes
            if not other.endswith(".cc"):
                os.symlink(os.path.join(os.path.dirname(path), other), os.path.join(folder, other))
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write(text)
        wrong, status, said = wrong_by(arguments.tgc, folder, options)
        if wrong and arguments.keep:
            kept = os.path.join(arguments.keep, f"{arguments.seed}-{number}")
            os.makedirs(arguments.keep, exist_ok=True)
            shutil.copy(os.path.join(folder, name), kept + "-" + name)
            with open(kept + ".txt", "w", encoding="utf-8") as f:
                f.write(f"{wrong}: {path}\n{' '.join(options)}\n{said}")
    if wrong:
        print(f"{os.path.relpath(path, arguments.source)}, file {number} of seed {arguments.seed}: {wrong}\n"
              f"  {' '.join(options)}\n" + "".join(f"  {line}\n" for line in said.splitlines()[:12]), flush=True)
    return wrong, status


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tgc", type=os.path.abspath)
    parser.add_argument("source", type=os.path.abspath)
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--kind", choices=sorted(FOLDERS), default="codelets")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seed", default=os.environ.get("TGC_SEED") or str(random.randrange(1 << 30)))
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    ending, *folders = FOLDERS[arguments.kind]
    sources = [os.path.join(at, name) for folder in folders
               for at, _, names in sorted(os.walk(os.path.join(arguments.source, folder)))
               for name in sorted(names) if name.endswith(ending) and os.path.basename(at) != "common"]
    others = sorted({t for path in sources for t in TOKEN.findall(open(path, encoding="utf-8").read())
                     if not t.isspace() and not t.startswith(("//", "/*"))})
    with ThreadPoolExecutor(arguments.jobs) as pool:
        found = list(pool.map(lambda i: try_one(arguments, sources, others, i), range(arguments.programs)))
    wrong = sum(1 for w, _ in found if w)
    print(f"seed {arguments.seed}: {len(found)} {arguments.kind}, {sum(1 for _, s in found if s == 0)} compiled, {wrong} wrong")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
