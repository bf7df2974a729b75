; At w = 0 nothing is said of z; a point has no volume.
; expect: 6
; expect: 3/4
; expect: sat
(declare-const w Real) (declare-const z Real)
(integrate w)
(assert (<= (- 3) w 3))
(assert (=> (> w 0) (= z w)))
(assert (=> (< w 0) (= z 0)))
(get-wmi)
(get-expectation z)
(check-sat)
