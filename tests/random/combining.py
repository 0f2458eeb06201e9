"""combining.py: programs that combine by an operator that tgc knows or is told: reductions with their compound and
cooperative codelets, contributions to bins, scans, operators of one's own."""

OPERATORS = {
    "+": dict(zero="0", atomic="Add", do=lambda a, x: f"{a} += {x};", form=lambda a, b: f"{a} + {b}"),
    "max": dict(zero="lowest<{t}>()", atomic="Max", do=lambda a, x: f"{a} = max({a}, {x});", form=lambda a,
                b: f"max({a}, {b})"),
    "min": dict(zero="highest<{t}>()", atomic="Min", do=lambda a, x: f"{a} = min({a}, {x});", form=lambda a,
                b: f"min({a}, {b})"),
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
    if d.chance(0.15):
        add = f"{{\n    {t} v = in[i];\n    {add.replace('in[i]', 'v')}\n  }}"
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


def kind_nearly(d):
    """What looks like a reduction and is none: the loop skips elements or begins late, a NaN is let through. Beside a
    codelet that cuts and combines it is refused; by itself it goes on in order."""
    t, op = d.t, d.pick("max", "min") if d.floating and d.chance(0.8) else operator_of(d)
    o = OPERATORS[op]
    sign, i = f"{t} total(const Array<1, {t}> in)", d.index()
    begin, step, body = "0", "++i", o["do"]("acc", "in[i]")
    if d.floating and op in ("max", "min") and d.chance(0.8):
        body = d.pick("acc = in[i] {} acc ? acc : in[i];", "acc = acc {} in[i] ? acc : in[i];")
        body = body.format("<=" if (op == "max") == body.startswith("acc = in") else ">=")
    else:
        begin, step = d.pick(("0", "i += 2"), ("1", "++i"), ("0", "i += 3"), ("2", "++i"))
    d.add(d.head("serial") + f"{sign} {{\n  {t} acc = {o['zero'].format(t=t)};\n"
          f"  for ({i} i = {begin}; i < in.Size(); {step})\n    {body}\n  return acc;\n}}")
    for tiles in d.pick([True], [False], [False], [True, False], []):
        sequences, how = cut(d, "in", tiles)
        d.add(d.head("tiled" if tiles else "strided") + f"{sign} {{\n  __tunable unsigned p;\n{sequences}"
              f"  Map m(total, partition(in, p, {how}));\n  return total(m);\n}}")


def kind_away(d):
    """What a map's sums are taken away from."""
    t = d.t
    declared(d, f"{t} away(const Array<1, {t}> in)")
    sequences, how = cut(d, "in", d.chance(0.5))
    d.add(d.head("taken") + f"{t} away(const Array<1, {t}> in) {{\n  __tunable unsigned p;\n{sequences}"
          f"  Map m({d.of('total')}, partition(in, p, {how}));\n  m.atomicSub();\n}}")
    reduction(d, "total", "+")


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


def rows_codelet(d, sign, name, map_of, where, own):
    """Parts of the points, by a cut; `own': in containers of the workers' own, by name, which are merged."""
    tiles = d.chance(0.5)
    cut_i = "tiles(p, x.Size(0))" if tiles else "cut(p, sequence(0, 1, p), sequence(p), sequence(x.Size(0)))"
    lines = ["  __tunable unsigned p;"] + [text for text, _, _ in own] + [f"  Cut i = {cut_i};"]
    args = ["partition(x, i, whole())", "partition(at, i)"] + ([f"own_{k}" for _, k, _ in own] if own else where)
    lines.append(f"  map({d.of(map_of)}, {', '.join(args)});")
    lines += [f"  {d.of(merge)}(own_{k}, {k});" for _, k, merge in d.r.sample(own, len(own))]
    d.add(d.head(name) + f"{sign} {{\n" + "\n".join(lines) + "\n}")


def merges(d, rank):
    """Adds what workers had of their own to the common container."""
    t = d.t if rank == 2 else "int"
    name, element = ("merge", "{0}(k, j)") if rank == 2 else ("merge_counts", "{0}[k]")
    put = f"{element.format('to')} += {element.format('own')};"
    sign = f"void {name}(const Array<{rank}, {t}> own, __accum(Add) __like(own) Array<{rank}, {t}> to)"
    inner = "    for (unsigned j = 0; j < own.Size(1); ++j)\n      " if rank == 2 else "    "
    d.add(d.head("serial") + f"{sign} {{\n  for (unsigned k = 0; k < own.Size({'0' if rank == 2 else ''}); ++k)\n{inner}{put}\n}}")
    if rank == 2 and d.chance(0.7):
        parts = d.pick("whole(), c", "c, whole()")
        size = "own.Size(1)" if parts.startswith("whole") else "own.Size(0)"
        d.add(d.head("cut_c") + f"{sign} {{\n  __tunable unsigned p;\n"
              f"  Cut c = cut(p, sequence(0, 1, p), sequence(p), sequence({size}));\n"
              f"  map({d.of(name)}, partition(own, {parts}), partition(to, {parts}));\n}}")
    return name


def kind_accum_rows(d):
    """Contributions to rows by place, and perhaps to how many there are: to common ones, or to a worker's own, of one
    copy and of several; by lanes that have points, or columns of all points."""
    t, counts = d.t, d.chance(0.5)  # a merge of what nobody contributed to makes inf of NaN by Min
    where = ["out"] + (["n"] if counts else [])
    take = ("const Array<2, {0}> x, __shape(x.Size(0)) const Array<1, int> at, "
            "__shape(_, x.Size(1)) __accum(Add) Array<2, {0}> out").format(t)
    params = take + (", __shape(out.Size(0)) __accum(Add) Array<1, int> n" if counts else "")
    put = f"out(at[i], j) += {d.pick('x(i, j)', 'x(i, j) + x(i, j)')};"
    columns = d.chance(0.4)
    sign, head = f"void place({params})", "  for (unsigned i = 0; i < x.Size(0); ++i) {\n"
    count = "    n[at[i]] += 1;\n" if counts else ""
    body = f"{head}{count}    for ({d.index()} j = 0; j < x.Size(1); ++j)\n      {put}\n  }}\n"
    d.add(d.head("serial") + f"{sign} {{\n{body}}}")
    if d.chance(0.7):
        rows_codelet(d, sign, "cut_i", "place", where, [])
    own = [(f"  Array<2, {t}> own_out(out.Size(0), out.Size(1));", "out", "merge")]
    own += [("  Array<1, int> own_n(n.Size());", "n", "merge_counts")] if counts else []
    rows_codelet(d, sign, "own", "tile" if columns else "place", where, own)
    merges(d, 2)
    if counts:
        merges(d, 1)
    if not columns:
        return
    d.add(d.head("serial") + f"void tile({params}) {{\n{body}}}")
    if counts:
        steps = f"  {d.of('add')}(x, at, out);\n  {d.of('count')}(at, n);\n"
        d.add(d.head("steps") + f"void tile({params}) {{\n{steps}}}")
        d.add(d.head("serial") + "void count(const Array<1, int> at, __accum(Add) Array<1, int> n) {\n"
              "  for (unsigned i = 0; i < at.Size(); ++i)\n    n[at[i]] += 1;\n}")
        d.add(d.head("serial") + f"void add({take}) {{\n  for (unsigned j = 0; j < x.Size(1); ++j)\n"
              f"    for (unsigned i = 0; i < x.Size(0); ++i)\n      {put}\n}}")
        d.add(d.head("columns") + f"void add({take}) {{\n  __tunable unsigned p;\n"
              "  Cut j = cut(p, sequence(0, 1, p), sequence(p), sequence(x.Size(1)));\n"
              f"  map({d.of('add')}, partition(x, whole(), j), at, partition(out, whole(), j));\n}}")
    else:
        d.add(d.head("columns") + f"void tile({params}) {{\n  __tunable unsigned p;\n"
              "  Cut j = cut(p, sequence(0, 1, p), sequence(p), sequence(x.Size(1)));\n"
              f"  map({d.of('tile')}, partition(x, whole(), j), at, partition(out, whole(), j));\n}}")


def kind_scan(d):
    """Scans by a known operator: one lane, lanes, parts."""
    t = d.t
    op = d.pick("+", "+", "max", "min") if d.floating else d.pick("+", "+", "max", "min", "^", "|")
    # Of floats a carry that is NaN stays if all that follows is NaN, in one lane; max and min with the identity, as
    # parts and lanes begin, give it up. So their greatest and least are scanned by one lane.
    alone = d.floating and op != "+"
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
    forms = [] if alone else ["lanes"] + d.r.sample(["sliding", "add", "reduce"], d.pick(0, 1, 2, 3))
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


def folds(d):
    """Codelets over an operator."""
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


def kind_operator(d):
    """An operator of one's own, or a shipped one, under codelets over operators."""
    d.generic, d.t = True, "T"
    form = d.pick("shipped", "pair", "affine", "place", "place", "mean", "decay", "decay")
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
    folds(d)
    return operator
