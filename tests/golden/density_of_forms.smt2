; x and y are uniform on [0, 1]. A density is the derivative of the distribution function, so
; the slice counts divided by the size of the coefficient: 2y has density 1/2.
; expect: 1/2
; expect: 1
; expect: 1/2
; expect: 1
; expect: 1/2
; expect: 1/2
; expect: 3/4
; expect: 0
(declare-const x Real)
(declare-const y Real)
(assert (and (<= 0 x 1) (<= 0 y 1)))
(get-density (* 2 y) :at 1)
(get-density (- y) :at (/ (- 1) 3))
(get-density (+ x y) :at 0.5)
(get-density (+ x y) :at 1)
; x = 2y has x in [0, 1] and y in [0, 1/2]
(get-density (- x (* 2 y)) :at 0)
; |x - y| has density 2 (1 - t)
(get-density (ite (> x y) (- x y) (- y x)) :at 0.75)
; max(x, y) has density 2t
(get-density (ite (> x y) x y) :at 0.375)
(get-density (+ x y) :at 3)
