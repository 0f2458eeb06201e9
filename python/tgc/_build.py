"""Builds a generated folder as a shared library: by the machine's C compiler, or by nvcc."""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

HERE = pathlib.Path(__file__).resolve().parent
# As the CMakeLists.txt of a CPU's folder has it: sums are neither contracted nor wrap around by chance.
CPU_FLAGS = ["-O3", "-fPIC", "-fopenmp", "-ffp-contract=off", "-fwrapv"]
CUDA_FLAGS = ["-O3", "-std=c++17", "-Xcompiler", "-fPIC"]


class BuildError(Exception):
    """There is no compiler for the generated text, or it failed. The text is what it printed."""


def _find(variables, names, what):
    for variable in variables:
        words = shlex.split(os.environ.get(variable, ""))
        if words and shutil.which(words[0]):
            return words
        if words:
            raise BuildError(f"{variable} is {words[0]}, and there is no such program")
    for name in names:
        if shutil.which(name):
            return [shutil.which(name)]
    raise BuildError(
        f"{what} is needed to build the library, and none of {', '.join(map(str, names))} is found; "
        f"{' or '.join(variables)} may name one"
    )


def compiler_for(description, folder):
    """The command of the compiler that the folder's text needs, and its flags."""
    if description.family != "cpu":
        homes = [os.environ.get(v) for v in ("CUDA_HOME", "CUDA_PATH")] + ["/usr/local/cuda"]
        names = ["nvcc"] + [os.path.join(home, "bin", "nvcc") for home in homes if home]
        text = (folder / "CMakeLists.txt").read_text()
        found = re.search(r"set\(CMAKE_CUDA_ARCHITECTURES (\d+)\)", text)
        number = found.group(1) if found else re.sub(r"\D", "", description.machine)
        targets = [f"-gencode=arch=compute_{number},code=[sm_{number},compute_{number}]"]
        if number == "90" and "90a-real" in text:  # instructions of this machine alone, and text for later ones
            targets = ["-gencode=arch=compute_90a,code=sm_90a", "-gencode=arch=compute_90,code=compute_90"]
        return _find(["TGC_NVCC"], names, "nvcc"), [*CUDA_FLAGS, *targets]
    options = shlex.split(description.options)
    if any(folder.glob("*.cc")):
        return _find(["TGC_CXX", "CXX"], ["c++", "g++", "clang++"], "a C++ compiler"), [
            *CPU_FLAGS,
            "-std=c++17",
            *options,
        ]
    return _find(["TGC_CC", "CC"], ["cc", "gcc", "clang"], "a C compiler"), [*CPU_FLAGS, "-std=c11", *options]


@lru_cache(maxsize=None)
def compiler_version(command):
    """What the compiler says of itself, which is part of what a build depends on."""
    return subprocess.run([*command, "--version"], capture_output=True, text=True, check=False).stdout


def _call(command):
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise BuildError(f"{shlex.join(map(str, command))}\n{done.stderr.strip() or done.stdout.strip()}")


def sources_of(folder, description):
    """What belongs into the library: the dispatch, the variants, and on a GPU what allocates workspaces."""
    suffixes = {".cu"} if description.family != "cpu" else {".c", ".cc"}
    found = [p for p in sorted(folder.glob("variants/*")) if p.suffix in suffixes]
    found += [p for p in [folder / f"{description.spectrum}{s}" for s in sorted(suffixes)] if p.exists()]
    return found if description.family == "cpu" else [*found, HERE / "device.cu"]


def build(folder, description, library):
    """Compiles the sources side by side and links them into the file `library`, whose folder holds the objects too."""
    command, flags = compiler_for(description, folder)
    sources = sources_of(folder, description)
    objects = [library.parent / f"{source.stem}.o" for source in sources]
    steps = [[*command, *flags, f"-I{folder}", "-c", source, "-o", made] for source, made in zip(sources, objects)]
    with ThreadPoolExecutor(max_workers=max(1, len(os.sched_getaffinity(0)))) as pool:
        list(pool.map(_call, steps))
    _call([*command, *flags, "-shared", *objects, "-o", library] + (["-lm"] if description.family == "cpu" else []))
    for made in objects:
        made.unlink()


def build_key(folder, description):
    """The words that a build depends on besides the text: command, flags, the compiler's version."""
    command, flags = compiler_for(description, folder)
    return json.dumps([command, flags, compiler_version(tuple(command))])
