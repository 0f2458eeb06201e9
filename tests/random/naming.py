"""naming.py: programs that name the operators of what they apply, several side by side: the prelude's, and some of their own
whose states are structs."""
from combining import declared, folds

# Over T, and associative of NaN too, which they never choose: a struct, what becomes of its state (a number of T or a position), and whether that is of T.
OWN = {
    "First": ("struct __monoid(associative, commutative) First {\n  struct State { T value; long long place; };\n"
              "  static State id() { return {lowest<T>(), -1}; }\n  static State op(State a, State b) {\n"
              "    bool before = b.place < 0 || (a.place >= 0 && a.place < b.place);\n"
              "    return a.value > b.value || (a.value == b.value && before) ? a : b;\n  }\n"
              "  static State lift(T x, long long place) { return {x == x ? x : lowest<T>(), place}; }\n};", (".place", ".value")),
    "Ends": ("struct __monoid(associative, commutative) Ends {\n  struct Two { T least, most; };\n"
             "  static Two id() { return {highest<T>(), lowest<T>()}; }\n"
             "  static Two op(Two a, Two b) { return {min(a.least, b.least), max(a.most, b.most)}; }\n"
             "  static Two lift(T x) { return {x, x}; }\n};", (".least", ".most")),
    "Last": ("struct __monoid(associative) Last {\n  struct One { T value; int any; };\n  static One id() { return {0, 0}; }\n"
             "  static One op(One a, One b) { return b.any ? b : a; }\n  static One lift(T x) { return {x, 1}; }\n"
             "  static T finish(One a) { return a.value; }\n};", ("",)),
    "Least": ("struct __monoid(associative, commutative) Least {\n  static T id() { return highest<T>(); }\n"
              "  static T op(T a, T b) { return b < a ? b : a; }\n  static T lift(T x) { return x == x ? x : highest<T>(); }\n};", ("",)),
}


def small(text):
    """Of an empty container it may be the greatest number there is."""
    return f"max(min({text}, T(99)), T(0))"


def result(d, name, of):
    """A number that an operator of that name gives of a container."""
    fold = f"fold<{name}, T>({of})"
    if name not in OWN:
        return fold if name == "Sum" else small(fold)
    field = d.pick(*OWN[name][1])
    return f"T({fold}{field} % 7)" if field == ".place" else small(fold + field)


def kind_named(d):
    d.generic, d.t = True, "T"
    d.types = [d.pick("float", "double") if d.floating else d.pick("int", "int64")]
    lines = d.pick("", "", "rows", "columns")
    names = [d.pick("Max", "Min", "Sum", *OWN) for _ in range(d.pick(2, 2, 3))]
    if lines:
        declared(d, f"void named_lines(const Array<2, T> A, __shape(A.Size({0 if lines == 'rows' else 1})) __mutable Array<1, T> y)")
    declared(d, "T named(const Array<1, T> x)")
    for name in sorted(set(names) & set(OWN)):
        d.add("template <typename T>\n" + OWN[name][0])
    folds(d)
    d.add("template <typename T>\n__codelet\nT moved(T x, T by) {\n  return x + by;\n}")
    body = ""
    for i, name in enumerate(names):
        of = d.pick("x", "x", "reverse(x)", "shift(x, 1)",
                    f"transform(moved<T>, zip(x, repeat(s{i - 1}, x.Size())))" if i else "take(x, x.Size() / 2)")
        body += f"  T s{i} = {result(d, name, of)};\n"
    total = " + ".join(f"s{i}" for i in range(len(names)))
    d.add(f"template <typename T>\n__codelet __tag(steps)\nT named(const Array<1, T> x) {{\n{body}  return {total};\n}}")
    if lines:
        d.add("template <typename T>\n__codelet __tag(each)\nvoid named_lines(const Array<2, T> A, "
              f"__shape(A.Size({0 if lines == 'rows' else 1})) __mutable Array<1, T> y) {{\n  Map m(named<T>, {lines}(A));\n  m.to(y);\n}}")
