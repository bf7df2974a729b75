; A file without queries answers its weighted model integral: two bars that share a square, 2 + 2 - 1.
; expect: 3
(declare-const x Real)
(declare-const y Real)
(assert (or (and (<= 0 x 2) (<= 0 y 1)) (and (<= 0 x 1) (<= 0 y 2))))
