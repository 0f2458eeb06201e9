"""cutting.py: programs over rectangles: loops over two or three dimensions, some of which cuts divide, and what maps of
lines write.

A Plane is what such a program computes: each of its dimensions is one of the loops, and goes through a dimension of
some containers, with a halo where they have more elements. What is not cut may be read anywhere; of a dimension that
some codelet cuts, a body sees its own element and those of the halo alone."""
from dataclasses import dataclass, field

from combining import OPERATORS, cut, declared, operator_of, reduction

ACCUMULATED = {"Add": "{0} += {1};", "Sub": "{0} -= {1};", "Max": "{0} = max({0}, {1});", "Min": "{0} = min({0}, {1});"}
BEGIN = {"Add": "0", "Sub": "0", "Max": "lowest<{t}>()", "Min": "highest<{t}>()"}


@dataclass
class Operand:
    name: str
    dims: list                                # of the loops, by its own dimensions
    halo: list = field(default_factory=list)  # (before, after) of each
    by_columns: bool = False

    def more(self, of):
        return sum(self.halo[of])

    def size(self, of):
        return f"{self.name}.Size({of})" if len(self.dims) > 1 else f"{self.name}.Size()"

    def element(self, places):
        return f"{self.name}({', '.join(places)})" if len(places) > 1 else f"{self.name}[{places[0]}]"


@dataclass
class Plane:
    dims: list
    reads: list
    out: Operand
    store: str                    # "=", "+=" or an operator that accumulates
    cuts: list                    # of each compound codelet: the dimensions that it cuts
    wholes: bool                  # a container beside them, which nothing cuts
    number: bool

    def operands(self):
        return self.reads + [self.out]

    def having(self, dim):
        """(operand, which of its dimensions)"""
        return [(o, o.dims.index(dim)) for o in self.operands() if dim in o.dims]

    def is_cut(self, dim):
        return any(dim in c for c in self.cuts)

    def count(self, dim, d=None):
        """How many iterations: by what is first, or by any that has no more of them."""
        some = self.having(dim)
        plain = [(o, of) for o, of in some if not o.more(of)]
        o, of = d.r.choice(plain) if d and plain else (plain or some)[0]
        return o.size(of) + (f" - {o.more(of)}" if o.more(of) else "")


# ---- signatures ----

def shape(plane, o, of, before):
    """The size of an operand's dimension, by an operand that stands before it; "_": it is the first."""
    for other in before:
        for n, dim in enumerate(other.dims):
            if dim == o.dims[of]:
                plus = o.more(of) - other.more(n)
                return other.size(n) + (f" {'+' if plus > 0 else '-'} {abs(plus)}" if plus else "")
    return "_"


def parameter(d, plane, o, before):
    sizes = [shape(plane, o, n, before) for n in range(len(o.dims))]
    says = f"__shape({', '.join(sizes)}) " if any(s != "_" for s in sizes) else ""
    for other in before:
        if len(o.dims) == 2 and sizes == [f"{other.name}.Size(0)", f"{other.name}.Size(1)"] and d.chance(0.5):
            says = f"__like({other.name}) "
    how = "const " if o is not plane.out else "__mutable " if plane.store in ("=", "+=") else f"__accum({plane.store}) "
    by = "__by_columns " if o.by_columns else ""
    return f"{says}{by}{how}Array<{len(o.dims)}, {d.t}> {o.name}"


def signature(d, plane):
    params = [parameter(d, plane, o, plane.operands()[:n]) for n, o in enumerate(plane.operands())]
    if plane.wholes:
        params.insert(len(plane.reads), f"const Array<1, {d.t}> all")
    if plane.number:
        params.insert(0, f"{d.t} a")
    return "(" + ", ".join(params) + ")"


# ---- one lane ----

def place(d, plane, o, of):
    """Where an element is read: at the loop's own place, at one in the halo; anywhere, where nothing is cut."""
    dim, more = o.dims[of], o.more(of)
    if not plane.is_cut(dim) and d.chance(0.3):
        size = o.size(of)
        return d.pick(f"{size} - 1 - {dim}", f"({dim} > 0 ? {dim} - 1 : 0)",
                      f"({dim} + 1 < {size} ? {dim} + 1 : {dim})", "0",
                      f"{size} - 1")
    ahead = d.r.randint(0, more)
    return f"{dim} + {ahead}" if ahead else dim


def leaves_of(d, plane):
    leaves = []
    for o in plane.reads:
        for _ in range(1 + min(4, sum(o.more(n) for n in range(len(o.dims))))):
            leaves.append(o.element([place(d, plane, o, n) for n in range(len(o.dims))]))
    for dim in plane.dims:
        if not plane.is_cut(dim) and d.chance(0.4):
            leaves += [f"{d.t}({dim})", f"{d.t}({plane.count(dim)})"]
    rectangles = [o for o in plane.operands() if len(o.dims) > 1]
    if rectangles and d.chance(0.15):
        o = d.r.choice(rectangles)
        leaves.append(f"{d.t}({o.name}.Stride({d.r.randrange(len(o.dims))}))")
    if plane.wholes:
        leaves += [f"(all.Size() > 0 ? all[all.Size() - 1] : {d.typed(0)})", f"{d.t}(all.Size())"]
    return leaves + (["a"] if plane.number else [])


def loop(d, plane, dim):
    if d.chance(0.06):
        return f"for (long {dim} = {plane.count(dim)} - 1; {dim} >= 0; --{dim})"
    return f"for ({d.index()} {dim} = 0; {dim} < {plane.count(dim, d)}; ++{dim})"


def serial(d, plane, name, sign):
    """Loops in any order; what is accumulated by inner ones may have a variable."""
    t, order = d.t, d.r.sample(plane.dims, len(plane.dims))
    leaves = leaves_of(d, plane)
    value = d.value(leaves, d.pick(1, 2) if len(plane.dims) < 3 else 1)
    if d.chance(0.6) and len(plane.reads) > 1:
        value = f"{leaves[0]} * {leaves[-1]}" if d.chance(0.5) else f"({value} + {leaves[0]} * {leaves[-1]})"
    to = plane.out.element(plane.out.dims)
    inner = [dim for dim in order if dim not in plane.out.dims]
    by = plane.store if plane.store in ACCUMULATED else None
    lines, indent = [], "  "
    local = by and inner and d.chance(0.6)
    if local:
        order = [dim for dim in order if dim not in inner] + inner
    for n, dim in enumerate(order):
        if local and n == len(order) - len(inner):
            lines.append(f"{indent}{t} acc = {BEGIN[by].format(t=t)};")
        last = n == len(order) - 1
        lines.append(f"{indent}{loop(d, plane, dim)}" + (" {" if not last else ""))
        indent += "  "
    if local:
        lines.append(indent + ACCUMULATED["Add" if by == "Sub" else by].format("acc", d.typed(value) if by in ("Max", "Min") else value))
    elif by:
        lines.append(indent + ACCUMULATED[by].format(to, d.typed(value) if by in ("Max", "Min") else value))
    else:
        lines.append(f"{indent}{to} {plane.store} {value};")
    for n in range(len(order) - 1, 0, -1):
        if local and n == len(order) - len(inner):
            lines.append("  " * (n + 1) + ACCUMULATED[by].format(to, "acc"))
        lines.append("  " * n + "}")
    d.add(d.head("serial") + f"void {name}{sign} {{\n" + "\n".join(lines) + "\n}")


# ---- cuts ----

def drawn_cut(d, plane, dim, names):
    """A dimension's cut: (declarations, its name)."""
    p, c = names
    n = plane.count(dim, d)
    some = plane.having(dim)
    halo = any(o.more(of) for o, of in some)
    form = d.pick("tiles", "tiles", "tiles", "strided", "sequences")
    text = f"  __tunable unsigned {p};\n"
    if halo or form == "tiles" or (form == "sequences" and dim in plane.out.dims):
        return text + f"  Cut {c} = tiles({p}, {n});\n", c
    if form == "strided":
        return text + f"  Cut {c} = cut({p}, sequence(0, 1, {p}), sequence({p}), sequence({n}));\n", c
    return text + (f"  unsigned {c}_tile = ({n} + {p} - 1) / {p};\n"
                   f"  Cut {c} = cut({p}, sequence(0, {c}_tile, {n}), sequence(1), sequence({c}_tile, {c}_tile, {n}));\n"), c


def part(d, o, cuts):
    """A container as a map's argument. cuts: dimension -> (name, is it by tiles)"""
    hows = []
    for dim, (before, after) in zip(o.dims, o.halo):
        c, tiles = cuts.get(dim, ("", False))
        hows.append("whole()" if not c else f"halo({c}, {before}, {after})" if before + after or (tiles and d.chance(0.03)) else c)
    return o.name if set(hows) == {"whole()"} else f"partition({o.name}, {', '.join(hows)})"


def compound(d, plane, name, sign, applied, dims):
    declarations, cuts = [], {}
    for dim, p in zip(dims, "pqrs"):
        text, name_of = drawn_cut(d, plane, dim, (p, dim if d.chance(0.7) else f"by_{dim}"))
        cuts[dim] = name_of, "= tiles(" in text
        declarations.append(text)
    args = [part(d, o, cuts) for o in plane.operands()]
    if plane.wholes:
        args.insert(len(plane.reads), "all")
    if plane.number:
        args.insert(0, "a")
    d.add(d.head(f"cut_{''.join(dims)}") + f"void {name}{sign} {{\n{''.join(declarations)}  map({d.of(applied)}, {', '.join(args)});\n}}")


def codelets(d, plane):
    """The spectrum: one lane's codelet and those that cut; its parts may be another's, which computes the same."""
    sign = signature(d, plane)
    names = ["rectangle", "tile"] if d.chance(0.25) else ["rectangle"]
    for name in names if len(names) > 1 else []:
        declared(d, f"void {name}{sign}")
    state = d.r.getstate()
    for n, name in enumerate(names):
        d.r.setstate(state)  # both have the same text
        serial(d, plane, name, sign)
    for n, name in enumerate(names):
        for dims in plane.cuts if n + 1 < len(names) or len(names) == 1 else plane.cuts[:1]:
            compound(d, plane, name, sign, names[-1], dims)


def subsets(d, dims, needed):
    """Which dimensions each compound codelet cuts."""
    cuts = []
    for _ in range(d.pick(1, 1, 2, 3)):
        some = [dim for dim in dims if d.chance(0.65)] or [d.r.choice(needed)]
        some = d.r.sample(some, len(some))
        if sorted(some) not in [sorted(c) for c in cuts]:
            cuts.append(some)
    return cuts


def halos(d, o, chance):
    o.halo = [(d.pick(0, 1, 1, 2), d.pick(0, 1, 1, 3)) if d.chance(chance) else (0, 0) for _ in o.dims]
    o.by_columns = len(o.dims) == 2 and d.chance(0.2)
    return o


def kind_product(d):
    """C(i, j) of A(i, k) and B(k, j), or of vectors, in any layout: accumulated over what C has not."""
    order = lambda dims: d.r.sample(dims, len(dims))
    a, b, c = d.pick((["i", "k"], ["k", "j"], ["i", "j"]), (["i", "k"], ["k", "j"], ["i", "j"]),
                     (["i", "j"], ["j"], ["i"]),
                     (["i", "j"], ["i"], ["j"]), (["i"], ["j"], ["i", "j"]), (["i", "j"], ["i", "j"], ["i"]))
    dims = sorted({*a, *b, *c})
    reads = [halos(d, Operand("A", order(a)), 0.08), halos(d, Operand("B", order(b)), 0.08)]
    out = Operand("C", order(c) if d.chance(0.3) else c, [(0, 0)] * len(c), len(c) > 1 and d.chance(0.2))
    by = d.pick("Add", "Add", "Add", "Add", "Sub", "Max", "Min")
    codelets(d, Plane(dims, reads, out, by, subsets(d, dims, dims), d.chance(0.1), d.chance(0.15)))


def kind_batch(d):
    """C(b, i, j) of A(b, i, k) and B(b, k, j), either of which may be the same for all b, in any order of indices:
    accumulated over k."""
    order = lambda dims: d.r.sample(dims, len(dims)) if d.chance(0.3) else dims
    a, b = d.pick((["b", "i", "k"], ["b", "k", "j"]), (["b", "i", "k"], ["b", "k", "j"]), (["b", "i", "k"], ["k", "j"]),
                  (["i", "k"], ["b", "k", "j"]), (["b", "i", "k"], ["b", "j", "k"]), (["b", "i", "k"], ["j", "k"]))
    reads = [halos(d, Operand("A", order(a)), 0.04), halos(d, Operand("B", order(b)), 0.04)]
    out = Operand("C", order(["b", "i", "j"]), [(0, 0)] * 3)
    cuts = [["b", "i", "j"], ["k"]] + ([["b", "i", "j", "k"]] if d.chance(0.3) else [])
    codelets(d, Plane(["b", "i", "j", "k"], reads, out, d.pick("Add", "Add", "Add", "Sub", "Max", "Min"),
                      cuts if d.chance(0.7) else subsets(d, ["b", "i", "j", "k"], ["b", "i", "j"]), d.chance(0.1), d.chance(0.15)))


def kind_sums(d):
    """C(i, j) of A(i, k) and B(k, j), in any order of indices: added up in a variable, and stored."""
    t = d.t
    turn = lambda dims: dims if d.chance(0.5) else dims[::-1]
    a, b, c = turn(["i", "k"]), turn(["k", "j"]), turn(["i", "j"])
    own = ["i", "j"]
    if d.chance(0.3):  # of a batch
        a, b, c, own = ["b"] + a, (["b"] if d.chance(0.6) else []) + b, ["b"] + c, ["b"] + own
    operands = [Operand(name, dims, [(0, 0)] * len(dims), len(dims) == 2 and d.chance(0.2))
                for name, dims in (("A", a), ("B", b), ("C", c))]
    plane = Plane(own + ["k"], operands[:2], operands[2], "=", [], False, d.chance(0.3))
    by = d.pick("Add", "Add", "Add", "Sub", "Max", "Min")
    leaves = [o.element(o.dims) for o in plane.reads] + (["a"] if plane.number else [])
    value = f"{leaves[0]} * {leaves[1]}" if d.chance(0.4) else d.value(leaves, 2)
    add = ACCUMULATED[by].format("sum", d.typed(value) if by in ("Max", "Min") else value)
    if d.chance(0.25):
        add = f"if ({leaves[0]} < {leaves[-1]}) {add}"
    if d.chance(0.3):
        add = f"{{\n        {t} v = {leaves[0]};\n        {add.replace(leaves[0], 'v')}\n      }}"
    begin = d.pick(BEGIN[by].format(t=t), "2") if by in ("Add", "Sub") else BEGIN[by].format(t=t)
    stored = d.typed(d.value(["sum"] + (["a"] if plane.number else []), 1)) if d.chance(0.4) else "sum"
    loops = "\n    ".join(loop(d, plane, dim) for dim in d.r.sample(own, len(own)))
    d.add(d.head("serial") + f"void sums{signature(d, plane)} {{\n  {loops} {{\n      {t} sum = {begin};\n"
          f"      {loop(d, plane, 'k')}\n      {add}\n      {plane.out.element(plane.out.dims)} = {stored};\n    }}\n}}")


def kind_taps(d):
    """out(i, j) of a(i + k, j + l) and w(k, l), computed in a variable; w has constant sizes, or any."""
    t, fixed = d.t, [d.pick(None, 1, 3, 4) for _ in range(2)]
    says = f"__shape({', '.join(str(n) if n else '_' for n in fixed)}) " if any(fixed) else ""
    more = [f"{n - 1}" if n else f"w.Size({dim}) - 1" for dim, n in enumerate(fixed)]
    sizes = ", ".join(f"a.Size({dim}) - w.Size({dim}) + 1" for dim in range(2))
    sign = f"({t} base, const Array<2, {t}> a, {says}const Array<2, {t}> w, __shape({sizes}) __mutable Array<2, {t}> out)"
    by = d.pick("Add", "Add", "Sub", "Max", "Min")
    value = d.pick("w(k, l) * a(i + k, j + l)", "w(k, l) + a(k + i, l + j)", "a(i + k, j + l) - base")
    add = ACCUMULATED[by].format("s", d.typed(value) if by in ("Max", "Min") else value)
    if d.chance(0.3):
        add = f"if (w(k, l) > a(i + k, j + l)) {add}"
    first, inner = d.r.sample("ij", 2), d.r.sample("kl", 2) if d.chance(0.8) else ["k"]
    if len(inner) == 1:
        add = add.replace("w(k, l)", "w(k, k)").replace("j + l", "j").replace("l + j", "j")
        add = f"if (k < w.Size(1)) {add}"
    count = lambda dim: str(fixed["kl".index(dim)] or f"w.Size({'kl'.index(dim)})")
    ahead = f"  const {t} twice = base + base;\n" if d.chance(0.3) else ""
    stored = d.typed(d.pick("s + twice", "twice - s")) if ahead else d.pick("s", "s", d.typed("s + base"))
    loops = [f"for ({d.index()} {dim} = 0; {dim} < out.Size({'ij'.index(dim)}); ++{dim})" for dim in first]
    taps = "\n        ".join(f"for ({d.index()} {dim} = 0; {dim} < {count(dim)}; ++{dim})" for dim in inner)
    declared(d, f"void taps{sign}")
    d.add(d.head("serial") + f"void taps{sign} {{\n{ahead}  {loops[0]}\n    {loops[1]} {{\n      {t} s = {BEGIN[by].format(t=t)};\n"
          f"      {taps}\n        {add}\n      out(i, j) = {stored};\n    }}\n}}")
    d.add(d.head("tiled") + f"void taps{sign} {{\n  __tunable unsigned p;\n  __tunable unsigned q;\n"
          f"  Cut m = tiles(p, out.Size(0));\n  Cut n = tiles(q, out.Size(1));\n  map({d.of('taps')}, base, "
          f"partition(a, halo(m, 0, {more[0]}), halo(n, 0, {more[1]})), w, partition(out, m, n));\n}}")


def kind_stencil(d):
    """An element and what lies around it, of one to three dimensions, assigned or added up with weights that are an operand:
    what lanes hold windows of. Of types that are lifted, too."""
    d.types = d.r.sample(["float", "double", "half", "bfloat16"] if d.floating else ["int", "uint8", "int16"],
                         d.pick(1, 2)) if d.generic else d.types
    d.wraps = d.wraps and not d.generic  # a literal of unsigned is one of T there
    t, rank, weighted = d.t, d.pick(1, 1, 2, 2, 3), d.chance(0.6)
    dims, at = "ijk"[:rank], lambda name, index: f"{name}[{index[0]}]" if rank == 1 else f"{name}({', '.join(index)})"
    size = lambda name, n: f"{name}.Size({n})" if rank > 1 else f"{name}.Size()"
    more = [f"{size('w', n)} - 1" if weighted else str(d.pick(0, 1, 1, 2, 3)) for n in range(rank)]
    if not weighted and all(m == "0" for m in more):
        more[-1] = "2"
    shape = ", ".join(f"{size('a', n)} - ({m})" if not weighted else f"{size('a', n)} - {size('w', n)} + 1"
                      for n, m in enumerate(more))
    weights = f"const Array<{rank}, {t}> w, " if weighted else ""
    sign = (f"void stencil({t} base, const Array<{rank}, {t}> a, {weights}__shape({shape}) "
            f"__mutable Array<{rank}, {t}> out)")
    loops = lambda of, name: " ".join(
        f"for ({d.index()} {dim} = 0; {dim} < {size(name, n)}; ++{dim})" for n, dim in enumerate(of))
    if weighted:
        taps = "uvw"[:rank].replace("w", "z")
        element = at("a", [f"{i} + {u}" for i, u in zip(dims, taps)])
        value = d.pick(f"{element} * {at('w', taps)}", f"{at('w', taps)} + {element}", f"{element} - base")
        stored = d.pick("s", "s", d.typed("s + base"))
        body = (f"{t} s = 0;\n    {loops(taps, 'w')}\n      s += {value};\n    {at('out', dims)} = {stored};")
    else:
        some = [at("a", [i if m == "0" else f"{i} + {d.r.randint(0, int(m))}" for i, m in zip(dims, more)])
                for _ in range(d.pick(1, 2, 4))]
        body = f"{at('out', dims)} = {d.typed(d.value(some + ['base'], 2))};"
    declared(d, sign)
    d.add(d.head("serial") + f"{sign} {{\n  {loops(dims, 'out')} {{\n    {body}\n  }}\n}}")
    cuts = "".join(f"  __tunable unsigned p{n};\n  Cut c{n} = tiles(p{n}, {size('out', n)});\n" for n in range(rank))
    halos_of = ", ".join(f"halo(c{n}, 0, {m})" for n, m in enumerate(more))
    d.add(d.head("tiled") + f"{sign} {{\n{cuts}  map({d.of('stencil')}, base, partition(a, {halos_of}), "
          f"{'w, ' if weighted else ''}partition(out, {', '.join(f'c{n}' for n in range(rank))}));\n}}")


def kind_volume(d):
    """Of three dimensions: an element of A and its neighbours, and one of B or x; stored as it lies, turned, or accumulated."""
    dims = ["i", "j", "k"]
    reads = [halos(d, Operand("A", list(dims)), 0.5 if d.chance(0.6) else 0)]
    if d.chance(0.4):
        reads.append(halos(d, Operand("B", d.r.sample(dims, d.pick(1, 2, 3))), 0.1))
    of = d.pick(dims, dims, d.r.sample(dims, 3), ["i", "k"], ["k", "j"])
    out = Operand("C", list(of), [(0, 0)] * len(of))
    store = d.pick("=", "=", "+=", "Add") if len(of) == 3 else d.pick("Add", "Add", "Max")
    cut_of = of if store in ("=", "+=") else dims
    codelets(d, Plane(dims, reads, out, store, subsets(d, cut_of, of), d.chance(0.1), d.chance(0.15)))


def kind_rectangle(d):
    """B(i, j) or B(j, i), each of an element of A, its neighbours, and what lies beside its row and its column."""
    around = d.chance(0.45)
    reads = [halos(d, Operand("A", ["i", "j"]), 0.85 if around else 0)]
    if d.chance(0.35):
        reads.append(halos(d, Operand("x", [d.pick("i", "j")]), 0.1))
    if d.chance(0.25):
        reads.append(halos(d, Operand("w", d.pick(["i", "j"], ["j", "i"])), 0.1))
    out = Operand("B", ["j", "i"] if d.chance(0.3 if around else 0.6) else ["i", "j"], [(0, 0)] * 2, d.chance(0.2))
    codelets(d, Plane(["i", "j"], reads, out, d.pick("=", "=", "=", "+=", "Add"), subsets(d, ["i", "j"], ["i", "j"]),
                      d.chance(0.15),
                      d.chance(0.3)))


def kind_cut_parts(d):
    """One dimension, by cuts: parts' results combined, or stored; a halo; what is accumulated over all."""
    t, form = d.t, d.pick("combined", "combined", "stored", "around", "sliding")
    if form == "combined":
        op = operator_of(d)
        o = OPERATORS[op]
        how = d.pick("tiles(p, in.Size())", "cut(p, sequence(0, 1, p), sequence(p), sequence(in.Size()))")
        atomic = f"  m.atomic{o['atomic']}();\n" if o["atomic"] and d.chance(0.5) else ""
        sign = f"{t} total(const Array<1, {t}> in)"
        declared(d, sign)
        reduction(d, "total", op)
        d.add(d.head("by_cut") + f"{sign} {{\n  __tunable unsigned p;\n  Cut i = {how};\n  Map m({d.of('total')}, partition(in, i));\n"
              f"{atomic}  return {d.of('total')}(m);\n}}")
    elif form == "stored":
        sign = f"void segments(const Array<1, {t}> in, __mutable Array<1, {t}> out)"
        declared(d, sign)
        d.add(d.head("each") + f"{sign} {{\n  Cut i = tiles(out.Size(), in.Size());\n  Map m({d.of('part')}, partition(in, i));\n  m.to(out);\n}}")
        reduction(d, "part")
    elif form == "around":
        plane = Plane(["i"], [halos(d, Operand("x", ["i"]),
                                    0.9)] + ([halos(d, Operand("w", ["i"]), 0.3)] if d.chance(0.4) else []),
                      Operand("y", ["i"], [(0, 0)]), d.pick("=", "=", "+="), [["i"]], d.chance(0.2), d.chance(0.3))
        codelets(d, plane)
    else:
        sign = f"{t} scan(const Array<1, {t}> in, {t} carry, __like(in) __mutable Array<1, {t}> out)"
        whole = f"void running(const Array<1, {t}> in, __like(in) __mutable Array<1, {t}> out)"
        for s in (whole, sign, f"{t} sum(const Array<1, {t}> in)"):
            declared(d, s)
        d.add(d.head("whole") + f"{whole} {{\n  {d.of('scan')}(in, {t}(0), out);\n}}")
        d.add(d.head("serial") + f"{sign} {{\n  {t} acc = carry;\n  for ({d.index()} i = 0; i < in.Size(); ++i) {{\n"
              f"    acc += in[i];\n    out[i] = acc;\n  }}\n  return acc;\n}}")
        d.add(d.head("sliding") + f"{sign} {{\n  __tunable unsigned p;\n  Cut i = tiles(p, in.Size());\n"
              f"  return slide(carry, {d.of('sum')}, {d.of('scan')}, partition(in, i), partition(out, i));\n}}")
        reduction(d, "sum", "+")


def kind_lines(d):
    """A row or column written for each row or column that is read."""
    t = d.t
    read, written = d.pick("rows", "columns"), d.pick("rows", "columns")
    across = 0 if read == "rows" else 1
    by = ["__by_columns " if d.chance(0.35) else "" for _ in range(2)]
    if d.chance(0.5):  # one along its lines in memory, the other across them: what some plans copy and transpose
        by[1] = "" if (read == written) != (by[0] == "") else "__by_columns "
    says = "__like(A) " if read == written else "__shape(A.Size(1), A.Size(0)) "
    params, args, mine, leaves = [f"{by[0]}const Array<2, {t}> A"], [f"{read}(A)"], [f"const Array<1, {t}> x"], ["x[i]"] * 3
    if d.chance(0.3):
        params.append(f"__like(A, {1 - across}) const Array<1, {t}> w")
        args.append("w")
        mine.append(f"__like(x) const Array<1, {t}> w")
        leaves.append("w[i]")
    if d.chance(0.3):
        params.append(f"__like(A, {across}) const Array<1, {t}> each")
        args.append("elements(each)")
        mine.append(f"{t} a")
        leaves.append("a")
    sign = f"void lines({', '.join(params + [f'{says}{by[1]}__mutable Array<2, {t}> B'])})"
    line = f"void line({', '.join(mine + [f'__like(x) __mutable Array<1, {t}> y'])})"
    tiles = d.pick(None, None, True, False)
    if tiles is None and d.chance(0.3):
        leaves += ["x[0]", "x[x.Size() - 1]", "x[x.Size() - 1 - i]", f"{t}(i)", f"{t}(y.Size())"]
    declared(d, sign)
    declared(d, line)
    d.add(d.head("each") + f"{sign} {{\n  map({d.of('line')}, {', '.join(args + [f'{written}(B)'])});\n}}")
    value = "x[i]" if d.chance(0.4) else d.value(leaves, 2)
    d.add(d.head("serial") + f"{line} {{\n  for ({d.index()} i = 0; i < x.Size(); ++i)\n    y[i] {d.pick('=', '=', '+=')} {value};\n}}")
    if tiles is not None:
        sequences, how = cut(d, "x", tiles)
        names = [("a" if m == f"{t} a" else f"partition({m.split()[-1]}, p, {how})") for m in mine]
        d.add(d.head("tiled" if tiles else "strided") + f"{line} {{\n  __tunable unsigned p;\n{sequences}"
              f"  map({d.of('line')}, {', '.join(names + [f'partition(y, p, {how})'])});\n}}")
