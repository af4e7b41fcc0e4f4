autocmd BufRead,BufNewFile *.nesl,*.lnesl setfiletype nesl
