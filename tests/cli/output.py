"""What is written: the same bytes from every run, all machines, all types, readable text, users' own machines and
codelets."""
import json, os, re, shutil, subprocess

from drawn import drawn
from harness import CHECKS, PLAIN, Failed, by_turns, difference, tree

MACHINES = ("sm_35", "sm_52", "sm_60", "sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120")
TYPES = "int8,uint8,int16,uint16,int,uint,int64,uint64,half,bfloat16,float,double"
COMPLEX = "cfloat,cdouble"
OTHER = "int8:int64,uint8:int,uint16:float,int:double,half:double,bfloat16:double,float:double"


def same(t, one, other):
    changed = difference(tree(t.path(one)), tree(t.path(other)))
    if changed:
        raise Failed(f"{one} and {other} differ: {', '.join(changed[:8])}")


@by_turns(2.2)
def test_bytes_do_not_change(t):
    """Another run, working directory, path of the codelets, folder, locale and address space: the same bytes."""
    options = ("--arch", "sm_60", "--space", "cgo")
    t.run(t.sum, *options, "-o", "first").exits(0).silent()
    t.run(t.sum, *options, "-o", "second").exits(0)
    same(t, "first", "second")
    for folder in ("here", "there/below"):
        os.makedirs(t.path(folder))
        shutil.copy(t.sum, t.path(folder + "/sum.cdl"))
        t.run("sum.cdl", *options, "-o", t.path("moved"), cwd=t.path(folder)).exits(0)
        same(t, "first", "moved")
        shutil.rmtree(t.path("moved"))
        t.run(t.path(folder + "/sum.cdl"), *options, "-o", "moved").exits(0)
        same(t, "first", "moved")
        shutil.rmtree(t.path("moved"))
    elsewhere = "LC_ALL=tr_TR.UTF-8 TZ=Asia/Tokyo HOME=/ setarch -R"
    t.shell(f'{elsewhere} "$TGC" "$SUM" --arch sm_60 --space cgo -o moved').exits(0)
    same(t, "first", "moved")


def test_nothing_of_the_place_in_it(t):
    t.run(t.sum, "--arch", "sm_60", "-o", "out").exits(0)
    for name, what in tree(t.path("out")).items():
        if what[0] == "file" and (t.root.encode() in what[1] or t.folder.encode() in what[1]):
            raise Failed(f"{name} names a folder of this machine")


def test_files(t):
    t.run(t.sum, "--arch", "sm_60", "-o", "out").exits(0).silent().prints("variants of sum for sm_60 in out")
    have = {name for name, what in tree(t.path("out")).items() if what[0] == "file"}
    m = json.loads(t.read("out/manifest.json"))
    want = {"sum.h", "sum.cu", "sum_from.cu", "sum_counted.cu", "sum.table", "CMakeLists.txt", "manifest.json"} | CHECKS
    want |= {v["file"] for v in m["variants"]}
    if have != want:
        raise Failed(f"files: {sorted(have ^ want)[:8]}")
    cmake = t.read("out/CMakeLists.txt")
    for v in m["variants"]:
        text = t.read("out/" + v["file"])
        if v["plan"] not in text or v["file"] not in cmake or not all(f in text for f in v["functions"].values()):
            raise Failed(f"{v['file']} does not hold its plan and functions, or is not built")
        if re.search(r"[ \t]$", text, re.M) or "\t" in text or not text.endswith("\n"):
            raise Failed(f"{v['file']} has blanks at the end of a line, a tab or no last newline")


@by_turns(2.3)
def test_all_machines(t):
    ids = []
    for machine in MACHINES:
        t.run(t.sum, "--arch", machine, "-o", machine).exits(0).silent()
        m = json.loads(t.read(machine + "/manifest.json"))
        ids.append({v["id"] for v in m["variants"]})
        if m["machine"] != machine or len(m["variants"]) < 30:
            raise Failed(f"{machine}: {len(m['variants'])} variants for {m['machine']}")
    text = "".join(w[1].decode() for n, w in tree(t.path("sm_35")).items() if w[0] == "file" and n.endswith(".cu"))
    if re.search(r"atomic\w+_block\(", text):
        raise Failed("an atomic of block scope below sm_60")
    if "atomicCAS" not in text:
        raise Failed("double on sm_35 needs compare and swap")


@by_turns(5)
def test_all_types(t):
    for name, spectrum in (("codelets/sum.cdl", "sum"), ("examples/max.cdl", "greatest")):
        kinds = f"{TYPES},{OTHER}" + (f",{COMPLEX},cfloat:cdouble" if spectrum == "sum" else "")
        t.run(t.source(name), "--arch", "sm_35", "--types", kinds, "-o", spectrum).exits(0).silent()
        header = t.read(f"{spectrum}/{spectrum}.h")
        for kind in kinds.replace(":", "_").split(","):
            if f"cudaError_t {spectrum}_{kind}(" not in header:
                raise Failed(f"no {spectrum}_{kind} in the header")
        for kind in kinds.split(",")[::2]:
            t.run(t.source(name), "--arch", "sm_80", "--types", kind, "-o", f"{spectrum}-{kind}").exits(0).silent()


@by_turns(8)
def test_all_types_compute(t):
    """Every type, lifted by itself or as it was asked for, with and without complex ones beside it."""
    cases = (("sm_60", "codelets/sum.cdl", "int8,uint16,bfloat16,half:double,int:double"),
             ("sm_60", "codelets/sum.cdl", "cfloat,cdouble"),
             ("sm_60", "examples/max.cdl", "int16,uint8,bfloat16,float:double"),
             ("sm_90", "codelets/sum.cdl", "uint8,int16,cdouble,cfloat:cdouble"),
             ("sm_90", "examples/max.cdl", "int8,uint16,int:int64,uint8:int"))
    for machine, name, kinds in drawn(cases, 2, lambda case: case[2]):
        few = ("--table", "none", "--keep", "5")
        t.run(t.source(name), "--arch", machine, "--types", kinds, *few, "-o", "out").exits(0)
        t.run("check", "out", "--no-codelets", *PLAIN, "--sizes", "0,1,33,1025", "--seeds", "1", timeout=300).exits(0)


def test_types_without_the_operator(t):
    """No order of complex numbers, no bits of floating ones: errors with a place, nothing written."""
    r = t.refuses(1, t.source("examples/max.cdl"), "--arch", "sm_60", "--types", "float,cfloat", "-o", "out")
    r.points(t.source("examples/max.cdl"), 6, 12, "complex numbers have no order").hints("cfloat")
    for line, kind, what in (("all &= in[i]", "float", "('float' and 'const float')"),
                             ("all %= in[i]", "half:double", "('double' and 'const double')"),
                             ("all = in[i] < all ? in[i] : all", "cdouble", "('const cdouble' and 'cdouble')")):
        t.write("own.cdl", "template <typename T>\n__codelet\nT own(const Array<1, T> in) {\n  T all = 0;\n"
                f"  for (unsigned i = 0; i < in.Size(); ++i)\n    {line};\n  return all;\n}}\n")
        r = t.refuses(1, "own.cdl", "--arch", "sm_60", "--types", f"int,{kind}", "-o", "out").hints("--types")
        r.expect(any(e[0] == 6 and what in e[2] for e in r.errors()), f"expected an error about {what}")


@by_turns(6)
def test_types_that_share_an_accumulator(t):
    """Half is accumulated in float; what is defined for float is defined once."""
    for name in drawn(("codelets/sum.cdl", "examples/max.cdl"), 1):
        t.run(t.source(name), "--arch", "sm_90", "--types", "int64,half,float", "--keep", "8", "-o", "out").exits(0)
        t.run("check", "out", "--no-codelets", *PLAIN, "--sizes", "0,1,33,4100", "--seeds", "1").exits(0)


def test_own_machine(t):
    spec = t.source("examples", "machines", "rtx_3070.yaml")
    t.run(t.sum, "--arch", spec, "-o", "out").exits(0).silent().prints("for rtx_3070")
    text = open(t.source("archspec", "sm_60.yaml"), encoding="utf-8").read()
    t.write("mine.yaml", text.replace("name: sm_60", "name: mine"))
    t.run(t.sum, "--arch", "mine.yaml", "-o", "mine").exits(0).silent()
    if json.loads(t.read("mine/manifest.json"))["machine"] != "mine":
        raise Failed("the manifest names another machine")


def test_papers_machines(t):
    for name in ("micro-gpu.yaml", "dynamic.yaml"):
        t.run(t.sum, "--arch", t.source("tests", "specs", name), "-o", name[:-5]).exits(0).silent()


def test_papers_listings(t):
    """CGO's and MICRO's listings compile; MICRO's Fig. 2(d) as printed does not cover its container."""
    for name in ("cgo-1.cdl", "cgo-3.cdl", "micro-2.cdl"):
        r = t.run(t.source("tests", "listings", name), "--arch", "sm_60", "--list")
        r.expect(r.status in (0, 1), "expected status 0 or 1")
        r.expect(r.status == 0 or "error:" in r.err, "expected a reason")
    r = t.refuses(1, t.source("tests", "listings", "micro-2d-printed.cdl"), "--arch", "sm_60", "-o", "out").hints()
    r.expect(any("exactly once" in e[2] for e in r.errors()), "expected the range that is missed or doubled")


def test_one_own_codelet(t):
    t.write("own.cdl", "template <typename T>\n__codelet\nT product(const Array<1, T> in) {\n  T all = 1;\n"
            "  for (unsigned i = 0; i < in.Size(); ++i)\n    all *= in[i];\n  return all;\n}\n")
    t.run("own.cdl", "--arch", "sm_60", "-o", "out").exits(0).silent()
    t.run("own.cdl", "--arch", "sm_60", "--space", "cgo", "-o", "cgo").exits(1).says("tiled").hints("sum.cdl")


def presumed(text):
    """(line that compilers take it for, file, what it is) of every line that is no #line."""
    name, number = "__BASE_FILE__", 1
    for line in text.splitlines():
        m = re.match(r'#line (\d+) (__BASE_FILE__|".*")$', line)
        if m:
            number, name = int(m[1]), m[2].strip('"')
        else:
            yield number, name, line
            number += 1


def test_line_directives(t):
    """A codelet's line is one of the codelets' file, whatever stands behind it is where it is."""
    t.run(t.sum, "--arch", "sm_60", "--keep", "8", "--columns", "none", "-o", "plain").exits(0)
    t.run(t.sum, "--arch", "sm_60", "--keep", "8", "--line", "-o", "line").exits(0)
    plain, line = tree(t.path("plain")), tree(t.path("line"))
    changed = difference(plain, line)
    made = ("variants/", "sum_from.cu", "sum_counted.cu")  # from codelets
    if not changed or not all(name.startswith(made) for name in changed):
        raise Failed(f"--line changes {changed}")
    codelets = open(t.sum, encoding="utf-8").read().splitlines()
    for name in changed:
        text, without = line[name][1].decode(), plain[name][1].decode()
        where = list(presumed(text))
        theirs = [(n, l) for n, file, l in where if file == t.sum]
        own = text.splitlines()
        wrong = [(n, l) for n, file, l in where if file == "__BASE_FILE__" and own[n - 1] != l]
        if not theirs or wrong or len(theirs) + sum(f == "__BASE_FILE__" for _, f, _ in where) != len(where):
            raise Failed(f"{name}: {len(theirs)} lines of codelets; elsewhere than said: {wrong[:4]}")
        strange = [(n, l) for n, l in theirs if l.strip() in ("}", "{") or not codelets[n - 1].strip()]
        if strange or "#line" in without or without.splitlines() != [l for _, _, l in where]:
            raise Failed(f"{name}: {strange[:4]}")


def test_lines_of_a_cpu(t):
    """What compilers and debuggers make of them: errors in generated text point there, and the line table names both
    files, each with lines that are its own."""
    with open(t.sum, "rb") as f:
        t.write("some where/sum.cdl", f.read())
    t.run("some where/sum.cdl", "--arch", "avx2", "--types", "int", "--keep", "2", "--line", "-o", "out").exits(0)
    name = json.loads(t.read("out/manifest.json"))["variants"][0]["file"]
    text = t.read("out/" + name)
    own = text.splitlines()
    codelet = next(i for i, l in enumerate(own) if l.startswith("#line") and "sum.cdl" in l)
    number = int(own[codelet].split()[1])
    behind = next(i for i in range(codelet, len(own)) if own[i].strip() == "return 0;")
    compiler = ["-fsyntax-only", "-fopenmp", "-mavx2", name]
    for at, said in ((codelet + 1, f"{t.path('some where/sum.cdl')}:{number}:"), (behind, f"{name}:{behind + 1}:")):
        t.write("out/" + name, "\n".join(own[:at] + [own[at] + " here;"] + own[at + 1:]) + "\n")
        done = subprocess.run([os.environ.get("CC", "cc"), *compiler], cwd=t.path("out"), capture_output=True,
                              text=True)
        if done.returncode == 0 or said not in done.stderr:
            raise Failed(f"expected an error at {said} {done.stderr[:400]}")
    t.write("out/" + name, text)
    done = subprocess.run([os.environ.get("CC", "cc"), "-g", "-O0", "-fopenmp", "-mavx2", "-S", name, "-o", "-"],
                          cwd=t.path("out"),
                          capture_output=True, text=True)
    files = dict(re.findall(r'^\s*\.file (\d+) (".*")$', done.stdout, re.M))
    lines = {(files[i].split("/")[-1].strip('"'), int(n)) for i,
             n in re.findall(r"^\s*\.loc (\d+) (\d+)", done.stdout, re.M) if i in files}
    here = {n for file, n in lines if file == os.path.basename(name)}
    there = {n for file, n in lines if file == "sum.cdl"}
    codelets = len(t.read("some where/sum.cdl").splitlines())
    of_codelets = [n for n in here if own[n - 2].startswith("#line") and "sum.cdl" in own[n - 2]]
    if not here or not there or max(there) > codelets or max(here) > len(own) or of_codelets:
        raise Failed(f"the line table has {sorted(there)} of sum.cdl, {of_codelets[:8]} of codelets here; {done.stderr[:300]}")


def test_without_passes(t):
    """An optional pass left out changes text, not the variants."""
    t.run(t.sum, "--arch", "sm_60", "-o", "all").exits(0)
    t.run(t.sum, "--arch", "sm_60", "--without", "simplify,fold", "-o", "few").exits(0)
    ids = [[v["id"] for v in json.loads(t.read(f"{d}/manifest.json"))["variants"]] for d in ("all", "few")]
    if ids[0] != ids[1] or tree(t.path("all/variants")) == tree(t.path("few/variants")):
        raise Failed("leaving passes out should change the text and keep the variants")


def test_searches_contribute_seldom(t):
    """What a loop counts is a block's sum, and what it contributes before it ends is one atomic where it is found: an
    atomic for each vertex that may be found, whether it is or not, took longer than the search."""
    t.run(t.source("codelets", "bfs_both.cdl"), "--arch", "sm_90", "--keep", "1", "--table", "none", "--columns", "none", "-o",
          "out").exits(0)
    for v in json.loads(t.read("out/manifest.json"))["variants"]:
        text = t.read("out/" + v["file"])
        marks = re.findall(r"^ *(.*atomic_or\(&marks.*)$", text, re.M)
        if "add_of_block(&" not in text or not marks or any("1u <<" not in line for line in marks):
            raise Failed(f"{v['id']}: each lane contributes what it has added up")


NONE_OR_ALL = """__codelet __tag(serial)
void add(const Array<1, int> x, __accum(Add) Array<1, int> y) { for (unsigned i = 0; i < x.Size(); ++i) y[0] += x[i]; }
__codelet WIDTH some(int go, long n) { return go > 0 ? WIDTH(n) : 0; }
__codelet __tag(serial) void unset(__mutable Array<1, int> y) { y[0] = 0; }
__codelet void turns(const Array<1, int> x, __mutable Array<1, int> y);
__codelet __tag(steps) void turns(const Array<1, int> x, __mutable Array<1, int> y) {
  Array<1, int> g(1);
  unset(g);
  for (int k = 0; k < 3; ++k) add(take(x, some(g[0], x.Size())), y);
}
"""


def test_counts_of_none_or_all(t):
    """A step's number that is 0 or a container's size is within its bounds: all lanes compute it in each turn. One that
    is cast to fewer bits may be neither."""
    for width, bounded in (("long", False), ("int", True)):
        t.write("turns.cdl", NONE_OR_ALL.replace("WIDTH", width))
        t.run("turns.cdl", "--spectrum", "turns", "--arch", "sm_90", "--types", "int", "--table", "none", "--columns", "none",
              "-o", width).exits(0)
        for v in json.loads(t.read(f"{width}/manifest.json"))["variants"]:
            counts = re.findall(r"const Index filled = (.*);", t.read(f"{width}/{v['file']}"))
            if not counts or any(("min_index(" in count) != bounded for count in counts):
                raise Failed(f"{v['id']}: {counts}")


HEADERS = CHECKS - {"check/reference.cc", "check/codelets.h", "check/codelets.cc"}  # the same whatever is compiled


def test_odd_source_names(t):
    """No name of a file breaks out of the comments, strings and JSON that it is put into."""
    plain = open(t.sum, "rb").read()
    for name in (b"new\nline.cdl", b"back\\", b'quo"te.cdl', b"star*", b"esc\x1b[31m.cdl", b"latin\xe9.cdl",
                 "naïve.cdl".encode(), b"%s%n.cdl"):
        with open(os.path.join(t.folder.encode(), name), "wb") as f:
            f.write(plain)
        t.run(name, "--arch", "sm_60", "--keep", "4", "--line", "-o", "out").exits(0).silent()
        source = json.loads(t.read("out/manifest.json"))["source"]
        for at, what in tree(t.path("out")).items():
            if what[0] != "file" or at in HEADERS:
                continue
            text = what[1].decode(errors="replace")
            if re.search(r"\\$", text, re.M) or "\x1b" in text or "\nline.cdl" in text or not source:
                raise Failed(f"{at} from {name!r}")
