; expect-error: 3:9: the function '/' cannot stand here; smooth functions are allowed in weights and in terms of expectations, variances and moments only
(declare-const x Real)
(assert (< (/ 1 x) 2))
