"""computing.py: programs that compute: views, bodies that nothing may be regrouped by, results for rows, segments and
single elements, sizes that follow from others."""
import re

from combining import OPERATORS, cut, declared, operator_of, reduction


def side_by_side(d, f, zipped):
    """f of the elements of views: a transform, or a map over them, which repeats numbers itself."""
    if d.chance(0.35) and any(not z.startswith("repeat(") for z in zipped):
        given = [re.sub(r"^repeat\((\w+), [^()]*\(\)\)$", r"\1", z) if d.chance(0.7) else z for z in zipped]
        return f"map({d.of(f)}, {', '.join(given)})"
    return f"transform({d.of(f)}, {zipped[0] if len(zipped) == 1 else 'zip(' + ', '.join(zipped) + ')'})"


# ---- kinds of programs: each adds its spectra, the main one first ----

def kind_mapped(d):
    """What a function makes of the elements of containers of one to three dimensions, stored; perhaps in place."""
    t, rank = d.t, d.pick(1, 2, 2, 3)
    arity = d.pick(1, 2, 2, 3)
    f = d.function(arity)
    number = d.r.randrange(arity) if arity > 1 and d.chance(0.4) else -1
    names = [n for n in "ABC"[:arity]]
    params, args, first = [], [], None
    for n, name in enumerate(names):
        if n == number:
            params.append(f"{t} a")
            args.append("a")
            continue
        params.append(f"{'__like(' + first + ') ' if first else ''}const Array<{rank}, {t}> {name}")
        args.append(name)
        first = first or name
    params.append(f"__like({first}) __mutable Array<{rank}, {t}> Y")
    if d.chance(0.2) and arity > 1 and args[-1] not in ("a", first):
        params.pop(len(args) - 1)
        args[-1] = "Y"
    d.add(d.head("whole") + f"void mapped({', '.join(params)}) {{\n  Map m({d.of(f)}, {', '.join(args)});\n  m.to(Y);\n}}")


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
        if len(zipped) < 3 and d.chance(0.35):
            at.append(f"{zipped[-1]}[{length} - 1 - i]")
            if d.chance(0.7):
                zipped.append(f"reverse({zipped[-1]})")
            else:
                d.add(d.head() + "long from_the_end(long i, long n) {\n  return n - 1 - i;\n}")
                zipped.append(f"gather({zipped[-1]}, transform({d.of('from_the_end')}, zip(iota(long(0), {length}), "
                              f"repeat({length}, {length}))))")
    for view, what in ((f"repeat({'a' if number else f'{t}(3)'}, {length})", "a" if number else f"{t}(3)"),
                       (f"iota({t}(0), {length})", f"{t}(i)")):
        if len(zipped) < 3 and d.chance(0.4):
            zipped.append(view)
            at.append(what)
    bound, begin = length, 0
    if not gathers and d.chance(0.3): # neighbours: some begin later, the others end as much earlier
        k = d.pick(1, 1, 2, 5)
        for n in range(len(zipped)):
            if d.chance(0.5):
                zipped[n], at[n] = f"shift({zipped[n]}, {k})", re.sub(r"\bi\b", f"(i + {k})", at[n])
            else:
                zipped[n] = f"take({zipped[n]}, {length} - {k})"
        bound = f"{length} - {k}"
    f = d.function(len(zipped))
    view = side_by_side(d, f, zipped)
    if bound == length and d.chance(0.25):
        view, bound = f"take({view}, {length} / 2)", f"{length} / 2"
    if d.chance(0.2):
        begin = d.pick(1, 2, 3)
        view = f"shift({view}, {begin})"
    on = "++i"
    if d.chance(0.2):
        step = d.pick(2, 3)
        view, on = f"every({view}, {step})", f"i += {step}"
    d.add(d.head("serial") + f"{sign} {{\n  {t} acc = {o['zero'].format(t=t)};\n"
          f"  for ({d.index()} i = {begin}; i < {bound}; {on})\n    {o['do']('acc', f + '(' + ', '.join(at) + ')')}\n  return acc;\n}}")
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
    """Statements of an autonomous codelet that is no reduction: its lines. containers: name -> 'all' or 'like'. Some
    read no element but the one at hand, as what goes through registers does; loops in them count the same elements
    again."""
    t = d.t
    main = next(iter(containers))
    at_hand = d.chance(0.45)
    if at_hand:
        containers = {n: "here" if may == "all" else may for n, may in containers.items()}
    lines = [f"{t} acc = {d.literal()};"]
    for loop in range(d.pick(1, 1, 2)):
        over = main if at_hand and d.chance(0.6) else d.r.choice(list(containers))
        i = "ij"[loop]
        leaves = d.elements(containers, i, over) + numbers + [f"{t}({over}.Size())" if at_hand else f"{t}({i})"]
        begin, step = d.pick("0", "0", "0", "1"), d.pick(f"++{i}", f"++{i}", f"++{i}", f"{i} += 2")
        lines.append(f"for ({d.index()} {i} = {begin}; {i} < {over}.Size(); {step}) {{")
        if d.chance(0.4):
            lines.append(f"  {t} v = {d.value(leaves, 1)};")
            leaves = leaves + ["v"] * 3
        if at_hand and d.chance(0.5):
            counted = [f"{t}(k)"] if d.chance(0.25) else []
            lines += [f"  for ({d.index()} k = 0; k < {over}.Size(); ++k)",
                      f"    acc += {d.value(leaves[:3] + counted, 1)};"]
        elif d.chance(0.2):
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
                   f"acc" if at_hand else f"({main}.Size() > 0 ? {t}(acc + {main}[{main}.Size() - 1]) : acc)")
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
    view = side_by_side(d, f, zipped)
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
    leaves = [a, a, "x[j]", "A(0, 0)", f"A(A.Size(0) - 1, A.Size(1) - 1)", f"{t}(A.Size({outer}))", f"{t}(x.Size())",
              f"{t}(j)"]
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
        sign = ", ".join([f"const Array<1, {t}> in",
                          "const Array<1, long> offsets"] + params + [f"__mutable Array<1, {t}> out"])
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
