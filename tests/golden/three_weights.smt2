; y = 3/10 + (7/10) w1 - (2/5) w2 + w3 + triangular noise of radius 49/40, the weights uniform on a box
; of volume 11/20. Variance: the sum of a^2 (u - l)^2 / 12, plus r^2/6.
; expect: 11/20
; expect: 453130613/1479016000
; expect: 1266817878373/1267728000000
; expect: 51/400
; expect: 164819/480000
(declare-const w1 Real)
(declare-const w2 Real)
(declare-const w3 Real)
(declare-const y Real)
(define-const r Real (/ 49 40))
(define-fun f () Real (+ 0.3 (* 0.7 w1) (* (- 0.4) w2) w3))
(assert (<= (- 0.5) w1 0.75))
(assert (<= 0.1 w2 1.2))
(assert (<= (- 0.2) w3 0.2))
(assert (<= (- r) (- y f) r))
(weight (> y f) (- (/ 1 r) (/ (- y f) (* r r))))
(weight (< y f) (- (/ 1 r) (/ (- f y) (* r r))))
(get-wmi)
(get-density y :at 0.9)
(get-probability (<= (- 1.5) y 2))
(get-expectation y)
(get-variance y)
