; expect-error: 3:12: division by a variable; divide by numbers only
(declare-const x Real)
(assert (< (/ 1 x) 2))
