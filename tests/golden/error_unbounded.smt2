; expect-error: 4:1: region is unbounded in direction (0, 1); bound 'y' above
(declare-const x Real) (declare-const y Real)
(assert (and (<= 0 x 1) (<= 0 y)))
(get-wmi)
