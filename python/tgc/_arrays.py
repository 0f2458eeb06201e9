"""Arrays of any library as pointers with shapes and strides, and new arrays of the same kind.

numpy        numpy.ndarray, and what has __array_interface__
torch        torch.Tensor, on a CPU or a GPU
cupy         cupy.ndarray
other        what has __cuda_array_interface__, or __dlpack__
"""

import contextlib
import math
import sys
from dataclasses import dataclass

import numpy

from . import _dlpack
from ._manifest import BYTES, NUMPY_TYPES

WORDS = {numpy.dtype(name): word for word, name in NUMPY_TYPES.items()}
TORCH_WORDS = {
    "bool": "bool",
    "int8": "int8",
    "uint8": "uint8",
    "int16": "int16",
    "uint16": "uint16",
    "int32": "int",
    "uint32": "uint",
    "int64": "int64",
    "uint64": "uint64",
    "float16": "half",
    "bfloat16": "bfloat16",
    "float32": "float",
    "float64": "double",
    "complex64": "cfloat",
    "complex128": "cdouble",
}
TORCH_NAMES = {word: name for name, word in TORCH_WORDS.items()}


@dataclass
class View:
    """An array: `type` is an element type's word, or a structured dtype of NumPy; strides are in elements."""

    array: object
    kind: str
    pointer: int
    type: object
    shape: tuple
    strides: tuple
    device: tuple
    writable: bool
    stream: object = None
    keeps: object = None

    def size(self):
        return math.prod(self.shape)

    def item_bytes(self):
        return self.type.itemsize if isinstance(self.type, numpy.dtype) else BYTES[self.type]

    def extent(self):
        """The addresses from the first element's to behind the last one's."""
        if self.size() == 0:
            return self.pointer, self.pointer
        steps = [(n - 1) * s for n, s in zip(self.shape, self.strides)]
        low, high = sum(s for s in steps if s < 0), sum(s for s in steps if s > 0)
        return self.pointer + low * self.item_bytes(), self.pointer + (high + 1) * self.item_bytes()

    def as_struct(self, struct):
        """Rows of bytes taken as structs, which PyTorch and CuPy have no type for; None if they are no such rows."""
        fits = self.type == "uint8" and self.shape and self.shape[-1] == struct.bytes and self.strides[-1] == 1
        if not fits or any(s % struct.bytes for s in self.strides[:-1]):
            return None
        return View(
            self.array,
            self.kind,
            self.pointer,
            struct.dtype(),
            self.shape[:-1],
            tuple(s // struct.bytes for s in self.strides[:-1]),
            self.device,
            self.writable,
            self.stream,
            self.keeps,
        )


# ---- what an array is ----


def _type_of(dtype):
    """The word of a NumPy type; of structs the type itself; of others its name, which matches nothing."""
    if dtype.names:
        return dtype
    if not dtype.isnative:
        return f"{dtype} in the other byte order"
    word = WORDS.get(dtype)
    return word or ("bfloat16" if dtype.name == "bfloat16" else dtype.name)


def _elements(strides, item, name):
    if any(s % item for s in strides):
        raise ValueError(f"{name}: its strides {strides} in bytes are no multiples of an element's {item} bytes")
    return tuple(s // item for s in strides)


def _contiguous(shape):
    strides, step = [], 1
    for n in reversed(shape):
        strides.append(step)
        step *= max(n, 1)
    return tuple(reversed(strides))


def _of_interface(x, facts, kind, device, name):
    """An __array_interface__ or a __cuda_array_interface__."""
    if facts.get("mask") is not None:
        raise TypeError(f"{name}: masked arrays are not taken")
    names = facts.get("descr")
    is_struct = facts["typestr"][1] == "V" and names
    dtype = numpy.dtype([tuple(d) for d in names]) if is_struct else numpy.dtype(facts["typestr"])
    shape = tuple(facts["shape"])
    strides = facts.get("strides")
    strides = _elements(strides, dtype.itemsize, name) if strides else _contiguous(shape)
    pointer, read_only = facts["data"]
    return View(x, kind, pointer or 0, _type_of(dtype), shape, strides, device, not read_only, facts.get("stream"))


def _of_numpy(x, name):
    pointer, read_only = x.__array_interface__["data"]
    return View(
        x,
        "numpy",
        pointer,
        _type_of(x.dtype),
        x.shape,
        _elements(x.strides, x.itemsize, name) if x.itemsize else x.strides,
        ("cpu", 0),
        not read_only,
    )


def _of_torch(x, name):
    import torch

    if x.requires_grad and torch.is_grad_enabled():
        raise TypeError(f"{name}: it requires a gradient, and the functions of tgc have none; pass {name}.detach()")
    if x.layout != torch.strided or x.is_conj() or x.is_neg():
        raise TypeError(f"{name}: a strided tensor is expected, not {x.layout}{', conjugated' * x.is_conj()}")
    if x.device.type not in ("cpu", "cuda"):
        raise TypeError(f"{name}: it is on {x.device}, and tgc has code for CPUs and CUDA")
    word = str(x.dtype).rpartition(".")[2]
    return View(
        x,
        "torch",
        x.data_ptr(),
        TORCH_WORDS.get(word, word),
        tuple(x.shape),
        x.stride(),
        (x.device.type, x.device.index or 0),
        True,
    )


def _of_cupy(x, name):
    return View(
        x,
        "cupy",
        x.data.ptr,
        _type_of(x.dtype),
        x.shape,
        _elements(x.strides, x.itemsize, name),
        ("cuda", x.device.id),
        True,
    )


def is_of(x, library, attribute):
    """Is it that library's array? The library is not imported for the question."""
    module = sys.modules.get(library)
    return module is not None and isinstance(x, getattr(module, attribute, ()))


def view(x, name, stream=None):
    """The array that an argument is; TypeError if it is none. `stream`: the call's, if its library is to wait."""
    if isinstance(x, numpy.ndarray):
        return _of_numpy(x, name)
    if is_of(x, "torch", "Tensor"):
        return _of_torch(x, name)
    if is_of(x, "cupy", "ndarray"):
        return _of_cupy(x, name)
    facts = getattr(x, "__cuda_array_interface__", None)
    if facts is not None:
        return _of_interface(x, facts, "other", ("cuda", _device_of_pointer(facts)), name)
    facts = getattr(x, "__array_interface__", None)
    if facts is not None:
        return _of_interface(x, facts, "numpy", ("cpu", 0), name)
    if hasattr(x, "__dlpack__"):
        found = _dlpack.take(x, name, stream)
        return View(
            x,
            "other",
            found.pointer,
            found.type,
            found.shape,
            found.strides or _contiguous(found.shape),
            found.device,
            not found.read_only,
            keeps=found,
        )
    raise TypeError(f"{name}: an array is expected (NumPy, PyTorch, CuPy, or one with DLPack), not {type(x).__name__}")


def _device_of_pointer(facts):
    """The interface does not say which device: CuPy asks the driver, if it is there."""
    cupy = sys.modules.get("cupy")
    if cupy is None or not facts["data"][0]:
        return 0
    return cupy.cuda.runtime.pointerGetAttributes(facts["data"][0]).device


# ---- new arrays ----


def library_for(views, device):
    """Which library makes the results: that of the first array that is of one; else one that the program uses."""
    kinds = [v.kind for v in views if v.kind != "other"]
    if kinds:
        return kinds[0]
    if device[0] == "cpu":
        return "numpy"
    return next((k for k in ("torch", "cupy") if k in sys.modules), None)


@dataclass(frozen=True)
class Place:
    """Where arrays are made: by which library, on which device, in the order of which stream."""

    library: str
    device: tuple
    stream: object

    def make(self, shape, type, cleared, by_columns=False):
        """(what the caller gets, its view). By columns: a matrix whose columns are contiguous."""
        shape = shape[::-1] if by_columns else shape
        if self.library == "torch":
            made = self._torch(shape, type, cleared)
        elif self.library == "cupy":
            made = self._cupy(shape, type, cleared)
        elif self.library == "numpy":
            made = (numpy.zeros if cleared else numpy.empty)(shape, dtype=_numpy_type(type))
        else:
            raise TypeError("the result's kind is not known: import torch or cupy, or pass out=")
        made = made.T if by_columns else made
        return made, view(made, "a result")

    def _torch(self, shape, type, cleared):
        import torch

        make, named = (torch.zeros if cleared else torch.empty), {"dtype": getattr(torch, TORCH_NAMES[type])}
        if self.device[0] == "cpu":
            return make(shape, **named)
        device, handle = torch.device(*self.device), self.stream or 0
        if handle in (0, _dlpack.LEGACY_STREAM):
            stream = torch.cuda.default_stream(device)
        else:
            stream = torch.cuda.ExternalStream(handle, device)
        current = torch.cuda.current_stream(device).cuda_stream
        with contextlib.nullcontext() if current == handle else torch.cuda.stream(stream):
            return make(shape, device=device, **named)

    def _cupy(self, shape, type, cleared):
        import cupy

        with cupy.cuda.Device(self.device[1]):
            handle = self.stream or 0
            null = handle in (0, _dlpack.LEGACY_STREAM)
            stream = cupy.cuda.Stream.null if null else cupy.cuda.ExternalStream(handle, self.device[1])
            with contextlib.nullcontext() if cupy.cuda.get_current_stream().ptr == handle else stream:
                return (cupy.zeros if cleared else cupy.empty)(shape, dtype=_numpy_type(type))


def _numpy_type(type):
    if isinstance(type, numpy.dtype):
        return type
    if type == "bfloat16":
        raise TypeError("NumPy and CuPy have no bfloat16: pass out=")
    return numpy.dtype(NUMPY_TYPES[type])


def members(array, struct, library):
    """A struct in rows of bytes as its members, each a view of it."""
    found = {}
    for m in struct.members:
        count = math.prod(m.dimensions)
        part = array[..., m.offset : m.offset + BYTES[m.type] * count]
        if library == "torch":
            import torch

            part = part.view(getattr(torch, TORCH_NAMES[m.type]))
        else:
            part = part.view(NUMPY_TYPES[m.type])
        found[m.name] = part.reshape(array.shape[:-1] + m.dimensions)
    return found
