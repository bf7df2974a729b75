; expect-error: 4:2: 'get-quantile' is not answered by this version; (get-density TERM :at c) and (get-probability (<= TERM c)) give one point of it
(declare-const x Real)
(assert (<= 0 x 1))
(get-quantile x 0.5)
