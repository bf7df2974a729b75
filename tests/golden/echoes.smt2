; Echoes alone between two commands are a task without a number, of which a certificate says nothing.
; The weight is 2x on [0, 1], and then on [0, 1/2]: 1 and 1/4.
; expect: before
; expect: 1
; expect: between
; expect: 1/4
(declare-const x Real)
(assert (<= 0 x 1))
(echo "before")
(weight true (* 2 x))
(get-wmi)
(assert (<= x (/ 1 2)))
(echo "between")
(assert (<= x (/ 1 2)))
(get-wmi)
