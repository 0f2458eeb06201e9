" Vim itself has no language client. With the plugin vim-lsp this starts `tgc lsp' for codelets.
augroup codelet_lsp
  autocmd!
  autocmd User lsp_setup call lsp#register_server({
        \ 'name': 'tgc', 'cmd': {_ -> get(g:, 'tgc_command', ['tgc', 'lsp'])}, 'allowlist': ['codelet']})
augroup END
