; The ReLU as a least upper bound: no equality anywhere, and still z is a function of w.
; no certificate: a derived real is not pinned by equations
; run:
; run: --integrator mpfr
; run: --enumerator z3
; run: --enumerator split --integrator face-lattice
; run: --enumerator split --integrator triangulation --threads 2
; run: --digits 9 --threads 3
; expect: 6
; expect: 3/4
; expect: 1/2
; expect: 0
; expect: 1/6
(declare-const w Real) (declare-const z Real)
(integrate w)
(assert (<= (- 3) w 3))
(assert (and (>= z 0) (>= z w) (or (<= z 0) (<= z w))))
(get-wmi)
(get-expectation z)
(get-probability (= z 0))
(get-probability (< z 0))
(get-density z :at 1)
