; The cubic sigmoid 1/2 + 3f/(4d) - f^3/(4d^3) on [-d, d], 0 below and 1 above, with d = 7/2.
; It is odd about 1/2, so over [-4, 5] it integrates to 7/2 + 3/2. Over [-1, 2], with the
; antiderivative f/2 + 3f^2/28 - f^4/686, to 3/2 + 9/28 - 15/686 = 2469/1372.
; expect: 5
; expect: 2469/1372
; expect: 7/10
(declare-const f Real)
(define-const d Real 3.5)
(define-fun cubic () Real (+ 0.5 (/ (* 3 f) (* 4 d)) (* (/ (- 1) (* 4 (^ d 3))) (pow f 3))))
(assert (<= (- 4) f 5))
(assert (>= f (- d)))
(weight (<= f d) cubic)
(get-wmi)
(get-wmi (<= (- 1) f 2))
; (7/2) / 5: the posterior mass of an unsaturated answer among the positive ones
(get-probability (<= f d))
