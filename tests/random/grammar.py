"""grammar.py: draws codelet programs at random: valid ones, of kinds that nobody thought of.

draw(seed) returns a Program: the text of a .cdl file whose first spectrum is the one to compile, the element types it
is for, and the constructs of docs/reference/language.md that it has. All codelets of a spectrum compute the same, so
that every way to compose them has to give what the sequential one gives; what a codelet may look at follows from that:
of a container that its own spectrum's maps cut, the element at hand alone; of any other, everything.

Values stay small: no integer overflows, and floats are compared where they are data, not where they are rounded."""
import re
from dataclasses import dataclass, field

from combining import kind_accum, kind_accum_rows, kind_away, kind_nearly, kind_operator, kind_reduction, kind_scan
from computing import (kind_body, kind_elementwise, kind_generated, kind_mapped, kind_matrix, kind_neighbours,
                       kind_nested,
                       kind_rows, kind_segments,
                       kind_shapes, kind_view)
from cutting import (kind_batch, kind_cut_parts, kind_lines, kind_product, kind_rectangle, kind_stencil, kind_sums,
                     kind_taps, kind_volume)
from expressions import Draw
from looping import kind_carried, kind_contributed, kind_number, kind_stored
from mixing import kind_mixed
from naming import kind_named
from stepping import kind_sequence, kind_steps
from surrounding import kind_around

# What is counted, and how its text is known. Each has to occur in a hundredth of all programs.
CONSTRUCTS = {
    "__coop": r"__coop", "__tunable": r"__tunable", "__mutable": r"__mutable", "__like": r"__like\(\w+\)",
    "__like(A, d)": r"__like\(\w+, \d\)", "__by_columns": r"__by_columns", "__accum": r"__accum",
    "__shared": r"__shared\b",
    "__shared_atomic": r"__shared_atomic|__shared __atomic", "Array<1>": r"Array<1", "Array<2>": r"Array<2",
    "Array<3>": r"Array<3",
    "own container": r"Array<1, \w+> \w+\(", "own rows": r"Array<2, \w+> own_out\(", "Vector": r"Vector \w+\(\)", "coopIdx": r"coopIdx\(\)", "Map": r"\bMap ",
    "map statement": r"^ *map\(", "m.atomic": r"\.(template )?atomic", "m.to": r"\.to\(", "partition": r"partition\(",
    "mathematics": r"\b(exp2?|expm1|log2?|log1p|r?sqrt|sin|cos|atan|tanh|erf|pow|fabs|floor|ceil|trunc|fma)\(",
    "gap": r"sequence\([23]\)|Sequence inc\([23]\)", "rows": r"\brows\(", "columns": r"\bcolumns\(",
    "elements": r"\belements\(",
    "Sequence": r"Sequence ", "sequence of a container": r"equence\w*\(offsets", "transform": r"transform\(",
    "zip": r"zip\(",
    "take": r"take\(", "shift": r"shift\(", "reverse": r"reverse\(", "every": r"every\(",
    "gather": r"gather\(", "repeat": r"repeat\(", "iota": r"iota\(", "generate": r"generate\(",
    "slide": r"slide\(", "min": r"\bmin\(", "max": r"\bmax\(", "lowest": r"lowest<", "highest": r"highest<",
    "generic": r"typename T", "plain": r"\bArray<\d, (int|unsigned|long|float|double)>", "operators": r"typename M",
    "own operator": r"__monoid", "Size in a loop": r"for .*\n?.*[^<]\b\w+\.Size\(\d?\) *[-+*/%)]",
    "nested loop": r"for .*\n(.*\n)?.*for ",
    "condition": r"\bif \(", "?:": r" \? ", "number": r"\((T|int|unsigned) a\b|, (T|int|unsigned) [ak]\b",
    "merge": r"merge(<T>)?\(own", "function": r"template <typename T>\n__codelet\nT f\w*\(T|^T f\d\(T",
    "__shape": r"__shape\(", "__accum(Sub)": r"__accum\(Sub", "m.atomicSub": r"\.atomicSub", "__env": r"__env",
    "size()": r"\.size\(\)", "fraction": r"0\.5|1\.5", "lift": r"lift\(\w+ x\)",
    "lift with its place": r"lift\(\w+ x, long long",
    "finish": r"finish\(", "example": r"example\(", "rounded": r"rounded\)",
    "not commutative": r"__monoid\((associative|associative, rounded)\)",
    "elements stored in 2-D": r"[CB]\(i, j\) \+?=",
    "tiles": r"\btiles\(", "cut": r"= cut\(", "halo": r"\bhalo\(", "whole": r"\bwhole\(\)",
    "partition(A, i, j)": r"partition\(\w+, (whole\(\)|halo\([^)]*\)|\w+), (whole\(\)|halo\([^)]*\)|\w+)\)",
    "map over elements, stored": r"Map m\(f\w*(<T>)?, (a, )?[ABY]", "map over elements": r"[(,=] *map\(f",
    "sum stored": r"T? sum = .*;\n.*for .*k", "Stride(d)": r"\.Stride\(\d",
    "steps": r"__tag\(steps\)", "between steps": r" between\(x", "steps in a loop": r"for \(int k = \d; .*\{\n.*(s3 =|fill)",
    "lines written": r"\b(rows|columns)\(B\)",
    "operator by name": r"fold<(?!M\b)\w+, T>\(",
    "loops of several kinds": r"\bmixed_?\w*\(", "append": r"\.append\(", "__accum(Once)": r"__accum\(Once\)",
    "three loops": r"for .*\n(.*\n)?.*for .*\n(.*\n)?.*for ",
}


@dataclass
class Program:
    seed: int
    kind: str
    text: str
    types: list
    operator: str = ""
    constructs: set = field(default_factory=set)


KINDS = [(kind_reduction, 14), (kind_view, 14), (kind_generated, 4), (kind_body, 12), (kind_rows, 16), (kind_matrix, 5),
         (kind_segments, 10), (kind_elementwise, 10), (kind_neighbours, 3), (kind_nested, 4), (kind_accum, 9),
         (kind_accum_rows, 4), (kind_scan, 8),
         (kind_operator, 10), (kind_away, 4), (kind_shapes, 6), (kind_nearly, 5), (kind_product, 8),
         (kind_batch, 4), (kind_taps, 4), (kind_stencil, 6),
         (kind_rectangle, 8), (kind_cut_parts, 6), (kind_lines, 10),
         (kind_volume, 5), (kind_steps, 6), (kind_sequence, 5), (kind_mapped, 5), (kind_sums, 4),
         (kind_named, 5), (kind_stored, 5), (kind_carried, 5), (kind_contributed, 5), (kind_number, 3), (kind_mixed, 6),
         (kind_around, 5)]


def named_alone(text, own):
    """The text whose first spectrum has a name of its own: many programs are compiled in one unit."""
    main = re.search(r"__codelet.*\n(?:template.*\n)?[\w ]*?(\w+)\(", text).group(1)
    return re.sub(rf"\b{main}\b", f"{main}_{own}", text)


def draw(seed):
    d = Draw(seed)
    kind = d.r.choices([k for k, _ in KINDS], [w for _, w in KINDS])[0]
    operator = kind(d) or ""
    text = f"// {kind.__name__[5:]}, seed {seed}\n" + "\n".join(d.parts)
    text = named_alone(text, seed)
    if d.chance(0.05):
        text = re.sub(r"\b(in|x|out|at)\.Size\(\)", r"\1.size()", text)
    p = Program(seed, kind.__name__[5:], text, d.types, operator if kind is kind_operator else "")
    p.constructs = {name for name, how in CONSTRUCTS.items() if re.search(how, text, re.M)}
    return p


if __name__ == "__main__":
    import sys
    print(draw(int(sys.argv[1])).text)
