; A system of equations: u = v + w, v = 2 u - 3 w, so v = w and u = 2 w. And s is a piece of u by a Boolean:
; s = u or s = -u. E[s^2] = E[4 w^2] = 4/3; P(s > 1) = P(b) P(w > 1/2) = 1/4.
; expect: 2
; expect: 4/3
; expect: 1/4
(declare-const w Real) (declare-const u Real) (declare-const v Real) (declare-const s Real)
(declare-const b Bool)
(integrate w)
(assert (<= 0 w 1))
(assert (= u (+ v w)))
(assert (= v (- (* 2 u) (* 3 w))))
(assert (ite b (= s u) (= s (- u))))
(get-wmi)
(get-moment s 2)
(get-probability (> s 1))
