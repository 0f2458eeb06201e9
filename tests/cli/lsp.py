"""tgc lsp: an editor's side of the protocol over pipes."""
import glob, json, os, random, re, select, subprocess, time

from harness import LONG, Failed, by_turns, tree

ERROR, WARNING, INFORMATION, HINT = 1, 2, 3, 4
PATIENCE = 120  # seconds: the machine may be busy


class Editor:
    """A client: sends messages, waits for answers, keeps what was published."""

    def __init__(self, t, *arguments):
        self.t = t
        self.server = subprocess.Popen([t.tgc, "lsp", *arguments], cwd=t.folder, stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        os.set_blocking(self.server.stdout.fileno(), False)
        os.set_blocking(self.server.stdin.fileno(), False)
        self.bytes, self.messages, self.ids, self.versions = b"", [], 0, {}

    def begin(self):
        self.hello = self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})["result"]
        self.tell("initialized", {})
        return self

    def take(self):
        """Takes what has come. False: it ended."""
        try:
            data = os.read(self.server.stdout.fileno(), 1 << 20)
        except BlockingIOError:
            return True
        self.bytes += data
        self.split()
        return bool(data)

    def raw(self, data):
        """Sends bytes; takes what comes meanwhile, as the server may have to write before it reads."""
        data, end = memoryview(data), time.monotonic() + PATIENCE
        while data:
            come, free, _ = select.select([self.server.stdout], [self.server.stdin], [], 1)
            if come and not self.take() or time.monotonic() > end:
                raise Failed("the server takes no messages")
            if free:
                data = data[os.write(self.server.stdin.fileno(), data):]

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def receive(self, until):
        """The first message, of those that were kept or come, for which `until' holds."""
        end = time.monotonic() + PATIENCE
        while True:
            for i, message in enumerate(self.messages):
                if until(message):
                    return self.messages.pop(i)
            if time.monotonic() > end:
                raise Failed(f"the server did not answer in {PATIENCE} s; kept: {str(self.messages)[:500]}")
            if not select.select([self.server.stdout], [], [], 1)[0]:
                continue
            if not self.take():
                said = self.server.stderr.read().decode(errors="replace")
                raise Failed(f"the server ended with {self.server.wait()}: {said}")

    def split(self):
        while True:
            m = re.match(rb"Content-Length: (\d+)\r\n\r\n", self.bytes)
            if not m or len(self.bytes) < m.end() + int(m[1]):
                return
            end = m.end() + int(m[1])
            self.messages.append(json.loads(self.bytes[m.end():end]))
            self.bytes = self.bytes[end:]

    def ask(self, method, parameters):
        self.ids += 1
        me = f"editor {self.ids}"  # as no mutated message has it
        self.send({"id": me, "method": method, "params": parameters})
        return self.receive(lambda m: m.get("id") == me)

    def tell(self, method, parameters):
        self.send({"method": method, "params": parameters})

    def uri(self, path):
        return "file://" + path

    def open(self, path, text=None):
        """Opens a file, or a text that is to be in it; what is said of it."""
        if text is None:
            with open(path) as f:
                text = f.read()
        self.versions[path] = 1
        self.tell("textDocument/didOpen", {"textDocument": {"uri": self.uri(path), "languageId": "cdl", "version": 1,
                                                             "text": text}})
        return self.diagnostics(path)

    def change(self, path, *changes):
        """Edits: texts, or (from, to, text) with places (line, character)."""
        self.versions[path] += 1
        edits = []
        for c in changes:
            if isinstance(c, str):
                edits.append({"text": c})
                continue
            places = [{"line": line, "character": character} for line, character in c[:2]]
            edits.append({"range": {"start": places[0], "end": places[1]}, "text": c[2]})
        self.tell("textDocument/didChange", {"textDocument": {"uri": self.uri(path), "version": self.versions[path]},
                                             "contentChanges": edits})

    def diagnostics(self, path):
        """What is published of the version at hand."""
        def is_it(m):
            p = m.get("params", {})
            return (m.get("method") == "textDocument/publishDiagnostics" and p["uri"] == self.uri(path) and
                    p["version"] == self.versions[path])
        return self.receive(is_it)["params"]["diagnostics"]

    def at(self, what, path, place):
        r = self.ask(f"textDocument/{what}", {"textDocument": {"uri": self.uri(path)},
                                              "position": {"line": place[0], "character": place[1]}})
        if "result" not in r:
            raise Failed(f"{what}: {r}")
        return r["result"]

    def hover(self, path, place):
        r = self.at("hover", path, place)
        return r["contents"]["value"] if r else None

    def end(self):
        """Ends as an editor does."""
        if self.ask("shutdown", None).get("result", 0) is not None:
            raise Failed("shutdown has another answer than null")
        self.tell("exit", None)
        self.server.stdin.close()
        if self.server.wait(PATIENCE) != 0:
            raise Failed(f"it ended with {self.server.returncode}")


def expect(ok, why):
    if not ok:
        raise Failed(why)


def errors(diagnostics):
    return [d for d in diagnostics if d["severity"] in (ERROR, WARNING)]


def span(d):
    """A range as (line, character, line, character)."""
    r = d.get("range", d)
    return (*r["start"].values(), *r["end"].values()) if list(r["start"]) == ["line", "character"] else (
        r["start"]["line"], r["start"]["character"], r["end"]["line"], r["end"]["character"])


def place(text, what, which=0, plus=0):
    """Where the text has that: line, and characters as UTF-16 has them."""
    at = -1
    for _ in range(which + 1):
        at = text.index(what, at + 1)
    at += plus
    line = text.rfind("\n", 0, at) + 1
    return text.count("\n", 0, at), len(text[line:at].encode("utf-16-le")) // 2


def shipped(t):
    found = sorted(glob.glob(t.source("codelets", "**", "*.cdl"), recursive=True) +
                   glob.glob(t.source("examples", "**", "*.cdl"), recursive=True))
    expect(len(found) > 20, f"only {len(found)} codelet files are shipped")
    return found


@by_turns(3.5)
def test_shipped(t):
    """No error and no warning in any shipped file; its codelets are found."""
    e = Editor(t).begin()
    for path in shipped(t):
        said = errors(e.open(path))
        expect(not said, f"{path}: {said}")
        found = e.ask("textDocument/documentSymbol", {"textDocument": {"uri": e.uri(path)}})["result"]
        with open(path) as f:
            text = f.read()
        definitions = len(re.findall(r"^(?:template <[^>]*> *)?(?:__codelet|struct |inline |static )", text, re.M))
        expect(len(found) == definitions, f"{path}: {len(found)} symbols of {definitions}")
        lines = text.split("\n")
        for s in found:
            line, begin, _, end = span(s["selectionRange"])
            expect(lines[line][begin:end] == s["name"], f"{path}: {s}")
        e.tell("textDocument/didClose", {"textDocument": {"uri": e.uri(path)}})
    e.end()


def test_machines(t):
    """For a GPU too, where codelets that no plan uses are told, at their names."""
    e = Editor(t, "--arch", "sm_90", "--types", "float", "--stdio").begin()
    dot = t.source("codelets", "dot.cdl")
    said = e.open(dot)
    expect(not errors(said), f"{errors(said)}")
    with open(dot) as f:
        text = f.read()
    unused = {re.search(r"`(\w+)'", d["message"])[1]: d for d in said if d.get("code") == "unused"}
    line, begin = place(text, "__tag(serial)\nT dot", 0, len("__tag(serial)\nT "))
    expect(list(unused) == ["serial"], f"expected that `serial' is not used: {list(unused)}")
    expect(span(unused["serial"]) == (line, begin, line, begin + 3), f"{unused['serial']}")
    expect(unused["serial"]["severity"] == HINT and unused["serial"]["tags"] == [1], f"{unused['serial']}")
    expect(any(d.get("code") == "shuffle" and d["severity"] == HINT for d in e.open(t.sum)), "no remark on a shuffle")
    e.end()
    for wrong in (("--types", "flaot"), ("--timeout", "0"), ("--timeout", "x"), ("x",), ("--arch", "sm_80,sm_90")):
        t.run("lsp", *wrong).exits(2)
    e = Editor(t, "--arch", "none").begin()
    expect("unknown machine" in str(e.open(t.sum)) or "none" in str(e.open(t.sum)), "nothing is said of the machine")
    e.end()


def test_typing(t):
    """An error is at its place while it is typed, however the editor sends its edits, and goes when it is mended."""
    with open(t.sum) as f:
        text = f.read()
    path = t.path("sum.cdl")
    e = Editor(t).begin()
    expect(not errors(e.open(path, text)), "errors before anything was typed")
    at = place(text, "accum += in[i]")
    e.change(path, (at, (at[0], at[1] + 5), "acum"))
    said = errors(e.diagnostics(path))
    expect([(span(d), d["severity"]) for d in said] == [((at[0], at[1], at[0], at[1] + 4), ERROR)], f"{said}")
    expect("undeclared" in said[0]["message"] and "hint: did you mean `accum'?" in said[0]["message"], f"{said}")
    e.change(path, (at, (at[0], at[1] + 4), "acc"), ((at[0], at[1] + 3), (at[0], at[1] + 3), "um"))
    expect(not errors(e.diagnostics(path)), "an error that was mended stays")
    wrong = text.replace("unsigned tile = (len + p - 1) / p;", "unsigned tile = len / p;")
    e.change(path, wrong)
    said = errors(e.diagnostics(path))
    expect(len(said) == 1 and span(said[0])[:2] == place(wrong, "partition(") and "element 0 is missed" in
           said[0]["message"], f"{said}")
    half = text[:text.index("map.atomicAdd")]  # as it is halfway through
    e.change(path, half)
    said = errors(e.diagnostics(path))
    expect(len(said) == 1 and "never closed" in said[0]["message"], f"{said}")
    expect("Array<1, T> in" in e.hover(path, place(half, "in, p", 0)), "a text that cannot be read has no hover")
    e.change(path, text)
    expect(not errors(e.diagnostics(path)), "errors at the end")
    e.end()


def test_characters(t):
    """Places are UTF-16 code units, lines end with CR LF too."""
    text = ("/* \U0001F600\u00e4 */ __codelet int f(const Array<1, int> in) {\r\n"
            "  int s = 0; /* \U0001F600 */ s += in[i];\r\n  return s;\r\n}\r\n")
    path = t.path("a b\u00e4.cdl")
    e = Editor(t).begin()
    e.uri = lambda p: "file://" + p.replace(" ", "%20").replace("\u00e4", "%C3%A4")
    said = errors(e.open(path, text))
    line, begin = place(text, "i];")
    expect([span(d) for d in said] == [(line, begin, line, begin + 1)], f"{said}")
    loop = "for (int i = 0; i < in.Size(); ++i) "
    e.change(path, (place(text, "s +="), place(text, "s +="), loop))
    said = errors(e.diagnostics(path))
    expect(not said, f"the edit went elsewhere: {said}")
    text = text.replace("s +=", loop + "s +=")
    expect(e.at("definition", path, place(text, "s +="))[0]["range"]["start"] == {"line": 1, "character": 6}, "of s")
    found = [span(h) for h in e.at("documentHighlight", path, place(text, "s +="))]
    expect(found == [(*place(text, w, 0, k), place(text, w)[0], place(text, w)[1] + k + 1)
                     for w, k in (("s = 0", 0), ("s +=", 0), ("s;", 0))], f"{found}")
    e.end()


def test_questions(t):
    """Hover, definition, symbols and completion in shipped files."""
    with open(t.sum) as f:
        text = f.read()
    e = Editor(t).begin()
    e.open(t.sum)
    for what, parts in (("sum(map)", ("T sum(const Array<1, T> in)", "Compound codelet `tiled`", "`butterfly`",
                                      "p workers, each with a contiguous tile")),
                        ("tile =", ("unsigned tile = (len + p - 1) / p",)), ("__tunable", ("the compiler picks",)),
                        ("Size()", ("64 bits",)), ("Map map", ("applied to every part",)),
                        ("__tag", ("name in plans",)),
                        ("partition(", ("partition(c, n, start, inc, end)",))):
        said = e.hover(t.sum, place(text, what))
        expect(said and all(p in said for p in parts), f"hover of {what}: {said}")
    expect(e.hover(t.sum, place(text, "+=")) is None, "a hover of nothing")
    places = e.at("definition", t.sum, place(text, "sum(map)"))
    expect(len(places) == 8 and all(p["uri"] == e.uri(t.sum) for p in places), f"{places}")
    expect(span(places[0])[:2] == place(text, "T sum", 0, 2), f"{places[0]}")
    for what, where in (("in[i]", "in) {"), ("len;", "len ="), ("map.atomicAdd", "map(sum"), ("T accum", "T>")):
        to = e.at("definition", t.sum, place(text, what))
        expect([span(p)[:2] for p in to] == [place(text, where)], f"definition of {what}: {to}")
    items = {i["label"] for i in e.at("completion", t.sum, place(text, "accum +="))}
    expect({"__tunable", "partition", "Array", "sum", "accum", "vthread"} <= items, f"{items}")
    expect("MaxSize" not in items, f"{items}")
    items = {i["label"] for i in e.at("completion", t.sum, place(text, "Size()"))}
    expect({"Size", "MaxSize", "atomicAdd"} <= items and "partition" not in items, f"{items}")
    gemv = t.source("codelets", "gemv.cdl")
    e.open(gemv)
    with open(gemv) as f:
        text = f.read()
    to = e.at("definition", gemv, place(text, "dot<T>"))
    expect(to and all(p["uri"].endswith("/codelets/dot.cdl") for p in to), f"{to}")
    to = e.at("definition", gemv, place(text, "dot.cdl"))
    expect(to[0]["uri"] == e.uri(t.source("codelets", "dot.cdl")), f"{to}")
    reduce = t.source("codelets", "reduce.cdl")
    e.open(reduce)
    with open(reduce) as f:
        text = f.read()
    expect("static State op(State a, State b)" in e.hover(reduce, place(text, "op(State")), "hover of a function")
    expect("long long place" in e.hover(reduce, place(text, "b.place", 0, 2)), "hover of a field")
    expect("combined" in e.hover(reduce, place(text, "M::op", 0, 3)), "hover of M::op")
    for name, what, meaning in (("copy_if", "Once)", "each position at most once"), ("spmv", "gather(", "elements of x at these positions"),
                                ("copy_if", "__like(", "as many elements as"), ("kmeans_update", "Add)", "is added")):
        path = t.source("codelets", f"{name}.cdl")
        e.open(path)
        with open(path) as f:
            said = e.hover(path, place(f.read(), what))
        expect(said and meaning in said, f"hover of {what} in {name}: {said}")
    e.end()


def test_unsaved(t):
    """What a text includes is as the editor has it, saved or not; an error in it is told at the #include too."""
    part = "__codelet int twice(int x) { return x + x; }\n"
    whole = ('#include "part.cdl"\n__codelet int f(const Array<1, int> in) {\n  int s = 0;\n'
             "  for (int i = 0; i < in.Size(); ++i) s += twice(in[i]);\n  return s;\n}\n")
    t.write("part.cdl", part.replace("twice", "once"))
    e = Editor(t).begin()
    expect(len(errors(e.open(t.path("whole.cdl"), whole))) == 1, "the saved file has no `twice'")
    expect(not errors(e.open(t.path("part.cdl"), part)), "errors in the part")
    expect(not errors(e.diagnostics(t.path("whole.cdl"))), "the text that is not saved does not count")
    e.change(t.path("part.cdl"), part.replace("x + x", "x + y"))
    expect(len(errors(e.diagnostics(t.path("part.cdl")))) == 1, "no error in the part")
    said = errors(e.diagnostics(t.path("whole.cdl")))
    expect(span(said[0]) == (0, 0, 0, 19) and said[0]["message"].startswith(t.path("part.cdl") + ":1:41: "), f"{said}")
    there = said[0]["relatedInformation"][0]["location"]
    expect(span(there)[:2] == place(part.replace("x + x", "x + y"), "y"), f"{said}")
    to = e.at("definition", t.path("whole.cdl"), place(whole, "twice"))
    expect(to[0]["uri"] == e.uri(t.path("part.cdl")), f"{to}")
    e.tell("textDocument/didClose", {"textDocument": {"uri": e.uri(t.path("part.cdl"))}})
    expect(len(errors(e.diagnostics(t.path("whole.cdl")))) == 1, "the file on the disk has no `twice'")
    missing = whole.replace("part.cdl", "none.cdl")
    e.change(t.path("whole.cdl"), missing)
    said = errors(e.diagnostics(t.path("whole.cdl")))
    expect(len(said) == 1 and span(said[0])[0] == 0 and "cannot find `none.cdl'" in said[0]["message"], f"{said}")
    expect(t.read("part.cdl") == part.replace("twice", "once") and os.listdir(t.folder) == ["part.cdl"], "it wrote")
    e.end()


def test_operators(t):
    """Operators are checked with the codelets of the file, or, where it has none, with shipped ones."""
    path = t.source("examples", "product2x2.cdl")
    with open(path) as f:
        text = f.read()
    e = Editor(t).begin()
    expect(not e.open(path), "something is said of a good operator")
    name = re.search(r"struct __monoid\(associative\) (\w+)", text)
    e.change(path, text.replace("__monoid(associative)", "__monoid(commutative)"))
    expect(len(errors(e.diagnostics(path))) == 1, "an operator that is not associative")
    expect(name and name[1] in e.hover(path, place(text, name[1])), "hover of an operator")
    e.end()


# ---- what no editor sends ----

def alive(e, path, at=(0, 0)):
    expect(e.hover(path, at) is not None, "no hover")


def test_garbage(t):
    """Headers, lengths, JSON and messages that are none: each is refused or passed over, and the server goes on."""
    e = Editor(t)
    r = e.ask("textDocument/hover", {})
    expect(r["error"]["code"] == -32002, f"before initialize: {r}")
    e.begin()
    expect(e.ask("initialize", {})["error"]["code"] == -32600, "initialize twice")
    path = t.path("x.cdl")
    e.open(path, "__codelet int f(int x) { return x; }\n")
    alive(e, path)
    deep = b"[" * 100000
    for body, code in ((b"", -32700), (b"{", -32700), (b"\xff\xfe", -32700), (b"[]", -32600), (b"3", -32600),
                       (b'"x"', -32600), (b"null", -32600), (b"{}", -32600), (deep, -32700), (b'{"id":{}}', -32600),
                       (b'{"id":1,"method":7}', -32600), (b'{"id":77,"method":"no/such"}', -32601),
                       (b'{"id":77,"method":"textDocument/hover"}', -32602),
                       (b'{"id":77,"method":"textDocument/hover","params":[1]}', -32602),
                       (b'{"id":77,"method":"textDocument/didOpen","params":{}}', -32600),
                       (b'{"id":77,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///n"}}}',
                        -32602)):
        e.raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        r = e.receive(lambda m: "error" in m)
        expect(r["error"]["code"] == code, f"{body[:60]}: {r}")
    for quiet in (b"\r\n\r\n", b"nonsense\n\n", b"Content-Length: none\r\n\r\n", b"Content-Length: -1\r\n\r\n",
                  b"Content-Type: x\r\n\r\n", b"\0" * 5000, b"x" * 20000 + b"\r\n\r\n"):
        e.raw(quiet)
        alive(e, path)
    e.raw(b"Content-Type: x\r\ncontent-length:  2 \r\n\r\n")  # nothing may stand behind the number
    e.raw(b'Content-Length: 10\r\n\r\n{"id": 5, "method": "x", "but": "it is longer than it says"}')
    expect(e.receive(lambda m: "error" in m)["error"]["code"] == -32700, "a message that is cut off")
    alive(e, path)
    e.raw(b"Content-Length: 70000000\r\n\r\n" + b" " * 70000000)
    expect(e.receive(lambda m: "error" in m)["error"]["code"] == -32600, "a message of 70 MB")
    alive(e, path)
    for method in ("didOpen", "didChange", "didClose"):
        for parameters in (None, [], 3, {}, {"textDocument": 3}, {"textDocument": {"uri": 3}},
                           {"textDocument": {"uri": ""}},
                           {"textDocument": {"uri": e.uri(path), "text": 3}, "contentChanges": {}},
                           {"textDocument": {"uri": e.uri(path)}, "contentChanges": [3, {"text": 3}]}):
            if method != "didClose" or parameters is None or "contentChanges" not in str(parameters):
                e.tell(f"textDocument/{method}", parameters)
    e.tell("$/cancelRequest", {"id": [3]})
    e.tell("$/setTrace", {"value": "off"})
    e.send({"id": 3, "result": None})
    e.change(path, ((-3, -9), (10**15, 10**15), "__codelet int g(int x) { return x; }"), ((0, 10**9), (0, 3), "\n"))
    expect(not errors(e.diagnostics(path)), "edits out of bounds")
    expect("int g" in e.hover(path, place("__codelet int g", "g")), "the text is another")
    e.end()


def test_ends(t):
    """It ends when its input does, wherever: half a message, half a header, while it works."""
    begin = b'{"id":1,"method":"initialize","params":{}}'
    whole = b"Content-Length: %d\r\n\r\n%s" % (len(begin), begin)
    for data, status in ((b"", 1), (b"Conte", 1), (whole[:30], 1), (whole, 1),
                         (whole + b"Content-Length: 99\r\n\r\n{", 1),
                         (b'Content-Length: 17\r\n\r\n{"method":"exit"}', 1)):
        done = subprocess.run([t.tgc, "lsp"], input=data, stdout=subprocess.PIPE, timeout=PATIENCE)
        expect(done.returncode == status, f"{data}: {done.returncode}")
    e = Editor(t).begin()
    with open(t.sum) as f:
        text = f.read()
    e.tell("textDocument/didOpen", {"textDocument": {"uri": "file:///x.cdl", "version": 1, "text": text}})
    e.server.stdin.close()
    expect(e.server.wait(PATIENCE) == 1, "it does not end while it works")
    e = Editor(t).begin()
    expect(e.ask("shutdown", None)["result"] is None and e.ask("shutdown", None)["error"]["code"] == -32600, "twice")
    e.tell("exit", None)
    expect(e.server.wait(PATIENCE) == 0, "exit after shutdown")


def test_hostile_texts(t):
    """Texts that are none: whatever is in them, something is said of them, soon, and nothing is written."""
    deep = "__codelet int f(int x) { return " + "(" * 150 + "x" + ")" * 150 + "; }\n"
    many = "".join(f"__codelet int f{i}(int x) {{ return x + {i}; }}\n" for i in range(1900))
    e = Editor(t, "--timeout", "3").begin()
    before = tree(t.folder)
    for i, text in enumerate(("", "\0", "\r\r\r", "}" * 3000, "{" * 3000, deep, "#include \"/etc/passwd\"\n",
                              "#include \"x5.cdl\"\n", "#include </dev/zero>\n", "__codelet int f(int x) { return x; ",
                              "#define A B\n#define B A\n__codelet int f(int x) { return A; }\n", "\ud83d\ude00".encode(
                                  "utf-16", "surrogatepass").decode("utf-16") * 1000, "/*" * 100000, "x" * 5000000)):
        said = e.open(t.path(f"x{i}.cdl"), text)
        expect(len(said) > 0 or text == deep, f"nothing is said of {text[:40]!r}")
    path = t.path("many.cdl")
    said = e.open(path, many)  # too many for the time it has
    expect(len(said) == 1 and "took longer than 3 s" in said[0]["message"], f"{said}")
    alive_again = "__codelet int f(int x) { return x; }\n"
    e.change(path, alive_again)
    expect(not errors(e.diagnostics(path)), "a good text after it")
    alive(e, path)
    expect(tree(t.folder) == before, "it left something behind")
    e.end()


def test_mutations(t):
    """Messages of a session, mutated at random, and texts that are cut anywhere."""
    seed = int(os.environ.get("TGC_SEED", random.randrange(10**6)))
    rng = random.Random(seed)
    with open(t.source("codelets", "dot.cdl")) as f:
        text = f.read()
    e = Editor(t).begin()
    path = t.path("m.cdl")
    e.open(path, text)
    good = [{"method": "textDocument/didChange", "params": {"textDocument": {"uri": e.uri(path), "version": 2},
             "contentChanges": [{"range": {"start": {"line": 9, "character": 3}, "end": {"line": 9, "character": 9}},
                                 "text": "x"}]}},
            {"id": "a", "method": "textDocument/hover", "params": {"textDocument": {"uri": e.uri(path)},
             "position": {"line": 20, "character": 5}}},
            {"id": 9, "method": "textDocument/completion", "params": {"textDocument": {"uri": e.uri(path)},
             "position": {"line": 20, "character": 5}}}]
    for _ in range(3000 if LONG else 300):
        body = bytearray(json.dumps(rng.choice(good)).encode())
        for _ in range(rng.randrange(4)):
            at = rng.randrange(len(body))
            body[at:at + rng.randrange(3)] = bytes([rng.randrange(256) if rng.random() < 0.3 else
                                                    rng.choice(b'0123456789-"{}[]:,xn')])
        e.raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), bytes(body)))
    for _ in range(30 if LONG else 4):
        e.versions[path] += 1000
        cut = text[:rng.randrange(len(text))] + text[rng.randrange(len(text)):]
        e.change(path, cut)
        said = e.diagnostics(path)
        expect(not any("internal" in d["message"] for d in said), f"{said}, of\n{cut}")
    e.versions[path] += 1000
    e.change(path, text)
    try:
        expect(not errors(e.diagnostics(path)), "errors in the text as it was")
        alive(e, path, place(text, "__codelet"))
        e.end()
    except Failed as why:
        raise Failed(f"with TGC_SEED={seed}: {why}")
