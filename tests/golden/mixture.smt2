; x is uniform on [0, 2], B holds with probability 3/10, and t is x under B, else 5.
; E[t] = 3/10 + 7/2 and E[t^2] = (3/10)(4/3) + (7/10) 25.
; expect: 2
; expect: 3/10
; expect: 3/10
; expect: 19/40
; expect: 19/5
; expect: 173/50
; expect: 1
; expect: 3/20
; expect: 7/10
(declare-const x Real)
(declare-const B Bool)
(define-fun t () Real (ite B x 5))
(assert (<= 0 x 2))
(weight B 0.3)
(weight (not B) 0.7)
(get-wmi)
(get-probability B)
(get-probability B :given (> x 1))
; 3/10 + (7/10)(1/4)
(get-probability (or B (< x 0.5)))
(get-expectation t)
(get-variance t)
(get-expectation x)
(get-density t :at 1)
(get-probability (= t 5))
