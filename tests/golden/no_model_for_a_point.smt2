; Where w > 1 no z satisfies the formula: those points are no models. WMI = 1, E[z] = 1/2.
; expect: 1
; expect: 1/2
(declare-const w Real) (declare-const z Real)
(integrate w)
(assert (<= 0 w 3))
(assert (= z w))
(assert (<= z 1))
(get-wmi)
(get-expectation z)
