"""expressions.py: a stream of choices, and the expressions, conditions and functions that it makes: what a program's
types are, what may be read where, how deep it goes."""
import random
import re

INTEGERS = ["int", "uint", "int64", "uint64", "int8", "uint8", "int16", "uint16"]
FLOATS = ["float", "double", "half", "bfloat16"]
PLAIN = {"int": "int", "uint": "unsigned", "int64": "long", "float": "float", "double": "double"}


class Draw:
    """A stream of choices, and the text that they make."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.parts = []
        self.functions = 0
        self.generic = self.r.random() < 0.7
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
            self.parts.append(self.parts[-1].replace(once.group(0),
                                                     f"__env({self.pick('sm_60, avx2', 'sm_80, sm_90', 'avx512')}) "
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
        if self.floating and self.chance(0.4):
            return self.mathematics(a, b)
        if kind < 0.95:
            return f"({self.condition(leaves)} ? {self.typed(a)} : {self.typed(b)})"
        return f"{t}({a})"

    def mathematics(self, a, b):
        """A function of mathematics, of numbers for which it has a value that no type is too small for."""
        a, b = self.typed(a), self.typed(b)
        small = f"min(fabs({a}), {self.typed(3)})"
        return self.pick(f"exp(-fabs({a}))", f"exp2(-fabs({a}))", f"expm1(-fabs({a}))", f"log(fabs({a}) + 1)",
                         f"log2(fabs({a}) + 1)", f"log1p(fabs({a}))", f"sqrt(fabs({a}))", f"rsqrt(fabs({a}) + 1)",
                         f"sin({a})",
                         f"cos({a})", f"atan({a})", f"tanh({a})", f"erf({a})",
                         f"pow({small} + 1, min(fabs({b}), {self.typed(3)}))",
                         f"fabs({a})", f"floor({a})", f"ceil({a})", f"trunc({a})", f"fma({a}, {b}, {a})")

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
                          f"({name}.Size() > 0 ? {name}[{name}.Size() - 1] : {self.typed(0)})",
                          f"{self.t}({name}.Size())"]
        return found
