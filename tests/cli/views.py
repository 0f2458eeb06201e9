"""tgc view: the page is whole and stands alone, shows what the folder and its database say, and obeys nothing in them."""
import html, html.parser, json, os, re, shutil, sqlite3, subprocess

from harness import Failed, Skipped, long

OUTSIDE = re.compile(r"""(?:src|href|action)\s*=|data\s*=\s*["']|url\(|@import|\bfetch\(|XMLHttpRequest|WebSocket|import\(|https?://(?!www\.w3\.org/2000/svg)""")
ASKS = re.compile(r"\b(?:fetch|eval|importScripts|import|WebSocket|EventSource|Function)\(|XMLHttpRequest|innerHTML|document\.write")
VOID = {"meta", "link", "br", "img", "input", "hr"}


class Page(html.parser.HTMLParser):
    """A page's elements, which must be closed in order; the text of each script and style by its id."""

    def __init__(self, text):
        super().__init__()
        self.open, self.texts, self.names = [], {}, []
        self.feed(text)
        self.close()
        if self.open:
            raise Failed(f"not closed: {self.open}")

    def handle_starttag(self, tag, attributes):
        self.names.append(tag)
        if tag not in VOID:
            self.open.append((tag, dict(attributes).get("id", tag)))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop()[0] != tag:
            raise Failed(f"</{tag}> closes what is not open")

    def handle_data(self, data):
        if self.open:
            name = self.open[-1][1]
            self.texts[name] = self.texts.get(name, "") + data


def compiled(t, *how, out="out"):
    t.run(t.sum, *how, "-o", out, "-q").exits(0).silent()
    return json.loads(t.read(f"{out}/manifest.json"))


def viewed(t, *arguments, page="out/view.html"):
    """The facts of the page that is written."""
    t.run("view", *arguments).exits(0).silent().prints(page)
    text = t.read(page)
    p = Page(text)
    facts, library = json.loads(p.texts["facts"]), p.texts.get("chart", "")
    if p.names.count("script") != 2 + bool(library) or p.names.count("style") != 1 or not text.startswith("<!DOCTYPE html>"):
        raise Failed(f"the page has the elements {p.names}")
    if library != ("\n" + chart(t) if chart(t) and any(f["measured"] for f in facts["folders"]) else ""):
        raise Failed("the plotting library is not in the page as it was given, or where nothing is to be plotted")
    if ASKS.search(library):
        raise Failed(f"the plotting library has {ASKS.search(library)[0]}")
    code = text.replace(p.texts["facts"], "").replace(library, "")
    if OUTSIDE.search(code):
        raise Failed(f"the page leads outside: {OUTSIDE.search(code)[0]}")
    if "default-src 'none'" not in text:
        raise Failed("the page may load what it likes")
    return facts


def chart(t):
    """Chart.js and its licence as the build found them: nothing where it found none."""
    with open(os.path.join(os.path.dirname(t.tgc), "chart", "chart.js"), encoding="utf-8") as f:
        return f.read()


def text_of(facts, v):
    """A variant's file, put together again."""
    own = {1: v["id"], 2: v["id"].upper(), 3: v["plan"]}
    paragraphs = ["".join(facts["lines"][n] + "\n" for n in facts["paragraphs"][p]) for p in v["text"]]
    return re.sub(r"[\1\2\3]", lambda m: own[ord(m[0])], "\n".join(paragraphs))


def pooled(facts, v, key):
    return [facts["pool"][n] for n in v[key]] if isinstance(v[key], list) else facts["pool"][v[key]]


def measurements(t, path, rows):
    """A database of `tgc tune' with rows (variant, text_hash, type, n, configuration, turn, microseconds)."""
    shutil.rmtree(t.path("made"), ignore_errors=True)
    db = sqlite3.connect(t.path(path))
    columns = ("device TEXT NOT NULL, compute INTEGER NOT NULL, driver TEXT NOT NULL, toolkit TEXT NOT NULL, spectrum TEXT NOT NULL, "
               "variant TEXT NOT NULL, text_hash TEXT NOT NULL, configuration TEXT NOT NULL, type TEXT NOT NULL, n INTEGER NOT NULL")
    db.execute(f"CREATE TABLE measurement ({columns}, mode TEXT NOT NULL, precise INTEGER NOT NULL, median REAL NOT NULL, "
               "low REAL NOT NULL, high REAL NOT NULL, at TEXT NOT NULL DEFAULT 'now', count INTEGER NOT NULL DEFAULT 0)")
    for variant, text_hash, type, n, configuration, turn, us in rows:
        db.execute("INSERT INTO measurement VALUES ('NVIDIA <b>', 90, '13', '13.0', 'sum', ?, ?, ?, ?, ?, 'graph', ?, ?, ?, ?, 'now', 0)",
                   (variant, text_hash, configuration, type, n, turn, us, us, us))
    db.execute("PRAGMA user_version=3")
    db.commit()
    db.close()


def test_of_a_gpu(t):
    """Each variant with its text, its plan and its codelets; nothing that was not measured."""
    m = compiled(t, "--arch", "sm_90", "--types", "int,float")
    facts = viewed(t)
    f = facts["folders"][0]
    if [v["id"] for v in f["variants"]] != [v["id"] for v in m["variants"]] or len(facts["folders"]) != 1:
        raise Failed("the page has other variants")
    for v, known in zip(f["variants"], m["variants"]):
        if text_of(facts, v) != t.read("out/" + known["file"]):
            raise Failed(f"{v['id']}: another text")
        for key in ("tree", "choices", "launches", "levels", "tunables", "codelets", "determinism", "category"):
            if pooled(facts, v, key) != known[key]:
                raise Failed(f"{v['id']}: another {key}")
    if f["dispatch"] != m["dispatch"] or f["measured"] is not None or f["bytes"] != {"int": 4, "float": 4}:
        raise Failed(f"the page says {f['dispatch'][:1]}, {f['measured']}, {f['bytes']}")
    with open(t.sum) as source:
        if f["files"] != [{"name": "sum.cdl", "text": source.read().splitlines()}]:
            raise Failed("the page has other codelets")
    if not any(r["pass"] == "shuffle" and r["kind"] == "passed" and r["line"] == 56 for r in f["remarks"]):
        raise Failed(f"the remarks are {f['remarks'][:3]}")
    if not f["table"]["heading"].startswith("sum, measured on NVIDIA H200") or len(f["table"]["notes"]) != len(m["dispatch"]):
        raise Failed(f"of the table there is {f['table']}")
    if os.path.getsize(t.path("out/view.html")) > 600_000:
        raise Failed("54 variants take more than 600 KB")


def test_of_a_cpu_and_of_several(t):
    compiled(t, "--arch", "avx2", "--types", "float", "--keep", "3")
    if viewed(t, "-o", "mine.html", page="mine.html")["folders"][0]["family"] != "cpu" or os.path.exists(t.path("out/view.html")):
        raise Failed("the page is of another folder, or elsewhere")
    compiled(t, "--arch", "sm_80,sm_90", "--types", "float", "--keep", "2", out="two")
    facts = viewed(t, "two", page="two/view.html")
    if [(f["path"], f["machine"]) for f in facts["folders"]] != [("sm_80", "sm_80"), ("sm_90", "sm_90")]:
        raise Failed("the page has other machines")
    t.write("blas.cdl", '#include "dot.cdl"\n#include "gemv.cdl"\n#include "vadd.cdl"\n#include "saxpy.cdl"\n')
    t.run("blas.cdl", "--spectrum", "dot,gemv,vadd,axpy", "--name", "blas", "--arch", "avx2", "--types", "float",
          "--keep", "2",
          "-o", "blas").exits(0)
    facts = viewed(t, "blas", page="blas/view.html")
    if [f["path"] for f in facts["folders"]] != ["dot", "gemv", "vadd",
                                                 "axpy"] or "sum_steps.cdl" not in [f["name"] for f in facts["folders"][0]["files"]]:
        raise Failed("the page has other spectra, or not what they include")
    if [f["bytes"] for f in facts["folders"]] != [{"float": 8}, {}, {"float": 12}, {"float": 12}]:
        raise Failed("dot moves eight bytes an element, vadd and axpy twelve; what gemv moves its elements do not tell")


def test_plotting_library(t):
    """A page of measurements has the library with its licence, and stays below a megabyte; one without has neither."""
    if not chart(t):
        raise Skipped("tgc was built without Chart.js")
    m = compiled(t, "--arch", "sm_90", "--types", "int,float")
    viewed(t)
    bare = os.path.getsize(t.path("out/view.html"))
    measurements(t, "out/tune.db", [(v["id"], v["text_hash"], type, 2 ** k, "threads=256 loads=4", 1, 1.0 * k)
                                    for v in m["variants"] for k in range(6, 29) for type in ("int", "float")])
    viewed(t)
    text, size = t.read("out/view.html"), os.path.getsize(t.path("out/view.html"))
    for part in ("Permission is hereby granted, free of charge", "Chart.js Contributors"):
        if part not in text:
            raise Failed(f"the page does not say: {part}")
    if bare > 400_000 or size > 1_000_000:
        raise Failed(f"54 variants take {bare} bytes, and measured at 23 sizes {size}")


def test_measurements(t):
    """Of a variant the best configuration by the median of its turns; a quick look where there were none; texts as they are."""
    m = compiled(t, "--arch", "sm_90", "--types", "float", "--keep", "2")
    (one, h1), (other, h2) = [(v["id"], v["text_hash"]) for v in m["variants"][:2]]
    measurements(t, "out/tune.db", [
        (one, h1, "float", 64, "threads=32", 0, 0.5),     # a quick look, and three turns
        (one, h1, "float", 64, "threads=32", 1, 2.0), (one, h1, "float", 64, "threads=32", 2, 3.0),
        (one, h1, "float", 64, "threads=32", 3, 9.0),
        (one, h1, "float", 64, "threads=64", 0, 1.0),     # a quick look alone
        (one, h1, "float", 128, "threads=64", 0, 4.0), (one, h1, "float", 128, "threads=32", 0, 5.0),
        (other, h2, "float", 64, "", 1, 2.5), (other, "0" * 16, "float", 128, "", 1, 0.1),
        ("00000000", h1, "float", 64, "", 1, 0.1)])
    measured = viewed(t)["folders"][0]["measured"]
    got = {s["variant"]: [[p[0], p[2], measured["configurations"][p[5]],
                           p[6]] for p in s["points"]] for s in measured["series"]}
    wanted = {one: [[64, 3.0, "threads=32", 1], [128, 4.0, "threads=64", 0]], other: [[64, 2.5, "", 1]]}
    if got != wanted or measured["stale"] != 2 or measured["devices"] != [{"name": "NVIDIA <b>", "driver": "13", "toolkit": "13.0"}]:
        raise Failed(f"the page has {measured}")
    os.rename(t.path("out/tune.db"), t.path("elsewhere.db"))
    if viewed(t)["folders"][0]["measured"] or not viewed(t, "--database", "elsewhere.db")["folders"][0]["measured"]:
        raise Failed("the measurements are of another database")


HOSTILE = "</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>&lt;]]>\u2028"


def hostile(t):
    """A folder in whose manifest, text and database each name is an attack."""
    compiled(t, "--arch", "sm_90", "--types", "float", "--keep", "2")
    m = json.loads(t.read("out/manifest.json"))
    m["machine"], m["types"], m["source"] = HOSTILE, [HOSTILE], HOSTILE
    v = m["variants"][0]
    v.update(plan=HOSTILE, category=HOSTILE, determinism=HOSTILE, determinism_why=HOSTILE, tree=[HOSTILE],
             levels=[HOSTILE])
    v["launches"][0].update(name=HOSTILE, note=HOSTILE)
    v["choices"][0].update(choice=HOSTILE, codelet=HOSTILE)
    m["dispatch"][0].update(variant=HOSTILE, type=HOSTILE)
    t.write("out/manifest.json", json.dumps(m))
    t.write("out/" + v["file"], t.read("out/" + v["file"]) + f"\n// block: {HOSTILE} (sum.cdl:50)\n")
    t.write("out/check/codelets.json", json.dumps({"files": [{"name": HOSTILE, "text": [HOSTILE]}], "remarks": [
        {"file": HOSTILE, "line": 1, "pass": HOSTILE, "kind": HOSTILE, "message": HOSTILE}]}))
    measurements(t, "out/tune.db", [(v["id"], v["text_hash"], HOSTILE, 64, HOSTILE, 1, 2.0),
                                    (v["id"], v["text_hash"], HOSTILE, 128, HOSTILE, 1, 3.0)])
    return v["id"]


def test_hostile_text(t):
    """Nothing ends the script that the facts stand in; all of it comes back as it was."""
    hostile(t)
    facts = viewed(t)
    f = facts["folders"][0]
    if "<" in json.dumps(t.read("out/view.html").split('id="facts">')[1].split("</script>")[0]):
        raise Failed("a < stands in the facts")
    if f["machine"] != HOSTILE or pooled(facts, f["variants"][0],
                                         "tree") != [HOSTILE] or f["files"][0]["text"] != [HOSTILE]:
        raise Failed("a text came back as another one")
    if HOSTILE not in text_of(facts, f["variants"][0]) or f["measured"]["series"][0]["type"] != HOSTILE:
        raise Failed("a text came back as another one")


def test_bytes_that_are_no_text(t):
    """Latin-1 in a variant's text is shown with question marks."""
    m = compiled(t, "--arch", "sm_90", "--types", "float", "--keep", "2")
    with open(t.path("out/" + m["variants"][0]["file"]), "ab") as f:
        f.write(b"// caf\xe9\n")
    facts = viewed(t)
    if "// caf?" not in text_of(facts, facts["folders"][0]["variants"][0]):
        raise Failed("the text is another one")


def test_replaced_whole(t):
    """A page of before is replaced when the new one is whole, and stays where there is none; nothing else stays behind."""
    m = compiled(t, "--arch", "sm_90", "--types", "float", "--keep", "2")
    t.write("out/view.html", "before")
    viewed(t)
    if t.read("out/view.html") == "before":
        raise Failed("the page is that of before")
    t.write("out/view.html", "before")
    os.remove(t.path("out/" + m["variants"][1]["file"]))
    t.refuses(1, "view").says(f"cannot read `out/{m['variants'][1]['file']}'").hints()
    compiled(t, "--arch", "sm_90", "--types", "float", "--keep", "2")
    t.refuses(1, "view", "-o", "nowhere/page.html").says("cannot write `nowhere/page.html'").hints()
    os.mkdir(t.path("folder"))
    t.refuses(1, "view", "-o", "folder").says("cannot write `folder'")
    t.shell('ulimit -f 8; "$TGC" view').exits(1).says("cannot write `out/view.html'")
    if t.read("out/view.html") != "before" or [name for name in os.listdir(t.path("out")) if ".tgc-" in name]:
        raise Failed("the page of before is gone, or a part stayed behind")


def test_refusals(t):
    t.refuses(1, "view").says("cannot read `out/manifest.json'").hints("writes that folder")
    m = compiled(t, "--arch", "sm_90", "--types", "float", "--keep", "2")
    text, codelets = t.read("out/manifest.json"), t.read("out/check/codelets.json")
    t.write("out/manifest.json", text[:1000])
    t.refuses(1, "view").says("out/manifest.json:", "the manifest is no JSON").hints()
    for file in ("/etc/passwd", "variants/../../x", "../x.cu"):
        t.write("out/manifest.json", json.dumps({**m, "variants": [{**m["variants"][0], "file": file}]}))
        t.refuses(1, "view").says("invalid file")
    t.write("out/manifest.json", text)
    t.write("out/check/codelets.json", codelets[:100])
    t.refuses(1, "view").says("out/check/codelets.json:", "no JSON")
    t.write("out/check/codelets.json", '{"files": [{"name": "a", "text": [1]}], "remarks": []}')
    t.refuses(1, "view").says("files[0].text[0]: wanted a string")
    os.remove(t.path("out/check/codelets.json"))
    if "files" in viewed(t)["folders"][0]:
        raise Failed("a folder of before has codelets")
    os.remove(t.path("out/view.html"))
    t.write("out/sum.table", "float many\n")
    t.refuses(1, "view").says("out/sum.table:1:")
    os.remove(t.path("out/sum.table"))
    t.write("out/tune.db", "no database, but long enough to be asked what it is" * 30)
    t.refuses(1, "view").says("cannot read the measurements `out/tune.db'").hints("--database")
    os.remove(t.path("out/tune.db"))
    id, hash = m["variants"][0]["id"], m["variants"][0]["text_hash"]
    measurements(t, "out/tune.db", [(id, hash, "float", n, "", 1, 2.0) for n in range(4000)])
    whole = open(t.path("out/tune.db"), "rb").read()
    t.write("out/tune.db", whole[:len(whole) // 2])
    t.refuses(1, "view").says("cannot read the measurements `out/tune.db'")
    for change, said in (("UPDATE measurement SET median = 'x' WHERE n = 7", "an invalid time"),
                         ("PRAGMA user_version = 9", "another version"),
                         ("CREATE VIEW other AS SELECT 1", "views"), ("DROP TABLE measurement", "no such table")):
        t.write("out/tune.db", whole)
        db = sqlite3.connect(t.path("out/tune.db"))
        db.execute(change)
        db.commit()
        db.close()
        t.refuses(1, "view").says("cannot read the measurements `out/tune.db'", said)
    os.remove(t.path("out/tune.db"))
    t.refuses(1, "view", "--database", "nosuch.db").says("cannot read the measurements `nosuch.db'")


# ---- in a browser ----

def drawn(t, page, fragment):
    """The page as headless Chromium draws it, as HTML."""
    browser = shutil.which("chromium")
    if not browser:
        raise Failed("there is no chromium: `TGC_LONG=1 scripts/setup.sh tests' installs it")
    done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu",
                           "--user-data-dir=" + t.path("browser"), "--enable-logging=stderr",
                           "--virtual-time-budget=4000", "--dump-dom", f"file://{t.path(page)}#{fragment}"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    wrong = [line for line in done.stderr.decode(errors="replace").splitlines() if "CONSOLE" in line]
    if done.returncode or wrong:
        raise Failed(f"chromium says {wrong}")
    return done.stdout.decode()


def listed(dom):
    return re.findall(r'<div class="item" data-id="(\w+)"', dom)


def size_text(n):
    """As the page has it: a power of two, or three digits."""
    if n >= 64 and n & (n - 1) == 0:
        return f"2^{n.bit_length() - 1}"
    unit, of = next(((u, of) for u, of in (("G", 1e9), ("M", 1e6), ("K", 1e3)) if n >= (of if of > 1e3 else 1e4)), ("", 1))
    return f"{float(f'{n / of:.3g}' if unit else n):g}{unit}"


@long
def test_in_a_browser(t):
    """What a fragment asks for is what is drawn: filters, a variant with its plan and kernels, highlighted lines, winners."""
    m = compiled(t, "--arch", "sm_90", "--types", "int,float")
    one = next(v for v in m["variants"] if v["shuffles"] and v["kernels"] == 2 and any(c["tag"] == "tree" for c in v["codelets"]))
    other = m["variants"][0]
    measurements(t, "out/tune.db", [(v["id"], v["text_hash"], "float", 2 ** k, "threads=256 loads=4", 1, us * k)
                                    for v, us in ((one, 2.0), (other, 1.0)) for k in range(6, 20)])
    viewed(t)
    used = {row["variant"] for row in m["dispatch"]}
    for fragment, wanted in (
            ("", [v["id"] for v in m["variants"]]),
            ("used=1", [v["id"] for v in m["variants"] if v["id"] in used]),
            ("used=1&type=int", [v["id"] for v in m["variants"] if v["id"] in {r["variant"] for r in m["dispatch"] if r["type"] == "int"}]),
            ("level=cluster", [v["id"] for v in m["variants"] if "cluster" in v["levels"]]),
            ("level=warp,-cluster", [v["id"] for v in m["variants"] if "warp" in v["levels"] and "cluster" not in v["levels"]]),
            ("det=run_to_run", [v["id"] for v in m["variants"] if v["determinism"] != "not_guaranteed"]),
            ("det=run_to_run&type=int", [v["id"] for v in m["variants"]]),
            ("batch=1", [v["id"] for v in m["variants"] if v["batch_invariant"]]),
            ("cat=shuffle", [v["id"] for v in m["variants"] if v["category"] == "shuffle"]),
            ("q=last-block+ticket", [v["id"] for v in m["variants"] if "last-block ticket" in json.dumps(v["choices"])]),
            ("q=" + one["id"], [one["id"]]), ("q=nothing-has-this", [])):
        dom = drawn(t, "out/view.html", fragment)
        if listed(dom) != wanted or f"{len(wanted)} of {len(m['variants'])} variants" not in dom:
            raise Failed(f"#{fragment}: {len(listed(dom))} variants are listed, not {len(wanted)}")
    dom = drawn(t, "out/view.html", "")
    for row in m["dispatch"]:
        if row["up_to"] and f">{size_text(row['up_to'])}<" not in dom:
            raise Failed(f"{row['up_to']} is not {size_text(row['up_to'])} in the dispatch")
    tree = next(c["line"] for c in one["codelets"] if c["tag"] == "tree")
    dom = drawn(t, "out/view.html", f"v={one['id']}&at=sum.cdl:{tree}&remarks=1")
    for part in (f'aria-label="plan of {one["id"]}"', "one block acts for all", "__global__", "shuffle down of",
                 'aria-label="measurements by size: time per call, µs, 2 variants, 14 sizes"', "winners",
                 "<td class=\"number\">2^10</td>", "threads=256 loads=4", "2.00×"):
        if part not in dom:
            raise Failed(f"the variant's page has no {part}")
    lit = re.findall(r'<div class="row lit[^"]*"([^>]*)>', dom)
    if not any(f'data-key="sum.cdl:{tree}" data-keys' in r for r in lit) or not any('data-exact' in r and "data-keys" not in r for r in lit):
        raise Failed(f"lit are {lit[:3]}")


@long
def test_two_sizes_in_a_browser(t):
    """Two measured sizes are a table; three are drawn, too."""
    m = compiled(t, "--arch", "sm_90", "--types", "float", "--keep", "2")
    v = m["variants"][0]
    for sizes in (2, 3):
        measurements(t, f"of{sizes}.db", [(v["id"], v["text_hash"], "float", 64 << k, "", 1, 2.0 + k) for k in range(sizes)])
        viewed(t, "--database", f"of{sizes}.db")
        for fragment in ("", "v=" + v["id"]):
            dom = drawn(t, "out/view.html", fragment)
            if ('aria-label="measurements by size:' in dom) != (sizes == 3) or "winners" not in dom:
                raise Failed(f"{sizes} sizes: the plot, or no table, is on #{fragment}")


# What a reader does, by a script at the end of the page, which writes what it finds into the page.
PROBE = """<script>
setTimeout(() => {
  const canvas = document.querySelector('canvas'), chart = Chart.getChart(canvas), found = {};
  const event = (kind, x, y) => {
    const r = canvas.getBoundingClientRect();
    canvas.dispatchEvent(new MouseEvent(kind, {clientX: r.left + x, clientY: r.top + y, bubbles: true}));
  };
  const ink = () => {
    const d = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data, all = {};
    for (let i = 0; i < d.length; i += 4) if (d[i + 3] === 255) all[[d[i], d[i + 1], d[i + 2]]] = true;
    return all;
  };
  found.axes = ['x', 'y'].map(a => [chart.scales[a].type, chart.scales[a].options.title.text,
                                    chart.scales[a].ticks.map(t => t.label)]);
  found.legend = chart.legend.legendItems.map(i => i.text);
  found.lines = chart.data.datasets.map(d => [d.kind, d.data.length]);
  found.blue = '59,125,216' in ink();
  const other = chart.data.datasets.findIndex(d => d.kind === 'other');
  const at = chart.getDatasetMeta(other).data[3];
  const when = (what, then) => what() ? then() : setTimeout(when, 50, what, then);
  event('mousemove', at.x, at.y);
  when(() => chart.getActiveElements().length, () => {
    found.lit = [...new Set(chart.getActiveElements().map(a => chart.data.datasets[a.datasetIndex].id))];
    found.tooltip = [chart.tooltip.title, ...chart.tooltip.body.map(b => b.lines)].flat();
    const id = chart.data.datasets[other].id;
    event('click', at.x, at.y);
    when(() => state.v, () => {
      found.opened = [id, state.v];
      toggle_theme();
      const after = Chart.getChart(document.querySelector('canvas'));
      found.themes = [document.documentElement.dataset.theme, after.options.scales.x.ticks.color];
      window.dispatchEvent(new Event('beforeprint'));
      found.printed = [document.documentElement.dataset.theme, plot.chart.width];
      window.dispatchEvent(new Event('afterprint'));
      found.after = document.documentElement.dataset.theme;
      document.body.append(el('pre', {id: 'probe'}, JSON.stringify(found)));
    });
  });
}, 300);
</script>"""


def probed(t, fragment):
    # Under virtual time there are frames only now and then, and events wait for frames.
    frames = "<script>window.requestAnimationFrame = f => setTimeout(f, 10);</script>"
    t.write("out/probed.html", t.read("out/view.html").replace("<title>", frames + "<title>").replace("</body>", PROBE + "</body>"))
    dom = drawn(t, "out/probed.html", fragment)
    found = re.search(r'<pre id="probe">(.*?)</pre>', dom, re.S)
    if not found:
        raise Failed(f"the plot does not answer: {dom[-200:]}")
    return json.loads(html.unescape(found[1])), dom


@long
def test_plot_in_a_browser(t):
    """Axes with titles, a legend, tooltips, lines that can be pointed at and clicked, in both themes and on paper."""
    if not chart(t):
        raise Skipped("tgc was built without Chart.js")
    m = compiled(t, "--arch", "sm_90", "--types", "float", "--keep", "4")
    first, second, third, slow = m["variants"][:4]
    measurements(t, "out/tune.db", [(v["id"], v["text_hash"], "float", 2 ** k, "threads=256 loads=4", 1, us)
                                    for k in range(6, 20) for v, us in
                                    ((first, 1.0), (second, 3.0), (third, 0.5 * k), (slow, 99.0))])
    viewed(t)
    found, _ = probed(t, "theme=light")
    wanted = {"axes": [["logarithmic", "elements", ["2⁶", "2⁸", "2¹⁰", "2¹²", "2¹⁴", "2¹⁶", "2¹⁸"]],
                       ["logarithmic", "time per call, µs", ["1", "2", "5", "10", "20", "50", "100"]]],
              "legend": ["fastest at each size", first["id"], "other variants (point at one, click to open it)"],
              "lines": [["fastest", 14], ["colored", 14]] + [["other", 14]] * 3, "blue": True,
              "themes": ["dark", "#8d97a3"], "printed": ["light", 640], "after": "dark"}
    for key, value in wanted.items():
        if found[key] != value:
            raise Failed(f"{key} of the plot: {found[key]}, not {value}")
    if found["lit"] != [found["opened"][0]] or found["opened"][0] != found["opened"][1] or not found["opened"][0]:
        raise Failed(f"the pointer lights {found['lit']}, a click opens {found['opened']}")
    if found["tooltip"][0] != found["lit"][0] or "2^9 elements" not in found["tooltip"][1] or found["tooltip"][2:] != ["threads=256 loads=4"]:
        raise Failed(f"the tooltip is {found['tooltip']}")
    for unit, title, last in (("gbs", "bandwidth, GB/s", "1000"), ("ratio", "time relative to the fastest, up to 10×", "10")):
        axis = probed(t, "unit=" + unit)[0]["axes"][1]
        if axis[1] != title or axis[2][-1] != last:
            raise Failed(f"{unit}: {axis}")


@long
def test_hostile_plot_in_a_browser(t):
    """Names in the legend and in tooltips are text, and are cut where they are too long."""
    if not chart(t):
        raise Skipped("tgc was built without Chart.js")
    id = hostile(t)
    m = json.loads(t.read("out/manifest.json"))
    name = HOSTILE + "x" * 300
    m["variants"][1]["id"] = name
    t.write("out/manifest.json", json.dumps(m))
    hashes = [v["text_hash"] for v in m["variants"][:2]]
    os.remove(t.path("out/tune.db"))
    measurements(t, "out/tune.db", [(v, h, HOSTILE, 64 << k, HOSTILE + " " + "y" * 500, 1, us) for k in range(5)
                                    for v, h, us in ((id, hashes[0], 1.0), (name, hashes[1], 2.0))])
    viewed(t)
    found, dom = probed(t, "")
    names = Counted(dom)
    if names.of("img") or names.of("script") != 5 or found["opened"] != [name, name]:
        raise Failed(f"{names.of('img')} images and {names.of('script')} scripts; opened is {found['opened']}")
    if not found["tooltip"][0].startswith("</script>") or max(map(len, found["tooltip"])) > 100:
        raise Failed(f"the tooltip is {found['tooltip']}")


@long
def test_without_plotting_library_in_a_browser(t):
    """A tgc that was built without the library says so when it is built, and on its pages, which have tables."""
    build = t.path("built")
    t.shell(f'cmake -S "{t.root}" -B "{build}" -DTGC_CHART_JS=OFF -DBUILD_TESTING=OFF -DTGC_INSTALL=OFF '
            + ("-DCMAKE_C_COMPILER_LAUNCHER=ccache" if shutil.which("ccache") else "")).exits(0).prints(
                "writes tables instead of plots: Chart.js was not found")
    t.shell(f'cmake --build "{build}" --target tgc -j 2', timeout=900).exits(0)
    m = compiled(t, "--arch", "sm_90", "--types", "float", "--keep", "2")
    measurements(t, "out/tune.db", [(v["id"], v["text_hash"], "float", 64 << k, "", 1, 2.0 + k)
                                    for v in m["variants"] for k in range(5)])
    t.shell(f'"{build}/tgc" view').exits(0).prints("out/view.html")
    for fragment in ("", "v=" + m["variants"][0]["id"]):
        dom = drawn(t, "out/view.html", fragment)
        if 'id="no-plot"' not in dom or "built without the plotting library Chart.js" not in dom or "winners" not in dom or "<canvas" in dom:
            raise Failed(f"#{fragment}: no note, no table, or a plot")


@long
def test_counts_in_a_browser(t):
    """Of several numbers of parts the largest is shown, until another one is chosen; the choice says which."""
    m = compiled(t, "--arch", "sm_90", "--types", "float", "--keep", "1")
    v = m["variants"][0]
    measurements(t, "out/tune.db", [(v["id"], v["text_hash"], "float", (64 << k) + odd, "", 1, 2.0 + k)
                                    for k in range(4) for odd in (0, 1)])
    db = sqlite3.connect(t.path("out/tune.db"))
    db.execute("UPDATE measurement SET count = CASE WHEN n % 2 THEN 16 ELSE 4096 END")
    db.commit()
    db.close()
    viewed(t)
    for fragment, first in (("", "2^6"), ("count=4096", "2^6"), ("count=16", "65"), ("count=5", "2^6")):
        probe = "<script>document.querySelectorAll('select').forEach(s => s.dataset.shown = s.selectedOptions[0].text)</script>"
        t.write("out/probed.html", t.read("out/view.html").replace("</body>", probe + "</body>"))
        dom = drawn(t, "out/probed.html", fragment)
        size = re.search(r'id="winners".*?<tbody><tr[^>]*><td class="number">(.*?)</td>', dom, re.S)[1]
        shown = re.search(r'<select title="number of parts"[^>]*data-shown="(.*?)"', dom)
        if size != first or not shown or shown[1] != ("16 parts" if first == "65" else "2^12 parts"):
            raise Failed(f"#{fragment}: the first size is {size}, chosen is {shown and shown[1]}")


@long
def test_lines_in_a_browser(t):
    """Of a text with #line, the lines that come from one line of a codelet."""
    m = compiled(t, "--arch", "sm_90", "--types", "float", "--keep", "4", "--line")
    viewed(t)
    v = m["variants"][0]
    dom = drawn(t, "out/view.html", f"v={v['id']}")
    exact = re.findall(r'data-keys="[^"]*" data-exact="(sum.cdl:\d+)"', dom)
    if not exact or "#line" in dom.split('id="kernels"')[1].split("<noscript>")[0]:
        raise Failed("no line says where it comes from, or directives are shown")
    dom = drawn(t, "out/view.html", f"v={v['id']}&at={exact[0]}%20{exact[0]}")
    if len(re.findall(r'class="row[^"]* exact"', dom)) < 2:
        raise Failed("a codelet's line and a kernel's are not lit together")


@long
def test_hostile_text_in_a_browser(t):
    """The page is drawn, and no name becomes an element."""
    id = hostile(t)
    viewed(t)
    for fragment in ("", "v=" + id, "v=" + id + "&remarks=1&unit=ratio&q=" + "%3Cimg%20src=x%3E"):
        dom = drawn(t, "out/view.html", fragment)
        names = Counted(dom)
        if names.of("img") or names.of("script") != (3 if chart(t) else 2) or "alert(1)" not in dom:
            raise Failed(f"#{fragment}: {names.of('img')} images and {names.of('script')} scripts")


class Counted(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.names = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.names.append(tag)

    def of(self, tag):
        return self.names.count(tag)
