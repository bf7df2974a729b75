; A point in the triangle 0 <= x, 0 <= y, x + y <= 2/3, uniformly; then evidence on y.
(declare-const x Real)
(declare-const y Real)
(assert (and (<= 0 x) (<= 0 y) (<= (+ x y) (/ 2 3))))
(get-probability (> x y))
(get-probability (> x (/ 1 2)) :given (= y (/ 1 3)))
(observe y 0)
(get-probability (> x (/ 1 2)))
