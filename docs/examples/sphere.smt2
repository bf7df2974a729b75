; The mean square distance from a point of a regular polytope that is nearly a ball: |x|, |y|, |z| and
; all |+-x +-y +-z| bounded, under the weight of a likelihood that falls off with the distance.
(declare-const x Real) (declare-const y Real) (declare-const z Real)
(define-fun norm ((a Real)) Real (ite (< a 0) (- a) a))
(assert (<= (norm x) 1.0000001)) (assert (<= (norm y) 1.0000003)) (assert (<= (norm z) 1.0000007))
(assert (<= (+ (norm x) (norm y) (norm z)) 1.9999999))
(weight true (^ (- 2 (/ (+ (* x x) (* y y) (* z z)) 3)) 4))
(get-expectation (+ (* x x) (* y y) (* z z) 1.23456789))
