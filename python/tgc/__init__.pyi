from os import PathLike
from pathlib import Path
from typing import Any, Callable, Iterable, Literal, Optional, Sequence, Tuple, Union

__version__: str

class CompileError(Exception): ...
class BuildError(Exception): ...

class Library:
    folder: Path
    path: Path
    name: str
    arch: str
    types: Tuple[str, ...]
    def __call__(self, *arguments: Any, out: Any = None, stream: Any = None, **named: Any) -> Any: ...
    def signature(self) -> str: ...
    def torch_op(self, name: Optional[str] = None) -> Callable[..., Any]: ...

def load(
    source: Union[str, PathLike[str], Iterable[Union[str, PathLike[str]]]],
    *,
    arch: str = "cpu",
    types: Union[str, Sequence[str], None] = None,
    spectrum: Optional[str] = None,
    operator: Optional[str] = None,
    nan: Literal["ignore", "propagate"] = "ignore",
    name: Optional[str] = None,
    options: Sequence[Any] = (),
    cache: Union[str, PathLike[str], None] = None,
) -> Library: ...
def load_folder(folder: Union[str, PathLike[str]], *, cache: Union[str, PathLike[str], None] = None) -> Library: ...
def cache_directory() -> Path: ...
def run(*arguments: Any, **named: Any) -> str: ...
