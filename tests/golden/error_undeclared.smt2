; expect-error: 5:16: weight of 'A' uses 'z', which is not declared
(declare-const x Real)
(declare-const A Bool)
(assert (<= 0 x 1))
(weight A (* 2 z))
(get-wmi)
