" Vim syntax file for NESL.
if exists("b:current_syntax")
  finish
endif
syntax case ignore

syntax keyword neslKeyword function datatype if then else let in time
syntax keyword neslOperatorWord and or nand nor xor
syntax keyword neslBoolean t f
syntax keyword neslCommand load describe apropos set show dump edit shell help exit get
syntax keyword neslType int float bool char number logical ordinal scalar any

syntax match neslNumber "\<\d\+\>"
syntax match neslFloat "\<\d\+\.\d*\(e[-+]\=\d\+\)\="
syntax match neslFloat "\.\d\+\(e[-+]\=\d\+\)\="
syntax match neslFloat "\<\d\+e[-+]\=\d\+\>"
syntax match neslCharacter "`\_."
syntax match neslOperator "->\|<-\|=>\|++\|==\|/=\|<=\|>=\|:=\|||\|[-+*/^#@<>=|]"
syntax region neslString start=+"+ skip=+\\.+ end=+"+
syntax region neslComment start=+%+ end=+%+

highlight default link neslKeyword Keyword
highlight default link neslOperatorWord Operator
highlight default link neslBoolean Boolean
highlight default link neslCommand PreProc
highlight default link neslType Type
highlight default link neslNumber Number
highlight default link neslFloat Float
highlight default link neslCharacter Character
highlight default link neslOperator Operator
highlight default link neslString String
highlight default link neslComment Comment

let b:current_syntax = "nesl"
