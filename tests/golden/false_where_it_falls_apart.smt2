; 3 x <= 0 has no volume in [0, 2], so there is nothing, whatever p and q are.
; expect-warning: 'x' is pinned
; expect: 0
(declare-const x Real) (declare-const p Bool) (declare-const q Bool)
(assert (<= 0 x 2))
(assert (or (<= (* 3 x) 0) (and (and (not (<= x (/ 1 2))) (not p)) (<= (* 3 x) 0))))
(weight (not q) 3)
(get-wmi (not (<= (+ (/ 5 2) (* 3 x)) 0)))
