; The law of ReLU(w), w uniform on [-3, 3], and questions to it; the sum of two numbers; a maximum.
; run:
; run: --enumerator z3
; run: --integrator mpfr --precision 64 --threads 2
; run: --digits 5
; expect: 3/4; 1/2 at 0; 1/6 from 0 to 3
; expect: 0
; expect: 1/2
; expect: 1
; expect: 0
; expect: 0
; expect: 3/2
; expect: 3
; expect: 3/2; 1/3 from 0 to 3
; expect: 2; 1 at 2
; expect: 1; 0 1 from 0 to 1; 2 -1 from 1 to 2
; expect: 2/3; 0 2 from 0 to 1
; expect: 1/3; 2 -2 from 0 to 1
; expect: 1/4; 1/2 at 0; 1/2 from 0 to 1
; expect: 1/2
; expect: undefined
; expect: undefined
(declare-const w Real)
(assert (<= (- 3) w 3))
(define-fun z () Real (ite (> w 0) w 0))
(get-distribution z)
(get-cdf z :at (- 1))
(get-cdf z :at 0)
(get-cdf z :at 3)
(get-quantile z 0.1)
(get-quantile z 0.5)
(get-quantile z 0.75)
(get-quantile z 1)
(get-distribution z :given (> w 0))
(get-distribution 2)
(push)
(declare-const x Real)
(declare-const y Real)
(assert (and (<= 0 x 1) (<= 0 y 1)))
(get-distribution (+ x y))
(get-distribution (ite (> x y) x y))
(get-distribution (ite (> x y) (- x y) (- y x)))
(declare-const coin Bool)
(get-distribution (ite coin x 0))
(get-cdf (ite coin x 0) :at 0)
(get-cdf x :at 0 :given (< x 0))
(get-quantile x 0.5 :given (= x 1))
(pop)
