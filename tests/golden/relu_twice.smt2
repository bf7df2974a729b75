; z2 = ReLU(1 - ReLU(w)), w uniform on [-3, 3]: 1 where w <= 0, 1 - w up to w = 1, then 0.
; E[z2] = 1/2 + (1/6)(1/2).
; expect: 7/12
; expect: 1/3
; expect: 1/2
; expect: 1/2
; expect: 1/6
(declare-const w Real)
(declare-fun z1 () Real)
(declare-fun z2 () Real)
(integrate w)
(define-fun relu ((z Real) (a Real)) Bool
  (and (=> (> a 0) (= z a)) (=> (<= a 0) (= z 0))))
(assert (<= (- 3) w 3))
(assert (relu z1 w))
(assert (relu z2 (- 1 z1)))
(get-expectation z2)
(get-probability (= z2 0))
(get-probability (= z2 1))
(get-probability (< z2 1))
(get-density z2 :at 0.5)
