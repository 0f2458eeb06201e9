"""Builds the probe, a generated folder and the comparison with nvcc, several objects at a time; what is fresh stays.

Beside each product lies a stamp, the hash of the command line and of all texts that went into it: so the program
(`compare' and its stamp) that was built on a machine without a GPU can be carried to one without nvcc, whatever the
files' dates say.
"""
import concurrent.futures, hashlib, os, shlex, shutil, subprocess

from record import Unusable

VARIANTS_AT_A_TIME = 4  # in one object: nvcc takes about a second to start with each


def find_nvcc():
    """nvcc's path: $TGC_NVCC, else of PATH, else of the usual place; None when there is none."""
    named = os.environ.get("TGC_NVCC")
    return shutil.which(named) if named else shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")


def first_error(output):
    lines = output.strip().splitlines()
    return next((l for l in lines if "error" in l.lower()), lines[0] if lines else "no message")


class Build:
    """The products of one folder; `say` is called with a line of progress."""

    def __init__(self, folder, say):
        self.folder, self.say, self.nvcc = folder, say, find_nvcc()
        self.done = self.wanted = 0
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as e:
            raise Unusable(f"cannot make the folder `{folder}': {e.strerror}")
        self.note_toolkit()

    def note_toolkit(self):
        """Another toolkit than last time brings another CUB: what it did not build is stale."""
        if not self.nvcc:
            return
        said = subprocess.run([self.nvcc, "--version"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True).stdout
        self.note(said)

    def note(self, said):
        known = self.path("toolkit.txt")
        if os.path.exists(known):
            with open(known, encoding="utf-8") as f:
                if f.read() == said:
                    return
            for name in os.listdir(self.folder):
                if name.endswith(".stamp"):
                    os.unlink(self.path(name))
        with open(known, "w", encoding="utf-8") as f:
            f.write(said)

    def path(self, name):
        return os.path.join(self.folder, name)

    def stamp(self, arguments, inputs):
        """Of the words of the command without folders, and of the texts."""
        h = hashlib.sha256()
        for word in arguments:
            h.update(("-I" if word.startswith("-I") else os.path.basename(word)).encode() + b"\0")
        for path in inputs:
            with open(path, "rb") as f:
                h.update(f.read() + b"\0")
        return h.hexdigest()

    def is_fresh(self, product, stamp):
        try:
            with open(product + ".stamp", encoding="ascii") as f:
                return os.path.exists(product) and f.read() == stamp
        except OSError:
            return False

    def run(self, command):
        if not self.nvcc:
            named = os.environ.get("TGC_NVCC")
            raise Unusable(f"TGC_NVCC is `{named}', which cannot be run" if named else
                           "nvcc is not to be found: install the CUDA toolkit, or name it in TGC_NVCC")
        done = subprocess.run([self.nvcc, *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            raise Unusable(f"nvcc failed: {first_error(done.stdout)}\n  $ {shlex.join(['nvcc', *command])}")

    def make(self, name, arguments, stamp):
        """The path of one product, made where it is stale."""
        product = self.path(name)
        if not self.is_fresh(product, stamp):
            partial = product + ".partial" + os.path.splitext(name)[1]
            self.run([*arguments, "-o", partial])
            os.replace(partial, product)
            with open(product + ".stamp", "w", encoding="ascii") as f:
                f.write(stamp)
        self.done += 1
        self.say(f"building {self.done}/{self.wanted}")
        return product

    def make_all(self, jobs, workers):
        """The products of [(name, arguments, stamp)], in order; the first error stops the rest."""
        self.wanted += len(jobs)
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            running = [pool.submit(self.make, *job) for job in jobs]
            try:
                return [r.result() for r in running]
            except BaseException:
                for r in running:
                    r.cancel()
                raise

    def program(self, name, arguments, jobs, workers, libraries=()):
        """Links the objects of [(name, arguments, inputs)], and libraries behind them. Where it is fresh, its objects
        need not be there."""
        missing = [path for _, _, inputs in jobs for path in inputs if not os.path.isfile(path)]
        if missing:
            raise Unusable(f"`{missing[0]}' is missing: write the folder again")
        stamped = [(object_name, words, self.stamp(words, inputs)) for object_name, words, inputs in jobs]
        stamp = hashlib.sha256("".join(s for _, _, s in stamped).encode()).hexdigest()
        if not self.is_fresh(self.path(name), stamp):
            objects = self.make_all(stamped, workers)
            self.make(name, [*arguments, *objects, *libraries], stamp)
        return self.path(name)


def spread_variants(build, out, files):
    """Sources that include a few variants each: (source, the variants' files)."""
    units = []
    for i in range(0, len(files), VARIANTS_AT_A_TIME):
        part = files[i:i + VARIANTS_AT_A_TIME]
        path = build.path(f"unit{i // VARIANTS_AT_A_TIME}.cu")
        with open(path, "w", encoding="utf-8") as f:
            f.writelines(f'#include "{name}"\n' for name in part)
        units.append((path, [os.path.join(out, name) for name in part]))
    return units


def user_sources(here, out):
    """What the types of a user's operator take beside C's: texts that are included, and sources."""
    runtime = os.path.join(here, "..", "..", "runtime")
    simt = os.path.join(runtime, "simt")
    words = [f"-I{runtime}", f"-I{simt}", "-Xcompiler", "-ffp-contract=off"]
    texts = [os.path.join(out, "check", name) for name in ("types.h", "operator.h")]
    texts += [os.path.join(simt, "check", name) for name in ("harness.h", "data.h", "layout.h")]
    texts.append(os.path.join(runtime, "measure", "operands.h"))
    sources = [os.path.join(here, "compare_operation.cu")]
    sources += [os.path.join(simt, "check", name) for name in ("data.cc", "layout.cc")]
    return words, texts, sources


def comparison(folder, out, manifest, types, arch, workers, say):
    """The comparison program's path; Unusable when something does not compile."""
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "gpu")
    spectrum, operator = manifest["spectrum"], manifest["operator"]
    header, measure = os.path.join(out, spectrum + ".h"), os.path.join(here, "measure.h")
    build = Build(folder, say)
    common = ["-std=c++17", "-O3", f"-arch={arch}", f"-I{out}", f"-I{here}"]
    words, texts, sources = user_sources(here, out) if operator == "user" else ([], [], [])
    source = os.path.join(here, "compare_user.cu" if operator == "user" else "compare_type.cu")
    included = [os.path.join(here, "ours.h"), measure, header, *texts]
    jobs = []
    for kind in types:  # the longest first
        define = [f'-DSPECTRUM_HEADER="{spectrum}.h"', f"-DSPECTRUM={spectrum}", f"-DTYPE={kind}",
                  f"-DOPERATION={operator}"]
        jobs.append((f"type_{kind}.o", [*common, *words, *define, "-c", source], [source, *included]))
    for path in sources:
        name = os.path.splitext(os.path.basename(path))[0]
        jobs.append((f"user_{name}.o", [*common, *words, "-c", path], [path, header, *texts]))
    for path, files in spread_variants(build, out, [v["file"] for v in manifest["variants"]]):
        jobs.append((os.path.basename(path)[:-3] + ".o", [*common, "-c", path], [path, header, *files]))
    dispatch, main = os.path.join(out, spectrum + ".cu"), os.path.join(here, "compare.cu")
    jobs.append(("dispatch.o", [*common, "-c", dispatch], [dispatch, header]))
    listed = "-DTYPES(T)=" + " ".join(f"T({kind})" for kind in types)
    jobs.append(("compare.o", [*common, listed, "-c", main], [main, measure]))
    return build.program("compare", [f"-arch={arch}"], jobs, workers)


def target(machine):
    """What the probe says on a GPU that is such a machine: on 9.0, the instructions that no later machine has, too."""
    return "sm_90a" if machine == "sm_90" else machine


def probe_program(folder, say):
    """The path of a program that says which GPU there is."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "runtime", "simt", "check", "device.cu")
    build = Build(folder, say)
    return build.program("device", [], [("device.o", ["-std=c++17", "-c", source], [source])], 1)


def probe(program):
    """("sm_90", None) of the first GPU, or (None, why there is none)."""
    done = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    said = done.stdout.strip().removeprefix("error: ")
    return (said, None) if done.returncode == 0 else (None, said or f"the probe ended with {done.returncode}")
