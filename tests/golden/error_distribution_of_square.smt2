; expect-error: 4:19: the product (* x x) is not linear; only sums of numbers times variables can stand here
(declare-const x Real)
(assert (<= 0 x 1))
(get-distribution (* x x))
