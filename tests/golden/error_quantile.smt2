; expect-error: 4:17: expected a probability above 0 and at most 1
(declare-const x Real)
(assert (<= 0 x 1))
(get-quantile x 1.5)
