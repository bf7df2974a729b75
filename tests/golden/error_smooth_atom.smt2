; expect-error: 3:9: the function 'sigmoid' cannot stand here; smooth functions are allowed in weights and in terms of expectations, variances and moments only
(declare-const x Real)
(assert (< (sigmoid x) 0.5))
