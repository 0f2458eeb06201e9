"""The stream that a call goes to: the caller's, or the current one of the library whose arrays it gets."""

from . import _arrays


def handle(stream):
    """The handle of a stream object of any library, or of a number."""
    for attribute in ("cuda_stream", "ptr"):  # PyTorch, CuPy
        if hasattr(stream, attribute):
            return int(getattr(stream, attribute))
    protocol = getattr(stream, "__cuda_stream__", None)
    if protocol is not None:
        return int((protocol() if callable(protocol) else protocol)[1])
    if isinstance(stream, int):
        return stream
    raise TypeError(f"stream: a stream of PyTorch or CuPy, or a handle, is expected, not {type(stream).__name__}")


def current(arguments):
    """The current stream of the library that the first array is of; None if no array says."""
    for x in arguments:
        if _arrays.is_of(x, "torch", "Tensor") and x.is_cuda:
            import torch

            return torch.cuda.current_stream(x.device).cuda_stream
        if _arrays.is_of(x, "cupy", "ndarray"):
            import cupy

            with x.device:
                return cupy.cuda.get_current_stream().ptr
        facts = getattr(x, "__cuda_array_interface__", None)
        if facts is not None and facts.get("stream") is not None:
            return facts["stream"]
    return None
