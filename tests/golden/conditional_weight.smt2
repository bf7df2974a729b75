; Under A, weight 2x on a triangle: 1/3. Otherwise weight 1 on the square: 1.
; run: --enumerator z3 --integrator triangulation
; run: --integrator mpfr --precision 64
; run: --enumerator z3
; run: --enumerator split --integrator face-lattice
; run: --enumerator split --integrator triangulation --threads 2
; run: --digits 9 --threads 3
; expect: 4/3
; expect: 1/3
; expect: 1/4
; expect: 5/8
; expect: 1/2
(declare-const x Real) (declare-const y Real) (declare-const A Bool)
(assert (and (<= 0 x 1) (<= 0 y 1)))
(assert (=> A (<= (+ x y) 1)))
(weight A (* 2 x))
(get-wmi)
(get-wmi A)
(get-probability A)
; (1/3 + 1/2) / (4/3)
(get-probability (<= (+ x y) 1))
; The integral of 2x * x over the triangle is 1/6, of x over the square 1/2: (2/3) / (4/3).
(get-expectation x)
