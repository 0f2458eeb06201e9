" .cdl files are tgc's codelets here; Vim's own rule takes them for another language.
autocmd BufNewFile,BufRead *.cdl set filetype=codelet
