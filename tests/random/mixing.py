"""mixing.py: programs of one serial codelet whose plain loops do several things at once: they store elements, add up
numbers, contribute to places, write by place, and append to queues; behind a condition, over triangles, and followed by
more loops that use what was added up."""
from looping import ACCUMULATED, element, head, size


class Mixed:
    """A codelet as it is drawn: what it declares, does in its loops, and returns."""

    def __init__(self, d):
        self.d, self.rank = d, d.pick(1, 2, 2, 3)
        self.dims = list("ijk"[:self.rank])
        self.params, self.before, self.body, self.behind = [], [], [], []
        self.numbers, self.result = [], "void"
        self.leaves = [element("A", self.dims)] * 2 + [d.typed(self.dims[-1])]

    def shape(self):
        return ", ".join(size("A", self.rank, k) for k in range(self.rank))

    def value(self, depth=1):
        return self.d.typed(self.d.value(self.leaves, depth))

    def under(self, text):
        """Now and then in some turns only."""
        return f"if ({self.d.condition(self.leaves)}) {{ {text} }}" if self.d.chance(0.35) else text

    def stores(self):
        self.params.append(f"__shape({self.shape()}) __mutable Array<{self.rank}, {self.d.t}> B")
        at = element("B", self.dims)
        value = self.value(2)
        self.body.append(self.under(self.d.pick(f"{at} = {value};", f"{at} = {value};", f"{at} += {value};")))
        if self.d.chance(0.4):
            self.leaves = self.leaves + [at]

    def adds(self):
        """A number, which what follows the loops may use: of floats not in a condition, as it is rounded."""
        d, name = self.d, f"all{len(self.numbers)}"
        op = d.pick("Add", "Add", "Max", "Min")
        zero = {"Add": d.pick("0", "1"), "Max": f"lowest<{d.t}>()", "Min": f"highest<{d.t}>()"}[op]
        self.before.append(f"{d.t} {name} = {zero};")
        self.body.append(self.under(ACCUMULATED[op].format(name, self.value())))
        self.numbers.append((name, op == "Add"))

    def counts(self):
        self.before.append("int count = 0;")
        self.body.append(f"if ({self.d.condition(self.leaves)}) count += 1;")
        self.numbers.append(("count", False))

    def contributes(self):
        op = self.d.pick("Add", "Add", "Sub", "Max", "Min")
        self.params.append(f"__accum({op}) Array<1, {self.d.t}> bins")
        at = f"bins[(unsigned long)({self.d.pick(*self.dims)} * {self.d.pick('1', '3')}) % bins.Size()]"
        text = ACCUMULATED[op].format(at, self.value())
        self.body.append(f"if (bins.Size() > 0) {{ {self.under(text)} }}")

    def places(self):
        """Each place once: the elements in another order."""
        total = " * ".join(size("A", self.rank, k) for k in range(self.rank)) if self.rank < 3 else "_"
        if self.rank == 3:
            return
        self.params.append(f"__shape({total}) __accum(Once) Array<1, {self.d.t}> flat")
        at = self.d.pick("A.Size() - 1 - i", "i") if self.rank == 1 else \
            self.d.pick("j * A.Size(0) + i", "i * A.Size(1) + j", "i * A.Size(1) + (A.Size(1) - 1 - j)")
        self.body.append(self.under(f"flat[{at}] = {self.value()};"))

    def appends(self):
        self.params += ["__accum(Add) Array<1, int> many", f"__append(many) Array<1, {self.d.t}> out"]
        self.body.append(f"if ({self.d.condition(self.leaves)}) out.append({self.value()});")

    def loops(self):
        d = self.d
        heads = [head(d, self.dims[k], size("A", self.rank, k)) for k in range(self.rank)]
        if self.rank > 1 and d.chance(0.3):
            n, j = size("A", self.rank, self.rank - 1), self.dims[-1]
            i = self.dims[-2]
            heads[-1] = d.pick(f"for (long {j} = (long){i}; {j} < (long){n}; ++{j})",
                               f"for (long {j} = 0; {j} < min((long){i} + 1, (long){n}); ++{j})")
        elif d.chance(0.3):
            d.r.shuffle(heads)
        guard = "" if d.chance(0.7) else f"if ({d.pick(size('A', self.rank, 0) + ' > 1', 'b > 0')}) "
        return "  " + guard + "\n  ".join(heads) + " {\n    " + "\n    ".join(self.body) + "\n  }\n"

    def more(self):
        """What follows the loops: numbers that are chosen and stored, another loop that uses them."""
        d, t, text = self.d, self.d.t, ""
        sums = [n for n, _ in self.numbers if n != "count"]
        small = [n if not d.floating else f"{n} * {d.typed('0.5')}" for n in sums]
        if small and d.chance(0.4):
            text += f"  {t} v = {small[0]};\n"
            if "count" in [n for n, _ in self.numbers]:
                text += f"  if (count > 2) v = {d.literal()};\n" + d.pick("", f"  else v = v + {d.typed(1)};\n")
            small.append("v")
        if small and d.chance(0.4):
            self.params.append(f"__shape(3) __mutable Array<1, {t}> ends")
            text += f"  ends[0] = {small[-1]};\n" + d.pick("", f"  ends[2] = {d.typed(d.literal())};\n",
                                                         f"  if (b > 0) ends[1] = {small[0]};\n")
        if small and any("> B" in p for p in self.params) and d.chance(0.5):
            heads = "\n  ".join(head(d, self.dims[k], size("A", self.rank, k)) for k in range(self.rank))
            text += f"  {heads}\n    {element('B', self.dims)} = {element('B', self.dims)} + {d.typed(small[-1])};\n"
        if self.numbers and d.chance(0.8):
            name, _ = d.pick(*self.numbers)
            self.result = "int" if name == "count" else t
            text += f"  return {name};\n"
        return text


def kind_mixed(d):
    m = Mixed(d)
    things = [m.stores, m.adds, m.adds, m.counts, m.contributes, m.places, m.appends]
    for thing in d.r.sample(things, d.pick(2, 2, 3, 3, 4)):
        thing()
    text = "".join(f"  {line}\n" for line in m.before) + m.loops() + m.more()
    number = ", int b" if "b > 0" in text else ""
    params = "".join(f", {p}" for p in m.params)
    if m.result == "void" and not m.params:
        m.params.append("")
        return kind_mixed(d)
    d.add(d.head("serial") + f"{m.result} mixed(const Array<{m.rank}, {d.t}> A{number}{params}) {{\n{text}}}")
    return None
