; A network with one unknown weight: z = ReLU(w) for the input x = 1, w uniform on [-3, 3].
; The target y scatters around z by a triangular likelihood of radius r.
(declare-const w Real)
(declare-const y Real)
(integrate w y)

(define-fun z () Real (ite (> w 0) w 0))
(define-fun r () Real (/ 23 10))

(assert (<= (- 3) w 3))
(assert (<= (- r) (- y z) r))
(weight true (/ 1 6))
(weight (> y z) (- (/ 1 r) (/ (- y z) (* r r))))
(weight (<= y z) (- (/ 1 r) (/ (- z y) (* r r))))

(echo "The whole mass, 1: prior and likelihood are densities.")
(get-wmi)
(echo "E[y], the predicted mean: half of the prior is cut to 0, the rest averages 3/2.")
(get-expectation y)
(echo "Var[y], which a sampler could only estimate.")
(get-variance y)
(echo "p(y = 1), the predictive density at 1.")
(get-density y :at 1)
(echo "P(y > 2), the probability that the output crosses a line.")
(get-probability (> y 2))
(echo "P(z = 0): the unit is dead with probability 1/2 ...")
(get-probability (= z 0))
(echo "... and P(y > 2) once we know that it is alive.")
(get-probability (> y 2) :given (> z 0))
