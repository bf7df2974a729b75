; The weight is negative left of 1/2, so there is a law, but it has no quantiles.
; expect-error: 8:1: the law is negative somewhere, so it has no quantiles and no draws; weights must not be negative
; expect: 5/6; -1 4 from 0 to 1
; expect: -1/8
(declare-const x Real)
(assert (<= 0 x 1))
(weight true (- (* 4 x) 1))
(get-quantile x 0.5)
(get-distribution x)
(get-cdf x :at 0.25)
