"""A loaded library as a callable: arguments to operands, types to a C function, results to arrays."""

import collections
import ctypes
import operator

import numpy

from . import _arrays, _streams
from ._manifest import C_NUMBERS, Description
from ._sizes import Sizes, describe
from ._workspaces import CpuWorkspaces, CudaWorkspaces


class Library:
    """What tgc.load gives: call it with the codelet's arguments. `path` is the shared library, `folder` the generated
    text, `types` the element types."""

    def __init__(self, folder, path):
        self.folder, self.path = folder, path
        self.description = Description(folder)
        self.name, self.arch = self.description.spectrum, self.description.machine
        self.types = tuple(c.type for c in self.description.calls)
        self._on_cpu = self.description.family == "cpu"
        self._operands = self.description.operands
        self._by_name = {o.name: o for o in self._operands}
        self._given = [o for o in self._operands if o.is_given]
        self._written = [o for o in self._operands if o.is_array and o.written]
        self._structs = {n: (s, s.dtype()) for n, s in self.description.structs.items()}
        self._library = ctypes.CDLL(str(path))
        self._error_text = self._library[f"{self.name}_error_text"]
        self._error_text.restype, self._error_text.argtypes = ctypes.c_char_p, [ctypes.c_int]
        self._functions = {c.function: self._function(c) for c in self.description.calls}
        self._workspaces = (CpuWorkspaces if self._on_cpu else CudaWorkspaces)(self._library, self.name)
        self.__doc__ = f"{self.signature()}\n\nThe library {path}, made from {folder}."

    def _function(self, call):
        """The C function, its arguments' types, and on a GPU the one that takes its workspace from the memory pool."""
        types = [ctypes.c_void_p if o.is_array else C_NUMBERS[word] for o, word in zip(self._operands, call.operands)]
        stream = [] if self._on_cpu else [ctypes.c_void_p]
        function = self._library[call.function]
        function.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_size_t), *types, *stream]
        pooled = None
        if not self._on_cpu:
            pooled = self._library[f"{call.function}_async"]
            pooled.argtypes = [*types, *stream]
        return function, types, pooled

    def signature(self):
        """The arguments in Python, as text: what may be left out is in brackets."""
        words = [f"[{o.name}]" if o.written and not o.in_place else o.name for o in self._given]
        return f"{self.name}({', '.join([*words, 'out=None'] + ([] if self._on_cpu else ['stream=None']))})"

    def __repr__(self):
        return f"<tgc {self.signature()} for {self.arch}, types {', '.join(self.types)}>"

    def __call__(self, *arguments, out=None, stream=None, **named):
        given = self._bind(arguments, out, named)
        handle = self._stream(given, stream)
        views = {n: _arrays.view(x, n, handle) for n, x in given.items() if self._by_name[n].is_array}
        device = self._device(views)
        call, views = self._choose(views)
        sizes = self._sizes(given, views)
        results = {}
        place = _arrays.Place(_arrays.library_for(list(views.values()), device), device, handle)
        for o, word in zip(self._operands, call.operands):
            if o.is_array and o.name not in views:
                results[o.name], views[o.name] = self._new(o, word, place, sizes)
        self._check_overlap(views)
        for producer in {v.stream for v in views.values()} - {None, handle}:
            self._workspaces.wait(producer)
        self._run(call, given, views, sizes, device, handle)
        returned = [results[o.name] if o.name in results else given[o.name] for o in self._written]
        return returned[0] if len(returned) == 1 else tuple(returned)

    # ---- arguments ----

    def _bind(self, arguments, out, named):
        """Arguments by operand. `in` is a word of Python's: in_ stands for it."""
        if len(arguments) > len(self._given):
            raise TypeError(
                f"{self.signature()} takes at most {len(self._given)} arguments, and {len(arguments)} were given"
            )
        given = {o.name: x for o, x in zip(self._given, arguments)}
        for name, x in named.items():
            key = name[:-1] if name.endswith("_") and name[:-1] in self._by_name else name
            if key not in self._by_name:
                raise TypeError(f"{self.signature()} has no argument {name}; there are {', '.join(self._by_name)}")
            if key in given:
                raise TypeError(f"{self.signature()}: {name} is given twice")
            given[key] = x
        if out is not None:
            outs = out if isinstance(out, tuple) else (out,)
            if len(outs) != len(self._written):
                raise TypeError(
                    f"out: {len(outs)} arrays, and {len(self._written)} are written: "
                    f"{', '.join(o.name for o in self._written)}"
                )
            for o, x in zip(self._written, outs):
                if o.name in given and given[o.name] is not x:
                    raise TypeError(f"{self.signature()}: {o.name} is given twice, as an argument and as out")
                given[o.name] = x
        missing = [o.name for o in self._given if o.name not in given and (o.in_place or not o.written)]
        if missing:
            raise TypeError(f"{self.signature()} lacks {', '.join(missing)}")
        return {n: x for n, x in given.items() if x is not None}

    def _stream(self, given, stream):
        if self._on_cpu:
            if stream is not None:
                raise TypeError(f"stream: {self.name} is for a CPU ({self.arch}), and has none")
            return None
        return _streams.current(given.values()) if stream is None else _streams.handle(stream)

    def _device(self, views):
        wanted = "cpu" if self._on_cpu else "cuda"
        found = {v.device: n for n, v in views.items()}
        for (kind, index), name in found.items():
            if kind != wanted:
                where = "on a CPU" if kind == "cpu" else f"on GPU {index}"
                raise TypeError(f"{name} is {where}, and {self.name} was compiled for {self.arch}")
        if len(found) > 1:
            raise ValueError("arrays on several GPUs: " + ", ".join(f"{n} on {i}" for (_, i), n in found.items()))
        return next(iter(found), (wanted, 0))

    def _as_type(self, view, word):
        """The array if it has elements of that type, bytes taken as structs too; else None."""
        if word not in self._structs:
            return view if view.type == word else None
        struct, dtype = self._structs[word]
        if isinstance(view.type, numpy.dtype):
            return view if view.type == dtype else None
        return view.as_struct(struct)

    def _choose(self, views):
        """The C function whose types the arrays have, and the arrays as these types."""
        for call in self.description.calls:
            words = {o.name: w for o, w in zip(self._operands, call.operands)}
            typed = {n: self._as_type(v, words[n]) for n, v in views.items()}
            if all(v is not None for v in typed.values()):
                return call, typed
        raise TypeError(
            f"{self.name} takes "
            + " or ".join(self._types_text(c, views) for c in self.description.calls)
            + ", and is given "
            + "; ".join(f"{n}: {_type_text(v)}" for n, v in views.items())
        )

    def _types_text(self, call, views):
        return "(" + ", ".join(f"{o.name}: {w}" for o, w in zip(self._operands, call.operands) if o.name in views) + ")"

    def _sizes(self, given, views):
        sizes = Sizes(self._operands)
        for name, x in given.items():
            if self._by_name[name].kind == "size":
                value = operator.index(x)
                if value < 0:
                    raise ValueError(f"{name} = {value}, and no size is negative")
                sizes.give(name, value, name)
        for name, v in views.items():
            sizes.read(self._by_name[name], v)
            if self._by_name[name].written and not v.writable:
                raise ValueError(f"{name} is read-only, and is written")
        sizes.follow()
        return sizes

    def _new(self, o, word, place, sizes):
        """An array that was left out, and its view. What a call may leave alone in part is cleared."""
        shape, cleared = sizes.shape_of(o), not o.is_result
        struct, dtype = self._structs.get(word, (None, word))
        if struct is None or place.library == "numpy":
            array, made = place.make(shape, dtype, cleared, o.by_columns)
        else:
            array, made = place.make((*shape, struct.bytes), "uint8", cleared)
            names = collections.namedtuple(f"{struct.name}", [m.name for m in struct.members])
            array, made = names(**_arrays.members(array, struct, place.library)), made.as_struct(struct)
        sizes.read(o, made)
        return array, made

    def _check_overlap(self, views):
        for o in self._written:
            low, high = views[o.name].extent()
            for name, v in views.items():
                begin, end = v.extent()
                if name != o.name and begin < high and low < end and low < high and begin < end:
                    raise ValueError(f"{o.name} is written and shares memory with {name}")

    # ---- the call ----

    def _number(self, o, word, x, type):
        kind = "integer" if "int" in word else "number"
        try:
            if isinstance(x, (str, bytes)):  # float() would read them
                raise TypeError
            value = operator.index(x) if kind == "integer" else complex(x) if word.startswith("c") else float(x)
        except TypeError:
            raise TypeError(
                f"{o.name}: {'an ' if kind == 'integer' else 'a '}{kind} ({word}) is expected, not " f"{type_name(x)}"
            ) from None
        if isinstance(value, complex):
            return type(value.real, value.imag)
        if kind == "integer" and type(value).value != value:
            raise ValueError(f"{o.name} = {value} is no value of {word}")
        return type(value)

    def _run(self, call, given, views, sizes, device, stream):
        function, types, pooled = self._functions[call.function]
        values = []
        for o, word, type in zip(self._operands, call.operands, types):
            if o.is_array:
                values.append(views[o.name].pointer)
            elif o.kind == "size":
                if o.name not in sizes.values:
                    raise TypeError(f"{self.signature()} lacks {o.name}")
                values.append(sizes.values[o.name])
            else:
                values.append(self._number(o, word, given[o.name], type))
        key = (call.function, *sizes.values.values())
        error = self._workspaces.call(function, pooled, values, key, device, stream)
        if error:
            self._raise(error)

    def _raise(self, error):
        text = (self._error_text(error) or b"").decode(errors="replace")
        if error == self._workspaces.INVALID:
            raise ValueError(text)
        raise RuntimeError(f"{text} (error {error})")

    def torch_op(self, name=None):
        """The library as an operator of PyTorch: see _torch.py."""
        from ._torch import define

        return define(self, name)


def type_name(x):
    return type(x).__name__


def _type_text(view):
    return f"{view.type}, shape {describe(view.shape)}" if isinstance(view.type, str) else f"{view.type}"
