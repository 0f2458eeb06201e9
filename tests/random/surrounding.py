"""surrounding.py: stencils of one serial codelet in plain loops, which the front end cuts with halos: over an inside, or
over all, with what is beyond an edge said by minima and maxima, remainders or conditions."""
from looping import element, signature, size


def moved(i, by):
    return i if by == 0 else f"{i} {'+' if by > 0 else '-'} {abs(by)}"


def beyond(d, form, i, n, by):
    """An index that does not leave the container, and the condition that it needs none."""
    if by == 0:
        return i
    if form == "clamped":
        return f"max({moved(i, by)}, 0l)" if by < 0 else f"min({moved(i, by)}, {n} - 1)"
    return f"({i} + {n} - {-by}) % {n}" if by < 0 else f"({moved(i, by)}) % {n}"


def within(i, n, by):
    return f"{moved(i, by)} >= 0" if by < 0 else f"{moved(i, by)} < {n}"


def read(d, dims, offsets, form):
    """An element that lies so far from the one at hand."""
    sizes = [f"n_{i}" for i in dims]
    if form in ("clamped", "wrapped"):
        return element("A", [beyond(d, form, i, n, by) for i, n, by in zip(dims, sizes, offsets)])
    plain = element("A", [moved(i, by) for i, by in zip(dims, offsets)])
    conditions = [within(i, n, by) for i, n, by in zip(dims, sizes, offsets) if by]
    return f"({' && '.join(conditions)} ? {plain} : {d.typed(d.pick(0, 1))})" if form == "guarded" and conditions else plain


def kind_around(d):
    """Each element of a container, of what lies around it in another."""
    t, rank = d.t, d.pick(1, 2, 2, 3)
    dims = list("ijk"[:rank])
    reach = [(d.pick(0, 1, 1, 2), d.pick(0, 1, 1, 2)) for _ in dims]
    form = d.pick("inside", "inside", "clamped", "wrapped", "guarded")
    outputs = ["B"] if d.chance(0.8) else ["B", "C"]
    offsets = [[d.r.randint(-before, after) for before, after in reach] for _ in range(d.pick(2, 3, 4))]
    leaves = [read(d, dims, by, form) for by in offsets] + [element("A", dims)]
    body = []
    if d.chance(0.4):  # by a loop of its own, from an element or a number on
        k = d.r.randrange(rank)
        before, after = reach[k]
        way = form if form != "guarded" else "clamped"
        at = [f"{dims[k]} + a" if m == k else i for m, i in enumerate(dims)]
        if way == "clamped":
            at[k] = f"max(min({at[k]}, n_{dims[k]} - 1), 0l)"
        elif way == "wrapped":
            at[k] = f"({at[k]} + {4} * n_{dims[k]}) % n_{dims[k]}"
        begin = d.pick(element("A", dims), d.typed(0))
        step = d.pick("s += {0};", "s = max(s, {0});", "if ({0} > s) s += 1;").format(element("A", at))
        body = [f"{t} s = {begin};", f"for (int a = {-before}; a <= {after}; ++a)", f"  {step}"]
        leaves.append("s")
    body += [f"{element(o, dims)} = {d.typed(d.value(leaves, 2))};" for o in outputs]
    sizes = "".join(f"  const long n_{i} = {size('A', rank, k)};\n" for k, i in enumerate(dims))
    heads = []
    for i, (before, after) in zip(dims, reach):
        begin, end = (before, f"n_{i} - {after}" if after else f"n_{i}") if form == "inside" else (0, f"n_{i}")
        heads.append(f"for (long {i} = {begin}; {i} < {end}; ++{i})")
    text = "  " + "\n    ".join(heads) + " {\n      " + "\n      ".join(body) + "\n    }\n"
    d.add(d.head("serial") + f"{signature(d, 'around', rank, outputs)} {{\n{sizes}{text}}}")
