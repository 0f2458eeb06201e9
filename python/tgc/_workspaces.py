"""Workspaces that are kept between calls. One serves one call at a time: each thread of a CPU, each stream of a GPU has
its own."""

import ctypes
import threading

ALIGNMENT = 64
LARGEST_CACHE = 4096  # sizes of calls whose need is remembered


class _Needs:
    """How many bytes calls need, by function and sizes."""

    def __init__(self):
        self.known = {}

    def of(self, function, values, key):
        """(error, bytes)"""
        found = self.known.get(key)
        if found is not None:
            return 0, found
        needed = ctypes.c_size_t(0)
        error = function(None, ctypes.byref(needed), *values)
        if not error:
            if len(self.known) >= LARGEST_CACHE:
                self.known.clear()
            self.known[key] = needed.value
        return error, needed.value


class CpuWorkspaces:
    """One for each thread, which grows."""

    INVALID = 22  # EINVAL

    def __init__(self, library, name):
        self.init = library[f"{name}_workspace_init"]
        self.init.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
        self.needs, self.mine = _Needs(), threading.local()

    def call(self, function, pooled, values, key, device, stream):
        error, needed = self.needs.of(function, values, key)
        if error:
            return error
        if needed > getattr(self.mine, "bytes", 0):
            self.mine.bytes = 0
            self.mine.memory = ctypes.create_string_buffer(needed + ALIGNMENT)
            address = ctypes.addressof(self.mine.memory)
            self.mine.at = address + -address % ALIGNMENT
            error = self.init(self.mine.at, needed)
            if error:
                return error
            self.mine.bytes = needed
        have = ctypes.c_size_t(self.mine.bytes)
        return function(self.mine.at, ctypes.byref(have), *values)


class CudaWorkspaces:
    """One for each stream of each device, which grows in the stream's order. A call that is being captured into a graph
    takes its own from the device's pool: a graph may be replayed beside other calls."""

    INVALID = 1  # cudaErrorInvalidValue

    def __init__(self, library, name):
        self.library = library
        pointer, size = ctypes.c_void_p, ctypes.c_size_t
        for name_, arguments in (
            ("allocate", [ctypes.POINTER(pointer), size, pointer]),
            ("free", [pointer, pointer]),
            ("is_captured", [pointer, ctypes.POINTER(ctypes.c_int)]),
            ("wait", [pointer]),
            ("set_device", [ctypes.c_int, ctypes.POINTER(ctypes.c_int)]),
        ):
            function = library[f"tgc_python_{name_}"]
            function.argtypes = arguments
            setattr(self, name_, function)
        self.init = library[f"{name}_workspace_init"]
        self.init.argtypes = [pointer, size, pointer]
        self.needs, self.of_stream, self.lock = _Needs(), {}, threading.Lock()

    def call(self, function, pooled, values, key, device, stream):
        before = ctypes.c_int()
        error = self.set_device(device[1], ctypes.byref(before))
        if error:
            return error
        try:
            return self._call(function, pooled, [*values, stream], (device[1], *key), (device[1], stream), stream)
        finally:
            if before.value != device[1]:
                self.set_device(before.value, ctypes.byref(ctypes.c_int()))

    def _call(self, function, pooled, values, key, place, stream):
        captured = ctypes.c_int()
        error = self.is_captured(stream, ctypes.byref(captured))
        if error:
            return error
        if captured.value:
            return pooled(*values)
        with self.lock:  # calls on one stream share a workspace: their kernels may not mix
            error, needed = self.needs.of(function, values, key)
            at, have = self.of_stream.get(place, (None, 0))
            if not error and needed > have:
                error, at = self._grow(at, needed, place, stream)
                have = needed
            return error or function(at, ctypes.byref(ctypes.c_size_t(have)), *values)

    def _grow(self, old, needed, place, stream):
        if old:
            del self.of_stream[place]
            self.free(old, stream)
        made = ctypes.c_void_p()
        error = self.allocate(ctypes.byref(made), needed, stream) or self.init(made, needed, stream)
        if not error:
            self.of_stream[place] = (made.value, needed)
        return error, made.value
