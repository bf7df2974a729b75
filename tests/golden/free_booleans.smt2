; Every declared Boolean counts, also one that occurs nowhere: it doubles the integral.
; expect: 3
; expect: 6
; expect: 12
; expect: 15/2
; expect: 1/5
; expect: 1/2
(declare-const x Real)
(assert (<= 0 x 3))
(get-wmi)
(declare-const A Bool)
(get-wmi)
(declare-const B Bool)
(get-wmi)
; 3 * 2 * (1 + 1/4)
(weight B 0.25)
(get-wmi)
(get-probability B)
(get-probability A)
