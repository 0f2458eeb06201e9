"""shrink.py: a failing program made as small as it gets: codelets, statements, parameters and operands are left out as
long as it still fails in the same way. What no longer compiles does not fail in that way, so nothing has to be known of
C++."""
import re


def codelets_of(text):
    """The text's declarations and definitions, each with what stands above it."""
    return [part for part in re.split(r"\n(?=\n)", text.strip("\n")) if part.strip()]


def without_codelets(text):
    parts = codelets_of(text)
    for i in range(len(parts) - 1, -1, -1):
        if len(parts) > 1:
            yield "\n".join(parts[:i] + parts[i + 1:]) + "\n"


def closing(lines, first):
    """The last line of the statement that begins in `first': of a block, its closing brace."""
    depth = 0
    for i in range(first, len(lines)):
        depth += lines[i].count("{") - lines[i].count("}")
        if depth <= 0:
            return i
    return first


def without_statements(text):
    lines = text.split("\n")
    for i in range(len(lines) - 1, -1, -1):
        if lines[i].startswith(" "):
            end = closing(lines, i)
            yield "\n".join(lines[:i] + lines[end + 1:])
            if end > i:  # the block without its loop or condition
                yield "\n".join(lines[:i] + lines[i + 1:end] + lines[end + 1:])


def parentheses(text):
    """(begin, end) of each pair, the longest first."""
    open_, found = [], []
    for i, c in enumerate(text):
        if c == "(":
            open_.append(i)
        elif c == ")" and open_:
            found.append((open_.pop(), i + 1))
    return sorted(found, key=lambda p: p[0] - p[1])


def with_less_operands(text):
    for begin, end in parentheses(text):
        inside = text[begin + 1:end - 1]
        for sign in (" + ", " - ", " * ", " ? ", " : ", " < ", " > ", " <= ", " >= ", " == ", " != ", ", "):
            pieces = inside.split(sign)
            if len(pieces) > 1:
                for piece in pieces:
                    yield text[:begin] + "(" + piece + ")" + text[end:]
        for value in ("1", "0"):
            if inside not in ("0", "1", ""):
                yield text[:begin] + f"({value})" + text[end:]


def pieces(inside):
    """What stands between the commas that no parenthesis or angle bracket encloses."""
    found, depth, begin = [], 0, 0
    for i, c in enumerate(inside):
        depth += (c in "(<") - (c in ")>")
        if c == "," and depth == 0:
            found.append(inside[begin:i].strip())
            begin = i + 1
    return found + [inside[begin:].strip()]


def without_parameters(text):
    """A parameter is left out of all codelets that have it by this name, and of their maps' arguments."""
    for name in sorted(set(re.findall(r"Array<\d, \w+> (\w+)[,)]|\b\w+ (a)[,)]", text))):
        name = "".join(name)
        lines = []
        for line in text.split("\n"):
            begin, end = line.find("("), line.rfind(")")
            if begin >= 0 and re.match(r"\w[\w ]*\(.*\)|  map\(|  Map ", line):
                kept = [x for x in pieces(line[begin + 1:end])
                        if not re.search(rf"(^|> |\w ){name}$",
                                         x) and not re.match(rf"(partition|rows|columns|elements)\({name}\b", x)]
                line = line[:begin + 1] + ", ".join(kept) + line[end:]
            lines.append(line)
        yield "\n".join(lines)


def shrink(text, fails, tries=400):
    """The smallest text found for which fails(text) holds, after so many tries at most."""
    again = True
    while again and tries > 0:
        again = False
        for smaller in (without_codelets, without_statements, without_parameters, with_less_operands):
            progress = True
            while progress and tries > 0:
                progress = False
                for candidate in smaller(text):
                    tries -= 1
                    if tries < 0:
                        break
                    if len(candidate) < len(text) and fails(candidate):
                        text, progress, again = candidate, True, True
                        break
    return text
