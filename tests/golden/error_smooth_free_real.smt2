; expect-error: 6:1: region is unbounded in direction (0, 1); bound 'y' above
; Nothing depends on y.
(declare-const x Real)
(declare-const y Real)
(weight true (normal x 0 1))
(get-wmi)
