; expect-error: 3:17: division by zero
(declare-const x Real)
(assert (<= 0 x (/ 1 (- 2 2))))
