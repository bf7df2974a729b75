; Two numbers between 0 and 1 from a source that is fair with probability 9/10; the other source
; only ever gives pairs whose sum is at most 1.
(declare-const x Real)
(declare-const y Real)
(declare-const fair Bool)
(assert (<= 0 x 1))
(assert (<= 0 y 1))
(assert (=> (not fair) (<= (+ x y) 1)))
(weight fair (/ 9 10))
(weight (not fair) (/ 1 5))
(get-wmi)
(get-probability (not fair))
(get-expectation x)
(get-probability (not fair) :given (<= (+ x y) 1))
