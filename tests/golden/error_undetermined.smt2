; Nothing is said of z where w is not above 0.
; expect-error: 7:1: 'z' is not determined where w >= -3 and w <= 3 and w <= 0; pin it by an equality there, or add it to (integrate ...)
(declare-const w Real) (declare-const z Real)
(integrate w)
(assert (<= (- 3) w 3))
(assert (=> (> w 0) (= z w)))
(get-wmi)
