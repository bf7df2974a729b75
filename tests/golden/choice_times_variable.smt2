; A product of a choice and a variable is piecewise linear: (ite b 1 2) * x > 1 says x > 1 or x > 1/2.
; On [0, 2]: lengths 1 and 3/2. The square of (ite b 1 2) * x: 1/2 (8/3) + 1/2 (32/3) over length 2: 10/3.
; expect: 4
; expect: 5/2
; expect: 10/3
(declare-const x Real) (declare-const b Bool)
(assert (<= 0 x 2))
(get-wmi)
(get-wmi (> (* (ite b 1 2) x) 1))
(get-moment (* x (ite b 1 2)) 2)
