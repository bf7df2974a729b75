; Half of the mass of ReLU(w) sits at 0. The other queries of the file are answered.
; expect-error: 9:1: the term has a point mass of 1/2 at 0, so it has no density there; (get-probability (= TERM c)) is the mass at c
; expect: 1/6
; expect: 3/4
(declare-const w Real)
(assert (<= (- 3) w 3))
(define-fun z () Real (ite (> w 0) w 0))
(get-density z :at 1)
(get-density z :at 0)
(get-expectation z)
