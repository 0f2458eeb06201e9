"""looping.py: programs of one serial codelet in plain loops, which the front end divides: loops that store what they
have, carry values along one dimension, contribute to places that are data, or add up a number."""

ACCUMULATED = {"Add": "{0} += {1};", "Sub": "{0} -= {1};", "Max": "{0} = max({0}, {1});", "Min": "{0} = min({0}, {1});"}


def element(name, indices):
    return f"{name}[{indices[0]}]" if len(indices) == 1 else f"{name}({', '.join(indices)})"


def size(name, rank, dim):
    return f"{name}.Size({dim})" if rank > 1 else f"{name}.Size()"


def head(d, i, end):
    """A loop through all from 0 to end; and, now and then, through some."""
    form = d.r.random()
    if form < 0.6:
        return f"for ({d.index()} {i} = 0; {i} < {end}; {d.pick(f'++{i}', f'{i}++', f'{i} += 1')})"
    if form < 0.75:
        return f"for (long {i} = (long){end} - 1; {i} >= 0; --{i})"
    begin, step = d.pick("1", "2", "0"), d.pick("1", "1", "2", "3")
    stop = d.pick(end, f"{end} - 1") if form < 0.9 else end
    return f"for (long {i} = {begin}; {i} {d.pick('<', '<')} (long){stop}; {i} += {step})"


def leaves_at(d, rank, dims, shifted):
    """What a turn may read: the elements of its place, and what lies one before or behind it, where there is one."""
    found = [element("A", dims)] * 2 + [d.typed(dims[-1])]
    if shifted:
        k = d.r.randrange(rank)
        before = dims[:k] + [f"{dims[k]} - 1"] + dims[k + 1:]
        behind = dims[:k] + [f"{dims[k]} + 1"] + dims[k + 1:]
        found += [f"({dims[k]} > 0 ? {element('A', before)} : {d.typed(0)})",
                  f"({dims[k]} + 1 < {size('A', rank, k)} ? {element('A', behind)} : {d.typed(1)})"]
    return found


def signature(d, name, rank, outputs, extra=""):
    t = d.t
    shape = ", ".join(size("A", rank, k) for k in range(rank))
    out = "".join(f", __shape({shape}) __mutable Array<{rank}, {t}> {o}" for o in outputs)
    return f"void {name}(const Array<{rank}, {t}> A{extra}{out})"


def kind_stored(d):
    """Each element of one or two containers, of whatever lies around it."""
    rank = d.pick(1, 2, 2, 3)
    dims, outputs = list("ijk"[:rank]), ["B"] if d.chance(0.7) else ["B", "C"]
    leaves = leaves_at(d, rank, dims, d.chance(0.5))
    order = d.r.sample(range(rank), rank) if d.chance(0.4) else range(rank)
    lines = [f"{head(d, dims[k], size('A', rank, k))}" for k in order]
    body = []
    if d.chance(0.4):
        body.append(f"{d.t} v = {d.value(leaves, 1)};")
        leaves = leaves + ["v"]
    for o in outputs:
        store = f"{element(o, dims)} = {d.typed(d.value(leaves, 2))};"
        body.append(f"if ({d.condition(leaves)}) {store}" if d.chance(0.15) else store)
    text = "  " + "\n  ".join(lines) + " {\n    " + "\n    ".join(body) + "\n  }\n"
    d.add(d.head("serial") + f"{signature(d, 'stored', rank, outputs)} {{\n{text}}}")


def kind_carried(d):
    """A value goes along one dimension, by a variable or from element to element; the others are independent."""
    t, rank = d.t, d.pick(2, 2, 3)
    dims, along = list("ijk"[:rank]), d.r.randrange(rank)
    others = d.r.sample([k for k in range(rank) if k != along], rank - 1)
    leaves = leaves_at(d, rank, dims, False)
    step = lambda value, x: d.pick(f"{value} + {x}", f"max({d.typed(value)}, {d.typed(x)})",
                                   f"min({d.typed(value)}, {d.typed(x)})")
    outer = " ".join(head(d, dims[k], size("A", rank, k)) for k in others)
    n, i = size("A", rank, along), dims[along]
    down = d.chance(0.3)
    loop = (f"for (long {i} = (long){n} - 1; {i} >= 0; --{i})" if down else
            f"for ({d.index()} {i} = 0; {i} < {n}; ++{i})")
    if d.chance(0.5):
        init = d.literal()
        store = [f"run = {step('run', d.value(leaves, 1))};", f"{element('B', dims)} = {d.pick('run', 'run + ' + leaves[0])};"]
        if d.chance(0.3):
            store.reverse()
        text = (f"  {outer} {{\n    {t} run = {init};\n    {loop} {{\n      " + "\n      ".join(store) + "\n    }\n  }\n")
    else:
        last = dims[:along] + [f"{i} {'+' if down else '-'} 1"] + dims[along + 1:]
        first = dims[:along] + [f"{n} - 1" if down else "0"] + dims[along + 1:]
        on = (f"for (long {i} = (long){n} - 2; {i} >= 0; --{i})" if down else f"for ({d.index()} {i} = 1; {i} < {n}; ++{i})")
        before = f"{outer} if ({n} > 0) {element('B', first)} = {element('A', first)};" if d.chance(0.6) else \
            f"{outer} {{ {loop} {element('B', dims)} = {element('A', dims)}; }}"
        put = f"{element('B', dims)} = {step(element('B', last), d.value(leaves, 1))};"
        nest = f"{outer} {on}" if d.chance(0.5) else f"{on} {outer}"
        text = f"  {before}\n  {nest}\n    {put}\n"
    d.add(d.head("serial") + f"{signature(d, 'carried', rank, ['B'])} {{\n{text}}}")


def kind_contributed(d):
    """Contributions to places that are data, or loops' variables, or both."""
    t, rank, of = d.t, d.pick(1, 2, 2, 3), d.pick(1, 1, 2)
    dims, op = list("ijk"[:rank]), d.pick("Add", "Add", "Add", "Sub", "Max", "Min")
    place = []
    for k in range(of):
        by = f"(unsigned long)({d.pick(*dims)} * {d.pick('1', '3', '7')} + {d.pick('0', '1', *dims)})"
        place.append(d.pick(f"{by} % {size('bins', of, k)}", d.pick(*dims)))
    shape = [next((size("A", rank, dims.index(p)) for _ in [0] if p in dims), "_") for p in place]
    says = f"__shape({', '.join(shape)}) " if any(s != "_" for s in shape) else ""
    data = d.chance(0.5) and any(s == "_" for s in shape)
    sign = f"void counted(const Array<{rank}, {t}> A, "
    if data:
        sign += f"__shape({', '.join(size('A', rank, k) for k in range(rank))}) const Array<{rank}, int> at, "
        place = [p if s != "_" else f"{element('at', dims)} % (int){size('bins', of, k)}"
                 for k, (p, s) in enumerate(zip(place, shape))]
        place = [p if "%" not in p or "at" not in p else f"({p} + (int){size('bins', of, k)}) % (int){size('bins', of, k)}"
                 for k, p in enumerate(place)]
    sign += f"{says}__accum({op}) Array<{of}, {t}> bins)"
    leaves = leaves_at(d, rank, dims, d.chance(0.2))
    put = ACCUMULATED[op].format(element("bins", place), d.typed(d.value(leaves, 1)))
    guard = "" if all(s != "_" for s in shape) else \
        f"if ({' && '.join(f'{size(chr(98) + chr(105) + chr(110) + chr(115), of, k)} > 0' for k in range(of))}) "
    if d.chance(0.25):
        guard += f"if ({d.condition(leaves)}) "
    loops = "\n    ".join(f"for ({d.index()} {dims[k]} = 0; {dims[k]} < {size('A', rank, k)}; ++{dims[k]})"
                          for k in d.r.sample(range(rank), rank))
    d.add(d.head("serial") + f"{sign} {{\n  {loops}\n      {guard}{put}\n}}")


def kind_number(d):
    """A number that plain loops add up, over one to three dimensions, all or a diagonal."""
    t, rank, op = d.t, d.pick(1, 2, 2, 3), d.pick("Add", "Add", "Max", "Min")
    dims = list("ijk"[:rank])
    zero = {"Add": d.pick("0", "1"), "Max": f"lowest<{t}>()", "Min": f"highest<{t}>()"}[op]
    leaves = leaves_at(d, rank, dims, d.chance(0.2))
    add = ACCUMULATED[op].format("all", d.typed(d.value(leaves, 1)))
    if d.chance(0.25):
        add = f"if ({d.condition(leaves)}) {add}"
    loops = "\n    ".join(head(d, dims[k], size("A", rank, k)) for k in d.r.sample(range(rank), rank))
    d.add(d.head("serial") + f"{t} number(const Array<{rank}, {t}> A) {{\n  {t} all = {zero};\n  {loops}\n      {add}\n"
          f"  return {d.pick('all', 'all', 'all + 1')};\n}}")
