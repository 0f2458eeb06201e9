"""What the plots have in common: matplotlib's settings, axes of speedups over sizes, and how a plot is drawn where the
Python at hand has no matplotlib but Debian's has.

Both axes are logarithmic, in powers of two, and hold all that is drawn.
"""
import functools, importlib.util, math, os, subprocess, sys

DEBIAN_PYTHON = "/usr/bin/python3"  # which sees the package python3-matplotlib
NONE = "no plot: matplotlib is not installed (Debian: python3-matplotlib)"
BLUE, ORANGE, INK, GREY, PALE = "#1f5fa8", "#c8591b", "#222222", "#777777", "#dddddd"
WIDTH, PANEL, HEAD, FOOT = 9.0, 2.9, 0.75, 0.2  # inches


def has_matplotlib(python):
    """Is it installed there? It is not imported, which takes longer than a small plot."""
    if os.path.realpath(python) == os.path.realpath(sys.executable):
        return importlib.util.find_spec("matplotlib") is not None
    ask = "import importlib.util, sys; sys.exit(importlib.util.find_spec('matplotlib') is None)"
    return os.access(python, os.X_OK) and subprocess.run(
        [python, "-c", ask], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


@functools.lru_cache(None)
def plotting_python():
    """A Python that has matplotlib, or None."""
    return next((p for p in dict.fromkeys((sys.executable, DEBIAN_PYTHON)) if has_matplotlib(p)), None)


def run(script, *arguments):
    """Draws with a script of this folder; None, or why there is no plot."""
    python = plotting_python()
    if not python:
        return NONE
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), script)
    done = subprocess.run([python, path, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return None if done.returncode == 0 else f"no plot: {(done.stdout.strip().splitlines() or ['no message'])[-1]}"


def pyplot(script):
    """matplotlib's pyplot, set up; where this Python has none, the script is run again by one that has."""
    try:
        import matplotlib
    except ImportError:
        python = plotting_python()
        if not python or os.path.realpath(python) == os.path.realpath(sys.executable):
            print(f"{os.path.splitext(os.path.basename(script))[0]}: {NONE}", file=sys.stderr)
            sys.exit(1)
        os.execv(python, [python, script, *sys.argv[1:]])
    matplotlib.use("svg")
    from matplotlib import pyplot
    pyplot.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "tgc", "font.size": 9, "axes.titlesize": 10,
                            "axes.titlelocation": "left", "axes.spines.top": False, "axes.spines.right": False,
                            "axes.edgecolor": GREY, "font.family": "sans-serif",
                            "font.sans-serif": ["DejaVu Sans", "Helvetica", "Arial"]})
    return pyplot


def figure(plt, title, below, panels, panel=PANEL, gap=0.75):
    """A figure with so many axes, one below the other, each with a gap below it, of which `panel' inches are both."""
    height = HEAD + FOOT + panel * panels
    fig, axes = plt.subplots(panels, 1, figsize=(WIDTH, height), squeeze=False)
    fig.suptitle(title, x=0.01, y=1 - 0.08 / height, ha="left", va="top", fontsize=12)
    fig.text(0.01, 1 - 0.36 / height, below, ha="left", va="top", color=GREY, fontsize=8.5)
    fig.subplots_adjust(left=0.075, right=0.985, top=1 - (HEAD + 0.2) / height,
                        bottom=(FOOT + gap - 0.4) / height, hspace=gap / (panel - gap))
    return fig, [a[0] for a in axes]


def speedup(ratio):
    return f"{ratio:g}x" if ratio >= 1 else f"1/{round(1 / ratio)}x"


def scale(axes, sizes, ratios, what):
    """Sets up the axes for exponents of two, and for ratios, all of which fit; `what': the x axis's title."""
    low, high = min([0.9, *ratios]), max([1.15, *ratios])
    fine = high / low < 3
    axes.set_yscale("log", base=2)
    axes.set_ylim(low / 1.06, high * 1.06)
    if fine:
        step = 0.1 if high / low < 1.6 else 0.25
        ticks = [k * step for k in range(1, 60) if low / 1.06 <= k * step <= high * 1.06]
    else:
        ticks = [2.0 ** k for k in range(math.floor(math.log2(low)), math.ceil(math.log2(high)) + 1)]
        ticks = [t for t in ticks if low / 1.06 <= t <= high * 1.06]
    axes.set_yticks(ticks, [speedup(t) if not fine else f"{t:g}x" for t in ticks])
    axes.minorticks_off()
    first, last = math.floor(min(sizes)), math.ceil(max(sizes))
    axes.set_xlim(first - 0.3, last + 0.3)
    ticks = range(first, last + 1, 2 if last - first > 14 else 1)
    axes.set_xticks(list(ticks), [f"2^{k}" for k in ticks])
    axes.set_xlabel(what)
    axes.set_ylabel("speedup")
    axes.grid(True, color=PALE, linewidth=0.6)
    axes.axhline(1, color=INK, linewidth=0.9, zorder=1.5)
    axes.set_axisbelow(True)


def save(plt, fig, path):
    """As SVG, the same bytes for the same data, whole or not at all."""
    partial = path + ".partial"
    try:
        fig.savefig(partial, format="svg", metadata={"Date": None, "Creator": "tgc, matplotlib"})
        os.replace(partial, path)
    finally:
        if os.path.exists(partial):
            os.unlink(partial)
        plt.close(fig)
