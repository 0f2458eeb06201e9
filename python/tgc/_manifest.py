"""A folder's manifest.json: the functions of a library, their operands and their types (docs/reference/output.md)."""

import ctypes
import json
import pathlib
from dataclasses import dataclass

import numpy

NUMPY_TYPES = {
    "bool": "?",
    "int8": "i1",
    "uint8": "u1",
    "int16": "i2",
    "uint16": "u2",
    "int": "i4",
    "uint": "u4",
    "int64": "i8",
    "uint64": "u8",
    "half": "f2",
    "float": "f4",
    "double": "f8",
    "cfloat": "c8",
    "cdouble": "c16",
}
C_NUMBERS = {
    "bool": ctypes.c_bool,
    "int8": ctypes.c_int8,
    "uint8": ctypes.c_uint8,
    "int16": ctypes.c_int16,
    "uint16": ctypes.c_uint16,
    "int": ctypes.c_int32,
    "uint": ctypes.c_uint32,
    "int64": ctypes.c_int64,
    "uint64": ctypes.c_uint64,
    "float": ctypes.c_float,
    "double": ctypes.c_double,
}
BYTES = {"bfloat16": 2, **{word: numpy.dtype(name).itemsize for word, name in NUMPY_TYPES.items()}}


def _complex(part):
    """A complex number by value, which C passes as this struct."""
    return type(f"Complex_{part.__name__}", (ctypes.Structure,), {"_fields_": [("real", part), ("imag", part)]})


C_NUMBERS["cfloat"], C_NUMBERS["cdouble"] = _complex(ctypes.c_float), _complex(ctypes.c_double)


@dataclass(frozen=True)
class Member:
    """A number, or an array of numbers, in a struct."""

    name: str
    type: str
    offset: int
    dimensions: tuple


@dataclass(frozen=True)
class Struct:
    """A struct of an operator."""

    name: str
    bytes: int
    members: tuple

    def dtype(self):
        return numpy.dtype(
            {
                "names": [m.name for m in self.members],
                "offsets": [m.offset for m in self.members],
                "formats": [(NUMPY_TYPES[m.type], m.dimensions) for m in self.members],
                "itemsize": self.bytes,
            }
        )


@dataclass(frozen=True)
class Operand:
    """A parameter of the C functions."""

    name: str
    kind: str
    sizes: tuple
    by_columns: bool
    written: bool
    in_place: bool
    means: str
    factors: tuple
    times: int
    plus: int
    addend: str | None
    more: int
    is_result: bool

    @property
    def is_array(self):
        return self.kind == "array"

    @property
    def rank(self):
        return (len(self.sizes) + 1) // 2

    @property
    def shape(self):
        """The operands that are the sizes of its dimensions."""
        return self.sizes[: self.rank]

    @property
    def strides(self):
        """The operands that are its strides, but for the dimension whose elements lie side by side."""
        return self.sizes[self.rank :]

    @property
    def follows_from(self):
        """The sizes that a size is computed of."""
        return (*self.factors, self.addend) if self.addend else self.factors

    @property
    def is_given(self):
        """Is it an argument in Python? Sizes of arrays come from the arrays."""
        return not self.is_result and (self.kind != "size" or self.means == "number")


@dataclass(frozen=True)
class Call:
    """The C function for one element type; the type of each operand."""

    type: str
    function: str
    operands: tuple


class Description:
    """What a manifest says of a library."""

    def __init__(self, folder):
        path = pathlib.Path(folder) / "manifest.json"
        try:
            facts = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise FileNotFoundError(f"{path}: there is no such file, so this is no folder that tgc wrote") from None
        if facts.get("version") != 1:
            raise ValueError(f"{path}: its version is {facts.get('version')}, and this package reads version 1")
        if "spectra" in facts or "machines" in facts:
            inner = [m["folder"] for m in facts.get("spectra") or facts["machines"]]
            raise ValueError(
                f"{path}: a folder of several {'spectra' if 'spectra' in facts else 'machines'}; "
                f"load one of {', '.join(inner)}"
            )
        if "calls" not in facts:
            raise ValueError(f"{path}: an older tgc wrote it, without the types of the functions; write it again")
        self.spectrum, self.family, self.machine = facts["spectrum"], facts["family"], facts["machine"]
        self.options = facts.get("options", "")
        self.operands = tuple(_operand(o) for o in facts["operands"])
        self.calls = tuple(Call(c["type"], c["function"], tuple(c["operands"])) for c in facts["calls"])
        self.structs = {s["name"]: _struct(s) for s in facts.get("structs", ())}


def _operand(o):
    return Operand(
        o["name"],
        o["kind"],
        tuple(o["sizes"]),
        o["by_columns"],
        o["written"],
        o["in_place"],
        o["means"],
        tuple(o["factors"]),
        o["times"],
        o["plus"],
        o.get("addend"),
        o.get("more", 0),
        o["kind"] == "array" and not o["read"],
    )


def _struct(s):
    members = (Member(m["name"], m["type"], m["offset"], tuple(m["dimensions"])) for m in s["members"])
    return Struct(s["name"], s["bytes"], tuple(members))
