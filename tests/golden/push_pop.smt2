; Commands act in order, and a pop takes back declarations, assertions, weights and observations:
; a popped variable is no dimension any more.
; expect: sat
; expect: 2
; expect: 20
; expect: 10
; expect: 1/4
; expect: 2
; expect: unsat
; expect: 0
; expect: sat
; expect: 1
; expect: 2
; expect: done
(set-logic QF_LRA)
(declare-const x Real)
(assert (<= 0 x 2))
(check-sat)
(get-wmi)
(push 1)
(declare-const y Real)
(assert (<= 0 y 5))
(weight true x)
(declare-const A Bool)
; 5 * 2, twice
(get-wmi)
(push)
(assert A)
(get-wmi)
(get-probability (< x 1))
(pop 2)
(get-wmi)
(push)
(assert (> x 3))
(check-sat)
(get-wmi)
(pop)
(check-sat)
(push)
(observe x 1)
(get-wmi)
(pop)
(get-wmi)
(echo "done")
