; An ite of which one half defines z and the other is a condition like any other: w > 0, or w <= -1/2.
; run: --enumerator z3
; run: --enumerator split
; expect: 3/2
(declare-const w Real) (declare-const z Real) (integrate w)
(assert (<= (- 1) w 1))
(assert (ite (> w 0) (= z w) (<= w (- 0.5))))
(assert (=> (<= w 0) (= z 0)))
(get-wmi)
