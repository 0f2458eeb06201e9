"""stepping.py: programs that apply spectra one after another: numbers that reductions give, views and numbers made of
these, what is written in between and read again."""
import re

from combining import declared, operator_of, reduction


def number(d, text, op):
    """What a reduction gives, small again where it may have become large, or is the greatest number there is."""
    if d.floating and op == "+":
        return text
    return f"min({d.typed(text)}, {d.typed(9)})" if d.unsigned else f"max(min({d.typed(text)}, {d.typed(9)}), {d.typed(-9)})"


def written(d, name, in_place):
    """A spectrum that writes y, or x itself, of elements and a number."""
    t = d.t
    params = f"__mutable Array<1, {t}> x, {t} a" if in_place else f"const Array<1, {t}> x, {t} a, __like(x) __mutable Array<1, {t}> y"
    to = "x" if in_place else "y"
    f = d.function(2)
    d.add(d.head("serial") + f"void {name}({params}) {{\n  for ({d.index()} i = 0; i < x.Size(); ++i)\n"
          f"    {to}[i] = {f}(x[i], a);\n}}")
    for tiles in d.pick([True], [False], [True, False], [True, False], []):
        cut = f"tiles(p, {to}.Size())" if tiles else f"cut(p, sequence(0, 1, p), sequence(p), sequence({to}.Size()))"
        args = "partition(x, i), a" if in_place else "partition(x, i), a, partition(y, i)"
        d.add(d.head("tiled" if tiles else "strided") + f"void {name}({params}) {{\n  __tunable unsigned p;\n  Cut i = {cut};\n"
              f"  map({d.of(name)}, {args});\n}}")


def condition(d, ops):
    """What may end a loop in which `s3' is a number, the same in any order of a sum's elements, or the counter."""
    exact = not d.floating or ops[1] != "+"
    return f"s3 {d.pick('<', '>', '<=', '!=')} {d.typed(d.pick(-2, 0, 1, 3) if not d.unsigned else d.pick(0, 1, 3))}" if exact else "k >= 2"


def searched(d, first):
    """A loop that an element ends which halves in each iteration: how often it goes round is data's."""
    t = d.t
    d.add(d.head("serial") + f"void halve(__mutable Array<1, int> left, {t} a, __mutable Array<1, {t}> x) {{\n"
          f"  for ({d.index()} i = 0; i < left.Size(); ++i)\n    left[i] = left[i] / 2;\n"
          f"  for ({d.index()} i = 0; i < x.Size(); ++i)\n    x[i] = max(x[i], a);\n}}")
    d.add(f"__codelet __tag(serial)\nvoid set(int many, __mutable Array<1, int> left) {{\n"
          f"  for ({d.index()} i = 0; i < left.Size(); ++i)\n    left[i] = many;\n}}")
    bound = d.pick("", "", f"k < {d.pick(1, 3, 9)} && ")
    head = f"for (int k = 0; {bound}left[0] > {d.pick(0, 0, 1)}; ++k)" if bound else f"while (left[0] > {d.pick(0, 0, 1)})"
    return (f"  Array<1, int> left(1);\n  set(int(x.Size() % {d.pick(2, 300)}), left);\n"
            f"  {head}\n    {d.of('halve')}(left, {first}, between);\n")


def repeated(d, ops, leaves):
    """A container between steps, and perhaps a loop that writes it again and again; `leaves' gets a number of it."""
    t = d.t
    fill = d.of("fill")
    first = d.pick(*leaves)
    body = f"  Array<1, {t}> between(x.Size());\n  {fill}(x, {first}, between);\n"
    if d.chance(0.6):
        body += f"  for (int k = {d.pick(0, 0, 1)}; k {d.pick('<', '<', '<=')} {d.pick(1, 2, 3)}; {d.pick('++k', 'k += 2')}) {{\n"
        inner = [f"    {t} s3 = {number(d, 'second(between)', ops[1])};\n    {fill}(x, {d.pick('s3', f'{t}(k)', f'max(s3, {t}(k))')}, between);\n",
                 f"    {fill}(x, {d.pick(f'{t}(k)', first)}, between);\n"]
        body += d.pick(*inner, inner[0])
        if "s3 = " in body and d.chance(0.4):
            body += f"    if ({condition(d, ops)}) break;\n"
        body = body if "s3 = " not in body or "s3," in body else body.replace("(x, " + f"{t}(k)", "(x, " + f"max(s3, {t}(k))")
        body += "  }\n"
    elif d.chance(0.6):
        body += searched(d, first)
    body += f"  {t} s4 = {number(d, 'first(' + d.pick('between', 'reverse(between)', 'shift(between, 1)') + ')', ops[0])};\n"
    leaves.append("s4")
    return body


def steps(d, ops, in_place, returns, between):
    """The text of the codelet that has steps."""
    t = d.t
    f = d.function(2)
    views = ["x", f"transform({d.of(f)}, zip(x, repeat(s0, x.Size())))", "take(x, x.Size() / 2)", "shift(x, 1)",
             "reverse(x)", "every(x, 3)"]
    body = f"  {t} s0 = {number(d, 'first(x)', ops[0])};\n"
    leaves = ["s0"]
    if d.chance(0.8):
        which = d.pick(0, 1, 1)
        body += f"  {t} s1 = {number(d, ('first', 'second')[which] + '(' + d.pick(*views, views[1]) + ')', ops[which])};\n"
        leaves.append("s1")
    if d.chance(0.5):
        body += f"  {t} s2 = {d.value(leaves, 1)};\n"
        leaves.append("s2")
    if between:
        body += repeated(d, ops, leaves)
    a = d.pick(*leaves, f"first({d.pick('x', 'take(x, 3)')})") if d.chance(0.7) else d.value(leaves, 1)
    for s in leaves: # each is used
        a = a if re.search(rf"\b{s}\b", body.split(f" {s} = ")[1] + a) else f"({a} + {s})"
    body += f"  {d.of('fill')}(x, {d.typed(a)}{'' if in_place else ', y'});\n"
    if returns:
        last = d.pick(*leaves, f"second({'x' if in_place else 'y'})",
                      f"{leaves[-1]} + second({'x' if in_place else 'y'})")
        body += f"  return {last};\n"
    return body


def kind_steps(d):
    """Of a container, or of each of a matrix' lines."""
    stepped(d, d.chance(0.35), d.pick("", "rows", "rows", "columns"), False)


def kind_sequence(d):
    """Of a container, with another one between the steps."""
    stepped(d, False, "", True)


def stepped(d, in_place, lines, between):
    t = d.t
    returns = d.chance(0.5)
    x = f"__mutable Array<1, {t}> x" if in_place else f"const Array<1, {t}> x, __like(x) __mutable Array<1, {t}> y"
    one = f"{t if returns else 'void'} stepped({x})"
    A = f"__mutable Array<2, {t}> A" if in_place else f"const Array<2, {t}> A, __like(A) __mutable Array<2, {t}> B"
    of = f", __like(A, {0 if lines == 'rows' else 1}) __mutable Array<1, {t}> out" if returns else ""
    if lines:
        declared(d, f"void all_lines({A}{of})")
    declared(d, one)
    declared(d, f"{t} first(const Array<1, {t}> in)")
    declared(d, f"{t} second(const Array<1, {t}> in)")
    ops = operator_of(d), operator_of(d)
    reduction(d, "first", ops[0])
    reduction(d, "second", ops[1])
    written(d, "fill", in_place)
    d.add(d.head("steps") + f"{one} {{\n{steps(d, ops, in_place, returns, between)}}}")
    if lines:
        args = f"{lines}(A)" if in_place else f"{lines}(A), {lines}(B)"
        apply = f"  Map m({d.of('stepped')}, {args});\n  m.to(out);\n" if returns else f"  map({d.of('stepped')}, {args});\n"
        d.add(d.head("each") + f"void all_lines({A}{of}) {{\n{apply}}}")
