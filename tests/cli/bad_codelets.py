"""Codelet files that are refused: each with file:line:col, the source line, a caret and a hint, and nothing written."""
import os, random

from harness import Failed, by_turns

HEAD = "__codelet\nint sum(const Array<1,int> in) {\n"
SERIAL = (HEAD + "  int accum = 0;\n  for (unsigned i = 0; i < in.Size(); ++i)\n    accum += in[i];\n"
          "  return accum;\n}\n")
TILED = """__codelet __tag(tiled)
int sum(const Array<1,int> in) {
  __tunable unsigned p;
  unsigned len = in.Size();
  unsigned tile = (len + p - 1) / p;
  Map map(sum, partition(in, p, sequence(0, tile, len), sequence(1), sequence(tile, tile, len)));
  return sum(map);
}
"""


def refuse(t, text, name="bad.cdl"):
    t.write(name, text)
    return t.refuses(1, name, "--arch", "sm_60", "-o", "out")


def test_missing_semicolon(t):
    refuse(t, HEAD + "  int accum = 0\n  return accum;\n}\n").points("bad.cdl", 3, 16, "expected ';'").hints("`;'")


def test_unknown_variable(t):
    r = refuse(t, SERIAL.replace("return accum", "return acum"))
    r.points("bad.cdl", 6, 10, "undeclared identifier 'acum'").hints("`accum'")


def test_unknown_member(t):
    refuse(t, SERIAL.replace("in.Size()", "in.Sise()")).points(
        "bad.cdl", 4, 31, "no member named 'Sise'").hints("`Size'")


def test_element_that_is_no_struct(t):
    refuse(t, SERIAL.replace("in[i];", "in[i].x;")).points("bad.cdl", 5, 19, "no members").hints()


def test_brackets(t):
    refuse(t, SERIAL + "}\n").points("bad.cdl", 8, 1, "closes nothing").hints()
    refuse(t, SERIAL.replace("in[i]", "in[i)")).points("bad.cdl", 5, 18, "closes nothing").hints("`['")
    refuse(t, SERIAL[:-2]).points("bad.cdl", 2, 32, "never closed").hints("`}'")


def test_endless_comment(t):
    refuse(t, SERIAL + "/* on and on\n").points("bad.cdl", 8, 1, "never ends").hints("*/")


def test_unknown_qualifier(t):
    refuse(t, SERIAL.replace("__codelet", "__codelett")).points("bad.cdl", 1, 1, "__codelett").hints("`__codelet'")
    r = refuse(t, SERIAL.replace("__codelet", "__codelet __cooop"))
    r.points("bad.cdl", 1, 11, "__cooop").hints("`__coop'")


def test_spectrum_without_codelet(t):
    refuse(t, "__codelet\nint sum(const Array<1,int> in);\n").points("bad.cdl", 2, 5, "no codelet").hints()


def test_recursion_that_never_computes(t):
    refuse(t, TILED).points("bad.cdl", 2, 5, "recursion never ends").hints()


def test_two_spectra_that_never_compute(t):
    """Each calls the other, none computes."""
    other = TILED.replace("int sum", "int other")
    r = refuse(t, "__codelet int other(const Array<1,int> in);\n" + TILED.replace("sum(map)", "other(map)") +
               other.replace("map(sum", "map(other"))
    r.expect(any("recursion never ends" in e[2] for e in r.errors()), "expected an error about the recursion").hints()


def test_different_signatures(t):
    other = SERIAL.replace("Array<1,int> in)", "Array<1,int> in, int start)")
    text = SERIAL + other.replace("__codelet", "__codelet __tag(b)")
    refuse(t, text).points("bad.cdl", 9, 5, "`int (Array<1, int>, int)' here").hints("one signature")


def test_write_to_const(t):
    refuse(t, HEAD + "  in[0] = 3;\n  return 0;\n}\n").points("bad.cdl", 3, 9, "read-only").hints("__mutable")
    refuse(t, SERIAL.replace("int accum = 0", "const int accum = 0")).points("bad.cdl", 5, 11, "const").hints()


def test_partition_that_misses(t):
    text = SERIAL + TILED.replace("sequence(0, tile, len)", "sequence(1, tile, len)")
    refuse(t, text).points("bad.cdl", 13, 16, "exactly once").hints()


def test_parts_that_are_no_tunable(t):
    """There are as many parts as workers; any other number of them would be left out or made up."""
    for number in ("2 * p", "8", "len"):
        r = refuse(t, SERIAL + TILED.replace("partition(in, p,", f"partition(in, {number},"))
        r.points("bad.cdl", 13, 30, "number of parts is not a tunable").hints("__tunable")


def test_compound_codelets_say_one_map(t):
    """What the composition would leave out is refused: later values, branches, arithmetic on the result, a second
    map."""
    late = TILED.replace("unsigned tile =", "unsigned tile;\n  tile =")
    r = refuse(t, SERIAL + late)
    r.points("bad.cdl", 12, 3, "`tile' has no value before the map").hints()
    r.points("bad.cdl", 13, 3, "declarations, a map").hints()
    for other in ("2 * sum(map)", "sum(in)"):
        r = refuse(t, SERIAL + TILED.replace("sum(map)", other))
        r.points("bad.cdl", 14, 10, "returns a spectrum of its map").hints()
    more = TILED.replace("  return", "  if (len > 0) {\n    tile = 1;\n  }\n  return")
    refuse(t, SERIAL + more).points("bad.cdl", 14, 3, "declarations, a map and a return only").hints()
    second = TILED.replace("  return", "  Map again(sum, partition(in, p, sequence(0, 1, p), sequence(p), "
                                       "sequence(len)));\n  return")
    refuse(t, SERIAL + second).points("bad.cdl", 13, 7, "several maps").hints()


def test_accumulators_start_at_the_identity(t):
    """Every part starts so: a sum that starts at 5 would count the 5 once a lane. Alone it is one lane's work."""
    for start in ("int accum = 5", "int accum", "int accum = in[0]", "int accum = in.Size()"):
        r = refuse(t, SERIAL.replace("int accum = 0", start) + TILED)
        r.says("not known which operator `sum' reduces by").hints()
    r = refuse(t, SERIAL.replace("accum = 0", "accum = 5") + TILED)
    r.says("which only 0, the operator's identity, may be").hints("start at the operator's identity")
    t.write("alone.cdl", SERIAL.replace("int accum = 0", "int accum = 5"))
    t.run("alone.cdl", "--arch", "sm_60", "-o", "out").exits(0).prints("1 variant of sum")


def test_loops_that_are_no_reduction(t):
    """Results of parts are not combined by them, and a remark says why. One that adds up every second element is divided
    all the same; where each element needs what came of the one before it, one thread does all."""
    skips = SERIAL.replace("++i", "i += 2")
    refuse(t, skips + TILED).says("not known which operator `sum' reduces by",
                                  "the loop does not go through every element once").hints(
        "one loop over all elements")
    t.write("skips.cdl", skips)
    r = t.run("skips.cdl", "--arch", "sm_60", "--remarks", "-o", "out").exits(0)
    r.says("the loop does not go through every element once")
    r.expect("one thread does all" not in r.err, "a loop that is divided")
    t.write("halved.cdl", SERIAL.replace("accum += in[i]", "accum = accum / 2 + in[i]"))
    t.run("halved.cdl", "--arch", "sm_60", "--remarks", "-o", "out").exits(0).says(
        "one thread does all that `serial' of `sum' does")


def test_types_that_are_no_elements(t):
    for narrow in ("char", "unsigned char", "short"):
        r = refuse(t, SERIAL.replace("int accum", narrow + " accum"))
        r.points("bad.cdl", 3, 3, f"no variables of type `{narrow}'").hints()
    refuse(t, SERIAL.replace("Array<1,int>", "Array<1,char>")).points("bad.cdl", 2, 9, "parameter of this type").hints()


def test_functions_of_real_numbers(t):
    """Mathematics makes T a real type: by default the integers are left out, and asked for they are refused."""
    t.write("f.cdl", "template <typename T>\n__codelet T first(const Array<1, T> in) { return in.Size() > 0 ? exp(in[0]) : T(0); }\n")
    t.refuses(1, "f.cdl", "--arch", "sm_60", "--types", "int,float", "-o", "out").points(
        "f.cdl", 2, 66, "`exp' is of real numbers, which `int' is not").hints("--types float,double")
    t.refuses(1, "f.cdl", "--arch", "sm_60", "--types", "cfloat", "-o", "out").points("f.cdl", 2, 66, "`cfloat' is not")
    t.run("f.cdl", "--arch", "sm_60", "-o", "out").exits(0)
    if "first_int" in t.read("out/first.h"):
        raise Failed("a function for integers")
    t.run("f.cdl", t.source("codelets", "sum.cdl"), "--spectrum", "sum", "--types", "int", "--arch", "sm_60", "-o",
          "sums").exits(0)


def test_types_of_no_template(t):
    """They are not silently ignored, neither of a codelet nor of an operator; what the text itself has says nothing."""
    t.write("plain.cdl", SERIAL)
    r = t.run("plain.cdl", "--arch", "sm_60", "--types", "int,float", "--list").exits(0)
    r.says("plain.cdl:2:5: warning: `sum' is not a template: `float' of `--types' is ignored",
           "hint: `template <typename T>'")
    for types in ([], ["--types", "int"]):
        r = t.run("plain.cdl", "--arch", "sm_60", *types, "--list").exits(0)
        r.expect("warning" not in r.err, "no warning where nothing is ignored")
    t.write("mine.cdl", "struct __monoid(associative, commutative) Mine {\n  struct State { float x; };\n"
            "  static State id() { return {0}; }\n  static State op(State a, State b) { return {max(a.x, b.x)}; }\n"
            "  static State lift(float x) { return {x}; }\n};\n")
    for types, warns in ("double", True), ("float", False):
        r = t.run(t.source("codelets", "reduce.cdl"), "mine.cdl", "--operator", "Mine", "--types", types, "--arch",
                  "sm_60", "--list")
        r.exits(0).expect(("mine.cdl:1:43: warning: `Mine' is not a template" in r.err) == warns,
                          "a warning of `double' alone")


def test_constant_that_is_not_finite(t):
    refuse(t, SERIAL.replace("int accum = 0;", "double far = 1e999;\n  int accum = 0;")).points(
        "bad.cdl", 3, 16, "not finite").hints("highest<T>()")


def test_tag_twice(t):
    r = refuse(t, SERIAL.replace("__codelet", "__codelet __tag(x)") * 2)
    r.points("bad.cdl", 9, 5, "already has the tag `x'").hints()


def test_include(t):
    refuse(t, "#include <stdio.h>\n" + SERIAL).points("bad.cdl", 1, 1, "a header, and no function").hints()


def test_no_codelets(t):
    r = refuse(t, "int helper(int x) { return x; }\n\nstatic int pair[2];\n")
    r.points("bad.cdl", 1, 5, "not a codelet").points("bad.cdl", 3, 1, "codelets only")
    r.expect(r.err.count("hint: ") == 2, "expected a hint for each")


def test_nothing_to_distribute(t):
    refuse(t, "__codelet\nint add(int a, int b) {\n  return a + b;\n}\n").points(
        "bad.cdl", 2, 5, "no parameter is a container").hints()


def test_several_errors_at_once(t):
    text = (SERIAL.replace("__codelet", "__codelet __tag(a)").replace("return accum", "return acum") +
            SERIAL.replace("__codelet", "__codelet __tag(b)").replace("in[i]", "on[i]") +
            SERIAL.replace("__codelet", "__codelet __tag(c)").replace("int accum = 0", "int accum = 0 0"))
    r = refuse(t, text)
    lines = [e[0] for e in r.errors()]
    r.expect({6, 12, 17} <= set(lines), f"expected errors on lines 6, 12 and 17, not {lines}")
    r.expect(lines == sorted(lines), f"expected the errors in the order of the text, not {lines}")


def test_several_in_one_body(t):
    lines = [e[0] for e in refuse(t, HEAD + "  int x = a;\n  int y = b;\n  return c;\n}\n").errors()]
    if lines != [3, 4, 5]:
        raise Failed(f"expected errors on lines 3, 4 and 5, not {lines}")


def test_many_errors_end(t):
    r = refuse(t, HEAD + "".join(f"  x{i} = 1;\n" for i in range(2000)) + "  return 0;\n}\n")
    r.expect(len(r.errors()) <= 50, "expected no more than 50 errors").says("more errors are not shown")


def test_empty(t):
    for text in ("", "\n", "// nothing\n"):
        refuse(t, text).points("bad.cdl", 1, 1, "no codelet").hints("__codelet")


def test_nul(t):
    refuse(t, HEAD + "  return \0;\n}\n").points("bad.cdl", 3, 10, "NUL").hints()
    refuse(t, SERIAL + "\0").points("bad.cdl", 8, 1, "NUL").hints()


def test_garbage(t):
    random.seed(1)
    for _ in range(20):
        text = bytes(random.randrange(1, 256) for _ in range(random.randrange(1, 3000)))
        r = refuse(t, text)
        r.expect(r.errors(), "expected an error with a place").expect("\x1b" not in r.err, "escapes reach the terminal")


@by_turns(1)
def test_cut_off(t):
    """Every beginning of a good file is compiled or refused, and never silently."""
    whole = open(t.sum, encoding="utf-8").read()
    for n in range(0, 1800, 61):
        t.write("cut.cdl", whole[:n])
        r = t.run("cut.cdl", "--arch", "sm_60", "--list", "--keep", "1")
        r.expect(r.status in (0, 1), "expected status 0 or 1")
        r.expect(r.status == 0 or "error:" in r.err, "expected a reason")


@by_turns(1)
def test_one_megabyte(t):
    """A comment, a body and an expression of a megabyte."""
    t.write("comment.cdl", SERIAL + "// " + "x" * (1 << 20) + "\n")
    t.run("comment.cdl", "--arch", "sm_60", "--list").exits(0)
    t.write("body.cdl", SERIAL.replace("  return", "  accum += 0;\n" * 80000 + "  return"))
    r = t.run("body.cdl", "--arch", "sm_60", "--list", "--keep", "1", timeout=300)
    r.expect(r.status in (0, 1), "expected status 0 or 1")
    r.expect(r.status == 0 or "error:" in r.err, "expected a reason")
    for deep in ("1" + " + 1" * (1 << 18), "(" * (1 << 19) + "1" + ")" * (1 << 19), "- " * (1 << 19) + "1",
                 "(int)" * (1 << 18) + "1",
                 "1; " + "if (accum) accum = 1; else " * (1 << 15) + "accum = 1",
                 "1; " + "if (accum) { accum = 1; } else " * (1 << 15) + "accum = 1",
                 "1; " + "for (;;) " * (1 << 17) + "accum = 1", "1" + " ? 1 : 1" * (1 << 17),
                 "- " * 590 + "1", "sizeof " * 590 + "1"):
        t.write("deep.cdl", SERIAL.replace("= 0;\n  for", f"= {deep};\n  for"))
        r = t.run("deep.cdl", "--arch", "sm_60", "--list", "--keep", "1", timeout=300)
        r.expect(r.status in (0, 1), "expected status 0 or 1")
        r.expect(r.status == 0 or r.errors(), "expected an error with a place")
        r.expect(len(r.err) < 4096, "the long line is cut")


def test_many_macros(t):
    """Directives are no statements: any number of them may follow each other, and codelets use them."""
    macros = "".join(f"#define M{i} {i}\n" for i in range(2000))
    t.write("macros.cdl", macros + SERIAL.replace("= 0;\n  for", "= M0;\n  for"))
    t.run("macros.cdl", "--arch", "sm_60", "--list", "--keep", "1").exits(0)


def test_long_line_is_cut(t):
    r = refuse(t, SERIAL.replace("accum;\n}", " " * 300 + "acum" + " " * 300 + ";\n}"))
    r.points("bad.cdl", 6, 310, "acum").expect(max(map(len, r.err.splitlines())) < 140, "expected the line cut")


GAPS = """template <typename T> __codelet __tag(serial)
void twice(const Array<1, T> x, __like(x) __mutable Array<1, T> y) {
  for (unsigned i = 0; i < x.Size(); ++i) y[i] = 2 * x[i];
}
template <typename T> __codelet __tag(strided)
void twice(const Array<1, T> x, __like(x) __mutable Array<1, T> y) {
  __tunable unsigned p;
  Cut i = cut(p, sequence(0, 2, 2 * p), sequence(2 * p), sequence(y.Size()));
  map(twice<T>, partition(x, i), partition(y, i));
}
"""


def test_parts_that_leave_out_what_is_written(t):
    """A warning where it is certain: of every second element, and of rows up to the last but one. Two maps may share the work."""
    t.write("gaps.cdl", GAPS)
    r = t.run("gaps.cdl", "--arch", "avx2", "--list").exits(0)
    r.says("gaps.cdl:9:34: warning: these parts leave elements out",
           "2 elements in 1 part, element 1 of `y' is not written")
    r.expect(r.err.count("warning") == 1, "expected one warning, of what is written")
    transpose = t.read(t.source("codelets", "transpose.cdl"))
    strided = "sequence(0, 1, p), sequence(p), sequence(A.Size(0)"
    t.write("rows.cdl", transpose.replace(strided, strided + " - 1"))
    t.run("rows.cdl", "--arch", "avx2", "--list").exits(0).says(
        "warning: these parts leave elements out", "they end at A.Size(0) - 1, and `B' has A.Size(0)")
    odd = "  Cut j = cut(p, sequence(1, 2, 2 * p), sequence(2 * p), sequence(y.Size()));\n"
    both = GAPS.replace("  map(", odd + "  map(twice<T>, partition(x, j), partition(y, j));\n  map(")
    for text in (transpose, both):
        t.write("whole.cdl", text)
        r = t.run("whole.cdl", "--arch", "avx2", "--list")
        r.expect("warning" not in r.err, "expected no warning")


def test_default_arguments(t):
    for head, called, place in (("T total(const Array<1, T> in, T init = 0)", "in[i]", (2, 84)),
                                ("T total(const Array<1, T> in)", "half_of(in[i])", (1, 53))):
        text = ("template <typename T> __codelet T half_of(T x, T by%s) { return x / by; }\n"
                "template <typename T> __codelet __tag(serial) %s {\n  T s = 0;\n"
                "  for (unsigned i = 0; i < in.Size(); ++i) s += %s;\n  return s;\n}\n"
                % ("" if called == "in[i]" else " = 2", head, called))
        refuse(t, text).points("bad.cdl", *place, "has a default argument").hints("pass the value where it is called")


def test_huge(t):
    with open(t.path("huge.cdl"), "wb") as f:
        f.truncate(5 << 20)
    r = t.refuses(1, "huge.cdl", "--arch", "sm_60", "-o", "out").hints()
    r.expect(r.errors() and r.errors()[0][0] == 1, "expected an error at the beginning")


def test_windows_text(t):
    """Carriage returns and a byte-order mark are no errors; places still count."""
    t.write("dos.cdl", SERIAL.replace("\n", "\r\n"))
    t.run("dos.cdl", "--arch", "sm_60", "--list", "--keep", "1").exits(0)
    refuse(t, SERIAL.replace("return accum", "return acum").replace("\n", "\r\n")).points("bad.cdl", 6, 10, "acum")


def test_unreadable_inputs(t):
    t.refuses(1, "nosuch.cdl", "--arch", "sm_60", "-o", "out").says("`nosuch.cdl'", "No such file").hints()
    t.refuses(1, "gemv.cdl", "--arch", "sm_60", "-o", "out").says("`gemv.cdl'", "No such file").hints("codelets/gemv.cdl'")
    os.mkdir(t.path("folder.cdl"))
    t.refuses(1, "folder.cdl", "--arch", "sm_60", "-o", "out").says("`folder.cdl'", "s a directory").hints()
    os.symlink("loop.cdl", t.path("loop.cdl"))
    t.refuses(1, "loop.cdl", "--arch", "sm_60", "-o", "out").says("`loop.cdl'")
    t.write("odd\x1b[31m.cdl", "")
    r = t.refuses(1, "odd\x1b[31m.cdl", "--arch", "sm_60", "-o", "out")
    r.expect("\x1b" not in r.err, "a file's name reaches the terminal as it is")


def test_input_may_be_a_pipe(t):
    t.shell('"$TGC" <(cat "$SUM") --arch sm_60 --list --keep 1').exits(0)


def test_unknown_spectrum(t):
    t.write("sum.cdl", SERIAL)
    t.refuses(1, "sum.cdl", "--arch", "sm_60", "--spectrum", "sun", "-o", "out").says(
        "no spectrum `sun'").hints("`sum'")


NAMES = """#include "reduce.cdl"
template <typename T>
__codelet
long place(const Array<1, T> x) {
  return reduce<ArgMin, T>(x).place;
}
"""


def test_named_operators(t):
    """Operators that there are not, that are of other types, whose states lack a member or a lift, or are no numbers."""
    refuse(t, NAMES.replace("ArgMin", "ArgMim")).points("bad.cdl", 5, 17, "ArgMim").hints("ArgMin'")
    refuse(t, NAMES.replace("<ArgMin", "<T").replace(".place", "")).points(
        "bad.cdl", 5, 10, "takes an operator").hints("ArgMin")
    refuse(t, NAMES.replace("<ArgMin", "<T")).points("bad.cdl", 5, 26, "'place' in 'NoOperator'")
    refuse(t, NAMES.replace(".place", ".index")).points("bad.cdl", 5, 31, "no member named 'index'")
    refuse(t, NAMES.replace("ArgMin", "Max")).points("bad.cdl", 5, 27, "no members").hints()
    refuse(t, NAMES.replace(".place", "")).points("bad.cdl", 5, 10, "no viable conversion")
    t.write("bad.cdl", NAMES.replace("ArgMin", "Xor").replace(".place", ""))
    t.refuses(1, "bad.cdl", "--arch", "sm_60", "--types", "float", "-o", "out").points(
        "bad.cdl", 5, 10, "is for integers").hints("--types")
    own = ("template <typename T> struct __monoid(associative) Own {\n  struct State { T place; };\n"
           "  static State id() { return {0}; }\n  static State op(State a, State b) { return b; }\n};\n")
    refuse(t, NAMES.replace("template", own + "template", 1).replace("ArgMin", "Own")).points(
        "bad.cdl", 10, 10, "no `lift'").hints("lift(T x)")
    refuse(t, NAMES.replace("template", own.replace("Own", "ArgMin") + "template", 1)).points(
        "bad.cdl", 2, 52, "redefinition")
    t.write("bad.cdl", NAMES.replace("ArgMin", "Moments").replace("place;", "count;"))
    t.refuses(1, "bad.cdl", "--arch", "sm_60", "--types", "int", "-o", "out").says("`Moments' rounds").hints("int:double")
    refuse(t, NAMES.replace("template", "template <typename M, typename T>\n__codelet\nT own(const Array<1, T> x);\n"
                            "template", 1)).points("bad.cdl", 4, 3, "none is given").hints("--operator")


def test_unused_map_beside_a_sum(t):
    """The map is what is wrong, whatever is made of the sum."""
    for returned in ("sum(x)", "sum(x) / 2", "sum(x) + sum(x)"):
        refuse(t, '#include "common/sum_steps.cdl"\ntemplate <typename T>\n__codelet\n'
                  "T f(const Array<2, T> A, const Array<1, T> x);\ntemplate <typename T>\n__codelet\n"
                  "T f(const Array<2, T> A, const Array<1, T> x) {\n"
                  f"  Map m(sum<T>, rows(A));\n  return {returned};\n}}\n").points(
            "bad.cdl", 8, 3, "the results of `m' are not used").hints("m.to(y)")
