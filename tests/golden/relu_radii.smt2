; y is ReLU(w) plus triangular noise of radius r, with w uniform on [-3, 3]. For each radius the
; density of y at 1 is half the kernel at 1, for the dead half, plus its mean over (0, 3), halved.
; The noise has mean 0 and variance r^2/6; ReLU(w) has mean 3/4 and variance 15/16.
; run: --integrator triangulation
; run: --integrator mpfr --precision 96
; run: --enumerator z3
; run: --enumerator split --integrator face-lattice
; run: --enumerator split --integrator triangulation --threads 2
; run: --digits 9 --threads 3
; expect: 445/1728
; expect: 3/4
; expect: 759/400
; expect: 1541/2592
; expect: 235/864
; expect: 415/1587
; expect: 3/4
; expect: 4141000/15828627
; expect: 3/4
; expect: 1840/7203
; expect: 3/4
(declare-const w Real)
(declare-const y Real)
(define-fun z () Real (ite (> w 0) w 0))
(define-fun kernel ((t Real) (r Real)) Real (- (/ 1 r) (/ t (* r r))))
(assert (<= (- 3) w 3))
(push)
(define-const r Real (/ 12 5))
(assert (<= (- r) (- y z) r))
(weight (> y z) (kernel (- y z) r))
(weight (< y z) (kernel (- z y) r))
(get-density y :at 1)
(get-expectation y)
(get-variance y)
(get-probability (<= y 1))
(get-density y :at 1 :given (> w 0))
(pop)
(push)
(define-const r Real 2.3)
(assert (<= (- r) (- y z) r))
(weight (> y z) (kernel (- y z) r))
(weight (< y z) (kernel (- z y) r))
(get-density y :at 1)
(get-expectation y)
(pop)
(push)
(define-const r Real 2.297)
(assert (<= (- r) (- y z) r))
(weight (> y z) (kernel (- y z) r))
(weight (< y z) (kernel (- z y) r))
(get-density y :at 1)
(get-expectation y)
(pop)
(push)
(define-const r Real 2.45)
(assert (<= (- r) (- y z) r))
(weight (> y z) (kernel (- y z) r))
(weight (< y z) (kernel (- z y) r))
(get-density y :at 1)
(get-expectation y)
(pop)
