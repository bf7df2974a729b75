; The unit cube without the corner where x + y + z > 2, a simplex of volume 1/6 whose mean of z is 3/4. Three of its
; vertices are on four faces. Volume 5/6; the integral of z is 1/2 - 1/8 = 3/8. Where x + y <= 1 nothing is cut off: 1/2.
; At z = 1/2 the square without x + y > 3/2 is left: 7/8. At x + y = 1, z is free: 1, the triangular density there.
; expect: 5/6
; expect: 9/20
; expect: 3/5
; expect: 21/20
; expect: 6/5
(declare-const x Real) (declare-const y Real) (declare-const z Real)
(assert (and (<= 0 x 1) (<= 0 y 1) (<= 0 z 1)))
(assert (<= (+ x y z) 2))
(get-wmi)
(get-expectation z)
(get-probability (<= (+ x y) 1))
(get-density z :at 0.5)
(get-density (+ x y) :at 1)
