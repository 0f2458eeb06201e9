"""Reads a DLPack capsule without any array library (https://dmlc.github.io/dlpack)."""

import ctypes

CPU, CUDA, CUDA_HOST, CUDA_MANAGED = 1, 2, 3, 13
LEGACY_STREAM = 1  # the default stream's handle, for DLPack and for CUDA
KINDS = {
    0: {8: "int8", 16: "int16", 32: "int", 64: "int64"},
    1: {8: "uint8", 16: "uint16", 32: "uint", 64: "uint64"},
    2: {16: "half", 32: "float", 64: "double"},
    4: {16: "bfloat16"},
    5: {64: "cfloat", 128: "cdouble"},
    6: {8: "bool"},
}


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


class Taken:
    """What a capsule holds. The capsule is kept, not consumed: its own destructor frees the tensor."""

    def __init__(self, capsule, name):
        self.capsule = capsule
        t = _Tensor.from_address(_pointer(capsule, b"dltensor"))
        self.type = KINDS.get(t.code, {}).get(t.bits) if t.lanes == 1 else None
        if self.type is None:
            raise TypeError(
                f"{name}: elements of DLPack's type code {t.code} with {t.bits} bits, {t.lanes} lanes, are not " "taken"
            )
        if t.device_type not in (CPU, CUDA, CUDA_HOST, CUDA_MANAGED):
            raise TypeError(
                f"{name}: it is on a device of DLPack's type {t.device_type}, and tgc has code for CPUs and CUDA"
            )
        self.pointer = (t.data or 0) + t.byte_offset
        self.shape = tuple(t.shape[i] for i in range(t.ndim))
        self.strides = tuple(t.strides[i] for i in range(t.ndim)) if t.strides else None
        on_cpu = t.device_type in (CPU, CUDA_HOST)
        self.device = ("cpu", 0) if on_cpu else ("cuda", t.device_id)
        self.read_only = False


def take(x, name, stream):
    """An object's tensor by __dlpack__. On a GPU its producer makes `stream`, a handle, wait for pending work."""
    device = x.__dlpack_device__()[0] if hasattr(x, "__dlpack_device__") else CPU
    if device not in (CUDA, CUDA_MANAGED):
        return Taken(x.__dlpack__(), name)
    return Taken(x.__dlpack__(stream=stream or LEGACY_STREAM), name)
