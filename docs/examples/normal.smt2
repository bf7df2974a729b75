; Two correlated normal variables are both positive: 1/4 + asin(1/sqrt 2) / (2 pi) = 3/8.
(declare-const x Real)
(declare-const y Real)
(weight true (* (normal x 0 1) (normal y (* 0.5 x) 0.5)))
(get-probability (and (> x 0) (> y 0)))
