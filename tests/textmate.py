"""Whether VS Code's grammar colors each word of the language in all codelets, by a tokenizer of TextMate grammars (babi).

textmate.py EDITORS/vscode/syntaxes FILE..: run by a Python that has babi, by `editors.vscode_tokens'. Of each word that
one of the grammar's expressions finds, the token there has to have the scope that this expression gives it. VS Code
injects the words into source.cpp; babi knows no injections, so here they are put before the rules of each context.
"""
import collections, glob, json, os, re, sys, tempfile

from babi.highlight import Grammars, highlight_line

NO_WORDS = ("comment", "string")


def inject(rule, words, inside=False):
    """Before the rules of each context that is neither a comment nor a string."""
    if isinstance(rule, list):
        for part in rule:
            inject(part, words, inside)
    if isinstance(rule, dict):
        scope = str(rule.get("name", "")) + str(rule.get("contentName", ""))
        inside = inside or any(kind in scope for kind in NO_WORDS)
        for key, value in rule.items():
            if key == "patterns" and not inside:
                value.insert(0, {"include": words})
            inject(value, words, inside)


def grammars(folder, words):
    """A folder with the grammars of C++ that babi has, the codelets' own, and the words in all of them."""
    to = tempfile.mkdtemp()
    for path in glob.glob(os.path.join(sys.prefix, "**/grammar_v1/source.c*.json"), recursive=True):
        with open(path, encoding="utf-8") as f:
            grammar = json.load(f)
        if grammar["scopeName"] in ("source.c", "source.cpp"):
            inject(grammar, words["scopeName"])
        with open(os.path.join(to, os.path.basename(path)), "w", encoding="utf-8") as f:
            json.dump(grammar, f)
    with open(os.path.join(folder, "cdl.tmLanguage.json"), encoding="utf-8") as f:
        whole = json.load(f)
    for grammar in (whole, words):
        with open(os.path.join(to, grammar["scopeName"] + ".json"), "w", encoding="utf-8") as f:
            json.dump(grammar, f)
    return Grammars(to).compiler_for_scope(whole["scopeName"])


def main(folder, files):
    with open(os.path.join(folder, "cdl-words.tmLanguage.json"), encoding="utf-8") as f:
        words = json.load(f)
    compiler, found, missed = grammars(folder, words), 0, collections.Counter()
    for path in files:
        state = compiler.root_state
        with open(path, encoding="utf-8") as f:
            lines = f.readlines()
        for number, line in enumerate(lines):
            state, tokens = highlight_line(compiler, state, line, first_line=number == 0)
            for rule in words["patterns"]:
                for match in re.finditer(rule["match"], line):
                    for group, capture in rule["captures"].items():
                        at = match.start(int(group))
                        scopes = next((" ".join(t.scope) for t in tokens if t.start <= at < t.end), "")
                        if at < 0 or any(kind in scopes for kind in NO_WORDS):
                            continue
                        found += capture["name"] in scopes
                        if capture["name"] not in scopes:
                            missed[match[int(group)]] += 1
        if len(state.entries) > 1:
            print(f"{path} ends within {state.entries[-1].scope[-1]}")
    print(f"{found} words have their scopes, {sum(missed.values())} have not: {dict(missed)}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
