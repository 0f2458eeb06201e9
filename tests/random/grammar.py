"""grammar.py: draws codelet programs at random: valid ones, of kinds that nobody thought of.

draw(seed) returns a Program: the text of a .cdl file whose first spectrum is the one to compile, the element types it is
for, and the constructs of docs/reference/language.md that it has. All codelets of a spectrum compute the same, so that every way to
compose them has to give what the sequential one gives; what a codelet may look at follows from that: of a container that
its own spectrum's maps cut, the element at hand alone; of any other, everything.

Values stay small: no integer overflows, and floats are compared where they are data, not where they are rounded."""
import random
import re
from dataclasses import dataclass, field

INTEGERS = ["int", "uint", "int64", "uint64", "int8", "uint8", "int16", "uint16"]
FLOATS = ["float", "double", "half", "bfloat16"]
PLAIN = {"int": "int", "uint": "unsigned", "int64": "long", "float": "float", "double": "double"}

# What is counted, and how its text is known. Each has to occur in a hundredth of all programs.
CONSTRUCTS = {
    "__coop": r"__coop", "__tunable": r"__tunable", "__mutable": r"__mutable", "__like": r"__like\(\w+\)",
    "__like(A, d)": r"__like\(\w+, \d\)", "__by_columns": r"__by_columns", "__accum": r"__accum", "__shared": r"__shared\b",
    "__shared_atomic": r"__shared_atomic|__shared __atomic", "Array<1>": r"Array<1", "Array<2>": r"Array<2",
    "own container": r"Array<1, \w+> \w+\(", "Vector": r"Vector \w+\(\)", "coopIdx": r"coopIdx\(\)", "Map": r"\bMap ",
    "map statement": r"^ *map\(", "m.atomic": r"\.(template )?atomic", "m.to": r"\.to\(", "partition": r"partition\(",
    "gap": r"sequence\([23]\)|Sequence inc\([23]\)", "rows": r"\brows\(", "columns": r"\bcolumns\(", "elements": r"\belements\(",
    "Sequence": r"Sequence ", "sequence of a container": r"equence\w*\(offsets", "transform": r"transform\(", "zip": r"zip\(",
    "take": r"take\(", "gather": r"gather\(", "repeat": r"repeat\(", "iota": r"iota\(", "generate": r"generate\(",
    "slide": r"slide\(", "min": r"\bmin\(", "max": r"\bmax\(", "lowest": r"lowest<", "highest": r"highest<",
    "generic": r"typename T", "plain": r"\bArray<\d, (int|unsigned|long|float|double)>", "operators": r"typename M",
    "own operator": r"__monoid", "Size in a loop": r"for .*\n?.*[^<]\b\w+\.Size\(\d?\) *[-+*/%)]", "nested loop": r"for .*\n(.*\n)?.*for ",
    "condition": r"\bif \(", "?:": r" \? ", "number": r"\((T|int|unsigned) a\b|, (T|int|unsigned) [ak]\b",
    "merge": r"merge(<T>)?\(own", "function": r"template <typename T>\n__codelet\nT f\w*\(T|^T f\d\(T",
    "__shape": r"__shape\(", "__accum(Sub)": r"__accum\(Sub", "m.atomicSub": r"\.atomicSub", "__env": r"__env",
    "size()": r"\.size\(\)", "fraction": r"0\.5|1\.5", "lift": r"lift\(\w+ x\)", "lift with its place": r"lift\(\w+ x, long long",
    "finish": r"finish\(", "example": r"example\(", "rounded": r"rounded\)", "not commutative": r"__monoid\((associative|associative, rounded)\)",
    "elements stored in 2-D": r"[CB]\(i, j\) \+?=",
}


@dataclass
class Program:
    seed: int
    kind: str
    text: str
    types: list
    operator: str = ""
    constructs: set = field(default_factory=set)


class Draw:
    """A stream of choices, and the text that they make."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.parts = []
        self.functions = 0
        self.generic = self.r.random() < 0.8
        self.floating = self.r.random() < 0.45
        name = self.r.choice(["float", "double"] if self.floating else ["int", "uint", "int64"])
        self.t = "T" if self.generic else PLAIN[name]
        kinds = FLOATS if self.floating else INTEGERS
        self.types = self.r.sample(kinds, self.r.choice([1, 1, 2])) if self.generic else [name]
        self.unsigned = not self.floating and (not self.generic and name == "uint" or
                                               any(t.startswith("u") for t in self.types))
        self.wraps = not self.floating and all(t.startswith("u") for t in self.types)

    def pick(self, *of):
        return self.r.choice(of)

    def chance(self, p):
        return self.r.random() < p

    def index(self):
        return self.pick("unsigned", "unsigned", "int", "long")

    def literal(self):
        if self.floating and self.chance(0.15):
            return self.pick("0.5", "1.5f" if not self.generic else "0.5")
        return self.pick("0", "1", "2", "3", "5") if self.unsigned else self.pick("0", "1", "2", "3", "-1", "-2")

    def head(self, tag=None, coop=False):
        line = "__codelet" + (" __coop" if coop else "") + (f" __tag({tag})" if tag else "")
        return ("template <typename T>\n" if self.generic else "") + line + "\n"

    def add(self, text):
        self.parts.append(text.strip("\n") + "\n")
        once = re.search(r"__tag\((\w+)\)", text)
        if once and self.chance(0.02):  # the same once more, for some machines
            self.parts.append(self.parts[-1].replace(once.group(0), f"__env({self.pick('sm_60, avx2', 'sm_80, sm_90', 'avx512')}) "
                                                     f"__tag({once.group(1)}_there)"))

    def of(self, name):
        """A spectrum as an argument of a map: generic ones say which T is meant."""
        return f"{name}<T>" if self.generic else name

    # ---- expressions: env is a list of (text of a value) and of guarded elements ----

    def value(self, leaves, depth):
        t = self.t
        if depth <= 0 or self.chance(0.25):
            return self.r.choice(leaves) if self.chance(0.85) else self.literal()
        kind = self.r.random()
        a, b = self.value(leaves, depth - 1), self.value(leaves, depth - 1)
        if kind < 0.45:
            return f"({a} {self.pick('+', '+', '-') if not self.unsigned else '+'} {b})"
        if self.wraps and self.chance(0.1):
            return f"(({a} * 3000000019u) / 3u)"
        if kind < 0.6:
            return f"({a} * {self.pick('2', '3', self.r.choice(leaves))})"
        if kind < 0.75:
            return f"{self.pick('max', 'min')}({self.typed(a)}, {self.typed(b)})"
        if kind < 0.78:
            return f"({a} / {self.pick('2', '3', f'{t}(2)')})"
        if kind < 0.95:
            return f"({self.condition(leaves)} ? {self.typed(a)} : {self.typed(b)})"
        return f"{t}({a})"

    def typed(self, text):
        return f"{self.t}({text})"

    def condition(self, leaves):
        x, y = self.r.choice(leaves), self.r.choice(leaves + [self.literal()])
        return f"{self.typed(x)} {self.pick('<', '>', '<=', '>=', '==', '!=')} {self.typed(y)}"

    def function(self, arity):
        """A function of numbers; its name."""
        name = f"f{self.functions}"
        self.functions += 1
        names = ["a", "b", "c"][:arity]
        self.add(self.head() + f"{self.t} {name}({', '.join(f'{self.t} {n}' for n in names)}) {{\n"
                 f"  return {self.typed(self.value(names, 2))};\n}}")
        return name

    # ---- what a body may read ----

    def elements(self, containers, var, over):
        """Texts of elements of one-dimensional containers in a loop of var over the container `over'. containers:
        name -> what may be read: 'here' the element at hand, 'all' any."""
        found = []
        main = next(iter(containers))  # which those that are `like' it are as long as
        for name, may in containers.items():
            if name == over:
                found += [f"{name}[{var}]"] * 3
                if may == "all":
                    found += [f"{name}[0]", f"{name}[{name}.Size() - 1]", f"{name}[{name}.Size() - 1 - {var}]",
                              f"({var} > 0 ? {name}[{var} - 1] : {self.typed(0)})", f"{self.t}({name}.Size())"]
            elif may == "like":
                found += [f"{name}[{var}]"] * 2 if over == main or containers.get(over) == "like" else []
            elif may == "all":
                found += [f"({name}.Size() > 0 ? {name}[{var} % {name}.Size()] : {self.typed(0)})",
                          f"({name}.Size() > 0 ? {name}[{name}.Size() - 1] : {self.typed(0)})", f"{self.t}({name}.Size())"]
        return found


# ---- reductions by a known operator ----

OPERATORS = {
    "+": dict(zero="0", atomic="Add", do=lambda a, x: f"{a} += {x};", form=lambda a, b: f"{a} + {b}"),
    "max": dict(zero="lowest<{t}>()", atomic="Max", do=lambda a, x: f"{a} = max({a}, {x});", form=lambda a, b: f"max({a}, {b})"),
    "min": dict(zero="highest<{t}>()", atomic="Min", do=lambda a, x: f"{a} = min({a}, {x});", form=lambda a, b: f"min({a}, {b})"),
    "^": dict(zero="0", atomic=None, do=lambda a, x: f"{a} ^= {x};", form=lambda a, b: f"({a} ^ {b})"),
    "|": dict(zero="0", atomic=None, do=lambda a, x: f"{a} |= {x};", form=lambda a, b: f"({a} | {b})"),
}


def operator_of(d):
    return d.pick("+", "+", "+", "max", "min") if d.floating else d.pick("+", "+", "max", "min", "^", "|")


def cut(d, container, tiles, p="p"):
    """Sequences that cut a container into p parts: (declarations, a partition)."""
    n = f"{container}.Size()"
    if tiles:
        text = f"  unsigned len = {n};\n  unsigned tile = (len + {p} - 1) / {p};\n"
        return text, f"sequence(0, tile, len), sequence(1), sequence(tile, tile, len)"
    if d.chance(0.5):
        return f"  Sequence start(0, 1, {p});\n  Sequence inc({p});\n  Sequence end({n});\n", "start, inc, end"
    return "", f"sequence(0, 1, {p}), sequence({p}), sequence({n})"


def tree(d, name, op):
    """A cooperative codelet: lanes exchange by halving or doubling distances."""
    o, t = OPERATORS[op], d.t
    zero = o["zero"].format(t=t)
    form = d.pick("halves", "doubles", "vectors", "atomic", "xor")
    if form in ("halves", "doubles"):
        id_ = d.pick("id", "me")
        body = (f"  __shared {t} tmp[coopDim()];\n  {d.pick('unsigned', 'int')} {id_} = coopIdx();\n"
                f"  tmp[{id_}] = {id_} < in.Size() ? in[{id_}] : {t}({zero});\n")
        if form == "halves":
            body += (f"  for ({d.pick('unsigned', 'int')} s = coopDim() / 2; s > 0; s /= 2) {{\n    if ({id_} < s)\n"
                     f"      {o['do'](f'tmp[{id_}]', f'tmp[{id_} + s]')}\n  }}\n  return tmp[0];\n")
        else:
            body += (f"  for ({d.pick('unsigned', 'int')} s = 1; s < coopDim(); s *= 2) {{\n    if ({id_} >= s)\n"
                     f"      {o['do'](f'tmp[{id_}]', f'tmp[{id_} - s]')}\n  }}\n  return tmp[coopDim() - 1];\n")
    elif form == "atomic" and o["atomic"]:
        body = (f"  Vector v();\n  __shared_atomic{o['atomic']} {t} all;\n"
                f"  {t} val = v.ThreadId() < in.Size() ? in[v.ThreadId()] : {t}({zero});\n  all = val;\n  return all;\n")
    else:
        other, guard = (("v.ThreadId() ^ s", False) if form == "xor" else ("v.ThreadId() + s", True))
        take = f"tmp[{other}]" if not guard else f"(v.LaneId() + s < v.Size() ? tmp[{other}] : {t}({zero}))"
        step = o["do"]("val", take)
        body = (f"  Vector v();\n  __shared {t} partial[v.MaxSize()];\n  __shared {t} tmp[in.Size()];\n"
                f"  {t} val = v.ThreadId() < in.Size() ? in[v.ThreadId()] : {t}({zero});\n  tmp[v.ThreadId()] = val;\n"
                f"  for (int s = v.MaxSize() / 2; s > 0; s /= 2) {{\n    {step}\n    tmp[v.ThreadId()] = val;\n  }}\n"
                "  if (in.Size() > v.MaxSize()) {\n    if (v.LaneId() == 0)\n      partial[v.VectorId()] = val;\n"
                "    if (v.VectorId() == 0) {\n      val = partial[v.LaneId()];\n      partial[v.ThreadId()] = val;\n"
                f"      for (int s = v.MaxSize() / 2; s > 0; s /= 2) {{\n        {step.replace('tmp', 'partial')}\n"
                "        partial[v.ThreadId()] = val;\n      }\n    }\n  }\n  return val;\n")
    d.add(d.head(f"tree_{form}", coop=d.chance(0.7)) + f"{t} {name}(const Array<1, {t}> in) {{\n{body}}}")


def reduction(d, name, op=None):
    """A spectrum `T name(const Array<1, T> in)' by a known operator, with some of its codelets."""
    op = op or operator_of(d)
    o, t = OPERATORS[op], d.t
    sign = f"{t} {name}(const Array<1, {t}> in)"
    i, step = d.index(), d.pick("++i", "++i", "i += in.Stride()")
    add = o["do"]("acc", "in[i]")
    if d.chance(0.15) and op in ("max", "min"):
        add = f"if (in[i] {'>' if op == 'max' else '<'} acc)\n      acc = in[i];" if not d.floating else add
    d.add(d.head("serial") + f"{sign} {{\n  {t} acc = {o['zero'].format(t=t)};\n"
          f"  for ({i} i = 0; i < in.Size(); {step})\n    {add}\n  return acc;\n}}")
    for tiles in d.pick([True], [False], [True, False], [True, False], []):
        sequences, how = cut(d, "in", tiles)
        ends = f"  return {name}(m);\n"
        atomic = f"  m.atomic{o['atomic']}();\n" if o["atomic"] and d.chance(0.6) else ""
        d.add(d.head("tiled" if tiles else "strided") + f"{sign} {{\n  __tunable unsigned p;\n{sequences}"
              f"  Map m({name}, partition(in, p, {how}));\n{atomic}{ends}}}")
    if d.chance(0.7):
        tree(d, name, op)
    return op


def declared(d, sign):
    d.add(d.head().rstrip("\n") + f"\n{sign};")


# ---- kinds of programs: each adds its spectra, the main one first ----

def kind_reduction(d):
    reduction(d, "total")


def kind_away(d):
    """What a map's sums are taken away from."""
    t = d.t
    declared(d, f"{t} away(const Array<1, {t}> in)")
    sequences, how = cut(d, "in", d.chance(0.5))
    d.add(d.head("taken") + f"{t} away(const Array<1, {t}> in) {{\n  __tunable unsigned p;\n{sequences}"
          f"  Map m({d.of('total')}, partition(in, p, {how}));\n  m.atomicSub();\n}}")
    reduction(d, "total", "+")


def kind_shapes(d):
    """Sizes that follow from others: halos, fixed ones, products of matrices, by one lane."""
    t = d.t
    form = d.pick("halo", "fixed", "product", "wider")
    i, j = d.index(), d.index()
    if form == "halo":
        width = d.pick(2, 3)
        leaves = [f"x[i + {k}]" for k in range(width + 1)] + [f"x[x.Size() - 1]", f"{t}(y.Size())"]
        d.add(d.head("serial") + f"void shaped(const Array<1, {t}> x, __shape(x.Size() - {width}) __mutable Array<1, {t}> y) {{\n"
              f"  for ({i} i = 0; i < y.Size(); ++i)\n    y[i] = {d.value(leaves, 3)};\n}}")
    elif form == "fixed":
        leaves = ["x[i]", "w[0]", "w[1]", "w[2]", f"{t}(w.Size())", f"{t}(i)"]
        d.add(d.head("serial") + f"void shaped(const Array<1, {t}> x, __shape(3) const Array<1, {t}> w, __like(x) __mutable Array<1, {t}> y) {{\n"
              f"  for ({i} i = 0; i < x.Size(); ++i)\n    y[i] = {d.value(leaves, 3)};\n}}")
    elif form == "product":
        by = "__by_columns " if d.chance(0.3) else ""
        leaves = ["A(i, k)", "B(k, j)", "A(i, k)", "B(k, j)", f"{t}(k)", f"{t}(A.Size(1))"]
        d.add(d.head("serial") + f"void shaped({by}const Array<2, {t}> A, __shape(A.Size(1), _) const Array<2, {t}> B, "
              f"__shape(A.Size(0), B.Size(1)) __mutable Array<2, {t}> C) {{\n  for ({i} i = 0; i < A.Size(0); ++i)\n"
              f"    for ({j} j = 0; j < B.Size(1); ++j) {{\n      {t} acc = {d.literal()};\n"
              f"      for (unsigned k = 0; k < A.Size(1); ++k)\n        acc += {d.value(leaves, 1)};\n      C(i, j) = acc;\n    }}\n}}")
    else:
        leaves = ["A(i, j)", "A(i, j + 1)", "A(i, j + 2)", f"{t}(j)", f"{t}(B.Size(1))"]
        d.add(d.head("serial") + f"void shaped(const Array<2, {t}> A, __shape(A.Size(0), A.Size(1) - 2) __mutable Array<2, {t}> B) {{\n"
              f"  for ({i} i = 0; i < B.Size(0); ++i)\n    for ({j} j = 0; j < B.Size(1); ++j)\n      B(i, j) = {d.value(leaves, 2)};\n}}")


def kind_view(d):
    """A reduction of what is computed from several containers."""
    t, two, gathers = d.t, d.chance(0.6), d.chance(0.25)
    number = d.chance(0.5)
    op = operator_of(d)
    o = OPERATORS[op]
    params = [f"const Array<1, {t}> x"] + ([f"__like(x) const Array<1, {t}> y"] if two else [])
    if gathers:
        params.append("const Array<1, int> at")
    if number:
        params.insert(d.pick(0, len(params)), f"{t} a")
    sign = f"{t} combined({', '.join(params)})"
    declared(d, sign)
    declared(d, f"{t} total(const Array<1, {t}> in)")
    # The view: what is zipped, and the element at i of each as an expression.
    zipped, at = [], []
    if gathers:
        length, zipped, at = "at.Size()", ["gather(x, at)"], ["x[at[i]]"]
        if d.chance(0.4):
            zipped.append("gather(transform(g<T>, x), at)" if d.generic else "gather(transform(g, x), at)")
            at.append("g(x[at[i]])")
            d.add(d.head() + f"{t} g({t} a) {{\n  return {d.value(['a'], 1)};\n}}")
    else:
        length, zipped, at = "x.Size()", ["x"] + (["y"] if two else []), ["x[i]"] + (["y[i]"] if two else [])
        if len(zipped) < 3 and d.chance(0.2):
            d.add(d.head() + "long from_the_end(long i, long n) {\n  return n - 1 - i;\n}")
            at.append(f"{zipped[-1]}[{length} - 1 - i]")
            zipped.append(f"gather({zipped[-1]}, transform({d.of('from_the_end')}, zip(iota(long(0), {length}), "
                          f"repeat({length}, {length}))))")
    for view, what in ((f"repeat({'a' if number else f'{t}(3)'}, {length})", "a" if number else f"{t}(3)"),
                       (f"iota({t}(0), {length})", f"{t}(i)")):
        if len(zipped) < 3 and d.chance(0.4):
            zipped.append(view)
            at.append(what)
    f = d.function(len(zipped))
    view = f"transform({d.of(f)}, {zipped[0] if len(zipped) == 1 else 'zip(' + ', '.join(zipped) + ')'})"
    bound = length
    if d.chance(0.25):
        view, bound = f"take({view}, {length} / 2)", f"{length} / 2"
    d.add(d.head("serial") + f"{sign} {{\n  {t} acc = {o['zero'].format(t=t)};\n"
          f"  for ({d.index()} i = 0; i < {bound}; ++i)\n    {o['do']('acc', f + '(' + ', '.join(at) + ')')}\n  return acc;\n}}")
    d.add(d.head("view") + f"{sign} {{\n  return total({view});\n}}")
    reduction(d, "total", op)


def kind_generated(d):
    """A reduction of a view that has no container behind it."""
    t = d.t
    op = operator_of(d)
    o = OPERATORS[op]
    sign = f"{t} made(const Array<1, {t}> x)"
    declared(d, sign)
    declared(d, f"{t} total(const Array<1, {t}> in)")
    d.add(d.head() + f"{t} point({t} a) {{\n  return {d.value(['a'], 2)};\n}}")
    d.add(d.head("serial") + f"{sign} {{\n  {t} acc = {o['zero'].format(t=t)};\n  for (unsigned i = 0; i < x.Size(); ++i)\n"
          f"    {o['do']('acc', f'point({t}(i))')}\n  return acc;\n}}")
    d.add(d.head("view") + f"{sign} {{\n  return total(generate({d.of('point')}, x.Size()));\n}}")
    reduction(d, "total", op)


def own_body(d, containers, numbers, result):
    """Statements of an autonomous codelet that is no reduction: its lines. containers: name -> 'all' or 'like'."""
    t = d.t
    main = next(iter(containers))
    lines = [f"{t} acc = {d.literal()};"]
    for loop in range(d.pick(1, 1, 2)):
        over = d.r.choice(list(containers))
        i = "ij"[loop]
        leaves = d.elements(containers, i, over) + numbers + [f"{t}({i})"]
        begin, step = d.pick("0", "0", "0", "1"), d.pick(f"++{i}", f"++{i}", f"++{i}", f"{i} += 2")
        lines.append(f"for ({d.index()} {i} = {begin}; {i} < {over}.Size(); {step}) {{")
        if d.chance(0.4):
            lines.append(f"  {t} v = {d.value(leaves, 1)};")
            leaves = leaves + ["v"] * 3
        if d.chance(0.2):
            inner = d.r.choice(list(containers))
            lines += [f"  for ({d.index()} k = 0; k < {inner}.Size(); ++k)",
                      f"    acc += {d.value(d.elements({inner: 'all'}, 'k', inner) + leaves[:2], 1)};"]
        if d.chance(0.35):
            lines += [f"  if ({d.condition(leaves)})", f"    acc += {d.value(leaves, 2)};"]
            if d.chance(0.5):
                lines += ["  else", f"    acc += {d.value(leaves, 1)};"]
        else:
            lines.append("  " + d.pick(f"acc += {d.value(leaves, 2)};", f"acc += {d.value(leaves, 2)};",
                                       f"acc = max(acc, {d.typed(d.value(leaves, 1))});"))
        lines.append("}")
    value = d.pick("acc", "acc", f"acc + {t}({main}.Size())",
                   f"({main}.Size() > 0 ? {t}(acc + {main}[{main}.Size() - 1]) : acc)")
    return lines + [result(value)]


def kind_body(d):
    """One autonomous codelet that nothing may be regrouped by."""
    t = d.t
    containers, params = {"x": "all"}, [f"const Array<1, {t}> x"]
    if d.chance(0.6):
        containers["w"] = "all"
        params.append(f"const Array<1, {t}> w")
    numbers = []
    if d.chance(0.4):
        numbers.append("a")
        params.append(f"{t} a")
    lines = own_body(d, containers, numbers, lambda v: f"return {v};")
    d.add(d.head("serial") + f"{t} odd({', '.join(params)}) {{\n  " + "\n  ".join(lines) + "\n}")


def part_spectrum(d, name, extra):
    """What is applied to each part: `T name(const Array<1, T> in, extra..)'. extra: (declaration, kind, name) rows."""
    t = d.t
    params = [f"const Array<1, {t}> in"] + [e[0] for e in extra]
    sign = f"{t} {name}({', '.join(params)})"
    if not extra and d.chance(0.5):
        reduction(d, name)
        return
    containers = {"in": "all"}
    numbers = []
    for _, kind, n in extra:
        if kind == "number":
            numbers.append(n)
        else:
            containers[n] = kind
    if d.chance(0.55):
        lines = own_body(d, containers, numbers, lambda v: f"return {v};")
        d.add(d.head("serial") + f"{sign} {{\n  " + "\n  ".join(lines) + "\n}")
        return
    op = operator_of(d)
    o = OPERATORS[op]
    likes = [n for n, may in containers.items() if may in ("like",)]
    zipped = ["in"] + likes[:2] + [f"repeat({n}, in.Size())" for n in numbers[:1]]
    at = ["in[i]"] + [f"{n}[i]" for n in likes[:2]] + numbers[:1]
    f = d.function(len(zipped))
    view = f"transform({d.of(f)}, {zipped[0] if len(zipped) == 1 else 'zip(' + ', '.join(zipped) + ')'})"
    d.add(d.head("serial") + f"{sign} {{\n  {t} acc = {o['zero'].format(t=t)};\n"
          f"  for ({d.index()} i = 0; i < in.Size(); ++i)\n    {o['do']('acc', f + '(' + ', '.join(at) + ')')}\n  return acc;\n}}")
    declared(d, f"{t} total(const Array<1, {t}> in)")
    d.add(d.head("view") + f"{sign} {{\n  return total({view});\n}}")
    reduction(d, "total", op)


def kind_rows(d):
    """A result for each row or column of a matrix."""
    t, columns = d.t, d.chance(0.4)
    line, across = ("columns", 1) if columns else ("rows", 0)
    by = "__by_columns " if d.chance(0.35) else ""
    params = [f"{by}const Array<2, {t}> A"]
    args, extra, given = [f"{line}(A)"], [], []
    if d.chance(0.5):
        params.append(f"__like(A, {1 - across}) const Array<1, {t}> x")
        args.append("x")
        extra.append((f"__like(in) const Array<1, {t}> x", "like", "x"))
        given.append(("x", "like"))
    if d.chance(0.25):
        params.append(f"const Array<1, {t}> w")
        args.append("w")
        extra.append((f"const Array<1, {t}> w", "all", "w"))
    if d.chance(0.3):
        params.append(f"__like(A, {across}) const Array<1, {t}> each")
        args.append("elements(each)")
        extra.append((f"{t} a", "number", "a"))
    sign = f"void lines({', '.join(params + [f'__like(A, {across}) __mutable Array<1, {t}> y'])})"
    declared(d, sign)
    d.add(d.head("each") + f"{sign} {{\n  Map m({d.of('part')}, {', '.join(args)});\n  m.to(y);\n}}")
    part_spectrum(d, "part", extra)


def kind_matrix(d):
    """Loops over a matrix, by one lane."""
    t = d.t
    by = "__by_columns " if d.chance(0.3) else ""
    outer, inner = d.pick((0, 1), (1, 0))
    sign = (f"void table({by}const Array<2, {t}> A, __like(A, {1 - outer}) const Array<1, {t}> x, "
            f"__like(A, {outer}) __mutable Array<1, {t}> y)")
    a = "A(i, j)" if outer == 0 else "A(j, i)"
    leaves = [a, a, "x[j]", "A(0, 0)", f"A(A.Size(0) - 1, A.Size(1) - 1)", f"{t}(A.Size({outer}))", f"{t}(x.Size())", f"{t}(j)"]
    d.add(d.head("serial") + f"{sign} {{\n  for ({d.index()} i = 0; i < A.Size({outer}); ++i) {{\n    {t} acc = {d.literal()};\n"
          f"    for ({d.index()} j = 0; j < A.Size({inner}); ++j)\n      acc += {d.value(leaves, 2)};\n    y[i] = acc;\n  }}\n}}")


def kind_segments(d):
    """A result for each segment: of one length, with gaps, by offsets."""
    t = d.t
    form = d.pick("offsets", "length", "gaps")
    extra, params, args = [], [], []
    if d.chance(0.3):
        params, args, extra = [f"const Array<1, {t}> w"], ["w"], [(f"const Array<1, {t}> w", "all", "w")]
    if form == "offsets":
        sign = ", ".join([f"const Array<1, {t}> in", "const Array<1, long> offsets"] + params + [f"__mutable Array<1, {t}> out"])
        body = ("  unsigned n = out.Size();\n"
                f"  Map m({d.of('part')}, {', '.join(['partition(in, n, sequence(offsets, 0, 1, n), sequence(1), sequence(offsets, 1, 1, n + 1))'] + args)});\n")
    else:
        sign = ", ".join([f"const Array<1, {t}> in", "unsigned size"] + params + [f"__mutable Array<1, {t}> out"])
        inc = d.pick("2", "3") if form == "gaps" else "1"
        body = (f"  Map m({d.of('part')}, {', '.join([f'partition(in, out.Size(), sequence(0, size, in.Size()), sequence({inc}), sequence(size, size, in.Size()))'] + args)});\n")
    declared(d, f"void segments({sign})")
    d.add(d.head("each") + f"void segments({sign}) {{\n{body}  m.to(out);\n}}")
    part_spectrum(d, "part", extra)


def kind_elementwise(d):
    """Results element by element, of what is cut and of what is not."""
    t = d.t
    params, containers, numbers = [f"const Array<1, {t}> x"], {"x": "here"}, []
    if d.chance(0.4):
        params.append(f"__like(x) const Array<1, {t}> v")
        containers["v"] = "like"
    if d.chance(0.4):
        params.append(f"const Array<1, {t}> w")
        containers["w"] = "all"
    if d.chance(0.5):
        params.insert(d.pick(0, len(params)), f"{t} a")
        numbers.append("a")
    sign = f"void each({', '.join(params + [f'__like(x) __mutable Array<1, {t}> y'])})"
    leaves = [e for e in d.elements(containers, "i", "x") if "% w" not in e] + numbers  # i is another in each part
    store = d.pick("=", "=", "+=")
    d.add(d.head("serial") + f"{sign} {{\n  for ({d.index()} i = 0; i < x.Size(); ++i) {{\n"
          f"    y[i] {store} {d.value(leaves, 3)};\n  }}\n}}")
    names = [re.search(r"(\w+)$", p).group(1) for p in params] + ["y"]
    for tiles in d.pick([True], [False], [True, False], []):
        sequences, how = cut(d, "x", tiles)
        args = [f"partition({n}, p, {how})" if n in ("x", "v", "y") else n for n in names]
        d.add(d.head("tiled" if tiles else "strided") + f"{sign} {{\n  __tunable unsigned p;\n{sequences}"
              f"  map({d.of('each')}, {', '.join(args)});\n}}")


def kind_neighbours(d):
    """Each result from its neighbours: one lane, or parts that are read beyond where they are written."""
    t = d.t
    sign = f"void smooth(const Array<1, {t}> x, __like(x) __mutable Array<1, {t}> y)"
    d.add(d.head("serial") + f"{sign} {{\n  for ({d.index()} i = 0; i < x.Size(); ++i) {{\n"
          f"    {t} left = i > 0 ? x[i - 1] : x[0];\n    {t} right = i + 1 < x.Size() ? x[i + 1] : x[x.Size() - 1];\n"
          f"    y[i] = {d.value(['left', 'right', 'x[i]', 'x[0]', 'x[x.Size() - 1]', f'{t}(x.Size())'], 2)};\n  }}\n}}")


def kind_nested(d):
    """Rows of rows: a map over rows, each of which is mapped again."""
    t = d.t
    params = f"const Array<2, {t}> A, __like(A, 1) const Array<1, {t}> x, __like(A, 0) __mutable Array<1, {t}> y"
    declared(d, f"void outer({params})")
    declared(d, f"{t} inner(const Array<1, {t}> in, __like(in) const Array<1, {t}> x)")
    declared(d, f"{t} total(const Array<1, {t}> in)")
    d.add(d.head("each") + f"void outer({params}) {{\n  Map m({d.of('inner')}, {d.pick('rows(A), x', 'rows(A), x')});\n  m.to(y);\n}}")
    op = operator_of(d)
    o = OPERATORS[op]
    f, g = d.function(2), d.function(1)
    d.add(d.head("serial") + f"{t} inner(const Array<1, {t}> in, __like(in) const Array<1, {t}> x) {{\n  {t} acc = {o['zero'].format(t=t)};\n"
          f"  for ({d.index()} i = 0; i < in.Size(); ++i)\n    {o['do']('acc', f'{f}({g}(in[i]), x[i])')}\n  return acc;\n}}")
    d.add(d.head("views") + f"{t} inner(const Array<1, {t}> in, __like(in) const Array<1, {t}> x) {{\n"
          f"  return total(transform({d.of(f)}, zip(transform({d.of(g)}, in), x)));\n}}")
    reduction(d, "total", op)


def kind_accum(d):
    """Contributions to bins that all parts share; or to a worker's own."""
    t = d.t
    count = d.pick("unsigned", "int", "long") if d.chance(0.7) else t
    op = d.pick("Add", "Add", "Add", "Sub", "Sub", "Max", "Min") if count != "long" else "Add"
    weights = d.chance(0.4)
    params = ["const Array<1, int> at"] + ([f"__like(at) const Array<1, {count}> w"] if weights else [])
    sign = f"void bins({', '.join(params + [f'__accum({op}) Array<1, {count}> out'])})"
    if count != t and d.generic:  # no T shows in it
        d.generic = False
        d.types = [d.pick("int")]
    value = "w[i]" if weights else d.pick("1", "2")
    write = f"out[at[i]] {'+' if op == 'Add' else '-'}= {value};" if op in ("Add", "Sub") else f"out[at[i]] = {op.lower()}(out[at[i]], {count}({value}));"
    d.add(d.head("serial") + f"{sign} {{\n  for ({d.index()} i = 0; i < at.Size(); ++i)\n    {write}\n}}")
    for tiles in d.pick([True], [False], [True, False]):
        sequences, how = cut(d, "at", tiles)
        args = [f"partition(at, p, {how})"] + ([f"partition(w, p, {how})"] if weights else []) + ["out"]
        d.add(d.head("tiled" if tiles else "strided") + f"{sign} {{\n  __tunable unsigned p;\n{sequences}"
              f"  map({d.of('bins')}, {', '.join(args)});\n}}")
    if op == "Add" and d.chance(0.6):
        args = ["partition(at, p, sequence(0, 1, p), sequence(p), sequence(at.Size()))"] + \
               (["partition(w, p, sequence(0, 1, p), sequence(p), sequence(at.Size()))"] if weights else []) + ["own"]
        d.add(d.head("own") + f"{sign} {{\n  __tunable unsigned p;\n  Array<1, {count}> own(out.Size());\n"
              f"  map({d.of('bins')}, {', '.join(args)});\n  {d.of('merge')}(own, out);\n}}")
        d.add(d.head("serial") + f"void merge(const Array<1, {count}> from, __accum(Add) __like(from) Array<1, {count}> to) {{\n"
              "  for (unsigned i = 0; i < from.Size(); ++i)\n    to[i] += from[i];\n}")


def kind_scan(d):
    """Scans by a known operator: one lane, lanes, parts."""
    # Floats are summed alone: the codelets below differ in what a carry that is NaN gives way to under max and min.
    t, op = d.t, "+" if d.floating else d.pick("+", "+", "max", "min")
    o = OPERATORS[op]
    zero = o["zero"].format(t=t)
    form = o["form"]
    sign = lambda name: f"{t} {name}(const Array<1, {t}> in, {t} carry, __like(in) __mutable Array<1, {t}> out)"
    lines, across = d.pick(("", 0), ("", 0), ("rows", 0), ("columns", 1))
    first = lines and d.chance(0.5)
    whole = f"void running(const Array<1, {t}> in, __like(in) __mutable Array<1, {t}> out)" if not lines else \
        (f"void running(const Array<2, {t}> A, " + (f"__like(A, {across}) const Array<1, {t}> first, " if first else "") +
         f"__like(A) __mutable Array<2, {t}> B)")
    declared(d, whole)
    declared(d, sign("scan"))
    declared(d, sign("exclusive"))
    declared(d, f"void add({t} a, __mutable Array<1, {t}> out)")
    declared(d, f"{t} sum(const Array<1, {t}> in)")
    begin = f"{t}({zero})"
    scans = f"map({d.of('scan')}, {lines}(A), {'elements(first)' if first else begin}, {lines}(B))" if lines else \
        f"{d.of('scan')}(in, {begin}, out)"
    d.add(d.head("whole") + f"{whole} {{\n  {scans};\n}}")
    d.add(d.head("serial") + f"{sign('scan')} {{\n  {t} acc = carry;\n  for ({d.index()} i = 0; i < in.Size(); ++i) {{\n"
          f"    {o['do']('acc', 'in[i]')}\n    out[i] = acc;\n  }}\n  return acc;\n}}")
    d.add(d.head("serial") + f"{sign('exclusive')} {{\n  {t} acc = carry;\n  for ({d.index()} i = 0; i < in.Size(); ++i) {{\n"
          f"    out[i] = acc;\n    {o['do']('acc', 'in[i]')}\n  }}\n  return acc;\n}}")
    parts = "partition(in, p, sequence(0, tile, len), sequence(1), sequence(tile, tile, len))"
    outs = parts.replace("(in,", "(out,")
    tile = "  __tunable unsigned p;\n  unsigned len = in.Size();\n  unsigned tile = (len + p - 1) / p;\n"
    forms = ["lanes"] + d.r.sample(["sliding", "add", "reduce"], d.pick(0, 1, 2, 3))
    if "lanes" in forms:
        d.add(d.head("lanes", coop=True) + f"{sign('scan')} {{\n  __shared {t} tmp[coopDim()];\n  unsigned id = coopIdx();\n"
              f"  tmp[id] = id < in.Size() ? in[id] : {begin};\n  for (unsigned s = 1; s < coopDim(); s *= 2) {{\n    if (id >= s)\n"
              f"      {o['do']('tmp[id]', 'tmp[id - s]')}\n  }}\n  if (id < in.Size())\n    out[id] = {form('carry', 'tmp[id]')};\n"
              f"  return {form('carry', 'tmp[coopDim() - 1]')};\n}}")
    if "sliding" in forms:
        d.add(d.head("sliding") + f"{sign('scan')} {{\n{tile}  return slide(carry, {d.of('sum')}, {d.of('scan')}, {parts}, {outs});\n}}")
    if "add" in forms:
        d.add(d.head("scan_scan_add") + f"{sign('scan')} {{\n{tile}  Map totals({d.of('scan')}, {parts}, {begin}, {outs});\n"
              f"  Array<1, {t}> before(p);\n  {t} last = {d.of('exclusive')}(totals, carry, before);\n"
              f"  map({d.of('add')}, elements(before), {outs});\n  return last;\n}}")
    if "reduce" in forms:
        d.add(d.head("reduce_scan_scan") + f"{sign('scan')} {{\n{tile}  Map sums({d.of('sum')}, {parts});\n"
              f"  Array<1, {t}> before(p);\n  {t} last = {d.of('exclusive')}(sums, carry, before);\n"
              f"  map({d.of('scan')}, {parts}, elements(before), {outs});\n  return last;\n}}")
    d.add(d.head("serial") + f"void add({t} a, __mutable Array<1, {t}> out) {{\n  for (unsigned i = 0; i < out.Size(); ++i)\n"
          f"    out[i] = {form('a', 'out[i]')};\n}}")
    d.add(d.head("strided") + f"void add({t} a, __mutable Array<1, {t}> out) {{\n  __tunable unsigned p;\n"
          f"  map({d.of('add')}, a, partition(out, p, sequence(0, 1, p), sequence(p), sequence(out.Size())));\n}}")
    reduction(d, "sum", op)


def kind_operator(d):
    """An operator of one's own, or a shipped one, under codelets over operators."""
    d.generic, d.t = True, "T"
    form = d.pick("shipped", "pair", "affine", "place", "mean", "decay", "decay")
    structs = {
        "pair": "struct __monoid(associative, commutative) Mine {\n  struct Two { int least, most; };\n"
                "  static Two id() { return {1000000, -1000000}; }\n"
                "  static Two op(Two a, Two b) { return {min(a.least, b.least), max(a.most, b.most)}; }\n"
                "  static Two lift(int x) { return {x, x}; }\n};",
        "affine": "struct __monoid(associative) Mine {\n  struct Affine { unsigned m, c; };\n  static Affine id() { return {1, 0}; }\n"
                  "  static Affine op(Affine a, Affine b) { return {a.m * b.m, a.c * b.m + b.c}; }\n"
                  "  static Affine lift(int x) { return {2u, (unsigned)x}; }\n};",
        "place": "struct __monoid(associative, commutative) Mine {\n  struct Where { long long at; int value, pad; };\n"
                 "  static Where id() { return {-1, 0, 0}; }\n  static Where op(Where a, Where b) {\n"
                 "    if (a.at < 0) return b;\n    if (b.at < 0) return a;\n    if (b.value > a.value) return b;\n"
                 "    if (b.value == a.value && b.at < a.at) return b;\n    return a;\n  }\n"
                 "  static Where lift(int x, long long place) { return {place, x, 0}; }\n  static long long finish(Where a) { return a.at; }\n};",
        "mean": "struct __monoid(associative, commutative) Mine {\n  struct Both { int sum, count; };\n  static Both id() { return {0, 0}; }\n"
                "  static Both op(Both a, Both b) { return {a.sum + b.sum, a.count + b.count}; }\n"
                "  static Both lift(int x) { return {x, 1}; }\n  static int finish(Both a) { return a.count == 0 ? -1 : a.sum / a.count; }\n"
                "  static int example(unsigned random) { return (int)(random % 1000u) - 500; }\n};",
        "decay": "struct __monoid(associative, rounded) Mine {\n  struct Line { float m, c; };\n  static Line id() { return {1.0f, 0.0f}; }\n"
                 "  static Line op(Line a, Line b) { return {a.m * b.m, a.c * b.m + b.c}; }\n"
                 "  static Line lift(float x) { return {0.5f, x}; }\n  static float example(unsigned random) { return (float)(random % 100u); }\n};",
    }
    operator = "Mine"
    if form == "shipped":
        operator = d.pick("Sum", "Max", "Min") if d.floating else d.pick("Sum", "Max", "Min", "And", "Or", "Xor")
        d.types = [d.pick("float", "double") if d.floating else d.pick("int", "uint", "int64")]
    else:
        d.add(structs[form])
        d.types = ["float" if form == "decay" else "int"]
    head = lambda tag, coop=False: "template <typename M, typename T>\n__codelet" + (" __coop" if coop else "") + f" __tag({tag})\n"
    sign = "T fold(const Array<1, T> in)"
    d.add(head("serial") + f"{sign} {{\n  T acc = M::id();\n  for ({d.index()} i = 0; i < in.Size(); ++i)\n    acc = M::op(acc, in[i]);\n"
          "  return acc;\n}")
    for tiles in d.pick([True], [False], [True, False]):
        sequences, how = cut(d, "in", tiles)
        atomic = "  m.template atomic<M>();\n" if d.chance(0.6) else ""
        d.add(head("tiled" if tiles else "strided") + f"{sign} {{\n  __tunable unsigned p;\n{sequences}"
              f"  Map m(fold<M, T>, partition(in, p, {how}));\n{atomic}  return fold<M, T>(m);\n}}")
    if d.chance(0.7):
        shared = d.chance(0.4)
        body = (("  Vector v();\n  __shared_atomic(M) T all;\n  T val = v.ThreadId() < in.Size() ? in[v.ThreadId()] : M::id();\n"
                 "  all = val;\n  return all;\n") if shared else
                ("  __shared T tmp[coopDim()];\n  unsigned id = coopIdx();\n  tmp[id] = id < in.Size() ? in[id] : M::id();\n"
                 "  for (unsigned s = 1; s < coopDim(); s *= 2) {\n    if (id >= s)\n      tmp[id] = M::op(tmp[id - s], tmp[id]);\n  }\n"
                 "  return tmp[coopDim() - 1];\n"))
        d.add(head("shared" if shared else "kog", True) + f"{sign} {{\n{body}}}")
    return operator


KINDS = [(kind_reduction, 14), (kind_view, 14), (kind_generated, 4), (kind_body, 12), (kind_rows, 16), (kind_matrix, 5),
         (kind_segments, 10), (kind_elementwise, 10), (kind_neighbours, 3), (kind_nested, 4), (kind_accum, 9), (kind_scan, 8),
         (kind_operator, 10), (kind_away, 4), (kind_shapes, 6)]


def named_alone(text, own):
    """The text whose first spectrum has a name of its own: many programs are compiled in one unit."""
    main = re.search(r"__codelet.*\n(?:template.*\n)?[\w ]*?(\w+)\(", text).group(1)
    return re.sub(rf"\b{main}\b", f"{main}_{own}", text)


def draw(seed):
    d = Draw(seed)
    kind = d.r.choices([k for k, _ in KINDS], [w for _, w in KINDS])[0]
    operator = kind(d) or ""
    text = f"// {kind.__name__[5:]}, seed {seed}\n" + "\n".join(d.parts)
    text = named_alone(text, seed)
    if d.chance(0.05):
        text = re.sub(r"\b(in|x|out|at)\.Size\(\)", r"\1.size()", text)
    p = Program(seed, kind.__name__[5:], text, d.types, operator if kind is kind_operator else "")
    p.constructs = {name for name, how in CONSTRUCTS.items() if re.search(how, text, re.M)}
    return p


if __name__ == "__main__":
    import sys
    print(draw(int(sys.argv[1])).text)
