; Two correlated normal variables are both positive: 1/4 + asin(1/sqrt 2) / (2 pi) = 3/8; their
; product has mean 1/2.
; run: --enumerator z3
; run: --enumerator split
; run: --digits 9
; run: --gap 1/1000
; expect: 3/8
; expect: 1/2
; expect: 1/2
(declare-const x Real)
(declare-const y Real)
(weight true (* (normal x 0 1) (normal y (* 0.5 x) 0.5)))
(get-probability (and (> x 0) (> y 0)))
(get-expectation (* x y))
(get-cdf (+ x y) :at 0)
