; Of nothing, the integral is 0, and everything that is divided by it is undefined: an answer,
; not an error. Weight 0 is as empty as no model.
; run: --integrator triangulation
; run: --integrator mpfr
; run: --enumerator z3
; run: --enumerator split --integrator face-lattice
; run: --enumerator split --integrator triangulation --threads 2
; run: --digits 9 --threads 3
; expect: 0
; expect: undefined
; expect: undefined
; expect: undefined
; expect: undefined
; expect: undefined
; expect: undefined
; expect: 1
; expect: undefined
(declare-const x Real)
(assert (<= 0 x 1))
(push)
(assert (> x 2))
(get-wmi)
(get-probability (> x 0))
(get-expectation x)
(get-variance x)
(get-moment x 2)
(get-density x :at 0.5)
(pop)
(get-probability (> x 0) :given (> x 2))
(get-probability (> x 0))
(weight true 0)
(get-probability (> x 0))
