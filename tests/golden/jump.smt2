; The density of x under weight 1 below 1 and 3 above it, on [0, 2]: 1/4 on the left of 1, 3/4 on the right.
; At the ends the limit from the right: 1/4 at 0, 0 at 2.
; expect: 3/4
; expect: 1/4
; expect: 0
; expect: 0
(declare-const x Real)
(assert (<= 0 x 2))
(weight (> x 1) 3)
(get-density x :at 1)
(get-density x :at 0)
(get-density x :at 2)
(get-density x :at 5)
