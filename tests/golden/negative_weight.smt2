; Weight x on [-1, 2] is a signed measure: 2 - 1/2 in all. A "probability" is then a ratio of signed
; integrals and may leave [0, 1]; it is never clamped.
; run: --integrator triangulation
; run: --integrator mpfr
; run: --enumerator z3
; run: --enumerator split --integrator face-lattice
; run: --enumerator split --integrator triangulation --threads 2
; run: --digits 9 --threads 3
; expect: 3/2
; expect: 4/3
; expect: -1/3
; expect: 2
(declare-const x Real)
(assert (<= (- 1) x 2))
(weight true x)
(get-wmi)
(get-probability (> x 0))
(get-probability (< x 0))
; (8 + 1)/3 over 3/2
(get-expectation x)
