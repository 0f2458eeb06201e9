" Codelets of tgc: C++ and the words of the language.
if exists('b:current_syntax')
  finish
endif
runtime! syntax/cpp.vim
unlet! b:current_syntax

syn keyword codeletQualifier __codelet __coop __tag __env __tunable __mutable __shape __like __by_columns __accum __append
syn keyword codeletQualifier __shared __shared_atomic __shared_atomicAdd __shared_atomicSub __shared_atomicMax
syn keyword codeletQualifier __shared_atomicMin __shared_once __atomic __atomicAdd __atomicSub __atomicMax __atomicMin __monoid
syn keyword codeletType Array Vector Map Sequence Cut
syn keyword codeletFunction map partition sequence tiles cut halo whole rows columns elements
syn keyword codeletFunction transform zip take shift reverse every gather repeat iota generate slide
syn keyword codeletFunction mma matrix ones triangle coopIdx coopDim order_bits order_size popcount min max lowest highest
syn keyword codeletFunction exp exp2 expm1 log log2 log1p sqrt rsqrt sin cos atan tanh
syn keyword codeletFunction erf pow fabs floor ceil trunc fma ldexp bits_of float_of_bits double_of_bits
syn match codeletMember "\%(\.\s*\)\@<=\%(Size\|size\|Stride\|MaxSize\|ThreadId\|LaneId\|VectorId\|Alike\|to\|append\|claim\)\>"
syn match codeletMember "\%(\.\s*\%(template\s\+\)\=\)\@<=atomic\%(Add\|Sub\|Max\|Min\)\=\>"
syn match codeletMember "\%(::\)\@<=\%(id\|op\)\>"
syn keyword codeletOperator Sum Product Max Min And Or Xor Add Sub Once Any
" A codelet's tag, which is its name in plans.
syn region codeletTag matchgroup=codeletQualifier start="\<__tag\s*(" end=")" oneline

hi def link codeletQualifier StorageClass
hi def link codeletType Type
hi def link codeletFunction Function
hi def link codeletMember Function
hi def link codeletOperator Constant
hi def link codeletTag Label

let b:current_syntax = 'codelet'
