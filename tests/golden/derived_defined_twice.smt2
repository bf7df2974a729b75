; For w <= 0 there are two equations for z that contradict each other: no model there.
; run: --enumerator z3
; run: --enumerator split
; expect: 1
(declare-const w Real) (declare-const z Real) (integrate w)
(assert (<= (- 1) w 1))
(assert (=> (<= w 0) (= z 1)))
(assert (ite (> w 0) (= z w) (= z 0)))
(get-wmi)
