; The region 0 <= a <= b <= c <= d <= 1 is 1/24 of the cube; its points are four sorted uniform numbers,
; with E[U(i) U(j)] = i (j + 1) / 30 and the least one of density 4 (1 - t)^3.
; run: --integrator triangulation
; run: --integrator mpfr
; run: --enumerator z3
; run: --enumerator split --integrator face-lattice
; run: --enumerator split --integrator triangulation --threads 2
; run: --digits 9 --threads 3
; expect: 1/24
; expect: 1/5
; expect: 1/6
; expect: 4/15
; expect: 1/2
(declare-const a Real)
(declare-const b Real)
(declare-const c Real)
(declare-const d Real)
(assert (<= 0 a b c d 1))
(get-wmi)
(get-expectation a)
(get-expectation (* a d))
(get-expectation (* b c))
(get-density a :at 0.5)
