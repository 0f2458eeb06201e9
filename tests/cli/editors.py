"""What editors are given: words and their meanings, grammars, and `tgc lsp' in real ones, where there are some."""
import glob, json, os, re

from drawn import drawn
from harness import Failed, Skipped, long
from lsp import PATIENCE, Editor, expect


def test_words(t):
    """Words that are completed are explained, and are those of the prelude and of the reference."""
    e = Editor(t).begin()
    e.open(t.path("x.cdl"), "x.y\n")
    items = e.at("completion", t.path("x.cdl"), (0, 0)) + e.at("completion", t.path("x.cdl"), (0, 2))
    words = {i["label"] for i in items}
    expect(all(i["documentation"]["value"].startswith("```cdl\n") for i in items), "a word without a meaning")
    with open(t.source("compiler", "front", "prelude.h")) as f:
        prelude = f.read()
    with open(t.source("docs", "reference", "language.md")) as f:
        page = f.read()
    for w in words:
        expect(re.search(rf"\b{w}\b", prelude), f"`{w}' is not in the prelude")
        expect(re.search(rf"{w}\b", page) or re.match(r"__(shared_)?atomic", w) or re.match("atomic", w),
               f"`{w}' is not in the reference")
    declared = re.findall(r"#define (__\w+)|^(?:template <[^>]*>+ )?struct ([A-Z][a-z]\w*)", prelude, re.M)
    for w in {a or b for a, b in declared}:
        if w not in ("Same", "Plain", "Parts", "Lines", "Elements", "Given", "Results", "Zip", "Ones", "Identity", "Chosen",
                     "Over", "NoOperator"):  # never written
            expect(w in words, f"`{w}' has no meaning")
    e.end()


SYNTAX = r"""
lua << END
local out = {}
for i, line in ipairs(vim.fn.getline(1, '$')) do
  local word = line:match('^%s*[.:]*([%w_]+)')
  out[word] = vim.fn.synIDattr(vim.fn.synID(i, line:find(word, 1, true), 1), 'name')
end
vim.fn.writefile({vim.fn.json_encode(out)}, 'syntax.json')
END
"""

SESSION = r"""
lua << END
local function wait_for(what)
  if not vim.wait(100000, what, 50) then error('nothing came') end
end
local function wrong()
  return #vim.diagnostic.get(0, {severity = {min = vim.diagnostic.severity.WARN}})
end
local function ask(method, line, character)
  local at = {textDocument = vim.lsp.util.make_text_document_params(), position = {line = line, character = character}}
  local answers = vim.lsp.buf_request_sync(0, method, at, 100000)
  for _, a in pairs(answers) do return a.result end
end
local out = {filetype = vim.bo.filetype}
wait_for(function() return #vim.diagnostic.get(0) > 0 end)
out.before = wrong()
vim.api.nvim_buf_set_text(0, 28, 2, 28, 5, {'mpa'})
wait_for(function() return wrong() > 0 end)
out.typed = vim.diagnostic.get(0, {severity = vim.diagnostic.severity.ERROR})[1]
out.hover = ask('textDocument/hover', 29, 9).contents.value
out.definitions = #ask('textDocument/definition', 29, 9)
vim.cmd('undo')
wait_for(function() return wrong() == 0 end)
vim.fn.writefile({vim.fn.json_encode({filetype = out.filetype, before = out.before, hover = out.hover,
  typed = {out.typed.lnum, out.typed.col, out.typed.end_col, out.typed.message}, definitions = out.definitions})},
  'session.json')
END
"""


def neovim(t, script, file):
    """Runs a script in Neovim with tgc's files, and nothing of the user's."""
    if not t.shell("command -v nvim").out:
        raise Skipped("there is no Neovim")
    t.write("script.vim", script + "\nqa!\n")
    first = (f"set rtp^={t.source('editors', 'vim')}", "filetype plugin on", "syntax on",
             f'let g:tgc_command = ["{t.tgc}", "lsp"]')
    words = " ".join(f"--cmd '{c}'" for c in first)
    t.shell(f"nvim --headless -u NONE -i NONE -n {words} '{file}' -S script.vim", timeout=PATIENCE * 4,
            HOME=t.folder, XDG_STATE_HOME=t.folder, XDG_DATA_HOME=t.folder, XDG_CACHE_HOME=t.folder).exits(0)


def test_neovim(t):
    """A real client: Neovim's, started by editors/vim."""
    neovim(t, SESSION, t.sum)
    s = json.loads(t.read("session.json"))
    expect(s["filetype"] == "codelet" and s["before"] == 0, f"{s}")
    expect(s["typed"][:3] == [28, 2, 5] and "undeclared identifier 'mpa'" in s["typed"][3], f"{s}")
    expect("T sum(const Array<1, T> in)" in s["hover"] and s["definitions"] == 8, f"{s}")


def completed(t):
    """The words of the language, as the server completes them: those alone, and those behind a dot."""
    e = Editor(t).begin()
    e.open(t.path("x.cdl"), "x.y\n")
    found = [[i["label"] for i in e.at("completion", t.path("x.cdl"), at)] for at in ((0, 0), (0, 2))]
    e.end()
    return found


def uses(t):
    """Lines that begin with the words, as they are used."""
    alone, members = completed(t)
    return [f"{w}()" for w in alone] + [f"{'::' if w in ('id', 'op') else '.'}{w}()" for w in members]


def test_vim_syntax(t):
    """Each word has a color of its own in Vim, and no other word has."""
    lines = uses(t) + ["elsewhere()", "int"]
    t.write("words.cdl", "\n".join(lines) + "\n")
    neovim(t, SYNTAX, t.path("words.cdl"))
    found = json.loads(t.read("syntax.json"))
    for line in lines[:-2]:
        word = re.search(r"\w+", line)[0]
        expect(found[word].startswith("codelet"), f"`{line}' is {found[word]!r}")
    expect(not found["elsewhere"].startswith("codelet") and found["int"].startswith("c"), f"{found}")


def test_vscode(t):
    """The grammar has each word and no other; the manifest names files that are there."""
    root = t.source("editors", "vscode")

    def load(name):
        with open(os.path.join(root, name)) as f:
            return json.load(f)
    words = load("syntaxes/cdl-words.tmLanguage.json")
    patterns = [re.compile(p["match"]) for p in words["patterns"]]
    for line in uses(t):
        word = re.search(r"\w+", line)[0]
        expect(any(word in m.group(0) for p in patterns for m in p.finditer(line)), f"unknown: `{line}'")
    for line in ("elsewhere()", "x_map(", "map2(", "int", ".top(", "tag"):
        expect(not any(p.search(line) for p in patterns), f"the grammar takes `{line}' for a word")
    package = load("package.json")
    whole, injected = package["contributes"]["grammars"]
    expect(load(whole["path"])["scopeName"] == whole["scopeName"] in injected["injectTo"],
           "the words are in no grammar")
    for file in [package["main"]] + [x["path"] for x in package["contributes"]["grammars"]] + [
            x["configuration"] for x in package["contributes"]["languages"]]:
        expect(os.path.exists(os.path.join(root, file)), f"there is no {file}")


@long
def test_vscode_tokens(t):
    """A tokenizer of TextMate grammars, which pip installs, gives each word in all codelets the scope that it should have."""
    files = glob.glob(t.source("codelets", "**", "*.cdl"), recursive=True) + glob.glob(t.source("examples", "**", "*.cdl"), recursive=True)
    if t.shell("python3 -m venv venv && venv/bin/pip install --quiet babi", timeout=300).status:
        raise Skipped("pip cannot install babi")
    names = " ".join(f"'{f}'" for f in files)
    said = t.shell(f"venv/bin/python '{t.source('tests', 'textmate.py')}' '{t.source('editors', 'vscode', 'syntaxes')}' {names}").exits(0).out
    found, missed = re.fullmatch(r"(\d+) words have their scopes, (\d+) have not: .*\n", said).groups()
    expect(int(found) > 4000 and int(missed) < 5, said)  # source.cpp takes some product for a declaration


def test_emacs_words(t):
    """The mode has each word."""
    with open(t.source("editors", "emacs", "codelet-mode.el")) as f:
        quoted = set(re.findall(r'"(\w+)"', f.read()))
    for words in completed(t):
        expect(set(words) <= quoted, f"codelet-mode has no {set(words) - quoted}")


def test_emacs(t):
    """The mode loads and colors the words."""
    if not t.shell("command -v emacs").out:
        raise Skipped("there is no Emacs")
    t.write("x.cdl", "// __coop\n__codelet __tag(a) int f(const Array<1, int> in) { return map(f, partition(in)); }\n")
    t.write("x.el", """(find-file "x.cdl") (font-lock-ensure)
(princ (list major-mode (mapcar (lambda (w) (goto-char (point-min)) (search-forward w)
  (get-text-property (match-beginning 0) 'face)) '("__codelet" "a)" "Array" "map" "partition" "__coop"))))""")
    t.shell(f"emacs -Q --batch -L '{t.source('editors', 'emacs')}' -l codelet-mode -l x.el").exits(0).prints(
        "codelet-mode (font-lock-keyword-face font-lock-constant-face font-lock-type-face font-lock-builtin-face "
        "font-lock-builtin-face font-lock-comment-face)")


EGLOT = """(let ((default-directory "/usr/share/emacs/site-lisp/elpa-src/")) ; where Debian 12 has it; later Emacs has its own
  (when (file-directory-p default-directory) (normal-top-level-add-subdirs-to-load-path)))
(unless (require 'eglot nil t) (princ "no Eglot") (kill-emacs))
(require 'codelet-mode)
(setq codelet-server-command (list (getenv "TGC") "lsp") eglot-sync-connect 30)
(find-file "wrong.cdl")
(apply #'eglot--connect (eglot--guess-contact))
(let ((turns 0))
  (while (and (< turns 200) (null (flymake-diagnostics)))
    (accept-process-output nil 0.2) (flymake-start) (setq turns (1+ turns))))
(dolist (d (flymake-diagnostics)) (princ (format "%d: %s\n" (line-number-at-pos (flymake-diagnostic-beg d)) (flymake-diagnostic-text d))))
(goto-char (point-min)) (search-forward "partition") (backward-char 3)
(princ (format "hover %S\n" (jsonrpc-request (eglot--current-server-or-lose) :textDocument/hover (eglot--TextDocumentPositionParams))))
(goto-char (point-min)) (search-forward "return sum") (backward-char 1)
(princ (format "definitions %d\n" (length (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot)))))
"""


@long
def test_eglot(t):
    """Emacs as a client, with Eglot, where there is one: an error at its line, hover, definitions."""
    if not t.shell("command -v emacs").out:
        raise Skipped("there is no Emacs")
    with open(t.sum) as f:
        t.write("wrong.cdl", f.read().replace("accum += in[i]", "accum += inn[i]", 1))
    t.write("x.el", EGLOT)
    r = t.shell(f"git init -q . && emacs -Q --batch -L '{t.source('editors', 'emacs')}' -l x.el 2>&1", timeout=120).exits(0)
    if r.out.startswith("no Eglot"):
        raise Skipped("there is no Eglot")
    r.prints("13: tgc: use of undeclared identifier 'inn'", "hover", "partition(c, n, start, inc, end)", "definitions ")


def clangd(t, path):
    """What clangd says of a file that is wrong."""
    r = t.shell(f"clangd-19 --check='{path}' --check-locations=0", timeout=PATIENCE)
    return re.findall(r"^E\[[^]]*\] (\[.*)$", r.err, re.M)


def test_clangd(t):
    """clangd, too, takes no shipped codelet for wrong, nor a new one; what is wrong it finds."""
    if not t.shell("command -v clangd-19").out:
        raise Skipped("there is no clangd-19")
    machines = ("gemm_avx2.cdl", "gemm_avx512.cdl", "dot_bytes.cdl")  # intrinsics: clangd is not told of a machine
    files = sorted(glob.glob(t.source("codelets", "**", "*.cdl"), recursive=True))
    for path in drawn([f for f in files if os.path.basename(f) not in machines], 3):
        expect(not clangd(t, path), f"{path}: {clangd(t, path)}")
    t.run("new", "norm").exits(0)
    expect(not clangd(t, t.path("norm/norm.cdl")), f"{clangd(t, t.path('norm/norm.cdl'))}")
    t.write("norm/other.cdl", '#include "norm.cdl"\n#include "common/sum_steps.cdl"\n')
    expect(not clangd(t, t.path("norm/other.cdl")), f"{clangd(t, t.path('norm/other.cdl'))}")
    t.write("norm/norm.cdl", t.read("norm/norm.cdl").replace("result += in[i]", "resul += in[i]"))
    expect("undeclared identifier 'resul'" in str(clangd(t, t.path("norm/norm.cdl"))), "it finds nothing")
