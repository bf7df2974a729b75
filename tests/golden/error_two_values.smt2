; z may be w or 0 wherever w is not 0: it is no function of w.
; expect-error: 7:1: 'z' has two values where w = 1/2: 1/2 and 0; a real that is not integrated must be a function of the others
(declare-const w Real) (declare-const z Real)
(integrate w)
(assert (<= (- 3) w 3))
(assert (or (= z w) (= z 0)))
(get-wmi)
