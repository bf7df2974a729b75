; a = 1/4 + w1 + w2/2 with w uniform on [-1, 1]^2, and y = -1/5 + (3/2) ReLU(a) + triangular noise of
; radius 49/20. E[ReLU(a)^2] = 145/384, so y has variance (9/4)(145/384 - (79/192)^2) + r^2/6.
; run: --integrator triangulation
; run: --integrator mpfr --precision 128
; run: --enumerator z3
; run: --enumerator split --integrator face-lattice
; run: --enumerator split --integrator triangulation --threads 2
; run: --digits 9 --threads 3
; expect: 4
; expect: 3/8
; expect: 3/8
; expect: 79/192
; expect: 267/640
; expect: 1805237/1228800
; expect: 52891/192080
(declare-const w1 Real)
(declare-const w2 Real)
(declare-const y Real)
(declare-const z Real)
(integrate w1 w2 y)
(define-const r Real 2.45)
(define-fun a () Real (+ 0.25 w1 (/ w2 2)))
(define-fun f () Real (+ (- 0.2) (* 1.5 z)))
(assert (and (<= (- 1) w1 1) (<= (- 1) w2 1)))
(assert (=> (> a 0) (= z a)))
(assert (=> (<= a 0) (= z 0)))
(assert (<= (- r) (- y f) r))
(weight (> y f) (- (/ 1 r) (/ (- y f) (* r r))))
(weight (< y f) (- (/ 1 r) (/ (- f y) (* r r))))
(get-wmi)
(get-probability (< a 0))
(get-probability (= z 0))
(get-expectation z)
(get-expectation y)
(get-variance y)
(get-density y :at 1)
