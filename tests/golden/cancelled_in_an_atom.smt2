; Where the choice is known to be x + y, the event is y <= 1 and no longer has x: so it is a part of its own.
; x is in [0, 1] with p and in [0, 1/2] without, together 3/2; y is in [0, 1] then: 3/2 times 1.
; expect: 3/2
(declare-const x Real)
(declare-const y Real)
(declare-const p Bool)
(assert (<= 0 x 1))
(assert (<= 0 y 2))
(assert (or p (<= x 0.5)))
(get-wmi (<= (- (ite (<= 0 x) (+ x y) 5) x) 1))
