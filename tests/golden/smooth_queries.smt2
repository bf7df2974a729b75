; All queries under a normal weight: y = x/2 + e/2, so that x + y is normal with variance 5/2.
; sigmoid is odd around 1/2, and E exp(x) = e^(1/2).
; run:
; run: --enumerator z3
; run: --digits 9
; expect: 1
; expect: 0.5
; expect: 1.64872127070012814684865078781
; expect: 3
; expect: 0.5
; expect: 0
; expect: 0.252313252202016004824714952237
(declare-const x Real)
(declare-const y Real)
(weight true (* (normal x 0 1) (normal y (* 0.5 x) 0.5)))
(get-wmi)
(get-expectation (sigmoid x))
(get-expectation (exp x))
(get-moment x 4)
(get-cdf (+ x y) :at 0)
(get-quantile (+ x y) 0.5)
(get-density (+ x y) :at 0)
