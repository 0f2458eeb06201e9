" Codelets of tgc: they are indented like C++. Neovim starts the language server; `let g:tgc_lsp = 0' keeps it from
" that, and g:tgc_command is what it starts, `['tgc', 'lsp']' if nothing else is said.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1
setlocal cindent commentstring=//\ %s comments=sO:*\ -,mO:*\ \ ,exO:*/,s1:/*,mb:*,ex:*/,://
let b:undo_ftplugin = 'setlocal cindent< commentstring< comments<'

if has('nvim') && get(g:, 'tgc_lsp', 1) && executable(get(g:, 'tgc_command', ['tgc'])[0])
  lua require('tgc').attach()
endif
