"""A library as an operator of PyTorch, which torch.compile and CUDA graphs keep whole.

The operator's arguments are those of the library, and then the sizes that follow from no argument. What is changed in
place is declared as such; what is only written is made and returned.
"""

import keyword

import torch

from ._sizes import Sizes
from . import _arrays

_defined = {}


class _Shape:
    """A tensor for Sizes: shape and strides, which may be symbolic."""

    def __init__(self, tensor):
        self.shape, self.strides = tuple(tensor.shape), tensor.stride()

    def size(self):
        return self.shape.numel() if hasattr(self.shape, "numel") else 1


def _python_name(name):
    return f"{name}_" if keyword.iskeyword(name) else name


class Operator:
    """The operator's schema, implementation and fake kernel."""

    def __init__(self, library, name):
        if library._structs:
            raise TypeError(
                f"{library.name} has structs, which PyTorch has no type for; its fields would have to be arrays"
            )
        self.library, self.name = library, name
        self.made = [o for o in library._written if not o.in_place]
        self.operands = [o for o in library._given if o not in self.made]
        self.free = self._free_sizes()
        self.words = {
            c.type: dict(zip((o.name for o in library._operands), c.operands)) for c in library.description.calls
        }
        mutated = tuple(_python_name(o.name) for o in self.operands if o.written)
        self.op = torch.library.custom_op(f"tgc::{name}", self._run, mutates_args=mutated, schema=self._schema())
        self.op.register_fake(self._fake)

    def _free_sizes(self):
        """Sizes of what is made that do not follow from the arguments: if these are known, which are left?"""
        sizes = Sizes(self.library._operands)
        for o in self.operands:
            for name in o.sizes if o.is_array else [o.name] if o.kind == "size" else []:
                sizes.values[name], sizes.said_by[name] = 1, o.name
        known = set(sizes.values)
        rules = [o for o in self.library._operands if o.kind == "size" and o.times]
        for _ in rules:  # as Sizes.follow, without values
            for o in rules:
                unknown = [f for f in o.follows_from if f not in known]
                if not unknown:
                    known.add(o.name)
                elif len(unknown) == 1 and o.name in known:
                    known.add(unknown[0])
        return [n for n in dict.fromkeys(n for o in self.made for n in o.shape) if n not in known]

    def _schema(self):
        arguments = []
        for o in self.operands:
            kind = f"Tensor({chr(97 + len(arguments))}!)" if o.written else "Tensor"
            if not o.is_array:
                word = self.library.description.calls[0].operands[self.library._operands.index(o)]
                kind = "int" if o.kind == "size" or "int" in word else "float"
            arguments.append(f"{kind} {_python_name(o.name)}")
        arguments += [f"int {name}" for name in self.free]
        results = ", ".join("Tensor" for _ in self.made)
        return f"({', '.join(arguments)}) -> ({results})"

    def _named(self, arguments):
        names = [o.name for o in self.operands] + self.free
        return dict(zip(names, arguments))

    def _run(self, *arguments):
        result = self.library(**self._named(arguments))
        if not self.made:
            return None
        found = dict(zip((o.name for o in self.library._written), result if isinstance(result, tuple) else (result,)))
        made = tuple(found[o.name] for o in self.made)
        return made[0] if len(made) == 1 else made

    def _type(self, tensors):
        """The function whose types the tensors have."""
        given = {n: _arrays.TORCH_WORDS.get(str(x.dtype).rpartition(".")[2]) for n, x in tensors.items()}
        for words in self.words.values():
            if all(words[n] == w for n, w in given.items()):
                return words
        raise TypeError(f"{self.library.name} takes {' or '.join(map(str, self.words.values()))}, not {given}")

    def _fake(self, *arguments):
        named = self._named(arguments)
        tensors = {n: x for n, x in named.items() if isinstance(x, torch.Tensor)}
        sizes, words = Sizes(self.library._operands), self._type(tensors)
        for o in self.operands:
            if o.is_array:
                for size, n in zip(o.shape, tensors[o.name].shape):
                    sizes.values.setdefault(size, n)
                    sizes.said_by.setdefault(size, o.name)
            elif o.kind == "size":
                sizes.values[o.name], sizes.said_by[o.name] = named[o.name], o.name
        for name in self.free:
            sizes.values[name], sizes.said_by[name] = named[name], name
        sizes.follow()
        like, results = next(iter(tensors.values())), []
        for o in self.made:
            shape = [sizes.values[s] for s in o.shape]
            made = like.new_empty(
                shape[::-1] if o.by_columns else shape, dtype=getattr(torch, _arrays.TORCH_NAMES[words[o.name]])
            )
            results.append(made.T if o.by_columns else made)
        return (results[0] if len(results) == 1 else tuple(results)) if results else None


def define(library, name):
    """torch.ops.tgc.NAME; the same one for the same library."""
    name = name or library.name
    known = _defined.get(name)
    if known is None:
        known = _defined[name] = Operator(library, name)
    elif known.library is not library:
        raise ValueError(f"torch.ops.tgc.{name} is another library already: pass another name")
    return known.op
