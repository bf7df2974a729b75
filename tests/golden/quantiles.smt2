; x has density 2x on [0, 1], so its median is 1/sqrt(2) = 0.70710678118654752440...; max(x, y) of two
; such has distribution function t^4, with a quarter of its mass below 1/sqrt(2).
; expect: 0.70710678118654752440
; expect: 1/2
; expect: 0.70710678118654752440
; expect: 1/2
; expect: 1
(declare-const x Real)
(declare-const y Real)
(assert (and (<= 0 x 1) (<= 0 y 1)))
(weight true (* 4 x y))
(get-quantile x 0.5)
(get-quantile x 0.25)
(get-quantile (ite (> x y) x y) 0.25)
(get-quantile (ite (> x y) x y) (/ 1 16))
(get-quantile (ite (> x y) x y) 1)
