; Three parts that share nothing. In the first, twice the weight under the diagonal of the square: 3/2.
; In the second, |u| <= 1 with weight u^2 where B, else 1: 2/3 + 2 = 8/3. In the third, exactly one of
; three Booleans, with weights 1/2, 1/3, 1/6: 1. All of it: 4.
; P(x + y <= 1 and B) = (1/1.5) (2/3 / (8/3)) = 2/3 * 1/4; E[x u^2] = E[x] E[u^2]: with
; E[x] = (1/2 + 1/6) / (3/2) = 4/9 and E[u^2] = (2/5 + 2/3) / (8/3) = 2/5.
; run: --enumerator z3
; run: --enumerator split --integrator face-lattice --threads 2
; run: --digits 9
; expect: 4
; expect: 1/6
; expect: 8/45
; expect: 1/3
(declare-const x Real) (declare-const y Real) (declare-const u Real)
(declare-const B Bool)
(declare-const c1 Bool) (declare-const c2 Bool) (declare-const c3 Bool)
(assert (and (<= 0 x 1) (<= 0 y 1) (<= (- 1) u 1)))
(weight (<= (+ x y) 1) 2)
(weight B (* u u))
(assert (or c1 c2 c3))
(assert (and (=> c1 (not c2)) (=> c1 (not c3)) (=> c2 (not c3))))
(weight c1 (/ 1 2)) (weight c2 (/ 1 3)) (weight c3 (/ 1 6))
(get-wmi)
(get-probability (and (<= (+ x y) 1) B))
(get-expectation (* x u u))
(get-probability c2)
