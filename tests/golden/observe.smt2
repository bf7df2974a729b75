; Weight x on the triangle x + y <= 1: the integral of x (1 - x) over [0, 1] is 1/6. The slice
; y = 1/4 is x in [0, 3/4]: mass 9/32, mean (9/64) / (9/32), above 1/2 (9/32 - 1/8) / (9/32).
; A condition y = 1/4 is another matter: its probability is 0.
; run: --integrator triangulation
; run: --integrator mpfr
; run: --enumerator z3
; run: --enumerator split --integrator face-lattice
; run: --enumerator split --integrator triangulation --threads 2
; run: --digits 9 --threads 3
; expect: 1/6
; expect: 27/16
; expect: undefined
; expect: 9/32
; expect: 1/2
; expect: 5/9
; expect: 3/4
(declare-const x Real)
(declare-const y Real)
(assert (and (<= 0 x) (<= 0 y) (<= (+ x y) 1)))
(weight true x)
(get-wmi)
(get-density y :at 0.25)
(get-probability (> x 0.5) :given (= y 0.25))
(observe y 0.25)
(get-wmi)
(get-expectation x)
(get-probability (> x 0.5))
(get-expectation (+ x y))
