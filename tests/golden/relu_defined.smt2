; ReLU(w) with w uniform on [-3, 3]: half of the mass sits at 0, where < and <= differ.
; E[z^2] = (1/6) 9 = 3/2 and E[z^3] = (1/6) 81/4.
; run: --enumerator z3
; run: --integrator mpfr
; run: --enumerator split --integrator face-lattice
; run: --enumerator split --integrator triangulation --threads 2
; run: --digits 9 --threads 3
; expect: 6
; expect: 0
; expect: 1/2
; expect: 1/2
; expect: 1/2
; expect: 1/2
; expect: 1
; expect: 0
; expect: 0
; expect: 1/3
; expect: 3/4
; expect: 15/16
; expect: 27/8
; expect: 1/6
; expect: 0
(declare-const w Real)
(define-fun z () Real (ite (> w 0) w 0))
(assert (<= (- 3) w 3))
(get-wmi)
(get-probability (< z 0))
(get-probability (<= z 0))
(get-probability (= z 0))
(get-probability (> z 0))
(get-probability (distinct z 0))
(get-probability (>= z 0))
(get-probability (= z 1))
(get-probability (= w 0))
(get-probability (<= z 1) :given (> z 0))
(get-expectation z)
(get-variance z)
(get-moment z 3)
(get-density z :at 1)
(get-density z :at (- 1))
